// SPDX-License-Identifier: GPL-2.0
/* An exported set is imported unchanged: every kind, in chunks of any size; windows continue. */
#include "sets.h"
#include "unit.h"

#define KEYS		20000
#define OTHERS		50000
#define WINDOW_KEYS	64

static bool same_answers(struct seen_set *a, struct seen_set *b)
{
	u64 i, hash;

	for (i = 0; i < OTHERS; i++) {
		hash = hash_of(2, i);
		if (seen_set_test(a, hash) != seen_set_test(b, hash))
			return false;
	}
	return true;
}

/* Of Bloom kinds it is an estimate. */
static bool about(u64 a, u64 b)
{
	u64 off = a > b ? a - b : b - a;

	return off * 100 <= 2 * b + 100;
}

static bool counts_right(struct seen_set *set, u64 stored)
{
	double variance = 0, entries = seen_set_entries(set);

	if (set->geo.kind != SEEN_SET_CUCKOO_WINDOW)
		return about(entries, stored);
	return count_stamps(set, &variance) == stored &&
	       fabs(entries - stored) <= SIGMAS * sqrt(variance);
}

static void round_trip(const struct kind *kind)
{
	struct seen_set *set = kind_new(kind, KEYS);
	struct seen_set *copy;
	u8 *table, *again;
	u64 stored;

	stored = add_all(set, 1, 0, KEYS);
	table = export_all(set, 1 + random_below(2000));
	copy = import_all(&set->geo, table, seen_unit_now(&set->geo));
	ok(copy, "%s: the export is taken", kind->name);
	again = export_all(copy, 77);
	ok(!memcmp(table, again, table_bytes(&set->geo)),
	   "%s: the copy's export is the same", kind->name);
	ok(!missed(copy, 1, 0, KEYS) && same_answers(set, copy),
	   "%s: every key is seen, other keys answer as before", kind->name);
	ok(counts_right(copy, stored),
	   "%s: %llu keys are counted of %llu", kind->name,
	   (unsigned long long)seen_set_entries(copy),
	   (unsigned long long)stored);
	ok(!seen_geometry_check(&set->geo), "%s: the geometry is taken",
	   kind->name);
	free(table);
	free(again);
	set_free(set);
	set_free(copy);
}

/* Keys a part of a tick apart; then the export, and the import later on. */
static void window_goes_on(const struct kind *kind, u64 later)
{
	struct seen_set *set = kind_new(kind, KEYS);
	u64 tick = set->geo.tick, window = set->geo.window;
	u64 lost = 0, old = 0;
	struct seen_set *copy;
	bool stored[WINDOW_KEYS];
	u64 born[WINDOW_KEYS];
	u64 phase, i, end;
	u8 *table;

	for (i = 0; i < WINDOW_KEYS; i++) {
		clock_add(window / WINDOW_KEYS);
		born[i] = test_clock;
		stored[i] = seen_set_test_and_add(set, hash_of(3, i)) ==
			    SEEN_NEW;
	}
	table = export_all(set, 100);
	phase = seen_unit_now(&set->geo);
	clock_add(later);
	copy = import_all(&set->geo, table, phase + later);
	end = test_clock + window + 4 * tick;
	for (; test_clock < end; clock_add(tick / 7))
		for (i = 0; i < WINDOW_KEYS; i++) {
			bool seen = seen_set_test(copy, hash_of(3, i)) ==
				    SEEN_SEEN;
			u64 age = test_clock - born[i];

			/* A false positive expires with the key that caused it. */
			lost += stored[i] && !seen && age < window;
			old += seen && age >= window + 2 * tick;
		}
	/* At a rate of 1 in 10 a false positive looks like an old key. */
	ok(!lost && (!old || set->geo.fp_bits == 8 || set->geo.fp_bits == 12),
	   "%s, %llu ms later: windows go on (%llu lost, %llu too old)",
	   kind->name, (unsigned long long)(later / MS),
	   (unsigned long long)lost, (unsigned long long)old);
	free(table);
	set_free(set);
	set_free(copy);
}

/* Data that no export contains is refused. */
static void refused(void)
{
	struct seen_set *set = kind_new(&kinds[1], 1000);
	struct seen_geometry geo = set->geo;
	u8 *table = export_all(set, 9);
	u64 units = seen_unit_count(&geo);

	ok(geo.blocks % SEEN_LINE_BITS, "classic: the last line is incomplete");
	table[units * SEEN_LINE_BYTES - 1] |= 0x80;
	ok(!import_all(&geo, table, 0), "classic: a bit after the last");
	free(table);
	ok(!seen_set_import(set, units, 1, NULL, 0), "more units than there are");
	set_free(set);

	set = kind_new(&kinds[9], 1000);
	geo = set->geo;
	table = export_all(set, 9);
	table[0] = 2 + geo.ticks;
	ok(!import_all(&geo, table, 0), "cuckoo-window: an age beyond the window");
	table[0] = 0;
	table[SEEN_CUCKOO_WINDOW_SLOTS] = 1;
	ok(!import_all(&geo, table, 0), "cuckoo-window: an empty slot with a fingerprint");
	table[0] = 1;
	table[SEEN_CUCKOO_WINDOW_SLOTS + 1] = 0x10;
	ok(!import_all(&geo, table, 0), "cuckoo-window: a fingerprint too long");
	free(table);
	set_free(set);
}

#define BAD(member, value, name)					\
do {									\
	struct seen_geometry geo = good;				\
	const char *why;						\
									\
	geo.member = value;						\
	why = seen_geometry_check(&geo);				\
	ok(why && !strcmp(why, name), "geometry: %s = %s: \"%s\"",	\
	   #member, #value, why ? why : "taken");			\
} while (0)

static void bad_geometry(void)
{
	struct seen_geometry good = { .kind = SEEN_SET_CUCKOO_WINDOW,
				      .capacity = 1000, .fpp = FPP_ONE / 1000,
				      .window = SECOND };

	seen_plan(&good, MIN_TICK);
	BAD(kind, 77, "type");
	BAD(capacity, 0, "capacity");
	BAD(capacity, SEEN_CAPACITY_MAX + 1, "capacity");
	BAD(fpp, 0, "fpp");
	BAD(blocks, 0, "blocks");
	BAD(blocks, SEEN_BLOCKS_MAX + 1, "blocks");
	BAD(hashes, 8, "hashes");
	BAD(fp_bits, 0, "bits");
	BAD(fp_bits, 9, "bits");
	BAD(ticks, 0, "window");
	BAD(ticks, 21, "window");
	BAD(tick, good.tick + 1, "window");
	BAD(window, 0, "window");
	BAD(window, ~0ULL, "window");
	BAD(fold, 2, "fold");
	BAD(top, 1, "top");
	good = (struct seen_geometry) { .kind = SEEN_SET_BLOCKED,
					.capacity = 1000,
					.fpp = FPP_ONE / 1000 };
	seen_plan(&good, MIN_TICK);
	BAD(hashes, 15, "hashes");
	BAD(hashes, 4, "hashes");
	BAD(tick, 1, "window");
	good.fold = 3;
	good.span = 3 * good.blocks - 2;
	ok(!seen_geometry_check(&good), "geometry: a folded one");
	BAD(span, 3 * good.blocks + 1, "fold");
	BAD(span, 0, "fold");
}

int main(void)
{
	u32 windows = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		windows += kinds[i].geo.window != 0;
	test_begin(5 * ARRAY_SIZE(kinds) + 3 * windows + 6 + 22);
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		round_trip(&kinds[i]);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!kinds[i].geo.window)
			continue;
		window_goes_on(&kinds[i], 0);
		window_goes_on(&kinds[i], 5 * SECOND);
		window_goes_on(&kinds[i], HOUR / 3);
	}
	refused();
	bad_geometry();
	return test_end();
}
