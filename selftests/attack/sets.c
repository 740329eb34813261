// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "sets.h"

#define HOUR		(3600 * SECOND)

#define VICTIM(word, of, one_in, ...)					\
	{ word, { .kind = SEEN_SET_##of, .fpp = FPP_ONE / (one_in),	\
		  __VA_ARGS__ } }

const struct victim victims[VICTIMS] = {
	VICTIM("blocked", BLOCKED, 100, .window = 0),
	VICTIM("classic", CLASSIC, 100, .window = 0),
	VICTIM("bloom, window", BLOOM_WINDOW, 100, .window = HOUR),
	VICTIM("counting", COUNTING, 100, .window = 0),
	VICTIM("cuckoo 8", CUCKOO, 20, .fp_bits = 8),
	VICTIM("cuckoo 12", CUCKOO, 100, .fp_bits = 12),
	VICTIM("cuckoo 16", CUCKOO, 1000, .fp_bits = 16),
	VICTIM("cuckoo 24", CUCKOO, 1000, .fp_bits = 24),
	VICTIM("cuckoo 32", CUCKOO, 1000, .fp_bits = 32),
	VICTIM("cuckoo-window 8", CUCKOO_WINDOW, 10, .fp_bits = 8, .window = HOUR),
	VICTIM("cuckoo-window 12", CUCKOO_WINDOW, 50, .fp_bits = 12, .window = HOUR),
	VICTIM("cuckoo-window 16", CUCKOO_WINDOW, 1000, .fp_bits = 16, .window = HOUR),
	VICTIM("cuckoo-window 24", CUCKOO_WINDOW, 1000, .fp_bits = 24, .window = HOUR),
	VICTIM("cuckoo-window 32", CUCKOO_WINDOW, 1000, .fp_bits = 32, .window = HOUR),
	VICTIM("map", MAP, 1000, .key_bytes = sizeof(struct key)),
	VICTIM("cms", CMS, 100, .window = 0),
	VICTIM("cmm", CMM, 100, .window = 0),
};

u64 steps;

void seen_shim_step(const volatile void *memory, bool write)
{
	(void)memory;
	(void)write;
	steps++;
}

unsigned long seen_shim_load(const volatile void *memory, u32 bytes,
			     enum seen_shim_order order, const char *file,
			     int line)
{
	u64 value = 0;

	(void)order;
	(void)file;
	(void)line;
	steps++;
	memcpy(&value, (const void *)memory, bytes);
	return value;
}

void seen_shim_store(const volatile void *memory, u32 bytes,
		     enum seen_shim_order order, const char *file, int line)
{
	(void)memory;
	(void)bytes;
	(void)file;
	(void)line;
	/* A read-modify-write operation was already counted by seen_shim_step(). */
	steps += order != SEEN_SHIM_RMW && order != SEEN_SHIM_FULL;
}

void seen_shim_lock(const volatile void *lock, enum seen_shim_order order,
		    const char *file, int line)
{
	(void)lock;
	(void)order;
	(void)file;
	(void)line;
}

void seen_shim_fence(enum seen_shim_order order, const char *file, int line)
{
	(void)order;
	(void)file;
	(void)line;
}

struct seen_set *victim_new(const struct victim *victim, u64 capacity)
{
	struct seen_geometry geo = victim->geo;

	geo.capacity = capacity;
	if (seen_plan(&geo, MIN_TICK)) {
		printf("Bail out! no plan for %s\n", victim->name);
		exit(1);
	}
	if (geo.kind == SEEN_SET_MAP)
		geo.capacity = geo.blocks * SEEN_MAP_SLOTS;
	return set_new(&geo);
}

bool is_sketch(const struct seen_set *set)
{
	return !seen_set_can_test_and_add(&set->geo);
}

enum seen_result bring(struct seen_set *set, const struct key *key,
		       const struct seen_secret *secret)
{
	struct seen_item item;

	seen_item_make(&set->geo, secret, NULL, key->byte, sizeof(key->byte),
		       &item);
	if (is_sketch(set))
		return seen_item_add(set, &item);
	return seen_item_test_and_add(set, &item);
}

u64 ask(struct seen_set *set, const struct key *key,
	const struct seen_secret *secret)
{
	struct seen_item item;

	seen_item_make(&set->geo, secret, NULL, key->byte, sizeof(key->byte),
		       &item);
	if (is_sketch(set))
		return seen_item_count(set, &item);
	return seen_item_test(set, &item) == SEEN_SEEN;
}
