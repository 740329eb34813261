/* SPDX-License-Identifier: GPL-2.0 */
/* Standard output as a stream of data, and what there is to say elsewhere. */
#ifndef SEENCTL_STREAM_H
#define SEENCTL_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * stream_out() - standard output becomes a stream of data
 *
 * From here on answers, in text or JSON, go to standard error. If the reader of the
 * stream is gone, the next write ends the process by SIGPIPE, as it ends sort(1); there
 * is no other file that is half written then.
 *
 * Return: the stream's descriptor, or -1 and said so.
 */
int stream_out(void);

/**
 * stream_is_out() - is a file the one that standard output goes to?
 * @path: its name, such as /dev/stdout; - is standard output, too
 *
 * Return: false for a device, such as a terminal or /dev/null.
 */
bool stream_is_out(const char *path);

/* stream_write() - all of it; returns 0 or a negative errno */
int stream_write(int fd, const void *data, size_t len);

/* stream_now() - seconds of a clock that never goes back */
double stream_now(void);

/* stream_left() - bytes of a regular file from here on, or 0: not known */
uint64_t stream_left(int fd);

#endif
