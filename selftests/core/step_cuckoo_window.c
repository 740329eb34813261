// SPDX-License-Identifier: GPL-2.0
/*
 * Fingerprints with stamps: every interleaving of adds that read the clock before a tick,
 * of a tick at which keys expire, of the sweep that clears them, of an empty set that
 * falls asleep or wakes, and of tests.
 */
#include "step_cuckoo_window.h"

/* The result of an operation that did not run. */
#define UNTOLD	((enum seen_result)-1)

static struct {
	enum seen_result add[2];
	enum seen_result old;
	enum seen_result recent;
	enum seen_result a;
	u64 asked, told;	/* the clock before and after asking for OLD */
	u64 added;		/* the clock after add[0] */
	bool there;		/* A was, before its window passed */
} told;

static void prepare_told(u32 fp_bits, u64 base, u32 others, bool refresh,
			 bool evict)
{
	prepare(fp_bits, base, others, refresh, evict);
	memset(&told, 0xff, sizeof(told));
	share(&told, sizeof(told));
}

/* One sweep has found nothing. */
static void prepare_empty(u32 fp_bits, u64 base)
{
	prepare_told(fp_bits, base, 0, false, false);
	clock_add((set->geo.ticks + 2) * tick);
	seen_set_sweep(set, 0, BUCKETS);
}

static bool seen(u64 key)
{
	return seen_set_test(set, key) == SEEN_SEEN;
}

static void add_old(void)
{
	told.add[0] = seen_set_test_and_add(set, hash[OLD]);
	told.added = test_clock;
}

static void add_old_too(void)
{
	told.add[1] = seen_set_test_and_add(set, hash[OLD]);
}

static void add_a(void)
{
	told.add[0] = seen_set_test_and_add(set, hash[A]);
}

static void add_a_too(void)
{
	told.add[1] = seen_set_test_and_add(set, hash[A]);
}

static void add_b(void)
{
	told.add[1] = seen_set_test_and_add(set, hash[B]);
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

/* While nobody has read the clock under a lock, and not stored yet. */
static void window_passes(void)
{
	seen_stripe_lock_pair(&set->stripes[0], &set->stripes[1]);
	told.there = seen(hash[A]);
	clock_add((set->geo.ticks + 2) * tick);
	seen_stripe_unlock_pair(&set->stripes[0], &set->stripes[1]);
}

static void test_old(void)
{
	told.asked = seen_now();
	told.old = seen_set_test(set, hash[OLD]);
	told.told = test_clock;
}

static void test_recent(void)
{
	told.recent = seen_set_test(set, hash[RECENT]);
}

static void test_a(void)
{
	told.a = seen_set_test(set, hash[A]);
}

static void del_old(void)
{
	told.add[1] = seen_set_del(set, hash[OLD]);
}

static void expect_recent(void)
{
	expect(told.recent == SEEN_SEEN || told.recent == UNTOLD);
	expect(seen(hash[RECENT]));
}

/* After one tick. OLD is new only if it had expired; then it is stored again. */
static void after_expiry(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW || told.add[0] == SEEN_SEEN);
	expect(told.add[0] == SEEN_SEEN || told.added > start);
	expect(told.old == UNTOLD || told.old == SEEN_SEEN ||
	       (told.old == SEEN_NEW && told.told > start));
	expect(told.old != SEEN_SEEN || told.asked == start ||
	       told.add[0] == SEEN_NEW);
	expect(seen(hash[OLD]) == (told.add[0] == SEEN_NEW));
	expect_recent();
}

static void after_two(void)
{
	int new = (told.add[0] == SEEN_NEW) + (told.add[1] == SEEN_NEW);

	ends++;
	expect(new <= 1 && seen(hash[OLD]) == new);
	expect_recent();
}

/* A key that was seen was stored in this tick or in the one before. */
static void after_refresh(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW || told.add[0] == SEEN_SEEN);
	expect(told.old == UNTOLD || told.old == SEEN_SEEN ||
	       (told.old == SEEN_NEW && told.told > start));
	expect(seen(hash[OLD]));
	clock_add((set->geo.ticks - 1) * tick);
	expect(seen(hash[OLD]));
	clock_add(2 * tick);
	expect(!seen(hash[OLD]));
}

static void after_new(void)
{
	ends++;
	expect((told.add[0] == SEEN_NEW) + (told.add[1] == SEEN_NEW) == 1);
	expect((told.add[0] == SEEN_SEEN) + (told.add[1] == SEEN_SEEN) == 1);
	expect(told.a == SEEN_NEW || told.a == SEEN_SEEN || told.a == UNTOLD);
	expect(seen(hash[A]));
	expect_recent();
}

/* Stored later, it was stamped later, however early its caller had looked. */
static void after_window(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW);
	expect(told.there || seen(hash[A]));
}

/* Where OLD and its like lay, which have expired. */
static void after_reuse(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW && told.add[1] == SEEN_NEW);
	expect(told.old == SEEN_NEW || told.old == UNTOLD);
	expect(seen(hash[A]) && seen(hash[B]) && !seen(hash[OLD]));
	expect_recent();
}

/* At any time: RECENT was not among the evicted keys. */
static void after_evict(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW && told.add[1] == SEEN_NEW);
	expect(seen(hash[A]) && seen(hash[B]));
	expect(seen_set_evicted(set) == 2);
	expect_recent();
}

static void after_del(void)
{
	ends++;
	expect(told.add[1] == SEEN_SEEN);
	expect(told.add[0] == SEEN_SEEN || told.add[0] == SEEN_NEW);
	expect(told.old == SEEN_SEEN || told.old == SEEN_NEW ||
	       told.old == UNTOLD);
	expect(seen(hash[OLD]) == (told.add[0] == SEEN_NEW));
	expect_recent();
}

static void after_falling_asleep(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW);
	expect(seen(hash[A]) && !seen_set_asleep(set));
}

/* No key is stale after any time asleep. The set reports once that its sweeps must start again. */
static void after_waking(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW && seen(hash[A]));
	expect(told.add[1] == UNTOLD || (told.add[1] == SEEN_NEW && seen(hash[B])));
	expect(told.a == SEEN_NEW || told.a == SEEN_SEEN || told.a == UNTOLD);
	expect(!seen_set_asleep(set) && seen_set_woken(set));
	expect(!seen_set_woken(set));
}

static void rests(u32 bits, u64 base)
{
	prepare_empty(bits, base);
	run("a new key, two sweeps", (void (*[])(void)) { add_a, sweep_twice, NULL },
	    after_falling_asleep);

	prepare_empty(bits, base);
	sweep_twice();
	clock_add(1000 * tick);
	run("two new keys while it sleeps",
	    (void (*[])(void)) { add_a, add_b, NULL }, after_waking);

	prepare_empty(bits, base);
	sweep_twice();
	clock_add(1000 * tick);
	run("a new key while it sleeps, a test",
	    (void (*[])(void)) { add_a, test_a, NULL }, after_waking);
}

static void windows(u32 bits, u64 base)
{
	prepare_told(bits, base, 0, false, false);
	run("stale add, expire and sweep, test",
	    (void (*[])(void)) { add_old, tick_and_sweep, test_old, NULL },
	    after_expiry);

	prepare_told(bits, base, 0, false, false);
	run("stale add, expire and sweep, test of a key that stays",
	    (void (*[])(void)) { add_old, tick_and_sweep, test_recent, NULL },
	    after_expiry);

	prepare_told(bits, base, 0, false, false);
	run("two stale adds, expire",
	    (void (*[])(void)) { add_old, add_old_too, one_tick, NULL },
	    after_two);

	prepare_told(bits, base, 0, true, false);
	run("refresh, expire and sweep, test",
	    (void (*[])(void)) { add_old, tick_and_sweep, test_old, NULL },
	    after_refresh);

	prepare_told(bits, base, 0, false, false);
	run("a new key twice, and a test",
	    (void (*[])(void)) { add_a, add_a_too, test_a, NULL }, after_new);

	prepare_told(bits, base, 0, false, false);
	run("a new key while its window passes",
	    (void (*[])(void)) { add_a, window_passes, NULL }, after_window);

	prepare_told(bits, base, SLOTS - KEYS, false, false);
	clock_add(tick);
	run("two new keys in place of expired ones, test",
	    (void (*[])(void)) { add_a, add_b, test_old, NULL }, after_reuse);

	prepare_told(bits, base, SLOTS - KEYS, false, false);
	clock_add(tick);
	run("two new keys in place of expired ones, the sweep",
	    (void (*[])(void)) { add_a, add_b, tick_and_sweep, NULL },
	    after_reuse);

	prepare_told(bits, base, 0, false, false);
	run("delete, add, test",
	    (void (*[])(void)) { add_old, del_old, test_old, NULL }, after_del);
}

/* 16 keys: OLD and its like, A and B must make them go. */
static void evictions(u32 bits, u64 base)
{
	u32 i;

	prepare_told(bits, base, SLOTS - KEYS, false, true);
	for (i = 0; seen_set_entries(set) < SLOTS; i++)
		seen_set_add(set, random64());
	for (i = 0; i <= set->stripe_mask; i++)
		set->stripes[i].evicted = 0;
	run("two new keys evict, test",
	    (void (*[])(void)) { add_a, add_b, test_recent, NULL },
	    after_evict);
}

/* Where stamps wrap, where 32 bits of ticks do. */
#define WRAP	(4 * 255 - 21)
#define WRAP_32	((1ULL << 32) - 21)

static const struct {
	u32 fp_bits;
	u64 base;
} cases[] = {
	{ 16, WRAP }, { 8, WRAP_32 },
};

int main(void)
{
	u32 i;

	test_begin(ARRAY_SIZE(cases) * 13);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		windows(cases[i].fp_bits, cases[i].base);
		evictions(cases[i].fp_bits, cases[i].base);
		rests(cases[i].fp_bits, cases[i].base);
	}
	return test_end();
}
