/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read captures (pcap or pcapng, compressed or not), record by record.
 *
 * No library is used, because the output must be the input without some packets, byte
 * for byte. libpcap refuses a second interface with another link type or snaplen, and
 * cannot write pcapng. libwiretap drops unknown blocks, re-encodes the other blocks, and
 * changes its interface with each release.
 */
#ifndef SEENCTL_CAPTURE_H
#define SEENCTL_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unpack.h"

/* Maximum length of a record in bytes. A longer record counts as damage. */
#define CAPTURE_RECORD_MAX	(UINT32_C(1) << 28)

/* Direction of a packet, seen from the machine that captured it. */
enum capture_way {
	CAPTURE_WAY_UNKNOWN,
	CAPTURE_WAY_IN,
	CAPTURE_WAY_OUT,
};

/**
 * struct capture_packet - a packet of a capture
 * @bytes: the captured bytes; valid until the next record is read
 * @captured: number of captured bytes
 * @len: length on the wire in bytes, as the record states it; may be any number
 * @time: ns since 1970; a simple packet block has no time and gets that of the previous
 *        packet
 * @type: LINKTYPE_x
 * @way: direction that the record states; linktype_way() also reads cooked headers
 */
struct capture_packet {
	const uint8_t *bytes;
	uint32_t captured;
	uint32_t len;
	uint64_t time;
	uint32_t type;
	enum capture_way way;
};

enum capture_kind {
	CAPTURE_PACKET,
	CAPTURE_HEAD,		/* header of a file or section */
	CAPTURE_INTERFACE,
	CAPTURE_OTHER,
};

/**
 * struct capture_record - a part of a capture
 * @kind: type of the record
 * @raw: bytes of the record; valid until the next record is read
 * @size: number of bytes at @raw
 * @options: a packet has options, or an interface has options other than if_tsresol and
 *           if_tsoffset
 * @port: for CAPTURE_PACKET: number of its interface in the section
 * @packet: for CAPTURE_PACKET: the packet
 */
struct capture_record {
	enum capture_kind kind;
	const uint8_t *raw;
	size_t size;
	bool options;
	uint32_t port;
	struct capture_packet packet;
};

/* Unit and origin of the time stamps of a pcapng interface. */
struct capture_unit {
	uint8_t resolution;	/* if_tsresol */
	int64_t offset;		/* if_tsoffset, in seconds */
};

/**
 * struct capture_port - an interface of a pcapng section
 * @type: LINKTYPE_x
 * @snaplen: maximum number of bytes captured per packet; 0: no limit
 * @unit: unit of its time stamps
 */
struct capture_port {
	uint32_t type;
	uint32_t snaplen;
	struct capture_unit unit;
};

struct capture;

/**
 * struct capture_format - reader of a format
 * @open: checks the first header; returns false with the capture's error
 * @next: see capture_next()
 */
struct capture_format {
	bool (*open)(struct capture *in);
	int (*next)(struct capture *in, struct capture_record *record);
};

extern const struct capture_format capture_pcap, capture_ng;

/**
 * struct capture - a capture that is read
 * @from: the input stream
 * @bytes: buffer of decompressed bytes; those from @at to @end are not used yet
 * @size: size of @bytes
 * @at: offset in @bytes of the next record
 * @end: offset in @bytes after the last byte that was read
 * @format: NULL: not known yet
 * @swapped: numbers have the other byte order; pcapng: in this section
 * @begun: pcap: capture_next() has returned the file header
 * @nano: pcap: time stamps are in nanoseconds, not microseconds
 * @old: pcap: of a version that may swap the two lengths of a packet
 * @head: pcap: bytes of the header of each packet
 * @type: pcap: LINKTYPE_x
 * @port: pcapng: interfaces of this section
 * @ports: pcapng: number of interfaces in @port
 * @room: pcapng: number of interfaces that @port has memory for
 * @time: time of the last packet, in ns since 1970
 * @error: why the last call failed, or ""
 */
struct capture {
	struct unpack from;
	uint8_t *bytes;
	size_t size;
	size_t at;
	size_t end;
	const struct capture_format *format;
	bool swapped;
	bool begun;
	bool nano;
	bool old;
	size_t head;
	uint32_t type;
	struct capture_port *port;
	size_t ports;
	size_t room;
	uint64_t time;
	char error[192];
};

/**
 * capture_open() - begin to read a capture and detect its format
 * @in: out: the capture
 * @fd: descriptor of the stream; capture_close() closes it, also after an error
 *
 * Return: true, or false with @in->error.
 */
bool capture_open(struct capture *in, int fd);

/**
 * capture_next() - read the next record
 * @in: from capture_open()
 * @record: out: the record
 *
 * Return: 1 if there is a record, 0 at the end, -1 on failure, with @in->error.
 */
int capture_next(struct capture *in, struct capture_record *record);

void capture_close(struct capture *in);

/* The functions below are for the format readers. */

/* capture_need() - make @size bytes available at capture_here(); false: fewer are left */
bool capture_need(struct capture *in, size_t size);
const uint8_t *capture_here(const struct capture *in);

/* capture_fail() - store an error text unless one is stored already; returns -1 */
int capture_fail(struct capture *in, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));

/* capture_end() - call if no whole record is left; returns 0 at the end of the file, else -1 */
int capture_end(struct capture *in);

/* Read a number in the byte order of the capture. */
uint16_t capture_u16(const struct capture *in, const uint8_t *at);
uint32_t capture_u32(const struct capture *in, const uint8_t *at);
uint64_t capture_u64(const struct capture *in, const uint8_t *at);

/* capture_time() - convert a time stamp to ns since 1970, saturated to 0 and UINT64_MAX */
uint64_t capture_time(const struct capture_unit *unit, uint64_t stamp);

#endif
