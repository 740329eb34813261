/* SPDX-License-Identifier: GPL-2.0 */
/* A capture that is written: the records of another one, or its packets as pcap. */
#ifndef SEENCTL_CAPTURE_OUT_H
#define SEENCTL_CAPTURE_OUT_H

#include "capture.h"
#include "pack.h"

/**
 * struct capture_out - a capture that is written
 * @to: where to
 * @path: of that, for errors
 * @sections: records are pcapng's
 * @convert: records of pcapng become pcap
 * @begun: of @convert: the header was written
 * @type: of @convert: LINKTYPE_x of all packets
 * @port: of @convert: interface of the first packet
 * @options: of @convert: packets that lost their options
 * @interfaces: of @convert: interfaces that lost their options, such as a name
 * @others: of @convert: packets of another interface than @port
 * @blocks: of @convert: other blocks that are lost
 * @longer: of @convert: packets that are lost because readers of pcap refuse their length
 * @err: of the last write; after an error nothing is written
 */
struct capture_out {
	struct pack to;
	const char *path;
	bool sections;
	bool convert;
	bool begun;
	uint32_t type;
	uint32_t port;
	uint64_t options;
	uint64_t interfaces;
	uint64_t others;
	uint64_t blocks;
	uint64_t longer;
	int err;
};

/**
 * capture_out_open() - begin a capture
 * @out: to fill
 * @in: whose records it gets
 * @fd: where to, the caller's
 * @path: its name: .pcap or .cap at the end asks for pcap, and .gz, .zst or .lz4 behind
 *        that for packing; any other name means the format of @in
 *
 * Return: DONE, or REFUSED and said so; then no other function is called.
 */
int capture_out_open(struct capture_out *out, const struct capture *in, int fd,
		     const char *path);

/* capture_out_named() - does @path end with @suffix, in any case, but for .gz and the like? */
bool capture_out_named(const char *path, const char *suffix);

/* capture_out_write() - a record of @in; DONE, or REFUSED and said so */
int capture_out_write(struct capture_out *out,
		      const struct capture_record *record);

/* capture_out_close() - DONE, or REFUSED and said so, now or before */
int capture_out_close(struct capture_out *out);

#endif
