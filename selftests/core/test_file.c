// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshot files: a file that was written is read completely or refused. Each bit of a
 * small file is flipped, and each length is tried.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crc32c.h"
#include "local.h"
#include "local_open.h"
#include "seed.h"
#include "snapshot_file.h"

#define SECOND		1000000000ULL
#define HEAD		448
#define LENGTH_AT	12
#define CRC_AT		16

static int planned, results, failures;

static void ok(bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++results, name);
	failures += !good;
}

struct kind {
	const char *name;
	struct seen_filter_config config;
};

#define KIND(word, which, ...)						\
	{ word, { .type = SEEN_TYPE_##which, .capacity = 1000,		\
		  .fpp = SEEN_FPP_ONE / 1000, __VA_ARGS__ } }

static const struct kind kinds[] = {
	KIND("bloom", BLOOM, .fp_bits = 0),
	KIND("classic", BLOOM, .layout = SEEN_LAYOUT_CLASSIC),
	KIND("bloom with a window", BLOOM, .window = 3600 * SECOND),
	KIND("cuckoo", CUCKOO, .fp_bits = 16),
	KIND("cuckoo with a window", CUCKOO, .window = 3600 * SECOND,
	     .refresh = true),
};

#define KINDS	(sizeof(kinds) / sizeof(*kinds))

static char path[32];
static uint64_t seed;

static struct seen_local *made(const struct kind *kind, uint64_t capacity,
			       int keys)
{
	struct seen_filter_config config = kind->config;
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_local *local;

	config.capacity = capacity;
	config.has_secret = true;
	seed_secret(seed, config.secret);
	snprintf(config.name, sizeof(config.name), "a-filter");
	seen_key_spec_parse(&config.key, "bytes", error);
	if (seen_local_create(&local, &config)) {
		printf("Bail out! %s\n", seen_local_error());
		exit(1);
	}
	for (int i = 0; i < keys; i++)
		seen_local_test_and_add(local, &i, sizeof(i));
	return local;
}

static bool holds(struct seen_local *local, int keys)
{
	int found = 0;

	for (int i = 0; i < keys; i++)
		found += seen_local_test(local, &i, sizeof(i)) == SEEN_KEY_RESULT_SEEN;
	return found == keys;
}

static uint8_t *slurp(size_t *bytes)
{
	FILE *file = fopen(path, "r");
	uint8_t *all = malloc(1 << 20);

	*bytes = fread(all, 1, 1 << 20, file);
	fclose(file);
	return all;
}

static bool taken(const uint8_t *file, size_t bytes)
{
	struct seen_table table;
	int err = seen_snapshot_parse(&table, file, bytes);

	if (!err)
		seen_table_free(&table);
	return !err;
}

static void round_trip(const struct kind *kind, unsigned int flags)
{
	struct seen_local *local = made(kind, 1000, 900), *copy = NULL;
	struct seen_filter_info before, after;
	struct stat stat;
	int err;

	err = seen_local_save(local, path, flags | SEEN_LOCAL_WITH_SECRET);
	if (!err)
		err = seen_local_open(&copy, path, NULL);
	ok(!err && holds(copy, 900), kind->name);
	seen_local_info(local, &before);
	seen_local_info(copy, &after);
	ok(!strcmp(after.config.name, "a-filter") &&
	   after.config.key.count == 1 &&
	   after.config.refresh == before.config.refresh &&
	   after.config.capacity == 1000 && after.used == before.used &&
	   after.bytes == before.bytes, "and it is what it was");
	ok(!lstat(path, &stat) && (stat.st_mode & 0777) == 0600,
	   "a file with a secret has mode 600");
	seen_local_close(copy);
	seen_local_close(local);
}

static void every_bit(const struct kind *kind, unsigned int flags)
{
	struct seen_local *local = made(kind, 10, 9);
	size_t bytes, i, survived = 0;
	uint8_t *file;

	seen_local_save(local, path, flags | SEEN_LOCAL_WITH_SECRET);
	file = slurp(&bytes);
	ok(taken(file, bytes), "a small file");
	for (i = 0; i < 8 * bytes; i++) {
		file[i / 8] ^= 1 << i % 8;
		survived += taken(file, bytes);
		file[i / 8] ^= 1 << i % 8;
	}
	ok(!survived, "each bit flipped: all refused");
	for (i = 0; i < bytes; i++)
		survived += taken(file, i);
	ok(!survived, "each length: all refused");
	file[bytes] = 0;
	ok(!taken(file, bytes + 1), "a byte more: refused");
	free(file);
	seen_local_close(local);
}

/* Write the right checksum of the changed header. */
static void seal(uint8_t *file, size_t head)
{
	uint32_t crc;

	memset(file + CRC_AT, 0, 4);
	crc = seen_crc32c(0, file, head);
	for (int i = 0; i < 4; i++)
		file[CRC_AT + i] = crc >> 8 * i;
}

/* A changed header, as an attacker would write it, with the right checksum. */
static bool forged(uint8_t *file, size_t bytes, size_t at, size_t width,
		   uint64_t value)
{
	uint8_t *copy = malloc(bytes);
	bool result;

	memcpy(copy, file, bytes);
	for (size_t i = 0; i < width; i++)
		copy[at + i] = value >> 8 * i;
	seal(copy, HEAD);
	result = taken(copy, bytes);
	free(copy);
	return result;
}

static void forgeries(void)
{
	static const struct {
		size_t at, width;
		uint64_t value;
		const char *reason;
	} lies[] = {
		{ 8, 2, 3, "version" },
		{ 8, 2, 0, "version" },
		{ LENGTH_AT, 4, 384, "length" },
		{ 20, 4, 4, "flags" },
		{ 20, 4, 3, "table" },
		{ 24, 8, ~0ULL, "header is damaged" },
		{ 32, 8, 1ULL << 40, "header is damaged" },
		{ 44, 4, 99, "later version" },
		{ 48, 4, 1, "header is damaged" },
		{ 64, 8, 0, "capacity" },
		{ 80, 8, 5, "window" },
		{ 96, 8, 0, "blocks" },
		{ 96, 8, 1ULL << 31, "header is damaged" },
		{ 116, 4, 255, "hashes" },
		{ 124, 4, 7, "fold" },
		{ 174, 2, 17, "key" },
		{ 140, 4, 17, "key" },
		{ 168, 4, 99, "profile of a later version (99)" },
		{ 168, 4, 2, "the key is not valid" },
		{ 172, 2, 2, "the key is not valid" },
		{ 172, 2, 1, "the key is not valid" },
		{ 174, 2, 2, "the key is not valid" },
		{ 256, 4, 99, "the key is not valid" },
		{ 260, 4, 24, "the key is not valid" },
		{ 264, 4, 129, "the key is not valid" },
		{ 208, 1, 0x1b, "name" },
		{ 209, 1, ' ', "name" },
	};
	struct seen_local *local = made(&kinds[0], 1000, 500);
	size_t bytes, i;
	uint8_t *file;

	seen_local_save(local, path, SEEN_LOCAL_WITH_SECRET);
	file = slurp(&bytes);
	ok(forged(file, bytes, 112, 4, 0), "a changed header with a valid value is accepted");
	for (i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		bool good = !forged(file, bytes, lies[i].at, lies[i].width,
				    lies[i].value) &&
			    strstr(seen_local_error(), lies[i].reason);

		printf("# %zu: %s\n", lies[i].at, seen_local_error());
		ok(good, "a changed header is refused for its reason");
	}
	free(file);
	seen_local_close(local);
}

/* @part: 16 bytes in a header that has grown by 64. */
static bool grown(const uint8_t *file, size_t bytes, const uint8_t *part)
{
	uint8_t *copy = calloc(1, bytes + 64);
	bool result;

	memcpy(copy, file, HEAD);
	memcpy(copy + HEAD, part, 16);
	memcpy(copy + HEAD + 64, file + HEAD, bytes - HEAD);
	copy[LENGTH_AT] = (HEAD + 64) & 0xff;
	copy[LENGTH_AT + 1] = (HEAD + 64) >> 8;
	seal(copy, HEAD + 64);
	result = taken(copy, bytes + 64);
	free(copy);
	return result;
}

static void parts(void)
{
	static const struct {
		const char *what;
		uint8_t part[16];
		const char *reason;
	} cases[] = {
		{ "no part", {}, NULL },
		{ "a part that nobody knows", { 7, [4] = 5, [8] = 1 }, NULL },
		{ "a part that must be known", { 7, [3] = 0x80, [4] = 5 },
		  "later version" },
		{ "a part as long as what is left", { 7, [4] = 56 }, NULL },
		{ "bytes behind the last part", { [8] = 1 }, "follow its last part" },
		{ "a longer part", { 7, [4] = 57 }, "longer than the header" },
		{ "a part without an end", { 7, [4] = 0xff, 0xff, 0xff, 0xff },
		  "longer than the header" },
	};
	struct seen_local *local = made(&kinds[0], 1000, 500);
	size_t bytes, i;
	uint8_t *file;

	seen_local_save(local, path, SEEN_LOCAL_WITH_SECRET);
	file = slurp(&bytes);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bool is_taken = grown(file, bytes, cases[i].part);

		ok(is_taken == !cases[i].reason &&
		   (is_taken || strstr(seen_local_error(), cases[i].reason)),
		   cases[i].what);
	}
	ok(forged(file, bytes, 8, 2, 1), "version 1, a key without a payload");
	free(file);
	seen_local_close(local);
}

/* Version 1 hashed payloads in another way: no lookup would find its keys. */
static void payload(void)
{
	struct seen_filter_config config = {
		.type = SEEN_TYPE_CUCKOO, .capacity = 1000, .fpp = 1000000000,
	};
	struct seen_local *local, *copy;
	char error[SEEN_KEY_ERROR_LEN];
	uint8_t key[SEEN_KEY_HEAD_MAX];
	size_t bytes;
	uint8_t *file;
	int len;

	seen_key_spec_parse(&config.key, "sport,payload", error);
	ok(!seen_local_create(&local, &config), "a key with a payload");
	len = seen_key_parse(&config.key, "53,0x0102", key, error);
	ok(seen_local_add(local, key, len) == SEEN_KEY_RESULT_NEW, "the key is added");
	key[len - 1] = 3;
	ok(seen_local_test(local, key, len) == SEEN_KEY_RESULT_NEW, "another key is new");
	ok(seen_local_test(local, key, len - 1) == -EINVAL,
	   "a payload of another length than given is no key");
	key[len - 1] = 2;
	seen_local_save(local, path, SEEN_LOCAL_WITH_SECRET);
	seen_local_close(local);
	ok(!seen_local_open(&copy, path, NULL) &&
	   seen_local_test(copy, key, len) == SEEN_KEY_RESULT_SEEN,
	   "the key is in the file");
	seen_local_close(copy);
	file = slurp(&bytes);
	ok(!forged(file, bytes, 8, 2, 1) &&
	   strstr(seen_local_error(), "version 1 with a payload in its key"),
	   "not in one of version 1");
	free(file);
	config.type = SEEN_TYPE_MAP;
	ok(seen_local_create(&local, &config) == -EINVAL,
	   "a map has no such key");
}

static void secrets(void)
{
	struct seen_local *local = made(&kinds[0], 1000, 500), *copy;
	struct seen_filter_info info;
	uint8_t wrong[SEEN_SECRET_LEN] = { 1 };
	struct stat stat;
	mode_t mask = umask(022);

	unlink(path);
	seen_local_save(local, path, 0);
	ok(!lstat(path, &stat) && (stat.st_mode & 0777) == 0644,
	   "a file without a secret is readable by all");
	umask(mask);
	ok(seen_local_open(&copy, path, NULL) == -ENOKEY, "but needs the secret to be imported");
	ok(seen_local_open(&copy, path, wrong) == -ENOKEY, "a wrong secret is refused");
	seen_local_info(local, &info);
	ok(!seen_local_open(&copy, path, info.config.secret) &&
	   holds(copy, 500), "with the right secret it is the same filter");
	seen_local_close(copy);
	seen_local_close(local);
}

static void two_files(void)
{
	struct seen_local *a = made(&kinds[0], 1000, 500), *b, *c;
	struct seen_filter_info info;
	int key;

	seen_local_save(a, path, SEEN_LOCAL_WITH_SECRET);
	ok(!seen_local_open(&b, path, NULL), "a file to merge");
	for (key = 500; key < 900; key++)
		seen_local_test_and_add(b, &key, sizeof(key));
	ok(!seen_local_merge(a, b, false) && holds(a, 900), "it is merged");
	for (key = 1000; key < 1600; key++)
		seen_local_test_and_add(b, &key, sizeof(key));
	ok(seen_local_merge(a, b, false) == -ENOSPC,
	   "a merge beyond the capacity is refused");
	ok(!seen_local_merge(a, b, true), "unless it is forced");
	c = made(&kinds[0], 1000, 0);
	ok(seen_local_merge(a, c, false) == -EINVAL &&
	   strstr(seen_local_error(), "secret"), "not with another secret");
	seen_local_close(b);
	seen_local_close(c);

	b = made(&kinds[0], 100000, 900);
	ok(!seen_local_fold(b, 0) && holds(b, 900), "a filter that is too large is folded");
	seen_local_info(b, &info);
	ok(info.fold > 80 && info.config.capacity >= 880, "to the size that its keys need");
	ok(seen_local_fold(b, 0) == -ENOSPC, "not to a smaller size");
	seen_local_save(b, path, SEEN_LOCAL_WITH_SECRET);
	ok(!seen_local_open(&c, path, NULL) && holds(c, 900),
	   "the folded filter is saved");
	seen_local_close(a);
	seen_local_close(b);
	seen_local_close(c);
}

/* A map's entry under another key's hash would never be found. */
static void map_entries(void)
{
	static const struct kind map = KIND("map", MAP, .fp_bits = 0);
	struct seen_local *local = made(&map, 10, 9), *copy;
	struct seen_table table;
	uint32_t value;
	uint8_t *slot;
	int key = 3;

	seen_local_put(local, &key, sizeof(key), 77);
	seen_local_save(local, path, SEEN_LOCAL_WITH_SECRET);
	ok(!seen_local_open(&copy, path, NULL) && holds(copy, 9) &&
	   seen_local_value(copy, &key, sizeof(key), &value) == SEEN_KEY_RESULT_SEEN &&
	   value == 77, "a map and its values");
	seen_local_close(copy);
	seen_local_close(local);
	ok(!seen_snapshot_read(&table, path), "its table");
	for (slot = table.data; !*slot; slot += 64)
		;
	slot[5] ^= 1;
	ok(seen_local_take(&copy, &table) == -EBADMSG,
	   "a key under another hash: refused");
	seen_table_free(&table);
}

/* Targets that exist: pipes, which are not files, and modes. */
static void other_targets(void)
{
	struct seen_local *local = made(&kinds[0], 10, 9);
	uint8_t head[HEAD];
	char fifo[48];
	struct stat stat;
	int fd;

	snprintf(fifo, sizeof(fifo), "%s.fifo", path);
	mkfifo(fifo, 0600);
	fd = open(fifo, O_RDONLY | O_NONBLOCK);
	ok(!seen_local_save(local, fifo, SEEN_LOCAL_WITH_SECRET) &&
	   !lstat(fifo, &stat) && S_ISFIFO(stat.st_mode), "a pipe is written to, and not replaced");
	ok(read(fd, head, sizeof(head)) == HEAD && head[1] == 'S',
	   "the pipe has the whole file");
	close(fd);
	unlink(fifo);
	chmod(path, 0644);
	ok(!truncate(path, 0) &&
	   !seen_local_save(local, path, SEEN_LOCAL_WITH_SECRET) &&
	   !lstat(path, &stat) && (stat.st_mode & 0777) == 0600,
	   "a file that gets a secret loses the access of others");
	chmod(path, 0640);
	ok(!seen_local_save(local, path, SEEN_LOCAL_WITH_SECRET) &&
	   !lstat(path, &stat) && (stat.st_mode & 0777) == 0640,
	   "one that has a secret keeps its mode");
	ok(seen_local_save(local, path, SEEN_LOCAL_NEW) == -EEXIST,
	   "a new file does not replace an existing one");
	seen_local_close(local);
}

/* Key I comes I times. */
static void count_keys(struct seen_local *local, int keys)
{
	for (int i = 1; i <= keys; i++)
		for (int k = 0; k < i; k++)
			seen_local_add(local, &i, sizeof(i));
}

static uint64_t total_of(struct seen_local *local)
{
	struct seen_filter_info info;

	seen_local_info(local, &info);
	return info.total;
}

/* The file's own total, which its counters do not show. */
static uint64_t total_from(uint64_t total)
{
	struct seen_local *local;
	struct seen_table table;

	if (seen_snapshot_read(&table, path))
		return 0;
	table.info.total = total;
	if (seen_snapshot_write(&table, path, SEEN_LOCAL_WITH_SECRET) ||
	    seen_local_open(&local, path, NULL))
		return 0;
	seen_table_free(&table);
	total = total_of(local);
	seen_local_close(local);
	return total;
}

static void sketches(void)
{
	static const struct kind kinds[] = {
		KIND("cms", CMS, .top = 3),
		KIND("cmm with a window", CMM, .top = 3, .window = 3600 * SECOND),
		KIND("conservative cms", CMS, .conservative = true, .top = 3),
	};
	struct seen_local *local, *again;
	struct seen_table table;
	uint64_t total;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		local = made(&kinds[i], 100000, 0);
		count_keys(local, 100);
		ok(total_of(local) == 5050, "a sketch counts all adds");
		seen_local_save(local, path, SEEN_LOCAL_WITH_SECRET);
		seen_local_close(local);
		ok(!seen_local_open(&again, path, NULL) && total_of(again) == 5050,
		   "a file of a sketch counts all adds");
		seen_local_save(again, path, SEEN_LOCAL_WITH_SECRET);
		seen_local_close(again);
		ok(!seen_snapshot_read(&table, path) && table.top_bytes == 18 &&
		   !memcmp(table.top, "\4\0d\0\0\0\4\0c\0\0\0\4\0b\0\0", 18),
		   "and lists the heaviest, when it was read and written again");
		seen_table_free(&table);
		ok(total_from(5ULL << 32) == 5ULL << 32, "beyond 2^32");
		/* A row of conservative adds may miss a few. */
		total = total_from(5);
		ok(total > 4500 && total <= 5050, "the total is not below its counters");
	}
}

/* The published check value. */
static void checksum(void)
{
	ok(seen_crc32c(0, "123456789", 9) == 0xe3069283, "CRC-32C");
	ok(seen_crc32c(seen_crc32c(0, "1234", 4), "56789", 5) == 0xe3069283,
	   "CRC-32C, in parts");
}

int main(void)
{
	planned = 2 * KINDS * (3 + 4) + 28 + 8 + 7 + 4 + 9 + 2 + 3 + 5 +
		  15;
	seed = seed_choose();
	printf("TAP version 13\n1..%d\n# TEST_SEED=%ju\n", planned,
	       (uintmax_t)seed);
	snprintf(path, sizeof(path), "/tmp/seen-file-XXXXXX");
	if (close(mkstemp(path)))
		return 1;
	checksum();
	for (size_t i = 0; i < KINDS; i++)
		for (unsigned int zip = 0; zip < 2; zip++) {
			unsigned int flags = zip ? SEEN_LOCAL_COMPRESS : 0;

			round_trip(&kinds[i], flags);
			every_bit(&kinds[i], flags);
		}
	forgeries();
	parts();
	payload();
	secrets();
	two_files();
	map_entries();
	other_targets();
	sketches();
	unlink(path);
	return failures || results != planned;
}
