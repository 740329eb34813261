// SPDX-License-Identifier: GPL-2.0
/*
 * Mapped snapshot files: their units are the table, byte for byte; changes are not in the
 * file until it is saved; damaged files are refused. Files are little-endian, so a
 * big-endian machine copies each file instead of mapping it.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "local.h"
#include "local_open.h"
#include "local_set.h"
#include "seed.h"
#include "snapshot_file.h"

#define SECOND		1000000000ULL
#define HEAD		448
#define SLURP		131072
#define MAPS		(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

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

/* @part: one key in so many is called seen by mistake. */
#define KIND(word, which, part, ...)					\
	{ word, { .type = SEEN_TYPE_##which,				\
		  .fpp = SEEN_FPP_ONE / (part), __VA_ARGS__ } }

/* Kinds whose table in memory equals the table in the file. */
static const struct kind in_place[] = {
	KIND("bloom", BLOOM, 1000, .fp_bits = 0),
	KIND("classic", BLOOM, 1000, .layout = SEEN_LAYOUT_CLASSIC),
	KIND("bitmap", BITMAP, 1000, .first_len = 4),
	KIND("cuckoo of 8 bits", CUCKOO, 20, .fp_bits = 8),
	KIND("cuckoo of 12 bits", CUCKOO, 100, .fp_bits = 12),
	KIND("cuckoo of 16 bits", CUCKOO, 1000, .fp_bits = 16),
	KIND("cuckoo of 24 bits", CUCKOO, 1000, .fp_bits = 24),
	KIND("cuckoo of 32 bits", CUCKOO, 1000, .fp_bits = 32),
	KIND("counting", COUNTING, 100, .fp_bits = 0),
	KIND("cms", CMS, 100, .fp_bits = 0),
	KIND("cms, conservative", CMS, 100, .conservative = true),
	KIND("cmm", CMM, 100, .fp_bits = 0),
};

static const struct kind copied[] = {
	KIND("bloom with a window", BLOOM, 1000, .window = 3600 * SECOND),
	KIND("cuckoo with a window", CUCKOO, 1000, .window = 3600 * SECOND),
	KIND("cms with a window", CMS, 100, .window = 3600 * SECOND),
	KIND("map", MAP, 1000, .fp_bits = 0),
};

#define IN_PLACE	(sizeof(in_place) / sizeof(*in_place))
#define COPIED		(sizeof(copied) / sizeof(*copied))

static char path[32];
static uint64_t seed;

/* Numbers of a bitmap have their highest byte first. */
static int add(struct seen_local *local, uint32_t number)
{
	uint32_t key = htobe32(number);

	return seen_local_add(local, &key, sizeof(key));
}

static int test(struct seen_local *local, uint32_t number)
{
	uint32_t key = htobe32(number);

	return seen_local_test(local, &key, sizeof(key));
}

static struct seen_local *made(const struct kind *kind, uint64_t capacity,
			       uint32_t keys)
{
	struct seen_filter_config config = kind->config;
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_local *local;

	config.capacity = capacity;
	config.has_secret = true;
	seed_secret(seed, config.secret);
	seen_key_spec_parse(&config.key, "bytes", error);
	if (seen_local_create(&local, &config)) {
		printf("Bail out! %s: %s\n", kind->name, seen_local_error());
		exit(1);
	}
	for (uint32_t i = 0; i < keys; i++)
		add(local, i);
	if (seen_local_save(local, path, SEEN_LOCAL_WITH_SECRET)) {
		printf("Bail out! %s: %s\n", kind->name, seen_local_error());
		exit(1);
	}
	return local;
}

static bool holds(struct seen_local *local, uint32_t keys)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < keys; i++)
		found += test(local, i) == SEEN_KEY_RESULT_SEEN;
	return found == keys;
}

static uint8_t *slurp(size_t *bytes)
{
	FILE *file = fopen(path, "r");
	uint8_t *all = malloc(SLURP);

	*bytes = fread(all, 1, SLURP, file);
	fclose(file);
	return all;
}

/* Also one that has lost its name. */
static bool is_mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	bool found = false;
	char line[512];

	while (fgets(line, sizeof(line), maps))
		found |= !!strstr(line, path);
	fclose(maps);
	return found;
}

static bool same_counts(struct seen_local *a, struct seen_local *b)
{
	struct seen_filter_info one, other;

	seen_local_info(a, &one);
	seen_local_info(b, &other);
	return one.entries == other.entries && one.used == other.used &&
	       one.total == other.total && one.full == other.full &&
	       one.bytes == other.bytes;
}

static bool same_answers(struct seen_local *a, struct seen_local *b)
{
	int differ = 0;

	for (uint32_t i = 0; i < 999; i++)
		differ += test(a, i) != test(b, i);
	return !differ;
}

static struct seen_local *read_copy(void)
{
	struct seen_local *local;
	struct seen_table table;

	if (seen_snapshot_read(&table, path) ||
	    seen_local_take(&local, &table)) {
		printf("Bail out! %s\n", seen_local_error());
		exit(1);
	}
	seen_table_free(&table);
	return local;
}

static bool has_table(const struct seen_local *local, const uint8_t *file,
		      size_t bytes)
{
	return bytes > HEAD && !memcmp(local->set.table, file + HEAD, bytes - HEAD);
}

/* Else the words of the table and of the file have different byte orders. */
static bool has_table_if_mapped(const struct seen_local *local,
				const uint8_t *file, size_t bytes)
{
	return !MAPS || has_table(local, file, bytes);
}

static void is_the_table(const struct kind *kind)
{
	struct seen_local *local = made(kind, 999, 600), *copy, *mapped;
	size_t bytes;
	uint8_t *file = slurp(&bytes);

	ok(has_table_if_mapped(local, file, bytes), kind->name);
	copy = read_copy();
	ok(!is_mapped() && has_table_if_mapped(copy, file, bytes),
	   "an import gives the same filter");
	ok(!seen_local_open(&mapped, path, NULL) && is_mapped() == MAPS &&
	   !((uintptr_t)mapped->set.table % SEEN_LINE_BYTES),
	   MAPS ? "it is mapped" : "it is copied");
	ok(same_counts(mapped, copy) && same_answers(mapped, copy) &&
	   holds(mapped, 600), "it gives the same answers as the import");
	seen_local_close(mapped);
	ok(!is_mapped(), "it is mapped until it is closed");
	seen_local_close(copy);
	seen_local_close(local);
	free(file);
}

static void changes(const struct kind *kind)
{
	struct seen_local *local = made(kind, 999, 600), *copy, *mapped;
	struct seen_local *again = NULL;
	size_t bytes, after, same = 0;
	uint8_t *file = slurp(&bytes), *now;

	copy = read_copy();
	seen_local_open(&mapped, path, NULL);
	for (uint32_t key = 600; key < 800; key++)
		same += add(mapped, key) == add(copy, key);
	ok(same == 200 && same_counts(mapped, copy) && holds(mapped, 800),
	   "it changes like the import");
	now = slurp(&after);
	ok(after == bytes && !memcmp(file, now, bytes) &&
	   !has_table(mapped, file, bytes), "the changes are not in the file");
	free(now);
	ok(!seen_local_save(mapped, path, SEEN_LOCAL_WITH_SECRET) &&
	   holds(mapped, 800) && !seen_local_open(&again, path, NULL) &&
	   same_answers(mapped, again), "after a save the changes are in the file");
	seen_local_close(again);
	seen_local_close(mapped);
	seen_local_close(copy);
	seen_local_close(local);
	free(file);
}

/* In the file itself. */
static void damage(const struct kind *kind)
{
	struct seen_local *local = made(kind, 10, 5), *copy;
	size_t bytes, i, survived = 0;
	uint8_t *file = slurp(&bytes), byte;
	int fd = open(path, O_RDWR);

	for (i = 0; i < 8 * bytes; i++) {
		byte = file[i / 8] ^ 1 << i % 8;
		survived += pwrite(fd, &byte, 1, i / 8) != 1 ||
			    !seen_local_open(&copy, path, NULL) ||
			    pwrite(fd, &file[i / 8], 1, i / 8) != 1;
	}
	ok(!survived, "each bit flipped: all refused");
	ok(!seen_local_open(&copy, path, NULL) && is_mapped() == MAPS,
	   "the restored file is accepted");
	seen_local_close(copy);
	for (i = bytes; i--; )
		survived += ftruncate(fd, i) ||
			    !seen_local_open(&copy, path, NULL);
	ok(!survived && !is_mapped(), "each length: all refused");
	close(fd);
	free(file);
	seen_local_close(local);
}

/* Few keys: a table that is half full is not compressed. */
static void is_copied(const struct kind *kind, unsigned int flags)
{
	struct seen_local *local = made(kind, 999, 60), *copy;

	seen_local_save(local, path, flags | SEEN_LOCAL_WITH_SECRET);
	ok(!seen_local_open(&copy, path, NULL) && !is_mapped() &&
	   holds(copy, 60), flags ? "compressed: copied" : kind->name);
	seen_local_close(copy);
	seen_local_close(local);
}

/* A file with the right checksum, as an attacker would write it. */
static void bits_behind_the_last(const struct kind *kind)
{
	struct seen_local *local = made(kind, 999, 5), *copy;
	struct seen_table table;
	uint64_t bits;

	ok(!seen_snapshot_map(&table, path) && !!table.file == MAPS,
	   kind->name);
	bits = table.info.blocks;
	ok(bits < 8 * table.bytes, "the table has bits after the last number");
	table.data[bits / 8] |= 1 << bits % 8;
	ok(seen_local_take(&copy, &table) == -EBADMSG, "a set bit after the last number: refused");
	seen_table_free(&table);
	ok(!is_mapped(), "the refused file is not mapped any more");
	seen_local_close(local);
}

/* A fold gives it a table of its own. */
static void two_mappings(void)
{
	struct seen_local *local = made(&in_place[0], 100000, 500), *a, *b;

	seen_local_open(&a, path, NULL);
	seen_local_open(&b, path, NULL);
	for (uint32_t key = 500; key < 900; key++)
		add(b, key);
	ok(!seen_local_merge(a, b, false) && holds(a, 900),
	   "a mapped filter is merged into another one");
	seen_local_close(b);
	ok(is_mapped() == MAPS && !seen_local_fold(a, 0) && !is_mapped() &&
	   holds(a, 900), "it folds into memory");
	ok(!seen_local_save(a, path, SEEN_LOCAL_WITH_SECRET) &&
	   !seen_local_open(&b, path, NULL) && is_mapped() == MAPS &&
	   holds(b, 900), MAPS ? "its saved file is mapped" : "its saved file is copied");
	seen_local_close(a);
	seen_local_close(b);
	seen_local_close(local);
}

int main(void)
{
	planned = IN_PLACE * (5 + 3 + 3 + 1) + COPIED + 2 * 4 + 3;
	seed = seed_choose();
	printf("TAP version 13\n1..%d\n# TEST_SEED=%ju\n", planned,
	       (uintmax_t)seed);
	snprintf(path, sizeof(path), "/tmp/seen-map-XXXXXX");
	if (close(mkstemp(path)))
		return 1;
	for (size_t i = 0; i < IN_PLACE; i++) {
		is_the_table(&in_place[i]);
		changes(&in_place[i]);
		damage(&in_place[i]);
		is_copied(&in_place[i], SEEN_LOCAL_COMPRESS);
	}
	for (size_t i = 0; i < COPIED; i++)
		is_copied(&copied[i], 0);
	bits_behind_the_last(&in_place[1]);
	bits_behind_the_last(&in_place[2]);
	two_mappings();
	unlink(path);
	return failures || results != planned;
}
