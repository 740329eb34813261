// SPDX-License-Identifier: GPL-2.0
/*
 * A walk through a map while entries move: a walk that follows the rules of an export
 * finds every key that was stored when it began, or is reported as torn.
 */
#include "map_keys.h"

static void mark(void *context, const void *key, u32 len, u32 value)
{
	(void)key;
	(void)len;
	((u8 *)context)[value] = 2;
}

static bool put(struct seen_set *set, u64 n)
{
	struct seen_item item = map_item(set, 4, n);

	return seen_item_put(set, &item, n) == SEEN_NEW;
}

static u64 missed(struct seen_set *set, u64 before, u64 more)
{
	u64 slots = set->geo.blocks * SEEN_MAP_SLOTS;
	u8 *told = calloc(set->geo.capacity, 1);
	u64 at = 0, missing = 0;
	u64 n;

	for (n = 0; n < before; n++)
		told[n] = put(set, n);
	set->exported = 1;
	do {
		at = seen_map_walk(set, at, slots / 32, mark, told);
		set->front = at;
		for (; n < before + more * at / slots; n++)
			put(set, n);
	} while (at && set->exported);
	for (n = 0; n < before; n++)
		missing += told[n] == 1;
	free(told);
	return missing;
}

/* Some adds have no other way: more of them in a denser table. */
static void export(struct seen_geometry geo, u64 more, bool often,
		   const char *name)
{
	u64 tries = 200 + scale(1800), torn = 0, bad = 0;
	struct seen_set *set;
	u64 i;

	for (i = 0; i < tries; i++) {
		set = set_new(&geo);
		*(u64 *)set->table = random64();
		bad += missed(set, geo.capacity * 3 / 4, more) &&
		       set->exported;
		torn += !set->exported;
		set_free(set);
	}
	ok(!bad && (2 * torn > tries) == often,
	   "%s: no export misses a key, %llu of %llu are torn", name,
	   (unsigned long long)torn, (unsigned long long)tries);
}

static void rehash_tears(void)
{
	struct seen_geometry geo = map_planned(4, 100);
	struct seen_set *set = set_new(&geo);

	set->exported = 1;
	set->front = 10;
	map_rehash(set, 1);
	ok(!set->exported && !set->front, "a rehash tears an export");
	set_free(set);
}

int main(void)
{
	test_begin(3);
	export(map_planned(4, 2000), 250, false, "as planned");
	export(map_tiny(4, 64), 64, true, "too dense");
	rehash_tears();
	return test_end();
}
