/* SPDX-License-Identifier: GPL-2.0 */
/* Use standard output for data, and standard error for messages. */
#ifndef SEENCTL_STREAM_H
#define SEENCTL_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * stream_out() - reserve standard output for data
 *
 * From now on text and JSON answers go to standard error. If the reader of the data has
 * closed its end, the next write ends the process by SIGPIPE, as for sort(1). This is
 * safe because no other file is half written at that time.
 *
 * Return: descriptor for the data, or -1 after an error message.
 */
int stream_out(void);

/**
 * stream_is_out() - is a path the same file as standard output?
 * @path: path such as /dev/stdout; "-" is standard output, too
 *
 * Return: false for a device, such as a terminal or /dev/null.
 */
bool stream_is_out(const char *path);

/* stream_write() - write all bytes; returns 0 or a negative errno */
int stream_write(int fd, const void *data, size_t len);

/* stream_now() - time of CLOCK_MONOTONIC in seconds */
double stream_now(void);

/* stream_left() - number of unread bytes of a regular file; 0 if it is not known */
uint64_t stream_left(int fd);

#endif
