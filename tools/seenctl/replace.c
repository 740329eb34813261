// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replace.h"

static FILE *open_temporary(struct replace *replace, mode_t mode)
{
	FILE *stream = NULL;
	int fd;

	snprintf(replace->temporary, sizeof(replace->temporary), "%s.XXXXXX",
		 replace->path);
	fd = mkstemp(replace->temporary);
	if (fd >= 0 && !fchmod(fd, mode & 0777))
		stream = fdopen(fd, "wb");
	if (!stream && fd >= 0) {
		int err = errno;

		close(fd);
		unlink(replace->temporary);
		errno = err;
	}
	return stream;
}

FILE *replace_open(struct replace *replace, const char *path)
{
	struct stat stat_of;

	*replace->temporary = '\0';
	if (stat(path, &stat_of) || !S_ISREG(stat_of.st_mode) ||
	    !realpath(path, replace->path))
		return fopen(path, "wb");
	return open_temporary(replace, stat_of.st_mode);
}

int replace_end(struct replace *replace, bool keep)
{
	int err;

	if (!*replace->temporary)
		return 0;
	if (keep && !rename(replace->temporary, replace->path))
		return 0;
	err = errno;
	unlink(replace->temporary);
	errno = err;
	return keep ? -1 : 0;
}
