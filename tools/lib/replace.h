/* SPDX-License-Identifier: GPL-2.0 */
/* Files that are replaced whole. Inside of libseen. */
#ifndef LIBSEEN_REPLACE_H
#define LIBSEEN_REPLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* How a file is replaced. */
enum seen_replace_flags {
	SEEN_REPLACE_SECRET	= 1,	/* a new one is its owner's alone */
	SEEN_REPLACE_NEW	= 2,	/* -EEXIST if there is one */
	SEEN_REPLACE_LIVE	= 4,	/* a new one can be read as it grows */
};

/**
 * struct seen_replace - a file on its way
 * @fd: to be written to
 * @flags: enum seen_replace_flags
 * @through: written in place, as a device or a pipe is: @fd is the target
 * @named: the new file is there as @temp
 * @replaced: the name has the new file, whatever failed after that
 * @path: of the target, without symbolic links
 * @temp: the name that it has before it gets that of the target
 */
struct seen_replace {
	int fd;
	unsigned int flags;
	bool through;
	bool named;
	bool replaced;
	char path[PATH_MAX];
	char temp[PATH_MAX];
};

/**
 * seen_replace_begin() - a new file beside the one that has the name
 * @to: to fill; for seen_replace_end()
 * @path: a symbolic link is followed; what is no regular file, or has no name of its
 *        own, is written to
 * @flags: enum seen_replace_flags
 *
 * An old file's owner and mode are kept, as far as that is allowed.
 *
 * Return: 0 or a negative errno.
 */
int seen_replace_begin(struct seen_replace *to, const char *path,
		       unsigned int flags);

/**
 * seen_replace_stream() - to write to it by
 * @to: from seen_replace_begin()
 *
 * Return: to be closed before seen_replace_end(), or NULL with errno.
 */
FILE *seen_replace_stream(const struct seen_replace *to);

/**
 * seen_replace_end() - the new file takes the name, and both are on the disk
 * @to: from seen_replace_begin()
 * @err: of what was written: if not 0, the old file stays
 *
 * Return: @err, or a negative errno.
 */
int seen_replace_end(struct seen_replace *to, int err);

#endif
