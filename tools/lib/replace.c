// SPDX-License-Identifier: GPL-2.0
/* Atomic replacement of files; replace.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "replace.h"

#define MODES	0777

static int copy_path(char *to, const char *path)
{
	return snprintf(to, PATH_MAX, "%s", path) < PATH_MAX ? 0 :
	       -ENAMETOOLONG;
}

static int open_folder(const char *path, int flags, mode_t mode)
{
	char folder[PATH_MAX];
	char *slash;

	if (copy_path(folder, path))
		return -1;
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	return open(slash ? folder : ".", flags | O_CLOEXEC, mode);
}

/* Prefer a file without a name: it vanishes if the process is killed. */
static int open_new(struct seen_replace *to)
{
	struct timespec now;
	int length;

	clock_gettime(CLOCK_MONOTONIC, &now);
	length = snprintf(to->temp, PATH_MAX, "%s.%d.%jx", to->path, getpid(),
			  now.tv_sec * (uintmax_t)1000000000 + now.tv_nsec);
	if (length >= PATH_MAX)
		return -ENAMETOOLONG;
	to->fd = -1;
	if (!access("/proc/self/fd", X_OK))
		to->fd = open_folder(to->path, O_TMPFILE | O_WRONLY, 0600);
	if (to->fd >= 0)
		return 0;
	to->fd = open(to->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	to->named = to->fd >= 0;
	return to->named ? 0 : -errno;
}

static int open_through(struct seen_replace *to)
{
	int live = to->flags & SEEN_REPLACE_LIVE ? O_CREAT | O_TRUNC : 0;

	to->through = true;
	to->fd = open(to->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | live, 0666);
	return to->fd < 0 ? -errno : 0;
}

static mode_t mode_of_new(unsigned int flags)
{
	mode_t mask;

	if (flags & SEEN_REPLACE_SECRET)
		return 0600;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* If the old group cannot be kept, the new group gets no permissions. */
static mode_t keep_owner(int fd, const struct stat *old)
{
	if (!fchown(fd, old->st_uid, old->st_gid) ||
	    !fchown(fd, -1, old->st_gid))
		return old->st_mode & MODES;
	return old->st_mode & MODES & ~0070;
}

/* @old: the file to be replaced, or NULL */
static int set_mode(const struct seen_replace *to, const struct stat *old)
{
	mode_t mode = old ? keep_owner(to->fd, old) : mode_of_new(to->flags);

	if (to->flags & SEEN_REPLACE_SECRET)
		mode &= 0600;
	return fchmod(to->fd, mode) ? -errno : 0;
}

/* @nameless: out: @path exists only as a link in /proc, such as /dev/stdout of a pipe */
static int resolve(struct seen_replace *to, const char *path, bool *nameless)
{
	struct stat there;

	*nameless = false;
	if (realpath(path, to->path))
		return 0;
	if (errno != ENOENT)
		return -errno;
	*nameless = !stat(path, &there);
	if (!*nameless && !lstat(path, &there))
		return -ENOENT;
	return copy_path(to->path, path);
}

int seen_replace_begin(struct seen_replace *to, const char *path,
		       unsigned int flags)
{
	bool there, nameless;
	struct stat old;
	int err;

	*to = (struct seen_replace) { .fd = -1, .flags = flags };
	if (flags & SEEN_REPLACE_NEW && !lstat(path, &old))
		return -EEXIST;
	err = resolve(to, path, &nameless);
	if (err)
		return err;
	if (nameless)
		return open_through(to);
	there = !stat(to->path, &old);
	if (there ? !S_ISREG(old.st_mode) : flags & SEEN_REPLACE_LIVE)
		return open_through(to);
	err = open_new(to);
	if (!err)
		err = set_mode(to, there ? &old : NULL);
	return err ? seen_replace_end(to, err) : 0;
}

static int give_name(struct seen_replace *to)
{
	char self[32];

	if (to->named)
		return 0;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", to->fd);
	if (linkat(AT_FDCWD, self, AT_FDCWD, to->temp, AT_SYMLINK_FOLLOW))
		return -errno;
	to->named = true;
	return 0;
}

/* For SEEN_REPLACE_NEW use link(), which fails if another process has created the file. */
static int take_name(struct seen_replace *to)
{
	int err = give_name(to);

	if (err)
		return err;
	if (to->flags & SEEN_REPLACE_NEW ? link(to->temp, to->path) :
					   rename(to->temp, to->path))
		return -errno;
	to->replaced = true;
	to->named = to->flags & SEEN_REPLACE_NEW;
	return 0;
}

/* The new name is on the disk only after its folder is synced. */
static int sync_folder(const char *path)
{
	int fd = open_folder(path, O_RDONLY | O_DIRECTORY, 0);
	int err;

	if (fd < 0)
		return -errno;
	err = fsync(fd) ? -errno : 0;
	close(fd);
	return err;
}

int seen_replace_end(struct seen_replace *to, int err)
{
	if (!err && !to->through && fsync(to->fd))
		err = -errno;
	if (!err && !to->through)
		err = take_name(to);
	if (to->fd >= 0 && close(to->fd) && !err)
		err = -errno;
	to->fd = -1;
	if (to->named)
		unlink(to->temp);
	to->named = false;
	return err || to->through ? err : sync_folder(to->path);
}
