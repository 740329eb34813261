// SPDX-License-Identifier: GPL-2.0
/*
 * Bloom filter with a window, with a clock that the test sets: a key is seen for W, and
 * not after W and a tick; first and last sightings; wrapping epochs; load; rotation.
 */
#include <string.h>

#include "clock.h"
#include "test.h"

#define W	SECOND

/* A rate at which no test here meets a false positive by chance: few keys. */
static struct seen_geometry request(u64 capacity, bool refresh)
{
	return (struct seen_geometry) {
		.kind = SEEN_SET_BLOOM_WINDOW,
		.capacity = capacity,
		.fpp = FPP_ONE / 200,
		.window = W,
		.refresh = refresh,
	};
}

/* Begins where the clock began, so that no test runs it to its end. */
static struct seen_set *begin(u64 capacity, bool refresh)
{
	clock_set(1000 * SECOND + random_below(SECOND));
	return set_planned(request(capacity, refresh));
}

static bool seen(struct seen_set *set, u64 n)
{
	return seen_set_test(set, hash_of(1, n)) == SEEN_SEEN;
}

static enum seen_result add(struct seen_set *set, u64 n)
{
	return seen_set_test_and_add(set, hash_of(1, n));
}

static void sweep(struct seen_set *set)
{
	u64 from = 0;

	do
		from = seen_set_sweep(set, from, 7);
	while (from);
}

/*
 * A stream of keys over thousands of ticks. Each key is tested at every phase of its
 * window, and again when it must have expired. A key that is a false positive when it is
 * added expires with the keys that caused it. As only 192 keys are alive at a time, this
 * happens to one key in 10^10: a chance of 10^-4 in a long run with all its tests.
 */
static void test_stream(void)
{
	struct seen_set *set = begin(1000000, false);
	u64 ticks = scale(3000);
	u64 tick = set->geo.tick;
	u64 step = tick / 64;
	u64 keys = ticks * 64;
	u64 past = (W + tick) / step + 1;
	u64 lost = 0, ghosts = 0, again = 0, n, age;

	/* one key a step; the n-th at n * step */
	for (n = 0; n < keys; n++) {
		again += add(set, n) != SEEN_NEW;
		for (age = 1; age <= n && age * step <= W; age *= 2)
			lost += !seen(set, n - age);
		if (n >= W / step) {
			lost += !seen(set, n - W / step);
			/* asked again and again: the first sighting counts */
			again += add(set, n - W / step / 2) != SEEN_SEEN;
		}
		if (n >= past)
			ghosts += seen(set, n - past);
		clock_add(step);
	}
	ok(!lost, "seen until W, at every phase, over %llu ticks",
	   (unsigned long long)ticks);
	ok(!ghosts, "not seen after W and a tick: %llu of %llu",
	   (unsigned long long)ghosts, (unsigned long long)keys);
	ok(!again, "new ones are new, old ones seen");
	set_free(set);
}

/* One key at each phase of a tick: exactly when is it forgotten? */
static void test_edges(bool refresh)
{
	struct seen_set *set = begin(10, refresh);
	u64 tick = set->geo.tick;
	u64 phase, first, wrong = 0;
	int i;

	for (phase = 0; phase < tick; phase += tick / 50) {
		first = seen_now() / tick * tick + 10 * tick;
		clock_set(first + phase);
		wrong += add(set, phase) != SEEN_NEW;
		/* sightings do not prolong it, unless they refresh it */
		for (i = 0; i < 3; i++) {
			clock_add(tick / 2);
			wrong += add(set, phase) != SEEN_SEEN;
		}
		if (refresh)
			first = seen_now() / tick * tick;
		clock_set(first + 3 * tick - 1);
		wrong += !seen(set, phase);
		clock_add(1);
		wrong += seen(set, phase);
	}
	ok(!wrong, "%s sighting kept, to the nanosecond",
	   refresh ? "the last" : "the first");
	set_free(set);
}

/* A seen key is not written; with refresh at most once a tick. */
static void test_writes(bool refresh)
{
	struct seen_set *set = begin(10, refresh);
	u64 tick = set->geo.tick;
	u64 writes = 0, i;
	void *before;

	clock_set(3000 * tick);
	add(set, 1);
	before = copy_table(set);
	for (i = 0; i < 200; i++) {
		clock_add(tick / 100);
		add(set, 1);
		if (same_table(set, before))
			continue;
		writes++;
		free(before);
		before = copy_table(set);
	}
	ok(writes == (refresh ? 2 : 0), "%s: %llu writes in two ticks",
	   refresh ? "refresh" : "no refresh", (unsigned long long)writes);
	free(before);
	set_free(set);
}

/* An explicit add starts the window again, without refresh. */
static void test_add(void)
{
	struct seen_set *set = begin(10, false);
	u64 tick = set->geo.tick;
	bool good;

	clock_set(3000 * tick);
	good = seen_set_add(set, hash_of(1, 1)) == SEEN_NEW;
	clock_add(2 * tick);
	good &= seen_set_add(set, hash_of(1, 1)) == SEEN_SEEN;
	good &= seen_set_entries(set) == 1;
	clock_add(2 * tick);
	good &= seen(set, 1);
	clock_add(tick);
	good &= !seen(set, 1);
	ok(good, "add restarts the window");
	set_free(set);
}

/* Lines that nobody touched for a while, with the sweeps that are due. */
static void test_left_alone(void)
{
	static const u64 spans[] = {
		3, 4, 5, 6, 7, 8, 9, 255, 256, 257, 65535, 65536, 65537,
		(1ULL << 26) - 1, 1ULL << 26, (1ULL << 27) - 1, 1ULL << 27,
		(1ULL << 28) - 1, 1ULL << 28, (1ULL << 28) + 1, 1ULL << 30,
		(1ULL << 31) - 1, 1ULL << 31, (1ULL << 31) + 1,
		(1ULL << 32) - 3, (1ULL << 32) - 2, (1ULL << 32) - 1,
		1ULL << 32, (1ULL << 32) + 1, (1ULL << 32) + 2,
		3ULL << 32, (3ULL << 32) + 1,
	};
	struct seen_set *set;
	u64 tick, period, left, part, wrong = 0;
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(spans); i++) {
		set = begin(100, false);
		tick = set->geo.tick;
		for (n = 0; n < 100; n++)
			add(set, n);
		period = seen_set_sweep_period(&set->geo) / tick;
		for (left = spans[i]; left; left -= part) {
			part = left < period ? left : period;
			clock_add(part * tick);
			if (part < left)
				sweep(set);
		}
		for (n = 0; n < 100; n++)
			wrong += seen_set_test(set, hash_of(1, n)) != SEEN_NEW;
		for (n = 0; n < 100; n++)
			wrong += add(set, n) == SEEN_STALE || !seen(set, n);
		clock_add(3 * tick);
		for (n = 0; n < 100; n++)
			wrong += seen(set, n);
		set_free(set);
	}
	ok(!wrong, "keys in lines without access, up to and past a wrap, are not seen");
}

/* Without its sweeps a set must not guess. */
static void test_late_sweep(void)
{
	struct seen_set *set = begin(100, false);
	bool good;

	add(set, 1);
	clock_add(((1ULL << 27) - 1) * set->geo.tick);
	good = seen_set_test(set, hash_of(1, 1)) == SEEN_NEW;
	clock_add(set->geo.tick);
	good &= seen_set_test(set, hash_of(1, 1)) == SEEN_STALE &&
	       add(set, 1) == SEEN_STALE &&
	       seen_set_add(set, hash_of(1, 1)) == SEEN_STALE;
	clock_add(((1ULL << 32) - (1ULL << 27)) * set->geo.tick);
	good &= seen_set_test(set, hash_of(1, 1)) == SEEN_STALE;
	sweep(set);
	good &= seen_set_test(set, hash_of(1, 1)) == SEEN_NEW &&
		add(set, 1) == SEEN_NEW && seen(set, 1);
	ok(good, "a late sweep: stale until it is done, then empty");
	set_free(set);
}

/* Any keys up to the capacity, bunched or spread, at any phase of a tick. */
static void test_capacity(u64 capacity, u32 spread)
{
	struct seen_set *set = begin(capacity, false);
	u64 tick = set->geo.tick;
	u64 asked = scale(1000000);
	u64 refused = 0, lost = 0, hits = 0;
	u64 phase, i;

	for (phase = 0; phase < 3; phase++) {
		clock_add(3 * tick + tick / 3);
		for (i = 0; i < capacity; i++) {
			refused += seen_set_test_and_add(set,
					hash_of(2 + phase, i)) == SEEN_FULL;
			if (spread && i % (capacity / spread) == 0)
				clock_add(tick);
		}
		for (i = 0; i < capacity; i++)
			lost += seen_set_test(set, hash_of(2 + phase, i)) !=
				SEEN_SEEN;
		for (i = 0; i < asked; i++)
			hits += seen_set_test(set, hash_of(9, i)) == SEEN_SEEN;
	}
	ok(!refused && !lost, "%llu keys in %u ticks: all stored",
	   (unsigned long long)capacity, spread + 1);
	ok(rate_kept(hits, 3 * asked, set->geo.fpp), "and the rate is kept");
	set_free(set);
}

/*
 * All keys in one tick, which is each generation's place in turn; they are
 * asked for in that tick, in the next, and in their last.
 */
static void test_generations(void)
{
	u64 capacity = scale(1000000), asked = scale(10000000);
	struct seen_set *set = begin(capacity, false);
	u64 refused = 0, lost = 0, ghosts = 0;
	u64 place, age, hits, i;

	for (place = 0; place < SEEN_GENERATIONS; place++) {
		clock_add(set->geo.tick);
		for (i = 0; i < capacity; i++)
			refused += add(set, i) == SEEN_FULL;
		for (age = 0; age < SEEN_GENERATIONS; age++) {
			hits = 0;
			for (i = 0; i < capacity; i++)
				lost += !seen(set, i);
			for (i = 0; i < asked; i++)
				hits += seen_set_test(set, hash_of(9, i)) ==
					SEEN_SEEN;
			ok_rate(hits, asked, &set->geo, capacity,
				"place %llu, tick %llu",
				(unsigned long long)place,
				(unsigned long long)age);
			clock_add(set->geo.tick);
		}
		for (i = 0; i < capacity; i++)
			ghosts += seen(set, i);
	}
	ok(!refused && !lost, "%llu keys in one tick: seen at each phase",
	   (unsigned long long)capacity);
	ok(!ghosts, "no key is seen after the window");
	set_free(set);
}

/* Keys that come in each tick again, refreshed: one set of keys, one count. */
static void test_refresh_load(void)
{
	u64 capacity = scale(1000000);
	struct seen_set *set = begin(capacity, true);
	u64 asked = scale(10000000);
	u64 refused = 0, hits = 0, least = capacity, most = 0, n, i;
	int round;

	for (round = 0; round < 20; round++) {
		for (i = 0; i < capacity; i++)
			refused += add(set, i) == SEEN_FULL;
		n = seen_set_entries(set);
		least = n < least ? n : least;
		most = n > most ? n : most;
		clock_add(set->geo.tick);
	}
	for (i = 0; i < asked; i++)
		hits += seen_set_test(set, hash_of(9, i)) == SEEN_SEEN;
	ok(!refused && most <= capacity && least >= capacity * 98 / 100,
	   "refreshed keys count once: %llu to %llu of %llu",
	   (unsigned long long)least, (unsigned long long)most,
	   (unsigned long long)capacity);
	ok(rate_kept(hits, asked, set->geo.fpp),
	   "the rate is kept with all of them in each generation");
	set_free(set);
}

/* Full, and room again when the keys expire or a generation is ended. */
static void test_full(void)
{
	u64 capacity = 3000;
	struct seen_set *set = begin(capacity, false);
	u64 tick = set->geo.tick;
	bool stored[1000];
	u64 i, kept;
	bool good;

	clock_set(5000 * tick);
	for (i = 0; seen_set_test_and_add(set, hash_of(1, i)) != SEEN_FULL; i++)
		if (i == capacity / 2)
			clock_add(tick);
	good = seen_set_full(set) && i >= capacity && i < capacity * 5 / 4;
	ok(good && seen_set_entries(set) >= capacity,
	   "full after %llu keys of %llu", (unsigned long long)i,
	   (unsigned long long)capacity);
	good = seen(set, 0) && add(set, 0) == SEEN_SEEN;
	clock_add(2 * tick);
	while (seen(set, i))	/* a false positive */
		i++;
	good &= !seen_set_full(set) && add(set, i) == SEEN_NEW;
	ok(good, "stored keys stay seen; there is room again when half has expired");

	/* two generations of 1000, the older one ended in mid tick */
	clock_set(6000 * tick);
	for (i = 0; i < 1000; i++)
		seen_set_test_and_add(set, hash_of(2, i));
	clock_add(2 * tick + tick / 4);
	for (i = 0; i < 1000; i++)
		stored[i] = seen_set_test_and_add(set, hash_of(3, i)) ==
			    SEEN_NEW;
	good = seen_set_effective(set) == W;
	seen_set_rotate(set);
	/* A key that was a false positive expires with the keys that caused it. */
	for (i = 0; i < 1000; i++)
		good &= !stored[i] ||
			seen_set_test(set, hash_of(3, i)) == SEEN_SEEN;
	for (kept = 0, i = 0; i < 1000; i++)
		kept += seen_set_test(set, hash_of(2, i)) == SEEN_SEEN;
	ok(good && kept < 100, "rotation ends the oldest generation alone");
	ok(seen_set_effective(set) == tick && seen_set_effective(set) == W,
	   "the effective window is reported, once");
	set_free(set);
}

/*
 * Random rotations: the age of a key when it expires is never below the effective window
 * that was reported before or at that time.
 */
static void test_effective(void)
{
	struct seen_set *set = begin(100, false);
	u64 tick = set->geo.tick;
	u64 told = W, shortest = W, born, i;
	int round;

	for (round = 0; round < 2000; round++) {
		clock_add(tick * 4 + random_below(tick));
		add(set, round);
		born = seen_now();
		for (i = 0; seen(set, round) && i < 400; i++) {
			if (!random_below(30))
				seen_set_rotate(set);
			clock_add(tick / 50);
		}
		if (seen_now() - born < shortest)
			shortest = seen_now() - born;
		i = seen_set_effective(set);
		told = i < told ? i : told;
	}
	ok(told <= shortest && shortest < W,
	   "rotations: reported %llu ms, kept at least %llu ms",
	   (unsigned long long)(told / MS), (unsigned long long)(shortest / MS));
	set_free(set);
}

static void test_used(void)
{
	struct seen_set *set = begin(2000, false);
	u64 used = 0, room = 0, all = 0;
	bool good;

	seen_set_used(set, 0, U64_MAX, &used, &room);
	good = !used && room == set->geo.blocks * 480;
	add(set, 1);
	seen_set_used(set, 0, U64_MAX, &used, &room);
	good &= used > 0 && used <= set->geo.hashes;
	clock_add(3 * set->geo.tick);
	seen_set_used(set, 0, U64_MAX, &all, &room);
	ok(good && !all, "bits of live keys are counted");
	ok(seen_set_sweep_period(&set->geo) == set->geo.tick << 26,
	   "sweeps are due in a quarter of the epoch's range");
	set_free(set);
}

int main(void)
{
	test_begin(36);
	test_stream();
	test_edges(false);
	test_edges(true);
	test_writes(false);
	test_writes(true);
	test_add();
	test_left_alone();
	test_late_sweep();
	test_capacity(1, 0);
	test_capacity(50, 0);
	test_capacity(scale(1000000), 1);
	test_generations();
	test_refresh_load();
	test_full();
	test_effective();
	test_used();
	return test_end();
}
