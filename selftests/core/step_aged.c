// SPDX-License-Identifier: GPL-2.0
/*
 * Fingerprints with stamps: every interleaving of an add with an age, which read the clock
 * before a tick, with other adds, the tick, the sweep, and tests. No stamp gets older, and
 * a key is new to one of its adds.
 */
#include "step_cuckoo_window.h"

/* The result of an operation that did not run. */
#define UNTOLD	((enum seen_result)-1)
/* Age in ticks of a key that comes from elsewhere. */
#define AGE	3

static struct {
	enum seen_result aged;
	enum seen_result add;
	enum seen_result old;
	u64 added;		/* the clock after the aged add */
	u64 told;		/* the clock after asking for OLD */
	bool there;		/* A was, before its window passed */
} told;

static void prepare_told(u32 fp_bits, u64 base, u32 others, bool refresh, bool evict)
{
	prepare(fp_bits, base, others, refresh, evict);
	memset(&told, 0xff, sizeof(told));
	share(&told, sizeof(told));
}

static bool seen(u64 key)
{
	return seen_set_test(set, key) == SEEN_SEEN;
}

static void aged(int key, u64 age)
{
	told.aged = seen_set_add_aged(set, hash[key], age * tick);
	told.added = test_clock;
}

static void aged_old(void)
{
	aged(OLD, AGE);
}

static void aged_a(void)
{
	aged(A, AGE);
}

static void aged_a_last(void)
{
	aged(A, set->geo.ticks);
}

static void add_old(void)
{
	told.add = seen_set_add(set, hash[OLD]);
}

static void add_a(void)
{
	told.add = seen_set_test_and_add(set, hash[A]);
}

static void add_b(void)
{
	told.add = seen_set_test_and_add(set, hash[B]);
}

static void del_old(void)
{
	told.add = seen_set_del(set, hash[OLD]);
}

static void tick_and_sweep(void)
{
	clock_add(tick);
	seen_set_sweep(set, 0, BUCKETS);
}

static void sweep_twice(void)
{
	seen_set_sweep(set, 0, BUCKETS);
	seen_set_sweep(set, 0, BUCKETS);
}

static void window_passes(void)
{
	seen_stripe_lock_pair(&set->stripes[0], &set->stripes[1]);
	told.there = seen(hash[A]);
	clock_add((set->geo.ticks + 2) * tick);
	seen_stripe_unlock_pair(&set->stripes[0], &set->stripes[1]);
}

static void test_old(void)
{
	told.old = seen_set_test(set, hash[OLD]);
	told.told = test_clock;
}

static void expect_recent(void)
{
	expect(seen(hash[RECENT]));
}

/* Is the key stamped in @first to @last, ticks after the start? Moves the clock. */
static void expect_stamp(u64 key, s64 first, s64 last)
{
	s64 now = (seen_now() - start) / tick;
	s64 ticks = set->geo.ticks;

	expect(seen(key));
	clock_add((first + ticks - now) * tick);
	expect(seen(key));
	clock_add((last - first + 1) * tick);
	expect(!seen(key));
}

/* OLD was renewed before the tick, or stored as new after it. It was never lost. */
static void after_renewal(void)
{
	ends++;
	expect(told.aged == SEEN_SEEN || (told.aged == SEEN_NEW && told.added > start));
	expect(told.old == UNTOLD || told.old == SEEN_SEEN ||
	       (told.old == SEEN_NEW && told.told > start));
	expect_recent();
	expect_stamp(hash[OLD], -AGE, 1 - AGE);
}

/* The younger sighting counts, whichever came first. */
static void after_restart(void)
{
	ends++;
	expect(told.aged == SEEN_SEEN);
	expect(told.add == SEEN_SEEN);
	expect(told.old == SEEN_SEEN || told.old == UNTOLD);
	expect_recent();
	expect_stamp(hash[OLD], 0, 0);
}

static void expect_one_new(void)
{
	expect((told.aged == SEEN_NEW) + (told.add == SEEN_NEW) == 1);
	expect((told.aged == SEEN_SEEN) + (told.add == SEEN_SEEN) == 1);
}

/* A plain add that sees the key leaves its stamp. */
static void after_new(void)
{
	ends++;
	expect_one_new();
	expect_recent();
	if (told.add == SEEN_NEW)
		expect_stamp(hash[A], 0, 1);
	else
		expect_stamp(hash[A], -AGE, 1 - AGE);
}

static void after_new_refreshed(void)
{
	ends++;
	expect_one_new();
	expect_recent();
	expect_stamp(hash[A], 0, 1);
}

/* Its age is that of the call, however long it waited for the lock. */
static void after_window(void)
{
	ends++;
	expect(told.aged == SEEN_NEW || told.aged == SEEN_EXPIRED);
	expect(!told.there || told.aged == SEEN_NEW);
	expect(told.aged == SEEN_NEW || !seen(hash[A]));
	expect(!told.there || !seen(hash[A]));
}

/* In its last tick: stored before the tick, expired, or new after it. */
static void after_last(void)
{
	ends++;
	expect(told.aged == SEEN_NEW || told.aged == SEEN_EXPIRED);
	expect(told.aged == SEEN_NEW || told.added > start);
	expect(told.aged == SEEN_NEW || !seen(hash[A]));
	expect_recent();
	clock_add(tick);
	expect(!seen(hash[A]));
}

/* RECENT is younger than A, so it stays. */
static void after_evict(void)
{
	ends++;
	expect(told.aged == SEEN_NEW && told.add == SEEN_NEW);
	expect(seen(hash[A]) && seen(hash[B]));
	expect(seen_set_evicted(set) == 2);
	expect_recent();
}

static void after_del(void)
{
	ends++;
	expect(told.add == SEEN_SEEN);
	expect(told.aged == SEEN_SEEN || told.aged == SEEN_NEW);
	expect(seen(hash[OLD]) == (told.aged == SEEN_NEW));
	expect_recent();
}

static void after_sleep(void)
{
	ends++;
	expect(told.aged == SEEN_NEW && seen(hash[A]));
	expect(!seen_set_asleep(set));
}

static void run_all(u32 bits, u64 base)
{
	u32 i;

	prepare_told(bits, base, 0, false, false);
	run("aged add renews, expire and sweep, test",
	    (void (*[])(void)) { aged_old, tick_and_sweep, test_old, NULL }, after_renewal);

	prepare_told(bits, base, 0, false, false);
	run("aged add, plain add, test",
	    (void (*[])(void)) { aged_old, add_old, test_old, NULL }, after_restart);

	prepare_told(bits, base, 0, false, false);
	run("a new key, aged and plain, a tick",
	    (void (*[])(void)) { aged_a, add_a, one_tick, NULL }, after_new);

	prepare_told(bits, base, 0, true, false);
	run("a new key, aged and plain, a tick, refresh",
	    (void (*[])(void)) { aged_a, add_a, one_tick, NULL }, after_new_refreshed);

	prepare_told(bits, base, 0, false, false);
	run("aged add while the window passes",
	    (void (*[])(void)) { aged_a, window_passes, NULL }, after_window);

	prepare_told(bits, base, 0, false, false);
	run("aged add in the last tick of the key, tick and sweep",
	    (void (*[])(void)) { aged_a_last, tick_and_sweep, NULL }, after_last);

	prepare_told(bits, base, 0, false, false);
	run("aged add, delete, test",
	    (void (*[])(void)) { aged_old, del_old, test_old, NULL }, after_del);

	prepare_told(bits, base, SLOTS - KEYS, false, true);
	for (i = 0; seen_set_entries(set) < SLOTS; i++)
		seen_set_add(set, random64());
	for (i = 0; i <= set->stripe_mask; i++)
		set->stripes[i].evicted = 0;
	run("aged and plain add evict",
	    (void (*[])(void)) { aged_a, add_b, NULL }, after_evict);

	prepare_told(bits, base, 0, false, false);
	clock_add((set->geo.ticks + 2) * tick);
	seen_set_sweep(set, 0, BUCKETS);
	run("aged add, two sweeps of an empty set",
	    (void (*[])(void)) { aged_a, sweep_twice, NULL }, after_sleep);
}

int main(void)
{
	test_begin(2 * 9);
	run_all(16, 4 * 255 - 21);
	run_all(8, (1ULL << 32) - 21);
	return test_end();
}
