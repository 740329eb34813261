// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "seenctl.h"
#include "stream.h"

int stream_out(void)
{
	int fd;

	if (ctl.batch) {
		usage("cannot run in a batch, because both write to standard output");
		return -1;
	}
	fd = dup(STDOUT_FILENO);
	if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		refused("standard output: %s", strerror(errno));
		return -1;
	}
	return fd;
}

bool stream_is_out(const char *path)
{
	struct stat out, file;

	if (!strcmp(path, "-"))
		return true;
	return !fstat(STDOUT_FILENO, &out) && !stat(path, &file) &&
	       !S_ISCHR(out.st_mode) && out.st_dev == file.st_dev &&
	       out.st_ino == file.st_ino;
}

int stream_write(int fd, const void *data, size_t len)
{
	const char *from = data;

	while (len) {
		ssize_t done = write(fd, from, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		from += done;
		len -= done;
	}
	return 0;
}

double stream_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

uint64_t stream_left(int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);
	struct stat stat;

	if (at < 0 || fstat(fd, &stat) || !S_ISREG(stat.st_mode) ||
	    stat.st_size < at)
		return 0;
	return stat.st_size - at;
}
