/* SPDX-License-Identifier: GPL-2.0 */
/* Write bytes to a descriptor, compressed if the name of the file asks for it. */
#ifndef SEENCTL_PACK_H
#define SEENCTL_PACK_H

#include <stddef.h>
#include <stdint.h>

struct packer;

/**
 * struct pack - a stream that is written
 * @fd: descriptor of the output; the caller closes it
 * @by: compression method
 * @state: state of @by
 * @in: bytes that are not compressed yet
 * @used: number of bytes in @in
 * @out: buffer for compressed bytes
 */
struct pack {
	int fd;
	const struct packer *by;
	void *state;
	uint8_t *in;
	size_t used;
	uint8_t *out;
};

/**
 * pack_open() - begin a stream
 * @to: out: the stream; to be closed by pack_close(), also after an error
 * @fd: descriptor of the output
 * @path: name of the output; the suffix .gz, .zst or .lz4, in any case, selects compression
 *
 * Return: 0 or a negative errno.
 */
int pack_open(struct pack *to, int fd, const char *path);

/* pack_write() - returns 0 or a negative errno; after an error only call pack_close() */
int pack_write(struct pack *to, const void *bytes, size_t size);

/**
 * pack_close() - write the remaining bytes and free the stream
 * @to: from pack_open()
 * @err: result of pack_open() or pack_write(); if it is not 0, nothing more is written
 *
 * Return: @err, or a negative errno.
 */
int pack_close(struct pack *to, int err);

/* pack_suffix() - the suffix .gz, .zst or .lz4 in @path, or the end of @path without one */
const char *pack_suffix(const char *path);

#endif
