/* SPDX-License-Identifier: GPL-2.0 */
/* A file that exists keeps what it has until the new contents are whole. */
#ifndef SEENCTL_REPLACE_H
#define SEENCTL_REPLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/**
 * struct replace - a file that is written anew
 * @path: where, links followed
 * @temporary: what is written beside it, or empty: written in place
 */
struct replace {
	char path[PATH_MAX];
	char temporary[PATH_MAX + 8];
};

/**
 * replace_open() - begin
 * @replace: out
 * @path: a regular file that exists is replaced; any other is written in place
 *
 * Return: the stream, or NULL with errno.
 */
FILE *replace_open(struct replace *replace, const char *path);

/**
 * replace_end() - after the stream was closed
 * @replace: by replace_open()
 * @keep: the new contents; otherwise a file that existed stays as it was
 *
 * Return: 0 or -1 with errno.
 */
int replace_end(struct replace *replace, bool keep);

#endif
