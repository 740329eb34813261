// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spool.h"

/* Some file systems do not support O_TMPFILE; there, create a file and unlink it. */
int spool_temp(const char *folder)
{
	char path[PATH_MAX];
	int fd;

	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd < 0 ? -errno : fd;
	if (snprintf(path, sizeof(path), "%s/seenctl.XXXXXX", folder) >=
	    PATH_MAX)
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

int spool_open(struct spool *spool, const char *folder)
{
	*spool = (struct spool) { .fd = spool_temp(folder) };
	if (spool->fd < 0)
		return spool->fd;
	spool->buffer = malloc(SPOOL_BUFFER);
	if (spool->buffer)
		return 0;
	spool_close(spool);
	return -ENOMEM;
}

void spool_close(struct spool *spool)
{
	if (spool->fd >= 0)
		close(spool->fd);
	spool->fd = -1;
	free(spool->buffer);
	spool->buffer = NULL;
}

uint64_t spool_end(const struct spool *spool)
{
	return spool->written + spool->held;
}

int spool_write_at(int fd, const void *data, size_t len, uint64_t at)
{
	const char *from = data;

	while (len) {
		ssize_t done = pwrite(fd, from, len, at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		from += done;
		at += done;
		len -= done;
	}
	return 0;
}

int spool_flush(struct spool *spool)
{
	int err = spool_write_at(spool->fd, spool->buffer, spool->held,
				 spool->written);

	if (err)
		return err;
	spool->written += spool->held;
	spool->held = 0;
	return 0;
}

int spool_append(struct spool *spool, const void *data, size_t len)
{
	int err;

	if (len > SPOOL_BUFFER - spool->held) {
		err = spool_flush(spool);
		if (err)
			return err;
	}
	if (len <= SPOOL_BUFFER - spool->held) {
		memcpy(spool->buffer + spool->held, data, len);
		spool->held += len;
		return 0;
	}
	err = spool_write_at(spool->fd, data, len, spool->written);
	if (!err)
		spool->written += len;
	return err;
}

static int read_at(int fd, void *to, size_t len, uint64_t at)
{
	char *into = to;

	while (len) {
		ssize_t got = pread(fd, into, len, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EIO;
		into += got;
		at += got;
		len -= got;
	}
	return 0;
}

/* How many of @len bytes from offset @at are in the file, and not in the buffer? */
static size_t in_file(const struct spool *spool, uint64_t at, size_t len)
{
	if (at >= spool->written)
		return 0;
	return len < spool->written - at ? len : spool->written - at;
}

int spool_read(const struct spool *spool, uint64_t at, void *to, size_t len)
{
	size_t first = in_file(spool, at, len);
	int err = first ? read_at(spool->fd, to, first, at) : 0;

	if (!err && first < len)
		memcpy((char *)to + first,
		       spool->buffer + (at + first - spool->written),
		       len - first);
	return err;
}
