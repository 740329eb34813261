/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes of a stream, unpacked if gzip, zstd or lz4 packed them. */
#ifndef SEENCTL_UNPACK_H
#define SEENCTL_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct unpacker;

/**
 * struct unpack - a stream that is read
 * @fd: its descriptor
 * @by: what unpacks it; NULL: it is not packed
 * @state: of @by
 * @raw: bytes of the stream that are not unpacked yet: from @at to @end
 * @at: in @raw
 * @end: in @raw
 * @ended: the stream has no more bytes
 * @within: the packed data cannot end here
 * @taken: bytes that were read from @fd
 * @error: why the last read failed, or ""
 */
struct unpack {
	int fd;
	const struct unpacker *by;
	void *state;
	uint8_t *raw;
	size_t at;
	size_t end;
	bool ended;
	bool within;
	uint64_t taken;
	char error[128];
};

/**
 * unpack_open() - find out how a stream is packed
 * @from: to fill
 * @fd: of the stream; unpack_close() closes it, also after an error
 *
 * Return: true, or false with @from->error.
 */
bool unpack_open(struct unpack *from, int fd);

/**
 * unpack_read() - the next bytes
 * @from: from unpack_open()
 * @to: room for them
 * @room: bytes of @to, at least 1
 *
 * Return: number of bytes, 0: the end, -1: failed, with @from->error.
 */
ssize_t unpack_read(struct unpack *from, uint8_t *to, size_t room);

void unpack_close(struct unpack *from);

#endif
