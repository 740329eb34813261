// SPDX-License-Identifier: GPL-2.0
/*
 * When an add finds a cycle in a map's hashes, its thread rehashes the map. Former tables are
 * kept until the filter is closed, because other threads may be reading them. There are few of
 * them, because a rehash is rare: see Documentation/theory/exact.md.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "local_set.h"
#include "map.h"
#include "memory.h"

/* Tries with new hashes; each fails with a probability of one in many thousands. */
#define TRIES	8

struct seen_retired {
	struct seen_retired *next;
	void *entries;
	size_t bytes;
};

static void copy_all(struct seen_set *set)
{
	u64 at = 0;

	do {
		at = seen_map_rehash_step(set, at, 1024);
	} while (at);
}

/* Retires the old table, or the new one if the rehash failed; readers may use either. */
static int local_map_rehash(struct seen_local *local, bool *done)
{
	size_t bytes = seen_geometry_bytes(&local->set.geo);
	int err = seen_memory_check(local->set.geo.capacity, bytes);
	struct seen_map_table table = {}, old;
	struct seen_retired *retired;

	if (err)
		return err;
	retired = malloc(sizeof(*retired));
	table.entries = seen_local_pages(bytes);
	if (!retired || !table.entries ||
	    getrandom(&table.seed, sizeof(table.seed), 0) < 0) {
		free(retired);
		if (table.entries)
			seen_local_pages_free(table.entries, bytes);
		return seen_local_no_memory(0);
	}
	seen_map_rehash_begin(&local->set, &table);
	copy_all(&local->set);
	*done = seen_map_rehash_end(&local->set, &old);
	*retired = (struct seen_retired) {
		.next = local->retired,
		.entries = old.entries,
		.bytes = bytes,
	};
	local->retired = retired;
	local->mapped = local->set.table;
	return 0;
}

int seen_local_rehash(struct seen_local *local)
{
	bool done = false;
	int err = 0;
	int i;

	for (i = 0; i < TRIES && !done && !err; i++)
		err = local_map_rehash(local, &done);
	return done || err ? err :
	       seen_local_fail(-ENOSPC, "the filter is full");
}

/**
 * struct check - the check of an imported map
 * @local: the map
 * @bad: number of keys that a lookup does not find
 */
struct check {
	struct seen_local *local;
	u64 bad;
};

/* An entry is placed by its stored hash, which in a damaged file may not be the hash of its key. */
static void check_entry(void *context, const void *key, u32 len, u32 value)
{
	struct check *check = context;
	struct seen_local *local = check->local;
	struct seen_item item;
	u32 found;

	if (!seen_item_make(&local->set.geo, &local->secret, &local->span, key,
			    len, &item) ||
	    !seen_item_value(&local->set, &item, &found) || found != value)
		check->bad++;
}

bool seen_local_map_valid(struct seen_local *local)
{
	struct check check = { .local = local };
	u64 at = 0;

	do {
		at = seen_map_walk(&local->set, at, 1024, check_entry, &check);
	} while (at);
	return !check.bad;
}

void seen_local_retired_free(struct seen_local *local)
{
	struct seen_retired *retired;

	while ((retired = local->retired)) {
		local->retired = retired->next;
		seen_local_pages_free(retired->entries, retired->bytes);
		free(retired);
	}
}
