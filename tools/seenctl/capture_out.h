/* SPDX-License-Identifier: GPL-2.0 */
/* Write a capture: copy the records of another capture, or convert its packets to pcap. */
#ifndef SEENCTL_CAPTURE_OUT_H
#define SEENCTL_CAPTURE_OUT_H

#include "capture.h"
#include "pack.h"

/**
 * struct capture_out - a capture that is written
 * @to: the output stream
 * @path: name of the output, for errors
 * @sections: the records are pcapng blocks
 * @convert: pcapng is converted to pcap; all members below but @err are for this case
 * @begun: the pcap header was written
 * @type: LINKTYPE_x of all packets
 * @port: interface of the first packet
 * @options: number of packets whose options were lost
 * @interfaces: number of interfaces whose options were lost, such as a name
 * @others: number of packets from another interface than @port
 * @blocks: number of other blocks that were lost
 * @longer: number of packets that were lost because pcap readers refuse their length
 * @err: error of the last write; the caller writes nothing after an error
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
 * capture_out_open() - begin to write a capture
 * @out: out: the output
 * @in: the capture that the records come from
 * @fd: descriptor of the output; the caller closes it
 * @path: name of the output. With the suffix .pcap or .cap the output is pcap, otherwise
 *        it has the format of @in. A further suffix .gz, .zst or .lz4 selects compression.
 *
 * Return: DONE, or REFUSED after an error message; then @out must not be used.
 */
int capture_out_open(struct capture_out *out, const struct capture *in, int fd,
		     const char *path);

/* capture_out_named() - does @path, without .gz, .zst or .lz4, end with @suffix, in any case? */
bool capture_out_named(const char *path, const char *suffix);

/* capture_out_write() - write a record; returns DONE, or REFUSED after an error message */
int capture_out_write(struct capture_out *out,
		      const struct capture_record *record);

/*
 * capture_out_close() - finish and free; returns DONE, or REFUSED if this or an earlier
 * write failed and an error message was printed
 */
int capture_out_close(struct capture_out *out);

#endif
