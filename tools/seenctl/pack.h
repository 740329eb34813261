/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes to a descriptor, packed if the name of the file says so. */
#ifndef SEENCTL_PACK_H
#define SEENCTL_PACK_H

#include <stddef.h>
#include <stdint.h>

struct packer;

/**
 * struct pack - a stream that is written
 * @fd: its descriptor, the caller's
 * @by: what packs it
 * @state: of @by
 * @in: bytes that wait to be packed
 * @used: number of them
 * @out: room for what @by makes
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
 * @to: to fill
 * @fd: where the bytes go
 * @path: the name: .gz, .zst and .lz4 at its end, in any case, are packed
 *
 * Return: 0 or a negative errno.
 */
int pack_open(struct pack *to, int fd, const char *path);

/* pack_write() - returns 0 or a negative errno; after an error only pack_close() */
int pack_write(struct pack *to, const void *bytes, size_t size);

/**
 * pack_close() - write what waits, and free
 * @to: from pack_open()
 * @err: of pack_write(); if not 0, nothing more is written
 *
 * Return: @err, or a negative errno.
 */
int pack_close(struct pack *to, int err);

/* pack_suffix() - where .gz, .zst or .lz4 begins at the end of @path, or its end */
const char *pack_suffix(const char *path);

#endif
