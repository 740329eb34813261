// SPDX-License-Identifier: GPL-2.0
/*
 * Sketches: every interleaving of adds of one key and of keys that share its
 * counters, of counts, of a change of generation and of the sweep.
 */
#include <string.h>

#include "block.h"
#include "interleave.h"
#include "kinds.h"
#include "sketch.h"
#include "total.h"

/* A shares its first counter with B and its second with C; the stripes differ. */
enum { A, B, C, KEYS };

enum { ROWS = 2 };

static const struct kind {
	bool conservative;
	const char *name;
} kinds[] = {
	{ false, "plain" },
	{ true, "conservative" },
};

static u64 hash[KEYS];
static struct seen_set *set;
static u64 tick;

/* The results of the actors, and their times. Shared, because done() checks them. */
static struct {
	u32 add[2];
	u64 begun[2];
	u64 ended[2];
	u32 count;
	u64 asked;
	u64 answered;
	bool late;
} told;

static u64 start, start_epoch;

static u64 column(u64 h, u32 row)
{
	return seen_range64(seen_sketch_hash(h, row + 1), set->geo.blocks);
}

static struct seen_stripe *stripe(u64 h)
{
	return seen_set_stripe(set, h);
}

static void fresh_set(bool conservative, u64 window)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_CMS,
		.conservative = conservative,
		.capacity = 100,
		.fpp = FPP_ONE / 5,
		.window = window,
	};

	if (set)
		set_free(set);
	expect(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK && geo.hashes == ROWS);
	set = set_new(&geo);
	tick = set->geo.tick;
	clock_set(1000 * SECOND);
	memset(&told, 0, sizeof(told));
	unshare();
	share_set(set);
	share(&told, sizeof(told));
}

/* A key that shares exactly the counter of @row with A. */
static u64 neighbour(u32 row)
{
	u64 h;

	do {
		h = random64();
	} while (column(h, row) != column(hash[A], row) ||
		 column(h, !row) == column(hash[A], !row) ||
		 stripe(h) == stripe(hash[A]));
	return h;
}

static void pick_keys(void)
{
	fresh_set(false, 0);
	hash[A] = random64();
	hash[B] = neighbour(0);
	do {
		hash[C] = neighbour(1);
	} while (stripe(hash[C]) == stripe(hash[B]));
}

static u32 count(int key)
{
	return seen_set_count(set, hash[key]);
}

static void add_noting(int i, int key)
{
	told.begun[i] = READ_ONCE(test_clock);
	told.add[i] = seen_sketch_add(set, hash[key]);
	told.ended[i] = test_clock;
}

static void add_a(void)
{
	add_noting(0, A);
}

static void add_a_too(void)
{
	add_noting(1, A);
}

static void add_b(void)
{
	seen_sketch_add(set, hash[B]);
}

static void add_c(void)
{
	seen_sketch_add(set, hash[C]);
}

static void count_a(void)
{
	told.asked = READ_ONCE(test_clock);
	told.count = count(A);
	told.answered = test_clock;
}

static void pass_a_tick(void)
{
	clock_add(tick);
}

static void pass_three_ticks(void)
{
	clock_add(SEEN_GENERATIONS * tick);
}

static void add_b_twice(void)
{
	add_noting(1, B);
	add_b();
}

/*
 * An add that has not stored all counters at the end of a window notices it: the add's
 * stores and its last reading of the clock are in order, and these must be, too.
 */
static void pass_three_ticks_and_look(void)
{
	clock_add(SEEN_GENERATIONS * tick);
	/* Pairs with the exchange of an add's last store, before its look. */
	smp_mb();
	told.late = !seen_sketch_get(set, column(hash[A], ROWS - 1), ROWS - 1,
				     start_epoch);
}

/* What another sketch has counted of A. */
static void merge_a(void)
{
	u32 row;

	seen_sketch_merge_begin(set);
	for (row = 0; row < ROWS; row++)
		seen_sketch_put(set, column(hash[A], row), row,
				seen_sketch_epoch(set), 3);
	seen_sketch_merge_end(set);
}

static void merge_a_twice(void)
{
	merge_a();
	merge_a();
}

static void tick_and_add_b(void)
{
	clock_add(tick);
	add_b();
}

static void sweep(void)
{
	seen_set_sweep(set, 0, U64_MAX);
}

/* Of the sweep, what meets A. */
static void sweep_a(void)
{
	seen_total_sweep(set, seen_sketch_epoch(set), seen_sketch_stale(set));
	seen_sketch_sweep(set, column(hash[A], 0));
	seen_sketch_sweep(set, column(hash[A], 1));
}

/* A and B share a counter, A and C another: A's least may be one too high. */
static void after_neighbours(void)
{
	ends++;
	expect(count(A) >= 1 && count(B) == 1 && count(C) == 1);
	expect(count(A) <= 2 && told.add[0] >= 1);
	expect(seen_sketch_total(set) == 3);
}

static void after_two_and_neighbour(void)
{
	ends++;
	expect(count(A) == 2 && count(B) == 1);
	expect(told.add[0] && told.add[1]);
	expect(told.add[0] + told.add[1] >= 3);
	expect(seen_sketch_total(set) == 3);
}

/* Adds of one key, one after the other, return different counts. */
static void after_conservative(void)
{
	ends++;
	expect(count(A) == 2);
	expect(told.add[0] + told.add[1] == 3);
	expect(told.count <= 2);
	expect(seen_sketch_total(set) == 2);
}

static void after_tick(void)
{
	ends++;
	expect(count(A) == 2 && count(B) <= 1);
	expect(told.add[0] + told.add[1] >= 3);
	expect(seen_sketch_total(set) == 2);
	clock_add(tick);
	expect(count(A) == 2);
	clock_add(2 * tick);
	expect(!count(A) && !seen_sketch_total(set));
}

/* What began when three ticks were over is there, what had ended is not. */
static void after_three_ticks(void)
{
	u32 least = 0, most = 0;
	int i;

	ends++;
	for (i = 0; i < 2; i++) {
		least += told.begun[i] > start;
		most += told.ended[i] > start;
	}
	expect(count(A) >= least && count(A) <= most);
	expect(told.add[0] && told.add[1]);
	clock_add(3 * tick);
	expect(!count(A));
}

/* An add during a merge may count twice, but is never lost. */
static void after_merge(void)
{
	ends++;
	expect(count(A) >= 5);
	expect(count(A) <= (set->geo.conservative ? 7 : 5));
}

/* A need not raise a counter that a neighbour has raised: A's count is added anyway. */
static void after_merge_and_neighbour(void)
{
	ends++;
	expect(count(A) >= 4);
	expect(count(A) <= (set->geo.conservative ? 6 : 5));
}

static void after_two_merges(void)
{
	ends++;
	expect(count(A) >= 7);
	expect(count(A) <= (set->geo.conservative ? 8 : 7));
}

static void after_late(void)
{
	ends++;
	expect(!told.late || count(A));
	expect(told.begun[1] == start || count(B) >= 2);
	expect(count(A) <= 3 && count(B) <= 3);
}

/* A has come once in the oldest generation that is alive. */
static void after_count(void)
{
	ends++;
	expect(told.count || told.answered > start);
	expect(told.count <= 2);
	expect(count(B) == 1);
}

static void after_young_count(void)
{
	ends++;
	expect(told.count >= 1 && told.count <= 2);
	expect(count(A) >= 1 && count(B) == 1);
}

static void after_sweep(void)
{
	ends++;
	expect(count(A) == 2 && told.count <= 2);
	expect(told.add[0] + told.add[1] >= 3);
	expect(seen_sketch_total(set) == 2);
}

static void run(const char *kind, const char *name,
		void (*const *actors)(void), void (*done)(void))
{
	u64 states;

	bad = 0;
	ends = 0;
	start = test_clock;
	start_epoch = seen_sketch_epoch(set);
	states = interleave(actors, done);
	ok(ends && !bad, "%s: %s: %llu states, %llu ends", kind, name,
	   (unsigned long long)states, (unsigned long long)ends);
}

static void test_kind(const struct kind *kind)
{
	bool conservative = kind->conservative;

	fresh_set(conservative, 0);
	run(kind->name, "three keys that share counters",
	    (void (*[])(void)) { add_a, add_b, add_c, NULL }, after_neighbours);

	fresh_set(conservative, 0);
	run(kind->name, "a key twice, and one that shares a counter",
	    (void (*[])(void)) { add_a, add_a_too, add_b, NULL },
	    after_two_and_neighbour);

	fresh_set(conservative, SECOND);
	run(kind->name, "a key twice, and one that shares a counter, with a window",
	    (void (*[])(void)) { add_a, add_a_too, add_b, NULL },
	    after_two_and_neighbour);

	fresh_set(conservative, SECOND);
	run(kind->name, "a key twice, and a tick",
	    (void (*[])(void)) { add_a, add_a_too, pass_a_tick, NULL },
	    after_tick);

	fresh_set(conservative, SECOND);
	run(kind->name, "a key twice, and a window",
	    (void (*[])(void)) { add_a, add_a_too, pass_three_ticks, NULL },
	    after_three_ticks);

	fresh_set(conservative, SECOND);
	run(kind->name, "a key twice, and a merge",
	    (void (*[])(void)) { add_a, add_a_too, merge_a, NULL }, after_merge);

	fresh_set(conservative, SECOND);
	run(kind->name, "a key, one that shares a counter, and a merge",
	    (void (*[])(void)) { add_a, add_c, merge_a, NULL },
	    after_merge_and_neighbour);

	fresh_set(conservative, SECOND);
	run(kind->name, "a key, and two merges",
	    (void (*[])(void)) { add_a, merge_a_twice, NULL }, after_two_merges);

	fresh_set(conservative, SECOND);
	run(kind->name, "two keys, and the end of a window between adds",
	    (void (*[])(void)) { add_a, add_b_twice,
				 pass_three_ticks_and_look, NULL }, after_late);

	fresh_set(conservative, SECOND);
	add_a();
	clock_add(2 * tick);
	run(kind->name, "count of an expiring key, tick and replace",
	    (void (*[])(void)) { count_a, tick_and_add_b, NULL }, after_count);

	fresh_set(conservative, SECOND);
	add_a();
	clock_add(tick);
	run(kind->name, "count of a key that stays, tick and replace",
	    (void (*[])(void)) { count_a, tick_and_add_b, NULL },
	    after_young_count);

	fresh_set(conservative, SECOND);
	add_a();
	add_b();
	/* to the same words */
	clock_add(333 * SEEN_GENERATIONS * tick);
	run(kind->name, "a key twice, and the sweep, long after",
	    (void (*[])(void)) { add_a, add_a_too, sweep_a, NULL }, after_sweep);

	fresh_set(conservative, SECOND);
	clock_add(((1ULL << 32) - 1 - seen_sketch_epoch(set)) * tick);
	sweep();
	run(kind->name, "a key twice, and a tick, where the epoch wraps",
	    (void (*[])(void)) { add_a, add_a_too, pass_a_tick, NULL },
	    after_tick);
}

int main(void)
{
	u32 i;

	test_begin(13 * ARRAY_SIZE(kinds) + 1);
	pick_keys();
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		test_kind(&kinds[i]);
	fresh_set(true, 0);
	run("conservative", "a key twice, and its count",
	    (void (*[])(void)) { add_a, add_a_too, count_a, NULL },
	    after_conservative);
	return test_end();
}
