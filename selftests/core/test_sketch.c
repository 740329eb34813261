// SPDX-License-Identifier: GPL-2.0
/*
 * Sketches, with a clock that the test sets: their promises, with few counters and with
 * many; independent rows; counts by generation, wrapping epochs, a late sweep; totals,
 * estimates, the value where counts stick.
 */
#include <math.h>
#include <string.h>

#include "clock.h"
#include "kinds.h"
#include "sketch.h"
#include "test.h"

#define W	SECOND

static const struct kind {
	enum seen_set_kind kind;
	bool conservative;
	const char *name;
} kinds[] = {
	{ SEEN_SET_CMS, false, "cms" },
	{ SEEN_SET_CMS, true, "cms conservative" },
	{ SEEN_SET_CMM, false, "cmm" },
};

static struct seen_set *begin(const struct kind *kind, u64 capacity, u64 fpp,
			      u64 window)
{
	clock_set(1000 * SECOND + random_below(SECOND));
	return set_planned((struct seen_geometry) {
		.kind = kind->kind,
		.conservative = kind->conservative,
		.capacity = capacity,
		.fpp = fpp,
		.window = window,
	});
}

static u32 add(struct seen_set *set, u64 n)
{
	return seen_sketch_add(set, hash_of(1, n));
}

static u32 count(struct seen_set *set, u64 n)
{
	return seen_set_count(set, hash_of(1, n));
}

static void sweep(struct seen_set *set)
{
	u64 from = 0;

	do
		from = seen_set_sweep(set, from, 7);
	while (from);
}

struct tally {
	u64 asked;
	u64 under;	/* cms: below the truth; cmm: by more than the bound */
	u64 beyond;	/* above it by more than the bound */
};

/* Keys of which some come often: the n-th as often as n has factors two. */
static u64 times(u64 n)
{
	u64 most = 1;

	for (n++; !(n & 1); n >>= 1)
		most *= 2;
	return most;
}

static void fill_and_judge(const struct kind *kind, u64 capacity, u64 fpp,
			   u64 window, struct tally *t)
{
	struct seen_set *set = begin(kind, capacity, fpp, window);
	u64 keys = 2 * capacity + 20;
	u64 sum = 0, n, i;
	double bound, least;
	u32 now;

	reseed();
	for (n = 0; n < keys; n++)
		for (i = 0; i < times(n); i++, sum++)
			add(set, n);
	bound = (double)sum / capacity;
	least = kind->kind == SEEN_SET_CMM ? bound : 0;
	for (n = 0; n < 2 * keys; n++) {
		now = count(set, n);
		sum = n < keys ? times(n) : 0;
		t->asked++;
		t->under += now + least < sum;
		t->beyond += now > sum + bound;
	}
	set_free(set);
}

/* The mean over many sketches, because the error of a single sketch is random. */
static void test_promise(const struct kind *kind, u64 window)
{
	static const u64 capacities[] = { 1, 2, 3, 10, 100, 1000 };
	static const u64 rates[] = { FPP_ONE / 2, FPP_ONE / 10, FPP_ONE / 100,
				     FPP_ONE / 10000 };
	u64 under = 0, wrong = 0, asked = 0;
	double worst = 0, part;
	struct tally t;
	u64 sketches;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(capacities); i++)
		for (j = 0; j < ARRAY_SIZE(rates); j++) {
			t = (struct tally) { };
			sketches = scale(200000 / (capacities[i] + 100));
			while (sketches--)
				fill_and_judge(kind, capacities[i], rates[j],
					       window, &t);
			part = (double)t.beyond / t.asked * FPP_ONE / rates[j];
			worst = fmax(worst, part);
			under += t.under;
			wrong += !rate_kept(t.beyond, t.asked, rates[j]);
			asked += t.asked;
		}
	note("%s: beyond the bound at most %.3f of what was promised",
	     kind->name, worst);
	ok(!under, "%s%s: no count of %llu is too low", kind->name,
	   window ? " with a window" : "", (unsigned long long)asked);
	ok(!wrong, "%s%s: counts exceed the bound as seldom as promised",
	   kind->name, window ? " with a window" : "");
}

/*
 * The variance of the chance that a row of @columns counters has for a stranger, as
 * a part of its square. @load keys a column, each thrown by itself, leave
 * @columns e^-load (1 - (1 + load) e^-load) as the variance of the counters in use.
 */
static double row_spread(double columns, double load)
{
	double empty = exp(-load);
	double variance = empty * (1 - (1 + load) * empty) / columns;

	return variance / ((1 - empty) * (1 - empty));
}

/*
 * A stranger has a count if others have all of its counters: if rows are
 * independent, that is the d-th power of one row's chance. Hits vary by chance, and
 * by the counters that are in use in the rows of each sketch.
 */
static void test_rows(u64 fpp, u64 keys, u64 strangers)
{
	struct seen_set *set = begin(&kinds[0], 1000, fpp, 0);
	double row = 1 - pow(1 - 1.0 / set->geo.blocks, keys);
	double due = pow(row, set->geo.hashes);
	u64 sketches = scale(80);
	u64 asked = 0, hits = 0;
	double spread, sigma;
	u64 i, n;

	for (i = 0; i < sketches; i++) {
		memset(set->table, 0, seen_geometry_bytes(&set->geo));
		reseed();
		for (n = 0; n < keys; n++)
			add(set, n);
		for (n = 0; n < strangers; n++, asked++)
			hits += !!seen_set_count(set, hash_of(2, n));
	}
	spread = row_spread(set->geo.blocks, (double)keys / set->geo.blocks);
	spread = pow(1 + spread, set->geo.hashes) - 1;
	due *= asked;
	sigma = sqrt(due + due * due * spread / sketches);
	note("%u rows: %llu of %llu strangers, %.0f due, standard deviation %.0f",
	     set->geo.hashes, (unsigned long long)hits,
	     (unsigned long long)asked, due, sigma);
	ok(fabs(hits - due) <= SIGMAS * sigma, "%u rows are independent",
	   set->geo.hashes);
	set_free(set);
}

/* The same stream in all: how do they stand to each other? */
static void test_order(u64 window)
{
	struct seen_set *set[ARRAY_SIZE(kinds)];
	u64 keys = 5000, wrong = 0;
	u64 i, n, sum = 0;
	u32 c[ARRAY_SIZE(kinds)];

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		set[i] = begin(&kinds[i], 300, FPP_ONE / 100, window);
	clock_set(2000 * SECOND);
	for (n = 0; n < keys; n++, sum += times(n - 1))
		for (i = 0; i < ARRAY_SIZE(kinds) * times(n); i++)
			add(set[i % ARRAY_SIZE(kinds)], n);
	for (n = 0; n < keys; n++) {
		for (i = 0; i < ARRAY_SIZE(kinds); i++)
			c[i] = count(set[i], n);
		wrong += c[1] > c[0] || c[1] < times(n) || c[2] > c[0];
	}
	ok(!wrong, "%sexact <= conservative <= plain, cmm <= plain",
	   window ? "window: " : "");
	n = 0;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		n += seen_sketch_total(set[i]) != sum;
		set_free(set[i]);
	}
	ok(!n, "%sthe total is the number of adds", window ? "window: " : "");
}

/* Counts near their end, put there, since nobody counts so far. */
static void test_stick(const struct kind *kind, u64 window)
{
	struct seen_set *set = begin(kind, 10, FPP_ONE / 10, window);
	u64 epoch = seen_sketch_epoch(set);
	u64 column, wrong = 0;
	u32 row, i;

	for (column = 0; column < set->geo.blocks; column++)
		for (row = 0; row < set->geo.hashes; row++)
			seen_sketch_put(set, column, row, epoch, U32_MAX - 2);
	for (i = 0; i < 5; i++)
		wrong += add(set, 1) < (i < 2 ? U32_MAX - 1 + i : U32_MAX) &&
			 kind->kind == SEEN_SET_CMS;
	/* what is in the next generation comes on top of that */
	clock_add(set->geo.tick);
	wrong += add(set, 1) != U32_MAX && kind->kind == SEEN_SET_CMS;
	for (column = 0; column < set->geo.blocks; column++)
		for (row = 0; row < set->geo.hashes; row++) {
			seen_sketch_put(set, column, row, epoch, 5);
			wrong += seen_sketch_get(set, column, row, epoch) <
				 U32_MAX - 2;
		}
	ok(!wrong && count(set, 1) >= U32_MAX - 2,
	   "%s%s: counts stick at 2^32 - 1", kind->name,
	   window ? " with a window" : "");
	set_free(set);
}

/* One key at each phase of a tick: exactly when is it forgotten? */
static void test_edges(const struct kind *kind)
{
	struct seen_set *set = begin(kind, 10, FPP_ONE / 10, W);
	u64 tick = set->geo.tick;
	u64 phase, first, wrong = 0;

	for (phase = 0; phase < tick; phase += tick / 50) {
		first = seen_now() / tick * tick + 10 * tick;
		clock_set(first + phase);
		wrong += add(set, phase) != 1;
		wrong += add(set, phase) != 2;
		clock_set(first + tick);
		wrong += add(set, phase) != 3;
		clock_set(first + 3 * tick - 1);
		wrong += count(set, phase) != 3;
		clock_add(1);
		wrong += count(set, phase) != 1;
		wrong += seen_sketch_total(set) != 1;
		clock_set(first + 4 * tick - 1);
		wrong += count(set, phase) != 1;
		clock_add(1);
		wrong += count(set, phase) || seen_sketch_total(set);
	}
	ok(!wrong, "%s: counted for W, not after W and a tick, to the ns",
	   kind->name);
	set_free(set);
}

/*
 * Keys are added at random, to a sketch with room. At any time each count is at least the
 * number of adds within W, and at most the number within W and a tick.
 */
static void test_stream(const struct kind *kind)
{
	enum { KEYS = 8, STEPS = 96 };
	struct seen_set *set = begin(kind, 4000, FPP_ONE / 10000, W);
	static u8 came[KEYS][STEPS];	/* the last, by step */
	u64 steps = scale(200000);
	u64 step = set->geo.tick / 32;
	u64 now, i, wrong = 0;
	u32 least, most, got;
	u64 n;

	memset(came, 0, sizeof(came));
	for (now = 0; now < steps; now++) {
		for (n = 0; n < KEYS; n++)
			came[n][now % STEPS] = 0;
		n = random_below(KEYS);
		came[n][now % STEPS] = 1;
		add(set, n);
		n = random_below(KEYS);
		least = 0;
		most = 0;
		for (i = 0; i < STEPS && i <= now; i++) {
			most += came[n][(now - i) % STEPS];
			if (i <= 64)
				least += came[n][(now - i) % STEPS];
		}
		got = count(set, n);
		wrong += got < least || got > most;
		clock_add(step);
		if (!random_below(5000))
			sweep(set);
	}
	ok(!wrong, "%s: counts are between those within W, and within W and a tick: %llu steps",
	   kind->name, (unsigned long long)steps);
	set_free(set);
}

/* Over the ends of 31, 32 and 28 bits, where no word, and where old ones are. */
static void test_wrap(const struct kind *kind)
{
	static const u64 ends[] = { 1ULL << 28, 1ULL << 31, 1ULL << 32,
				    3ULL << 31, 1ULL << 33 };
	struct seen_set *set = begin(kind, 100, FPP_ONE / 100, 2 * MIN_TICK);
	u64 tick = set->geo.tick;
	u64 wrong = 0;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		clock_add((ends[i] - 5 - seen_sketch_epoch(set)) * tick);
		wrong += seen_set_test(set, hash_of(1, i)) != SEEN_STALE;
		sweep(set);
		for (j = 0; j < 10; j++) {
			wrong += add(set, 100 * i) != (j < 3 ? j + 1 : 3);
			wrong += count(set, 100 * i + 1);
			wrong += seen_sketch_total(set) != (j < 3 ? j + 1 : 3);
			clock_add(tick);
		}
	}
	ok(!wrong, "%s: epochs wrap", kind->name);
	set_free(set);
}

/* A key that is idle for long is not counted again, with or without sweeps. */
static void test_alone(const struct kind *kind)
{
	static const u64 ticks[] = { 3, 4, 5, 255, 256, 257, 65535, 65536,
				     65537, (1 << 26) - 1, (1 << 27) - 4 };
	struct seen_set *set = begin(kind, 100, FPP_ONE / 100, 2 * MIN_TICK);
	u64 wrong = 0;
	u32 i, swept;

	for (swept = 0; swept < 2; swept++)
		for (i = 0; i < ARRAY_SIZE(ticks); i++) {
			sweep(set);
			wrong += add(set, i) != 1;
			clock_add(ticks[i] * set->geo.tick);
			if (swept)
				sweep(set);
			wrong += count(set, i) != 0;
			wrong += seen_set_test(set, hash_of(1, i)) != SEEN_NEW;
			wrong += seen_sketch_total(set) != 0;
			wrong += seen_set_entries(set) != 0;
		}
	ok(!wrong, "%s: expired counts do not come back", kind->name);
	set_free(set);
}

static void test_late(const struct kind *kind)
{
	struct seen_set *set = begin(kind, 100, FPP_ONE / 100, 2 * MIN_TICK);
	u64 period = seen_set_sweep_period(&set->geo);
	u64 wrong = 0, used = 0, room = 0;
	void *before;
	u32 copies;

	add(set, 1);
	clock_add(period);
	wrong += seen_set_add_count(set, hash_of(1, 1), 8, &copies) != SEEN_NEW;
	clock_add(period);
	before = copy_table(set);
	wrong += seen_set_test(set, hash_of(1, 1)) != SEEN_STALE;
	wrong += seen_set_add(set, hash_of(1, 1)) != SEEN_STALE;
	wrong += seen_set_add_count(set, hash_of(1, 1), 8, &copies) !=
		 SEEN_STALE || copies;
	wrong += !same_table(set, before) || count(set, 1);
	ok(!wrong, "%s: when the sweep is late nothing is reported or counted",
	   kind->name);
	free(before);

	clock_add(1000 * period);
	sweep(set);
	wrong = seen_set_test(set, hash_of(1, 1)) != SEEN_NEW;
	wrong += seen_set_used(set, 0, U64_MAX, &used, &room) || used;
	wrong += room != set->geo.blocks * set->geo.hashes;
	wrong += seen_set_add_count(set, hash_of(1, 1), 8, &copies) != SEEN_NEW;
	wrong += copies != 1 || seen_sketch_total(set) != 1;
	ok(!wrong, "%s: it counts again after a sweep", kind->name);
	set_free(set);
}

/* The number of distinct keys is estimated from the number of empty counters. */
static void test_entries(const struct kind *kind, u64 window)
{
	static const double loads[] = { 0.01, 0.1, 0.5, 1, 2, 3 };
	struct seen_set *set;
	u64 wrong = 0, keys, got, n;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		set = begin(kind, scale(200000), FPP_ONE / 100, window);
		keys = loads[i] * set->geo.blocks;
		for (n = 0; n < keys; n++)
			add(set, n);
		clock_add(set->geo.tick);
		for (n = 0; n < keys; n++)
			add(set, n);
		got = seen_set_entries(set);
		wrong += !is_estimate(&set->geo, keys, got);
		wrong += seen_set_full(set);
		clock_add(3 * set->geo.tick);
		wrong += window && seen_set_entries(set);
		set_free(set);
	}
	set = begin(kind, 1, FPP_ONE / 2, window);
	wrong += seen_set_entries(set) != 0;
	for (n = 0; n < 1000; n++)
		add(set, n);
	got = seen_set_entries(set);
	wrong += got > 1000 || !got;
	set_free(set);
	ok(!wrong, "%s%s: distinct keys are estimated", kind->name,
	   window ? " with a window" : "");
}

static void test_threshold(const struct kind *kind)
{
	struct seen_set *set = begin(kind, 1000, FPP_ONE / 100, 0);
	u64 hash = hash_of(1, 1);
	u64 wrong = 0;
	u32 copies, i;

	for (i = 1; i < 10; i++) {
		set->geo.threshold = i == 1 ? 0 : i;
		wrong += seen_set_test(set, hash) != SEEN_NEW;
		wrong += seen_set_add_count(set, hash, 8, &copies) !=
			 (i == 1 ? SEEN_NEW : SEEN_SEEN) || copies != i;
		wrong += seen_set_test(set, hash) != SEEN_SEEN;
		set->geo.threshold = i + 2;
		wrong += seen_set_test(set, hash) != SEEN_NEW;
	}
	wrong += seen_set_add(set, hash) != SEEN_NEW;
	wrong += seen_set_add(set, hash) != SEEN_SEEN;
	wrong += seen_set_del(set, hash) != SEEN_ABSENT;
	wrong += seen_set_can_test_and_add(&set->geo) ||
		 seen_set_can_del(&set->geo) || !seen_set_can_count(&set->geo);
	wrong += seen_set_sweep_period(&set->geo) != 0;
	sweep(set);
	ok(!wrong && count(set, 1) == 11, "%s: seen from its threshold on",
	   kind->name);
	set_free(set);
}

int main(void)
{
	u32 i;

	test_begin(3 + 4 + 15 * ARRAY_SIZE(kinds));
	test_rows(FPP_ONE / 100, 3000, 100000);
	test_rows(FPP_ONE / 1000000, 5000, 1000000);
	test_rows(1, 12000, 100000);
	test_order(0);
	test_order(W);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		test_promise(&kinds[i], 0);
		test_promise(&kinds[i], W);
		test_stick(&kinds[i], 0);
		test_stick(&kinds[i], W);
		test_edges(&kinds[i]);
		test_stream(&kinds[i]);
		test_wrap(&kinds[i]);
		test_alone(&kinds[i]);
		test_late(&kinds[i]);
		test_entries(&kinds[i], 0);
		test_entries(&kinds[i], W);
		test_threshold(&kinds[i]);
	}
	return test_end();
}
