/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A temporary file that grows at its end and is read anywhere. Its last bytes are in
 * memory, so that most reads of what was just written need no system call. The file has
 * no name: it goes away with the process.
 */
#ifndef SEENCTL_SPOOL_H
#define SEENCTL_SPOOL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SPOOL_BUFFER	(UINT64_C(1) << 20)

/**
 * struct spool - a temporary file
 * @fd: its descriptor
 * @written: bytes in the file
 * @held: bytes behind those, in @buffer
 * @buffer: SPOOL_BUFFER bytes
 */
struct spool {
	int fd;
	uint64_t written;
	size_t held;
	char *buffer;
};

/* spool_temp() - a new file without a name in a folder; returns a descriptor or -errno */
int spool_temp(const char *folder);

/* The others return 0 or a negative errno. A failed write changes nothing. */
int spool_open(struct spool *spool, const char *folder);
void spool_close(struct spool *spool);

/* spool_append() - add bytes at the end, all of them or none */
int spool_append(struct spool *spool, const void *data, size_t len);

/* spool_flush() - write what is in memory */
int spool_flush(struct spool *spool);

/* spool_end() - bytes of the spool: where the next ones go */
uint64_t spool_end(const struct spool *spool);

/**
 * spool_read() - read bytes anywhere
 * @spool: the spool
 * @at: first byte
 * @to: room for @len bytes
 * @len: number of bytes, which must not go beyond spool_end()
 */
int spool_read(const struct spool *spool, uint64_t at, void *to, size_t len);

/* spool_write_at() - write all bytes to a place of a file */
int spool_write_at(int fd, const void *data, size_t len, uint64_t at);

#endif
