// SPDX-License-Identifier: GPL-2.0
/*
 * Bloom kinds at full capacity: no false negative, the promised rate, and the
 * predicted one; for many keys, and for few in many filters.
 */
#include <math.h>

#include "rate.h"
#include "test.h"

enum keys {
	RANDOM,		/* as SipHash makes them of random keys */
	SEQUENTIAL,	/* of 0, 1, 2, ... */
	KEYS_MAX
};

static const char * const keys_name[] = { "random", "sequential" };

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

static u64 key(enum keys keys, u64 n)
{
	return hash_of(1, keys == RANDOM ? seen_remix(n) : n);
}

static u64 count_seen(struct seen_set *set, u32 family, u64 n)
{
	u64 hits = 0;

	while (n--)
		hits += seen_set_test(set, hash_of(family, n)) == SEEN_SEEN;
	return hits;
}

static void many(const struct promise *p, enum keys keys)
{
	u64 n = scale(500000, 10000000);
	u64 asked = scale(2000000, p->fpp > FPP_ONE / 1000000 ? 10000000
							       : 100000000);
	struct seen_set *set = set_planned(request(p, n));
	double rate = seen_rate(&set->geo, n);
	u64 lost = 0, full = 0;
	u64 hits, i;

	for (i = 0; i < n; i++)
		full += seen_set_test_and_add(set, key(keys, i)) == SEEN_FULL;
	for (i = 0; i < n; i++)
		lost += seen_set_test(set, key(keys, i)) != SEEN_SEEN;
	hits = count_seen(set, 2, asked);

	note("%s %g, %s: %.2f bits a key, measured %.4g, predicted %.4g",
	     p->name, (double)p->fpp / FPP_ONE, keys_name[keys],
	     8.0 * seen_geometry_bytes(&set->geo) / n, (double)hits / asked,
	     rate);
	ok(!lost && !full, "%s %g: all of %llu %s keys are seen", p->name,
	   (double)p->fpp / FPP_ONE, (unsigned long long)n, keys_name[keys]);
	ok(rate_kept(hits, asked, p->fpp), "the rate is kept");
	ok(rate_foreseen(hits, asked, rate), "it was foreseen");
	set_free(set);
}

/* The mean over many filters: in one alone chance tells. */
static void few(const struct promise *p, u64 n)
{
	u64 filters = scale(200, 2000);
	u64 each = 10000;
	u64 hits = 0, lost = 0;
	struct seen_set *set;
	u64 i, j;

	for (i = 0; i < filters; i++) {
		reseed();
		set = set_planned(request(p, n));
		for (j = 0; j < n; j++)
			seen_set_test_and_add(set, hash_of(1, j));
		lost += n - count_seen(set, 1, n);
		hits += count_seen(set, 2, each);
		set_free(set);
	}
	ok(!lost && rate_kept(hits, filters * each, p->fpp),
	   "%s %g: filters of %llu", p->name, (double)p->fpp / FPP_ONE,
	   (unsigned long long)n);
}

int main(void)
{
	static const u64 sizes[] = { 1, 2, 3, 5, 8, 17, 40, 100, 1000 };
	u32 i, j;

	test_begin(ARRAY_SIZE(promises) * (KEYS_MAX * 3 + ARRAY_SIZE(sizes)));
	for (i = 0; i < ARRAY_SIZE(promises); i++) {
		for (j = 0; j < KEYS_MAX; j++)
			many(&promises[i], j);
		for (j = 0; j < ARRAY_SIZE(sizes); j++)
			few(&promises[i], sizes[j]);
	}
	return test_end();
}
