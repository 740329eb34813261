/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A temporary file that is appended to and read at any offset. Its last bytes are in
 * memory, so that most reads of recent data need no system call. The file has no name, so
 * the kernel deletes it when the process ends.
 */
#ifndef SEENCTL_SPOOL_H
#define SEENCTL_SPOOL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SPOOL_BUFFER	(UINT64_C(1) << 20)

/**
 * struct spool - a temporary file
 * @fd: descriptor of the file
 * @written: number of bytes in the file
 * @held: number of further bytes in @buffer, which follow the file's last byte
 * @buffer: SPOOL_BUFFER bytes
 */
struct spool {
	int fd;
	uint64_t written;
	size_t held;
	char *buffer;
};

/* spool_temp() - create a file without a name in a folder; returns a descriptor or -errno */
int spool_temp(const char *folder);

/* The others return 0 or a negative errno. A failed write changes nothing. */
int spool_open(struct spool *spool, const char *folder);
void spool_close(struct spool *spool);

/* spool_append() - append all @len bytes, or none after an error */
int spool_append(struct spool *spool, const void *data, size_t len);

/* spool_flush() - write the buffered bytes to the file */
int spool_flush(struct spool *spool);

/* spool_end() - length of the spool in bytes, and offset of the next append */
uint64_t spool_end(const struct spool *spool);

/**
 * spool_read() - read bytes at any offset
 * @spool: the spool
 * @at: offset of the first byte
 * @to: buffer of @len bytes
 * @len: number of bytes; @at + @len must not exceed spool_end()
 *
 * Return: 0 or a negative errno.
 */
int spool_read(const struct spool *spool, uint64_t at, void *to, size_t len);

/* spool_write_at() - write all bytes at offset @at of a file */
int spool_write_at(int fd, const void *data, size_t len, uint64_t at);

#endif
