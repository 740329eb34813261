/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the tests of maps: keys of all lengths, as items, and rehashes. */
#ifndef SEEN_TEST_MAP_KEYS_H
#define SEEN_TEST_MAP_KEYS_H

#include <string.h>

#include "item.h"
#include "map.h"
#include "map_table.h"
#include "test.h"

static const struct seen_secret map_secret = { { 1, 2 } };

static inline struct seen_geometry map_planned(u32 key_bytes, u64 capacity)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_MAP,
		.key_bytes = key_bytes,
		.capacity = capacity,
	};

	if (seen_plan(&geo, MIN_TICK))
		abort();
	return geo;
}

/* A table of so few buckets that adds fail in it; its capacity is all slots. */
static inline struct seen_geometry map_tiny(u32 key_bytes, u64 blocks)
{
	struct seen_geometry geo = map_planned(key_bytes, 1);

	geo.blocks = blocks;
	geo.capacity = blocks * SEEN_MAP_SLOTS;
	return geo;
}

/* The @n-th key of @len bytes: its number, as far as it goes, then noise. */
static inline struct seen_item map_item(const struct seen_set *set, u32 len,
					u64 n)
{
	u8 key[SEEN_ITEM_KEY_MAX + 1];
	struct seen_item item;
	u64 noise = n;
	u32 i;

	for (i = 0; i < len; i++) {
		if (i % 8 == 0 && i)
			noise = seen_remix(noise + i);
		key[i] = noise >> i % 8 * 8;
	}
	if (!seen_item_make(&set->geo, &map_secret, NULL, key, len, &item))
		abort();
	return item;
}

/* For so many keys there is another one of @len bytes. */
static inline u64 map_keys(u32 len)
{
	return len < 4 ? 1ULL << 8 * len : 1ULL << 32;
}

/* A table for a rehash, under a seed; free() its entries. */
static inline struct seen_map_table map_table(const struct seen_set *set,
					      u64 seed)
{
	size_t bytes = seen_geometry_bytes(&set->geo);

	return (struct seen_map_table) {
		.entries = memset(aligned_alloc(64, bytes), 0, bytes),
		.seed = seed,
	};
}

/* A whole rehash at once; false: it has failed. */
static inline bool map_rehash(struct seen_set *set, u64 seed)
{
	struct seen_map_table table = map_table(set, seed);
	u64 at = 0;
	bool done;

	seen_map_rehash_begin(set, &table);
	do
		at = seen_map_rehash_step(set, at, 64);
	while (at);
	done = seen_map_rehash_end(set, &table);
	free(table.entries);
	return done;
}

static inline u64 map_used(struct seen_set *set)
{
	u64 used = 0, room = 0, at = 0;

	do
		at = seen_set_used(set, at, 4096, &used, &room);
	while (at);
	return used;
}

#endif
