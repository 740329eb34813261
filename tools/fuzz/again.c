// SPDX-License-Identifier: GPL-2.0
/*
 * A file that was read and written again may differ only in its time (Documentation/snapshot.md).
 * Exceptions: the number of keys in a Bloom filter is an estimate from the first reading on; keys
 * of a map may change places; the table of a filter with a window changes as time passes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/libseen.h"
#include "../lib/local.h"
#include "again.h"
#include "output.h"

#define HEAD		448
#define CRC_AT		16
#define TABLE_CRC_AT	40
#define TIME_AT		56
#define WINDOW_AT	80
#define BLOCKS_AT	96
#define KEYS_AT		144
#define TOTAL_END	160
#define TYPE_AT		44
#define MAP_SLOTS	4

struct bytes {
	uint8_t *at;
	size_t size;
};

static struct bytes read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct bytes bytes = {};
	struct stat stat;

	if (fd < 0)
		return bytes;
	if (fstat(fd, &stat))
		abort();
	bytes.size = stat.st_size;
	bytes.at = malloc(bytes.size + 1);
	if (read(fd, bytes.at, bytes.size) != (ssize_t)bytes.size)
		abort();
	close(fd);
	return bytes;
}

static uint64_t number_at(const struct bytes *file, size_t at, int bytes)
{
	uint64_t number = 0;

	while (bytes--)
		number = number << 8 | file->at[at + bytes];
	return number;
}

static size_t slot_bytes;

static int by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, slot_bytes);
}

static void sort_slots(struct bytes *file)
{
	uint64_t slots = MAP_SLOTS * number_at(file, BLOCKS_AT, 8);

	slot_bytes = (file->size - HEAD) / slots;
	qsort(file->at + HEAD, slots, slot_bytes, by_bytes);
}

/* Overwrite the parts that may differ, in copies that are not used afterwards. */
static void blank(struct bytes *file, bool estimated)
{
	memset(file->at + CRC_AT, 0, 4);
	memset(file->at + TIME_AT, 0, 8);
	if (estimated)
		memset(file->at + KEYS_AT, 0, TOTAL_END - KEYS_AT);
	if (number_at(file, WINDOW_AT, 8)) {
		memset(file->at + TABLE_CRC_AT, 0, 4);
		memset(file->at + KEYS_AT, 0, TOTAL_END - KEYS_AT);
		file->size = HEAD;
	} else if (number_at(file, TYPE_AT, 4) == SEEN_TYPE_MAP) {
		memset(file->at + TABLE_CRC_AT, 0, 4);
		sort_slots(file);
	}
}

static void write_again(const char *from, const char *to)
{
	struct seen_local *local;

	if (seen_local_open(&local, from, NULL))
		wrong("a file that was written is refused", seen_local_error());
	if (seen_local_save(local, to, SEEN_LOCAL_WITH_SECRET))
		wrong("a file that was read cannot be written",
		      seen_local_error());
	seen_local_close(local);
}

static void compare(const char *first, const char *second, bool estimated)
{
	struct bytes a = read_file(first), b = read_file(second);
	size_t i;

	if (a.size != b.size || a.size < HEAD)
		wrong("a file has another size when it is written again", second);
	blank(&a, estimated);
	blank(&b, estimated);
	for (i = 0; i < a.size; i++)
		if (a.at[i] != b.at[i])
			wrong("a file changes when it is written again",
			      second);
	free(a.at);
	free(b.at);
}

void again_check(const char *path)
{
	if (access(path, F_OK))
		return;
	write_again(path, "again");
	compare(path, "again", true);
	write_again("again", "thrice");
	compare("again", "thrice", false);
	unlink("again");
	unlink("thrice");
}

static void write_file(const char *path, const uint8_t *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	close(fd);
}

void again_taken(const uint8_t *bytes, size_t size)
{
	struct seen_local *local;

	write_file("taken", bytes, size);
	if (!seen_local_open(&local, "taken", NULL)) {
		seen_local_close(local);
		write_again("taken", "first");
		again_check("first");
		unlink("first");
	}
	unlink("taken");
}

bool again_keeps(const char *path)
{
	struct seen_filter_info info;
	struct seen_local *local;

	if (seen_local_open(&local, path, NULL))
		wrong("a file that was written is refused", seen_local_error());
	seen_local_info(local, &info);
	seen_local_close(local);
	return !info.config.window && info.config.threshold <= 1 &&
	       info.config.type != SEEN_TYPE_MAP &&
	       info.config.type != SEEN_TYPE_CMM;
}
