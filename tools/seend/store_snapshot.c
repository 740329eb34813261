// SPDX-License-Identifier: GPL-2.0
/* Snapshots of the kernel's filters. They pass through a file, because they may be large. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snapshot_time.h"
#include "store_kernel.h"

static int snapshot_file_failed(struct kernel_store *store, const char *path)
{
	int err = errno;

	snprintf(store->error, sizeof(store->error), "%.300s: %.100s", path, strerror(err));
	return -err;
}

/* One call reads at most 2 GiB. */
static bool snapshot_fill(int fd, uint8_t *bytes, size_t len)
{
	while (len) {
		ssize_t part = read(fd, bytes, len);

		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0) {
			errno = part ? errno : EIO;
			return false;
		}
		bytes += part;
		len -= part;
	}
	return true;
}

/* Read a whole file. */
static int snapshot_read(struct kernel_store *store, const char *path, uint8_t **bytes, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	struct stat file;

	*bytes = NULL;
	if (fd < 0 || fstat(fd, &file))
		err = snapshot_file_failed(store, path);
	if (!err) {
		*len = file.st_size;
		*bytes = malloc(*len + 1);
		errno = ENOMEM;
		if (!*bytes || !snapshot_fill(fd, *bytes, *len))
			err = snapshot_file_failed(store, path);
	}
	if (fd >= 0)
		close(fd);
	if (err) {
		free(*bytes);
		*bytes = NULL;
	}
	return err;
}

/*
 * Snapshots of a group have one file and one temporary filter. Another seend of this group, which
 * publishes the filter as a file, waits here. Returns the lock's descriptor.
 */
static int snapshot_lock(struct kernel_store *store, char path[PATH_MAX])
{
	int fd;

	snprintf(path, PATH_MAX, "%s.lock", store->path);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || flock(fd, LOCK_EX)) {
		int err = snapshot_file_failed(store, path);

		if (fd >= 0)
			close(fd);
		return err;
	}
	snprintf(path, PATH_MAX, "%s.snapshot", store->path);
	return fd;
}

/* Remove what a daemon has left that was killed while it loaded a snapshot; the lock is held. */
static void snapshot_remove(struct kernel_store *store, const char *path)
{
	unlink(path);
	seen_filter_del(store->client, store->temporary, true);
}

void snapshot_clean(struct kernel_store *store)
{
	char path[PATH_MAX];
	int lock = snapshot_lock(store, path);

	if (lock < 0)
		return;
	snapshot_remove(store, path);
	close(lock);
}

int snapshot_save(struct store *base, size_t who, uint64_t now, uint8_t **bytes, size_t *len)
{
	struct kernel_store *store = (struct kernel_store *)base;
	char name[SEEN_NAME_ROOM], path[PATH_MAX];
	int lock = snapshot_lock(store, path), err;

	if (lock < 0)
		return lock;
	store_name(store, who, name);
	err = store_said(store, name, seen_filter_export(store->client, name, path, false));
	if (!err)
		err = snapshot_read(store, path, bytes, len);
	if (!err)
		snapshot_shift(*bytes, *len, snapshot_clock(), now);
	unlink(path);
	close(lock);
	return err;
}

static int snapshot_write(struct kernel_store *store, const char *path, const uint8_t *bytes,
			  size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), err = 0;

	if (fd < 0)
		return snapshot_file_failed(store, path);
	while (len && !err) {
		ssize_t part = write(fd, bytes, len);

		if (part < 0 && errno != EINTR)
			err = snapshot_file_failed(store, path);
		if (part > 0) {
			bytes += part;
			len -= part;
		}
	}
	if (close(fd) && !err)
		err = snapshot_file_failed(store, path);
	return err;
}

/* The snapshot becomes a filter of its own, which counts its keys. */
static int snapshot_import(struct kernel_store *store, const char *path, uint64_t *entries)
{
	struct seen_filter_info info;
	int err = store_said(store, store->temporary,
			     seen_filter_import(store->client, store->temporary, path,
						store->secret, true));

	if (!err)
		err = store_said(store, store->temporary,
				 seen_filter_get(store->client, store->temporary, &info));
	*entries = err ? 0 : info.entries;
	return err;
}

int snapshot_load(struct store *base, size_t who, uint64_t now, uint8_t *bytes, size_t len,
		  uint64_t *entries)
{
	struct kernel_store *store = (struct kernel_store *)base;
	char path[PATH_MAX];
	int lock = snapshot_lock(store, path), err;

	(void)who;
	if (lock < 0)
		return lock;
	store->lock = lock;
	snapshot_remove(store, path);
	snapshot_shift(bytes, len, now, snapshot_clock());
	err = snapshot_write(store, path, bytes, len);
	return err ? err : snapshot_import(store, path, entries);
}

int snapshot_merge(struct store *base, size_t who)
{
	struct kernel_store *store = (struct kernel_store *)base;
	struct seen_filter_info info;
	char name[SEEN_NAME_ROOM];

	store_name(store, who, name);
	return store_said(store, name, seen_filter_merge(store->client, name, store->temporary,
							 true, &info));
}

void snapshot_unload(struct store *base)
{
	struct kernel_store *store = (struct kernel_store *)base;
	char path[PATH_MAX];

	if (!store->lock)
		return;
	snprintf(path, sizeof(path), "%s.snapshot", store->path);
	snapshot_remove(store, path);
	close(store->lock);
	store->lock = 0;
}
