// SPDX-License-Identifier: GPL-2.0
/*
 * Bloom kinds at full capacity: no false negatives, the promised rate, and the predicted
 * rate; for many keys, and for few keys in many filters. With a window all keys are added
 * within one tick, and tested in each tick until they expire.
 */
#include "test.h"

struct promise {
	enum seen_set_kind kind;
	const char *name;
	u64 fpp;
};

static const struct promise promises[] = {
	{ SEEN_SET_BLOCKED, "blocked", FPP_ONE / 2 },
	{ SEEN_SET_BLOCKED, "blocked", FPP_ONE / 10 },
	{ SEEN_SET_BLOCKED, "blocked", FPP_ONE / 100 },
	{ SEEN_SET_BLOCKED, "blocked", FPP_ONE / 1000 },
	{ SEEN_SET_BLOCKED, "blocked", FPP_ONE / 10000 },
	{ SEEN_SET_BLOCKED, "blocked", FPP_ONE / 1000000 },
	{ SEEN_SET_CLASSIC, "classic", FPP_ONE / 2 },
	{ SEEN_SET_CLASSIC, "classic", FPP_ONE / 10 },
	{ SEEN_SET_CLASSIC, "classic", FPP_ONE / 100 },
	{ SEEN_SET_CLASSIC, "classic", FPP_ONE / 1000 },
	{ SEEN_SET_CLASSIC, "classic", FPP_ONE / 10000 },
	{ SEEN_SET_CLASSIC, "classic", FPP_ONE / 1000000 },
	{ SEEN_SET_BLOOM_WINDOW, "window", FPP_ONE / 2 },
	{ SEEN_SET_BLOOM_WINDOW, "window", FPP_ONE / 10 },
	{ SEEN_SET_BLOOM_WINDOW, "window", FPP_ONE / 100 },
	{ SEEN_SET_BLOOM_WINDOW, "window", FPP_ONE / 1000 },
	{ SEEN_SET_COUNTING, "counting", FPP_ONE / 2 },
	{ SEEN_SET_COUNTING, "counting", FPP_ONE / 10 },
	{ SEEN_SET_COUNTING, "counting", FPP_ONE / 100 },
	{ SEEN_SET_COUNTING, "counting", FPP_ONE / 400 },
};

static struct seen_geometry request(const struct promise *p, u64 keys)
{
	return (struct seen_geometry) {
		.kind = p->kind,
		.capacity = keys,
		.fpp = p->fpp,
		.window = p->kind == SEEN_SET_BLOOM_WINDOW ? SECOND : 0,
	};
}

static u64 count_seen(struct seen_set *set, enum order order, u32 family, u64 n)
{
	u64 hits = 0;

	while (n--)
		hits += seen_set_test(set, hash_in(order, family, n)) ==
			SEEN_SEEN;
	return hits;
}

/* Ticks in which keys are seen: with a window each generation's place. */
static u32 phases(const struct promise *p)
{
	return p->kind == SEEN_SET_BLOOM_WINDOW ? SEEN_GENERATIONS : 1;
}

/*
 * Keys that were not added, in each phase. The hash makes the orders alike: the
 * full figures are those of one of them.
 */
static u64 strangers(const struct promise *p, enum order order)
{
	if (order == SEQUENTIAL)
		return scale(3000000 / phases(p));
	if (p->fpp <= FPP_ONE / 1000000)
		return scale(100000000);
	return scale(p->fpp > FPP_ONE / 1000 ? 12000000 / phases(p) : 12000000);
}

static void many(const struct promise *p, enum order order)
{
	u64 n = scale(order == RANDOM ? 10000000 : 1000000);
	u64 asked = strangers(p, order);
	struct seen_set *set = set_planned(request(p, n));
	double fpp = (double)p->fpp / FPP_ONE;
	u64 lost = 0, full = 0;
	u64 hits, i;
	u32 phase;

	for (i = 0; i < n; i++)
		full += seen_set_test_and_add(set, hash_in(order, 1, i)) ==
			SEEN_FULL;
	for (phase = 0; phase < phases(p); phase++) {
		lost += n - count_seen(set, order, 1, n);
		hits = count_seen(set, order, 2 + phase, asked);
		ok_rate(hits, asked, &set->geo, n, "%s %g, %s keys, phase %u",
			p->name, fpp, order_name[order], phase);
		clock_add(set->geo.tick);
	}
	note("%s %g: %.2f bits a key", p->name, fpp,
	     8.0 * seen_geometry_bytes(&set->geo) / n);
	ok(!lost && !full, "%s %g: all of %llu %s keys are seen", p->name, fpp,
	   (unsigned long long)n, order_name[order]);
	if (set->geo.window)
		ok(!count_seen(set, order, 1, n), "no key is seen after the window");
	set_free(set);
}

/* How many results that has. */
static u32 results(const struct promise *p)
{
	return phases(p) == 1 ? 2 : phases(p) + 2;
}

/*
 * Is the sum over some filters what was promised, by rate_kept()? Hits of one filter
 * are not independent: in one chance has set more bits than in another. The variance
 * over the filters, divided by the mean, says how many hits count as one event.
 */
static bool mean_kept(u64 filters, double hits, double squares, double due)
{
	double variance = (squares - hits * hits / filters) / (filters - 1);
	double most = 1.1 * due, each = 1;

	if (variance * filters > hits)
		each = variance * filters / hits;
	return hits <= most || by_chance(hits / each, most / each);
}

/* The mean over many filters, because the rate of a single small filter is random. */
static void few(const struct promise *p, u64 n)
{
	u64 filters = 100 + scale(900);
	u64 each = scale(1000000) / filters + 1;
	u64 hits = 0, squares = 0, lost = 0;
	struct seen_set *set;
	u64 i, j, now;

	for (i = 0; i < filters; i++) {
		reseed();
		set = set_planned(request(p, n));
		for (j = 0; j < n; j++)
			seen_set_test_and_add(set, hash_of(1, j));
		lost += n - count_seen(set, SEQUENTIAL, 1, n);
		now = count_seen(set, SEQUENTIAL, 2, each);
		hits += now;
		squares += now * now;
		set_free(set);
	}
	ok(!lost && mean_kept(filters, hits, squares,
			      (double)filters * each * p->fpp / FPP_ONE),
	   "%s %g: %llu filters of %llu", p->name, (double)p->fpp / FPP_ONE,
	   (unsigned long long)filters, (unsigned long long)n);
}

int main(void)
{
	static const u64 sizes[] = { 1, 2, 3, 5, 8, 17, 40, 100, 1000 };
	u32 count = 0;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(promises); i++)
		count += ORDERS * results(&promises[i]) + ARRAY_SIZE(sizes);
	test_begin(count);
	for (i = 0; i < ARRAY_SIZE(promises); i++) {
		for (j = 0; j < ORDERS; j++)
			many(&promises[i], j);
		for (j = 0; j < ARRAY_SIZE(sizes); j++)
			few(&promises[i], sizes[j]);
	}
	return test_end();
}
