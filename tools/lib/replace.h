/* SPDX-License-Identifier: GPL-2.0 */
/* Atomic replacement of files. Internal to libseen. */
#ifndef LIBSEEN_REPLACE_H
#define LIBSEEN_REPLACE_H

#include <limits.h>
#include <stdbool.h>

/* How a file is replaced. */
enum seen_replace_flags {
	SEEN_REPLACE_SECRET	= 1,	/* only the owner may access the file */
	SEEN_REPLACE_NEW	= 2,	/* fail with -EEXIST if the file exists */
	SEEN_REPLACE_LIVE	= 4,	/* write a new file in place, to be read as it grows */
};

/**
 * struct seen_replace - a file that is being replaced
 * @fd: the descriptor to write to
 * @flags: enum seen_replace_flags
 * @through: @fd is the target itself, which is written in place, such as a device or a pipe
 * @named: the new file exists under the name @temp
 * @replaced: @path is the new file, even if an error followed
 * @path: of the target, without symbolic links
 * @temp: temporary name of the new file, until it is renamed to @path
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
 * seen_replace_begin() - open a new file that is to replace a file
 * @to: out; to be passed to seen_replace_end(), unless this fails
 * @path: of the file; a symbolic link is followed. A file that is not regular, or has no name
 *        of its own, is written in place
 * @flags: enum seen_replace_flags
 *
 * The new file gets the owner and mode of the old one, as far as permitted.
 *
 * Return: 0 or a negative errno.
 */
int seen_replace_begin(struct seen_replace *to, const char *path,
		       unsigned int flags);

/**
 * seen_replace_end() - the new file takes the name, and both are on the disk
 * @to: from seen_replace_begin()
 * @err: result of writing; if not 0, the old file stays
 *
 * Return: @err, or a negative errno.
 */
int seen_replace_end(struct seen_replace *to, int err);

#endif
