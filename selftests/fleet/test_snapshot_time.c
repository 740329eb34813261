// SPDX-License-Identifier: GPL-2.0
/* Keys of a snapshot keep their age, whatever the wall clocks of the two hosts show. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../tools/lib/local.h"
#include "../../tools/seend/group.h"
#include "../../tools/seend/snapshot_time.h"
#include "tap.h"

#define HOUR	(3600 * NS_PER_SEC)
#define ENGINE	(123456 * HOUR)

static const uint8_t key[4] = { 192, 0, 2, 1 };
static char path[] = "/tmp/seen-snapshot-time.XXXXXX";
static uint8_t *bytes;
static size_t len;

/* A snapshot of a filter with a window of an hour and one new key. */
static bool make(void)
{
	struct seen_filter_config config = {
		.name = "test", .type = SEEN_TYPE_CUCKOO, .capacity = 100,
		.fpp = SEEN_FPP_ONE / 10000, .window = HOUR,
	};
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_local *set;
	struct stat file;
	int fd = mkstemp(path);
	bool done;

	close(fd);
	if (seen_key_spec_parse(&config.key, "src", error) || seen_local_create(&set, &config))
		return false;
	done = seen_local_add(set, key, sizeof(key)) == SEEN_KEY_RESULT_NEW &&
	       !seen_local_save(set, path, SEEN_LOCAL_WITH_SECRET);
	seen_local_close(set);
	fd = open(path, O_RDONLY);
	if (!done || fstat(fd, &file))
		return false;
	len = file.st_size;
	bytes = malloc(len);
	done = read(fd, bytes, len) == file.st_size;
	close(fd);
	return done;
}

/* Is the key of a snapshot known? -1: the snapshot is damaged. */
static int known(const uint8_t *snapshot)
{
	struct seen_local *set;
	int fd = open(path, O_WRONLY | O_TRUNC), result = -1;

	if (write(fd, snapshot, len) == (ssize_t)len && !seen_local_open(&set, path, NULL)) {
		result = seen_local_test(set, key, sizeof(key)) == SEEN_KEY_RESULT_SEEN;
		seen_local_close(set);
	}
	close(fd);
	return result;
}

/* The maker's clock is @ahead of this host's, and the snapshot travels for @travel. */
static int arrives(int64_t ahead, uint64_t travel)
{
	uint64_t now = snapshot_clock();
	uint8_t *copy = malloc(len);
	int result;

	memcpy(copy, bytes, len);
	snapshot_shift(copy, len, now, now + ahead);
	snapshot_shift(copy, len, now + ahead, ENGINE);
	snapshot_shift(copy, len, ENGINE + travel, now);
	result = known(copy);
	free(copy);
	return result;
}

/* Without its own clock, a snapshot of a host whose clock is behind seems old. */
static int arrives_unshifted(int64_t ahead)
{
	uint64_t now = snapshot_clock();
	uint8_t *copy = malloc(len);
	int result;

	memcpy(copy, bytes, len);
	snapshot_shift(copy, len, now, now + ahead);
	result = known(copy);
	free(copy);
	return result;
}

static void test_damage(void)
{
	uint8_t *copy = malloc(len);
	bool same = true;

	for (size_t i = 0; i < 448; i++) {
		memcpy(copy, bytes, len);
		copy[i] ^= 0x40;
		snapshot_shift(copy, len, 0, HOUR);
		copy[i] ^= 0x40;
		same &= !memcmp(copy, bytes, len);
	}
	ok(same, "a damaged header is not changed");
	same = true;
	for (size_t cut = 0; cut < 448; cut++) {
		memcpy(copy, bytes, len);
		snapshot_shift(copy, cut, 0, HOUR);
		same &= !memcmp(copy, bytes, len);
	}
	ok(same, "a truncated header is not changed");
	free(copy);
}

int main(void)
{
	tap_begin(8);
	ok(make(), "a snapshot");
	ok(arrives_unshifted(-2 * (int64_t)HOUR) == 0, "a clock that is behind makes keys old");
	ok(arrives(0, 0) == 1, "equal clocks");
	ok(arrives(-2 * (int64_t)HOUR, HOUR / 4) == 1, "the maker's clock is behind");
	ok(arrives(2 * (int64_t)HOUR, HOUR / 4) == 1, "the maker's clock is ahead");
	ok(arrives(2 * (int64_t)HOUR, 2 * HOUR) == 0, "the time of travel counts");
	test_damage();
	unlink(path);
	free(bytes);
	return tap_end();
}
