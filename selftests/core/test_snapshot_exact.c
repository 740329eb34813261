// SPDX-License-Identifier: GPL-2.0
/* Snapshots and merges of the kinds that are exact, or that count: no answer changes. */
#include "item.h"
#include "pattern.h"
#include "sets.h"

#define KEYS	5000

static const struct kind others[] = {
	{ "bitmap", { .kind = SEEN_SET_BITMAP, .capacity = 30001 } },
	{ "counting", { .kind = SEEN_SET_COUNTING, .capacity = KEYS,
			.fpp = FPP_ONE / 100 } },
	{ "map", { .kind = SEEN_SET_MAP, .capacity = KEYS, .key_bytes = 13 } },
	{ "cms", { .kind = SEEN_SET_CMS, .capacity = 1000,
		   .fpp = FPP_ONE / 100 } },
	{ "cms, conservative", { .kind = SEEN_SET_CMS, .capacity = 1000,
				 .fpp = FPP_ONE / 100, .conservative = true } },
	{ "cms with a window", { .kind = SEEN_SET_CMS, .capacity = 1000,
				 .fpp = FPP_ONE / 100, .window = HOUR } },
	{ "cmm", { .kind = SEEN_SET_CMM, .capacity = 1000,
		   .fpp = FPP_ONE / 100 } },
};

static struct seen_item item_of(const struct seen_set *set, u64 n)
{
	struct seen_item item = { .hash = hash_of(1, n) };

	if (set->geo.kind == SEEN_SET_BITMAP)
		item.hash = n * 5 % set->geo.capacity;
	item.len = set->geo.kind == SEEN_SET_MAP ? 5 + n % 9 : 0;
	memcpy(item.key, &n, item.len ? sizeof(n) < item.len ? sizeof(n) :
						item.len : 0);
	return item;
}

/* Some come more often than others. */
static void store(struct seen_set *set, u64 from, u64 to)
{
	struct seen_item item;
	u32 count, times;

	for (; from < to; from++) {
		item = item_of(set, from);
		if (set->geo.kind == SEEN_SET_MAP) {
			seen_item_put(set, &item, from * 3);
			continue;
		}
		for (times = 1 + from % 3; times; times--)
			if (seen_set_can_count(&set->geo))
				seen_item_add_count(set, &item, 0, &count);
			else
				seen_item_add(set, &item);
	}
}

/* The answer for a key: its count, its value plus one, or 1 if it is in the set. */
static u32 told(struct seen_set *set, u64 n)
{
	struct seen_item item = item_of(set, n);
	u32 value = 0;

	if (set->geo.kind == SEEN_SET_MAP)
		return seen_item_value(set, &item, &value) ? 1 + value : 0;
	if (seen_set_can_count(&set->geo))
		return seen_item_count(set, &item);
	return seen_item_test(set, &item) == SEEN_SEEN;
}

static u64 differ(struct seen_set *a, struct seen_set *b, u64 from, u64 to)
{
	u64 count = 0;

	for (; from < to; from++)
		count += told(a, from) != told(b, from);
	return count;
}

static void round_trip(const struct kind *kind)
{
	struct seen_set *set = set_planned(kind->geo), *copy;
	u8 *table;

	ok(!seen_geometry_check(&set->geo), "%s: the geometry is taken",
	   kind->name);
	store(set, 0, KEYS / 2);
	clock_add(HOUR / 2);
	store(set, KEYS / 4, KEYS * 3 / 4);
	table = export_all(set, 1 + random_below(500));
	copy = import_all(&set->geo, table, seen_unit_now(&set->geo));
	ok(copy && !differ(set, copy, 0, 2 * KEYS),
	   "%s: each key has the same answer as before", kind->name);
	ok(copy && seen_set_entries(copy) == seen_set_entries(set),
	   "%s: %llu keys are counted", kind->name,
	   (unsigned long long)seen_set_entries(set));
	free(table);
	set_free(copy);
	set_free(set);
}

/* As one set into which all went. */
static void merged(const struct kind *kind)
{
	bool sums = kind->geo.kind != SEEN_SET_MAP &&
		    kind->geo.kind != SEEN_SET_BITMAP;
	struct seen_set *a = set_planned(kind->geo);
	struct seen_set *b = set_planned(kind->geo);
	struct seen_set *all = set_planned(kind->geo);
	u64 i, less = 0;

	store(a, 0, KEYS / 2);
	store(b, sums ? KEYS / 2 : KEYS / 3, KEYS * 3 / 4);
	store(all, 0, KEYS * 3 / 4);
	ok(merge_all(a, b, 99), "%s: merges", kind->name);
	for (i = 0; i < KEYS * 3 / 4; i++)
		less += told(a, i) < 1 + (sums ? i % 3 : 0);
	ok(!less || kind->geo.kind == SEEN_SET_CMM, "%s: nothing is lost",
	   kind->name);
	/* Conservative adds come out higher than they would together. */
	ok(kind->geo.conservative || !differ(a, all, 0, KEYS),
	   "%s: as if all keys had been added to one set", kind->name);
	set_free(a);
	set_free(b);
	set_free(all);
}

static void bad_map(void)
{
	struct seen_set *set = set_planned(others[2].geo);
	u32 bytes = seen_snapshot_unit_bytes(&set->geo);
	u8 *table, *first;

	store(set, 0, 100);
	table = export_all(set, 100);
	for (first = table; !*first; first += bytes)
		;
	*first = 15;
	ok(!import_all(&set->geo, table, 0), "map: a key too long");
	*first = 6;
	first[bytes - 1] = 1;
	ok(!import_all(&set->geo, table, 0), "map: bytes after the key");
	first[bytes - 1] = 0;
	free(table);
	set_free(set);
}

/* At its capacity, where keys come, go, come back and move during the export. */
static void changing_map(void)
{
	struct seen_set *set = set_planned(others[2].geo), *copy;
	u64 units = seen_unit_count(&set->geo), cookie, i, at;
	u32 bytes = seen_snapshot_unit_bytes(&set->geo);
	u8 *table = malloc(table_bytes(&set->geo));
	struct seen_item item;
	u64 missing = 0;

	store(set, 0, KEYS);
	do {
		cookie = seen_set_export_begin(set);
		for (at = i = 0; seen_set_export(set, cookie, at, units / 10,
						 table + at * bytes, &at) && at;
		     i++) {
			item = item_of(set, 10 * i);
			seen_item_del(set, &item);
			store(set, KEYS + i, KEYS + i + 1);
			item = item_of(set, 10 * i + 1);
			seen_item_del(set, &item);
			seen_item_put(set, &item, 3 * (10 * i + 1));
		}
	} while (!set->exported);
	copy = import_all(&set->geo, table, 0);
	ok(copy, "map: an export with changes meanwhile is imported");
	for (i = 2; copy && i < KEYS; i += 10)
		missing += told(copy, i) != told(set, i);
	ok(copy && !missing, "map: it has all keys that stayed");
	if (copy)
		set_free(copy);
	free(table);
	set_free(set);
}

/* It moved, or was deleted and added. */
static void twice_in_map(void)
{
	struct seen_set *set = set_planned(others[2].geo), *copy;
	u32 bytes = seen_snapshot_unit_bytes(&set->geo);
	u8 *table, *first, *last;

	store(set, 7, 8);
	table = export_all(set, 100);
	for (first = table; !*first; first += bytes)
		;
	last = table + table_bytes(&set->geo) - bytes;
	if (first == last)
		first = table;
	else
		memcpy(last, first, bytes);
	first[8] = 1;	/* the value's lowest byte */
	copy = import_all(&set->geo, table, 0);
	ok(copy && seen_set_entries(copy) == 1 && told(copy, 7) == 22,
	   "map: a key that is imported twice has the later value");
	if (copy)
		set_free(copy);
	free(table);
	set_free(set);
}

static void misplaced_in_map(void)
{
	const struct seen_secret secret = { { 1, 2 } };
	struct seen_set *set = set_planned(others[2].geo);
	struct seen_item item = item_of(set, 1);
	u8 *table;

	item.hash = seen_siphash13(item.key, item.len, &secret);
	seen_item_put(set, &item, 1);
	table = export_all(set, 100);
	ok(seen_snapshot_keys_valid(&set->geo, &secret,
				    seen_unit_count(&set->geo), table),
	   "map: a key under its own hash");
	free(table);
	store(set, 2, 3);
	table = export_all(set, 100);
	ok(!seen_snapshot_keys_valid(&set->geo, &secret,
				     seen_unit_count(&set->geo), table),
	   "map: a key under another hash");
	free(table);
	set_free(set);
}

/* A map at its capacity must not be full, nor abort all exports. */
static void crowded_map(void)
{
	struct seen_set *set = set_planned(others[2].geo);
	struct seen_geometry geo = set->geo;
	const char *why;

	geo.capacity = geo.blocks * SEEN_MAP_SLOTS * 94 / 100;
	ok(!seen_geometry_check(&geo), "map: slots for all keys");
	geo.capacity += geo.blocks * SEEN_MAP_SLOTS / 100;
	why = seen_geometry_check(&geo);
	ok(why && !strcmp(why, "blocks"), "map: fewer slots than keys need");
	set_free(set);
}

/* Where nothing moves they do not meet. */
static void two_exports(void)
{
	struct seen_set *set = set_planned(others[0].geo);
	u64 cookie = seen_set_export_begin(set), next;
	u8 line[SEEN_LINE_BYTES];

	seen_set_export_begin(set);
	ok(seen_set_export(set, cookie, 0, 1, line, &next),
	   "bitmap: two exports at once");
	set_free(set);
}

static void bad_bitmap(void)
{
	struct seen_set *set = set_planned(others[0].geo);
	u8 *table = export_all(set, 100);

	table[table_bytes(&set->geo) - 1] = 0x80;
	ok(!import_all(&set->geo, table, 0), "bitmap: a number after the last");
	free(table);
	set_free(set);
}

int main(void)
{
	u32 i;

	test_begin(6 * ARRAY_SIZE(others) + 11);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		round_trip(&others[i]);
		merged(&others[i]);
	}
	bad_map();
	changing_map();
	twice_in_map();
	misplaced_in_map();
	crowded_map();
	two_exports();
	bad_bitmap();
	return test_end();
}
