/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Captures: files of packets, pcap or pcapng, packed or not, record by record.
 *
 * The format is read here and not by a library, because the output must be the input
 * without some packets. libpcap refuses a second interface of another link type or
 * snaplen, and writes no pcapng. libwiretap drops blocks that it does not know, writes
 * the others anew, and changes its interface with each release. Here a record that
 * passes keeps its bytes.
 */
#ifndef SEENCTL_CAPTURE_H
#define SEENCTL_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unpack.h"

/* Bytes of the longest record. A longer one is taken for damage. */
#define CAPTURE_RECORD_MAX	(UINT32_C(1) << 28)

/* Where a packet went, seen from the machine that captured it. */
enum capture_way {
	CAPTURE_WAY_UNKNOWN,
	CAPTURE_WAY_IN,
	CAPTURE_WAY_OUT,
};

/**
 * struct capture_packet - a packet of a capture
 * @bytes: of it; valid until the next record is read
 * @captured: number of @bytes
 * @len: bytes that the record states for the wire; any number
 * @time: ns since 1970; of a simple packet block, the time of the packet before it
 * @type: LINKTYPE_x
 * @way: as the record states it; a cooked header may state it, too
 */
struct capture_packet {
	const uint8_t *bytes;
	uint32_t captured;
	uint32_t len;
	uint64_t time;
	uint32_t type;
	enum capture_way way;
};

/* What a record is. */
enum capture_kind {
	CAPTURE_PACKET,
	CAPTURE_HEAD,		/* of a file or a section */
	CAPTURE_INTERFACE,
	CAPTURE_OTHER,
};

/**
 * struct capture_record - a part of a capture
 * @kind: what it is
 * @raw: its bytes; valid until the next record is read
 * @size: number of them
 * @options: a packet has options; an interface has some beside those of its time stamps
 * @port: of a packet: number of its interface
 * @packet: if it is one
 */
struct capture_record {
	enum capture_kind kind;
	const uint8_t *raw;
	size_t size;
	bool options;
	uint32_t port;
	struct capture_packet packet;
};

/* What a time stamp of pcapng counts: a fraction of a second, and from when on. */
struct capture_unit {
	uint8_t resolution;	/* if_tsresol */
	int64_t offset;		/* s, if_tsoffset */
};

/**
 * struct capture_port - an interface of pcapng
 * @type: LINKTYPE_x
 * @snaplen: bytes of a packet that are captured at most; 0: all
 * @unit: of its time stamps
 */
struct capture_port {
	uint32_t type;
	uint32_t snaplen;
	struct capture_unit unit;
};

struct capture;

/**
 * struct capture_format - how records are read
 * @open: reads what must come first; returns false with the capture's error
 * @next: as capture_next()
 */
struct capture_format {
	bool (*open)(struct capture *in);
	int (*next)(struct capture *in, struct capture_record *record);
};

extern const struct capture_format capture_pcap, capture_ng;

/**
 * struct capture - a capture that is read
 * @from: its bytes
 * @bytes: some of them, unpacked, from @at to @end
 * @size: room in @bytes
 * @at: the next record begins here
 * @end: the bytes that were read end here
 * @format: NULL: not known yet
 * @swapped: numbers are in the other byte order; pcapng: in this section
 * @begun: pcap: the header was read
 * @nano: pcap: times have nanoseconds
 * @old: pcap: of a version that may mix up lengths
 * @head: pcap: bytes of a record's header
 * @type: pcap: LINKTYPE_x
 * @port: pcapng: interfaces of this section
 * @ports: pcapng: number of them
 * @room: pcapng: of @port
 * @time: ns, of the last packet
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
 * capture_open() - find out what a stream is
 * @in: to fill
 * @fd: of the stream; capture_close() closes it, also after an error
 *
 * Return: true, or false with @in->error.
 */
bool capture_open(struct capture *in, int fd);

/**
 * capture_next() - the next record
 * @in: from capture_open()
 * @record: out
 *
 * Return: 1, 0: the end, -1: failed, with @in->error.
 */
int capture_next(struct capture *in, struct capture_record *record);

void capture_close(struct capture *in);

/* For the formats: */

/* capture_need() - are @size bytes there? They begin at capture_here(). */
bool capture_need(struct capture *in, size_t size);
const uint8_t *capture_here(const struct capture *in);

/* capture_fail() - keeps the reason, if there is none yet; returns -1 */
int capture_fail(struct capture *in, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));

/* capture_end() - no record is whole: 0 at the end of the file, else -1 */
int capture_end(struct capture *in);

/* Numbers in the byte order of the capture. */
uint16_t capture_u16(const struct capture *in, const uint8_t *at);
uint32_t capture_u32(const struct capture *in, const uint8_t *at);
uint64_t capture_u64(const struct capture *in, const uint8_t *at);

/* capture_time() - ns since 1970; times that 64 bits cannot hold are the nearest ones */
uint64_t capture_time(const struct capture_unit *unit, uint64_t stamp);

#endif
