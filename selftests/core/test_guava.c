// SPDX-License-Identifier: GPL-2.0
/*
 * The classic filter of a million keys at 1 %, as in Guava's BloomFilter: its size, and how
 * many of the next million numbers are false positives. The same, compared with their
 * predictions, for a blocked filter and for one that is half full.
 */
#include <math.h>

#include "rate.h"
#include "test.h"

#define KEYS	1000000ULL
#define NEXT	100000ULL
#define ONE_PERCENT	(FPP_ONE / 100)

static const struct seen_secret secret = { { 0x5ee4, 0x600df00d } };

static u64 hash_number(u64 number)
{
	return seen_siphash13(&number, sizeof(number), &secret);
}

static struct seen_set *fill(enum seen_set_kind kind, u64 keys)
{
	struct seen_geometry request = {
		.kind = kind,
		.capacity = KEYS,
		.fpp = ONE_PERCENT,
	};
	struct seen_set *set = set_planned(request);
	u64 i;

	for (i = 0; i < keys; i++)
		seen_set_add(set, hash_number(i));
	return set;
}

static u64 count_seen(struct seen_set *set, u64 from, u64 to)
{
	u64 hits = 0;

	for (; from < to; from++)
		hits += seen_set_test(set, hash_number(from)) == SEEN_SEEN;
	return hits;
}

static void test_classic(void)
{
	struct seen_set *set = fill(SEEN_SET_CLASSIC, KEYS);
	u64 hits = count_seen(set, KEYS, KEYS + NEXT);

	ok(set->geo.blocks == 9585058 && set->geo.hashes == 7,
	   "a million keys at 1 %% take 9585058 bits and 7 hashes");
	ok(count_seen(set, 0, KEYS) == KEYS, "0 to 999999 are seen");
	ok(hits >= NEXT * 0.009 && hits <= NEXT * 0.011,
	   "of the next 100000 numbers %llu are seen: 0.9 to 1.1 %%",
	   (unsigned long long)hits);
	set_free(set);
}

/* Within four standard deviations. */
static void test_foreseen(enum seen_set_kind kind, u64 keys, const char *name)
{
	struct seen_set *set = fill(kind, keys);
	u64 asked = 10 * NEXT;
	double due = asked * seen_rate(&set->geo, keys);
	u64 hits = count_seen(set, KEYS, KEYS + asked);

	ok(fabs(hits - due) <= 4 * sqrt(due),
	   "%s: of the next million %llu are seen, %.0f due", name,
	   (unsigned long long)hits, due);
	set_free(set);
}

int main(void)
{
	test_begin(3 + 3);
	test_classic();
	test_foreseen(SEEN_SET_CLASSIC, KEYS / 2, "classic, full by half");
	test_foreseen(SEEN_SET_BLOCKED, KEYS, "blocked");
	test_foreseen(SEEN_SET_COUNTING, KEYS, "counting");
	return test_end();
}
