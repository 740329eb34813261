/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the tests of snapshots, merges and folds, and of keys for other sets. */
#ifndef SEEN_TEST_SETS_H
#define SEEN_TEST_SETS_H

#include <math.h>
#include <string.h>

#include "snapshot.h"
#include "test.h"
#include "unit_set.h"

#define HOUR	(3600 * SECOND)

/* A set that is to be made, and its name in the results. */
struct kind {
	const char *name;
	struct seen_geometry geo;
};

#define KIND(word, of, one_in, ...)					\
	{ word, { .kind = SEEN_SET_##of, .fpp = FPP_ONE / (one_in),	\
		  __VA_ARGS__ } }

static const struct kind kinds[] = {
	KIND("blocked", BLOCKED, 1000, .fp_bits = 0),
	KIND("classic", CLASSIC, 1000, .fp_bits = 0),
	KIND("bloom with a window", BLOOM_WINDOW, 1000, .window = HOUR),
	KIND("cuckoo 8", CUCKOO, 20, .fp_bits = 8),
	KIND("cuckoo 12", CUCKOO, 100, .fp_bits = 12),
	KIND("cuckoo 16", CUCKOO, 1000, .fp_bits = 16),
	KIND("cuckoo 24", CUCKOO, 1000, .fp_bits = 24),
	KIND("cuckoo 32", CUCKOO, 1000, .fp_bits = 32),
	KIND("cuckoo-window 8", CUCKOO_WINDOW, 10, .fp_bits = 8, .window = HOUR),
	KIND("cuckoo-window 12", CUCKOO_WINDOW, 50, .fp_bits = 12, .window = HOUR),
	KIND("cuckoo-window 16", CUCKOO_WINDOW, 1000, .fp_bits = 16, .window = HOUR),
	KIND("cuckoo-window 24", CUCKOO_WINDOW, 1000, .fp_bits = 24, .window = HOUR),
	KIND("cuckoo-window 32", CUCKOO_WINDOW, 1000, .fp_bits = 32, .window = HOUR),
	KIND("counting", COUNTING, 100, .fp_bits = 0),
};

static inline struct seen_set *kind_new(const struct kind *kind, u64 capacity)
{
	struct seen_geometry geo = kind->geo;

	geo.capacity = capacity;
	return set_planned(geo);
}

/* A cuckoo filter with long fingerprints, or a Bloom filter, with a window. */
static inline struct seen_geometry windowed(enum seen_set_kind kind, u64 capacity, u64 window,
					    bool refresh)
{
	struct seen_geometry geo = {
		.kind = kind,
		.capacity = capacity,
		.window = window,
		.refresh = refresh,
	};

	if (kind == SEEN_SET_CUCKOO_WINDOW)
		geo.fp_bits = 32;
	else
		geo.fpp = FPP_ONE / 200;
	return geo;
}

static inline void sweep_all(struct seen_set *set)
{
	u64 from = 0;

	do
		from = seen_set_sweep(set, from, 1000);
	while (from);
}

static inline size_t table_bytes(const struct seen_geometry *geo)
{
	return seen_unit_count(geo) * seen_snapshot_unit_bytes(geo);
}

/* Exports a set in chunks of @chunk units. Returns the table, to free(); NULL: export torn. */
static inline u8 *export_all(struct seen_set *set, u64 chunk)
{
	u32 bytes = seen_snapshot_unit_bytes(&set->geo);
	u8 *table = malloc(table_bytes(&set->geo));
	u64 cookie = seen_set_export_begin(set);
	u64 at = 0;

	do {
		if (!seen_set_export(set, cookie, at, chunk, table + at * bytes,
				     &at)) {
			free(table);
			return NULL;
		}
	} while (at);
	return table;
}

/* Imports a whole table into a new set; NULL: it was refused. */
static inline struct seen_set *import_all(const struct seen_geometry *geo,
					  const u8 *table, u64 age)
{
	struct seen_set *set = set_new(geo);

	if (!seen_set_import(set, 0, seen_unit_count(geo), table, age)) {
		set_free(set);
		return NULL;
	}
	seen_set_import_end(set);
	return set;
}

/* Merges a whole set in chunks of @chunk units; false: no room. */
static inline bool merge_all(struct seen_set *to, struct seen_set *from,
			     u64 chunk)
{
	enum seen_merge result;
	u64 at = 0;

	seen_set_merge_begin(to);
	do {
		result = seen_set_merge(to, from, at, chunk, &at);
	} while (result == SEEN_MERGE_TORN || (result == SEEN_MERGE_OK && at));
	seen_set_merge_end(to);
	return result == SEEN_MERGE_OK;
}

static inline u64 merge_room(struct seen_set *to, struct seen_set *from)
{
	u64 keys, at = 0;

	do {
		at = seen_set_merge_room(to, from, at, 100, &keys);
	} while (at);
	return keys;
}

/* How many of the keys are not seen. */
static inline u64 missed(struct seen_set *set, u32 family, u64 from, u64 to)
{
	u64 count = 0;

	for (; from < to; from++)
		count += seen_set_test(set, hash_of(family, from)) != SEEN_SEEN;
	return count;
}

/* Buckets that seen_set_entries() looks at; see set.c. */
#define ENTRIES_SAMPLE	1024

/**
 * count_stamps() - count the live entries of a set with stamps
 * @set: of SEEN_SET_CUCKOO_WINDOW
 * @variance: the variance of seen_set_entries() is added: it looks at
 *	ENTRIES_SAMPLE of the buckets, drawn without replacement, and extrapolates
 *	to all
 */
static inline u64 count_stamps(struct seen_set *set, double *variance)
{
	double blocks = set->geo.blocks, looks = fmin(blocks, ENTRIES_SAMPLE);
	u64 all = 0, room = 0, used, i;
	double squares = 0;

	for (i = 0; i < set->geo.blocks; i++) {
		used = 0;
		seen_set_used(set, i, 1, &used, &room);
		all += used;
		squares += used * used;
	}
	squares -= all / blocks * all;
	*variance += squares * (blocks / looks - 1);
	return all;
}

static inline u64 add_all(struct seen_set *set, u32 family, u64 from, u64 to)
{
	u64 count = 0;

	for (; from < to; from++)
		count += seen_set_test_and_add(set, hash_of(family, from)) ==
			 SEEN_NEW;
	return count;
}

#endif
