// SPDX-License-Identifier: GPL-2.0
/* After a merge every key of both sets is seen; a merge that is refused has a reason. */
#include "sets.h"

#define KEYS		20000

static bool about(u64 a, u64 b)
{
	u64 off = a > b ? a - b : b - a;

	return off * 50 <= b;
}

/* With stamps it is the sum of two samples, whatever is in both. */
static bool room_is_right(struct seen_set *a, struct seen_set *b, u64 room)
{
	double variance = 0;
	u64 used;

	switch (a->geo.kind) {
	case SEEN_SET_CUCKOO_WINDOW:
		used = count_stamps(a, &variance) + count_stamps(b, &variance);
		return fabs((double)room - used) <= SIGMAS * sqrt(variance);
	case SEEN_SET_COUNTING:
		return about(room, KEYS);
	default:
		return about(room, KEYS * 5 / 6);
	}
}

static void union_of(const struct kind *kind)
{
	struct seen_set *a = kind_new(kind, KEYS);
	struct seen_set *b = kind_new(kind, KEYS);
	u64 room, others, hits = 0;
	u64 i;

	/* A third in both. */
	add_all(a, 1, 0, KEYS / 2);
	add_all(b, 1, KEYS / 3, KEYS * 5 / 6);
	others = missed(b, 1, 0, KEYS / 3);
	room = merge_room(a, b);
	ok(room_is_right(a, b, room), "%s: both hold %llu keys at most",
	   kind->name, (unsigned long long)room);
	ok(!seen_set_can_merge(&a->geo, &b->geo) && merge_all(a, b, 300),
	   "%s: merges", kind->name);
	ok(!missed(a, 1, 0, KEYS * 5 / 6), "%s: every key of both is seen",
	   kind->name);
	ok(missed(b, 1, 0, KEYS / 3) == others,
	   "%s: the other set is unchanged", kind->name);
	for (i = 0; i < 10 * KEYS; i++)
		hits += seen_set_test(a, hash_of(2, i)) == SEEN_SEEN;
	ok(rate_kept(hits, 10 * KEYS, a->geo.fpp), "%s: the rate is kept",
	   kind->name);
	set_free(a);
	set_free(b);
}

static void copies(void)
{
	struct seen_set *a = kind_new(&kinds[7], 1000);
	struct seen_set *b = kind_new(&kinds[7], 1000);
	u64 hash = hash_of(1, 0);
	u32 i;

	for (i = 0; i < 5; i++)
		seen_set_add(b, hash);
	for (i = 0; i < 2; i++)
		seen_set_add(a, hash);
	merge_all(a, b, 300);
	ok(seen_set_count(a, hash) == 5, "cuckoo: the larger number of copies of a key");
	merge_all(a, b, 300);
	ok(seen_set_count(a, hash) == 5, "cuckoo: the same merge again adds no copies");
	set_free(a);
	set_free(b);
}

static void no_room(void)
{
	struct seen_set *a = kind_new(&kinds[7], 1000);
	struct seen_set *b = kind_new(&kinds[7], 1000);
	u64 i;

	for (i = 0; i < 1000; i++) {
		seen_set_add(a, hash_of(1, i));
		seen_set_add(b, hash_of(2, i));
	}
	ok(merge_room(a, b) > a->geo.capacity,
	   "cuckoo: two full sets exceed the capacity");
	ok(!merge_all(a, b, 300), "cuckoo: their keys find no room");
	ok(!missed(a, 1, 0, 1000), "cuckoo: keys that were stored are still there");
	set_free(a);
	set_free(b);

	a = kind_new(&kinds[0], KEYS);
	b = kind_new(&kinds[0], KEYS);
	add_all(a, 1, 0, KEYS * 2 / 3);
	add_all(b, 2, 0, KEYS * 2 / 3);
	ok(merge_room(a, b) > a->geo.capacity,
	   "bloom: two sets that are two thirds full exceed the capacity");
	merge_all(a, b, 300);
	ok(seen_set_full(a), "bloom: the merged set is full");
	ok(!missed(a, 1, 0, KEYS * 2 / 3), "bloom: every key of one set is seen");
	set_free(a);
	set_free(b);
}

/* A key is seen for the window of the younger sighting. */
static void windows(const struct kind *kind)
{
	struct seen_set *a = kind_new(kind, KEYS);
	struct seen_set *b = kind_new(kind, KEYS);
	u64 hash = hash_of(1, 0);
	u64 born;

	seen_set_test_and_add(a, hash);
	clock_add(HOUR / 2);
	seen_set_test_and_add(b, hash);
	born = test_clock;
	clock_add(HOUR / 4);
	merge_all(a, b, 300);
	clock_set(born + HOUR - 1);
	ok(seen_set_test(a, hash) == SEEN_SEEN,
	   "%s: a key of both is seen for the later window", kind->name);
	clock_set(born + HOUR + a->geo.tick);
	ok(seen_set_test(a, hash) == SEEN_NEW, "%s: and not longer", kind->name);
	set_free(a);
	set_free(b);
}

static void differ(const char *what, struct seen_geometry a,
		   struct seen_geometry b)
{
	const char *why;

	seen_plan(&a, MIN_TICK);
	seen_plan(&b, MIN_TICK);
	why = seen_set_can_merge(&a, &b);
	ok(why && !strcmp(why, what), "refused for its %s: %s", what,
	   why ? why : "taken");
}

static void refused(void)
{
	const struct seen_geometry bloom = { .capacity = KEYS,
		.fpp = FPP_ONE / 100 };
	const struct seen_geometry window = { .kind = SEEN_SET_CUCKOO_WINDOW,
		.capacity = KEYS, .fpp = FPP_ONE / 1000, .window = HOUR };
	struct seen_geometry other = bloom;

	other.kind = SEEN_SET_CLASSIC;
	differ("type", bloom, other);
	other = bloom;
	other.capacity *= 2;
	differ("capacity", bloom, other);
	other = window;
	other.window *= 2;
	differ("window", window, other);
	other = window;
	other.fp_bits = 32;
	differ("bits", window, other);
}

/* A merge that is stopped in the middle has counted the keys that it has stored. */
static void given_up(const struct kind *kind)
{
	struct seen_set *a = kind_new(kind, KEYS);
	struct seen_set *b = kind_new(kind, KEYS);
	u64 units = seen_unit_count(&b->geo), next;

	add_all(b, 1, 0, KEYS);
	seen_set_merge_begin(a);
	seen_set_merge(a, b, 0, units / 2, &next);
	seen_set_merge_end(a);
	ok(next == units / 2 && seen_set_entries(a) > KEYS * 2 / 5,
	   "%s: half a merge, %llu keys are counted", kind->name,
	   (unsigned long long)seen_set_entries(a));
	set_free(a);
	set_free(b);
}

/* The merge ends, and is reported as torn, at the unit where a key has moved. */
static void torn(void)
{
	struct seen_set *a = kind_new(&kinds[7], KEYS);
	struct seen_set *b = kind_new(&kinds[7], KEYS);
	u64 half = b->geo.blocks / 2, next;
	enum seen_merge result;
	u64 i = 0;

	seen_set_merge_begin(a);
	result = seen_set_merge(a, b, 0, half, &next);
	while (b->exported && seen_set_add(b, hash_of(1, i)) == SEEN_NEW)
		i++;
	ok(result == SEEN_MERGE_OK && next == half && !b->exported,
	   "cuckoo: key %llu crosses the front", (unsigned long long)i);
	result = seen_set_merge(a, b, next, b->geo.blocks, &next);
	ok(result == SEEN_MERGE_TORN && !next, "cuckoo: the merge is torn");
	seen_set_merge_end(a);
	ok(merge_all(a, b, 300) && !missed(a, 1, 0, i),
	   "cuckoo: a new merge is complete");
	set_free(a);
	set_free(b);
}

int main(void)
{
	u32 i;

	test_begin(5 * ARRAY_SIZE(kinds) + 2 + 6 + 4 + 4 + 3 + 3);
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		union_of(&kinds[i]);
	copies();
	no_room();
	windows(&kinds[2]);
	windows(&kinds[12]);
	refused();
	given_up(&kinds[0]);
	given_up(&kinds[2]);
	given_up(&kinds[13]);
	torn();
	return test_end();
}
