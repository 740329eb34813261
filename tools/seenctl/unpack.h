/* SPDX-License-Identifier: GPL-2.0 */
/* Read the bytes of a stream; gzip, zstd and lz4 are decompressed. */
#ifndef SEENCTL_UNPACK_H
#define SEENCTL_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct unpacker;

/**
 * struct unpack - a stream that is read
 * @fd: descriptor of the stream
 * @by: compression method; NULL: the stream is not compressed
 * @state: state of @by
 * @raw: buffer; the bytes from @at to @end are not decompressed yet
 * @at: offset in @raw
 * @end: offset in @raw
 * @ended: the end of the stream was reached
 * @within: the decompressor is within a frame, where the data must not end
 * @taken: number of bytes that were read from @fd
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
 * unpack_open() - begin to read a stream and detect its compression
 * @from: out: the stream
 * @fd: descriptor of the stream; unpack_close() closes it, also after an error
 *
 * Return: true, or false with @from->error.
 */
bool unpack_open(struct unpack *from, int fd);

/**
 * unpack_read() - read the next bytes
 * @from: from unpack_open()
 * @to: buffer for the bytes
 * @room: size of @to, at least 1
 *
 * Return: number of bytes, 0 at the end, -1 on failure, with @from->error.
 */
ssize_t unpack_read(struct unpack *from, uint8_t *to, size_t room);

void unpack_close(struct unpack *from);

#endif
