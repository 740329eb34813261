// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's clock is a 64-bit number of nanoseconds, computed from 64-bit jiffies. A
 * window is kept when a narrower part of either wraps, and when the number of ticks passes
 * 2^16 and 2^32. (The low 32 bits of jiffies wrap five minutes after each boot.)
 */
#include "clock.h"
#include "test.h"

#define W	SECOND
/* Of a machine with 250 HZ; the clock moves by whole ones. */
#define JIFFY	(4 * MS)

static const struct kind {
	enum seen_set_kind kind;
	const char *name;
} kinds[] = {
	{ SEEN_SET_BLOOM_WINDOW, "bloom" },
	{ SEEN_SET_CUCKOO_WINDOW, "cuckoo-window" },
};

/*
 * The table is so large for so few keys, with the longest fingerprints, that there are no
 * false positives: the chance of one is below 10^-4 for all results.
 */
static struct seen_set *planned(enum seen_set_kind kind, bool refresh)
{
	return set_planned((struct seen_geometry) {
		.kind = kind,
		.fp_bits = kind == SEEN_SET_CUCKOO_WINDOW ? 32 : 0,
		.capacity = 1000000,
		.fpp = FPP_ONE / 200,
		.window = W,
		.refresh = refresh,
	});
}

static void sweep(struct seen_set *set)
{
	u64 at = 0;

	do
		at = seen_set_sweep(set, at, 512);
	while (at);
}

/* Is @seen the wrong answer for a key that was stored or refreshed @age ago? */
static bool wrong(const struct seen_set *set, u64 age, bool seen)
{
	if (age <= W)
		return !seen;
	return age > W + set->geo.tick && seen;
}

/*
 * A key each jiffy, brought again after half a window; all that came lately
 * are asked for. From three windows before @moment to three after it.
 */
static u64 cross(const struct kind *kind, bool refresh, u64 moment)
{
	u64 steps = 6 * W / JIFFY, half = W / 2 / JIFFY;
	u64 errors = 0, i, ago, age;
	enum seen_result result;
	struct seen_set *set;

	clock_set(moment / JIFFY * JIFFY - 3 * W);
	set = planned(kind->kind, refresh);
	for (i = 0; i < steps; i++) {
		errors += seen_set_test_and_add(set, hash_of(1, i)) != SEEN_NEW;
		if (i >= half)
			errors += seen_set_test_and_add(set,
					hash_of(1, i - half)) != SEEN_SEEN;
		for (ago = 0; ago <= i && ago < 3 * W / JIFFY; ago++) {
			age = ago * JIFFY;
			if (refresh && ago >= half)
				age -= half * JIFFY;
			result = seen_set_test(set, hash_of(1, i - ago));
			errors += result == SEEN_STALE ||
				  wrong(set, age, result == SEEN_SEEN);
		}
		if (i % half == 0)
			sweep(set);
		clock_add(JIFFY);
	}
	set_free(set);
	return errors;
}

/* Where a set's ticks, counted from the beginning of the clock, pass n. */
static u64 ticks(const struct kind *kind, u64 n)
{
	struct seen_set *set = planned(kind->kind, false);
	u64 moment = n * set->geo.tick;

	set_free(set);
	return moment;
}

static void all_moments(const struct kind *kind, bool refresh)
{
	const struct {
		const char *name;
		u64 when;
	} moments[] = {
		{ "2^31 jiffies at 250 HZ", JIFFY << 31 },
		{ "2^32 jiffies at 250 HZ", JIFFY << 32 },
		{ "2^32 jiffies at 100 HZ", 10 * MS << 32 },
		{ "2^32 jiffies at 1000 HZ", MS << 32 },
		{ "2^33 jiffies at 250 HZ", JIFFY << 33 },
		{ "2^32 ns", 1ULL << 32 },
		{ "2^63 ns", 1ULL << 63 },
		{ "2^16 ticks", ticks(kind, 1ULL << 16) },
		{ "2^31 ticks", ticks(kind, 1ULL << 31) },
		{ "2^32 ticks", ticks(kind, 1ULL << 32) },
	};
	u64 errors;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(moments); i++) {
		errors = cross(kind, refresh, moments[i].when);
		ok(!errors, "%s, %s sighting, across %s", kind->name,
		   refresh ? "last" : "first", moments[i].name);
	}
}

int main(void)
{
	u32 i;

	test_begin(ARRAY_SIZE(kinds) * 2 * 10);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		all_moments(&kinds[i], false);
		all_moments(&kinds[i], true);
	}
	return test_end();
}
