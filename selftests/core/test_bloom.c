// SPDX-License-Identifier: GPL-2.0
/*
 * Bloom filters as sets: they hold any keys up to the capacity, and are full beyond it;
 * the counts of entries and bits, the places of the bits, and the patterns of a line.
 */
#include <string.h>

#include "pattern.h"
#include "test.h"

static const struct kind {
	enum seen_set_kind kind;
	const char *name;
} kinds[] = {
	{ SEEN_SET_BLOCKED, "blocked" },
	{ SEEN_SET_CLASSIC, "classic" },
	{ SEEN_SET_BLOOM_WINDOW, "window" },
};

static struct seen_set *planned(enum seen_set_kind kind, u64 n, u64 fpp)
{
	return set_planned((struct seen_geometry) {
		.kind = kind,
		.capacity = n,
		.fpp = fpp,
		.window = kind == SEEN_SET_BLOOM_WINDOW ? SECOND : 0,
	});
}

/* How many of the keys that a set is planned for it refuses or (@ask) loses. */
static u64 refused(enum seen_set_kind kind, u64 n, bool ask)
{
	struct seen_set *set = planned(kind, n, FPP_ONE / 100);
	u64 bad = 0;
	u64 i;

	reseed();
	for (i = 0; i < n; i++)
		bad += seen_set_test_and_add(set, hash_of(1, i)) == SEEN_FULL;
	for (i = 0; ask && i < n; i++)
		bad += seen_set_test(set, hash_of(1, i)) != SEEN_SEEN;
	bad += seen_set_entries(set) > n;
	set_free(set);
	return bad;
}

/* Every number from 1 to 4,096, with 100 seeds, which the kinds share. */
static void test_capacity(const struct kind *kind)
{
	u64 rounds = scale(100 / ARRAY_SIZE(kinds) + 1);
	u64 bad = 0, round, n;

	for (round = 0; round < rounds; round++)
		for (n = 1; n <= 4096; n++)
			bad += refused(kind->kind, n, !round);
	for (n = 5000; n <= scale(10000000); n *= 7)
		bad += refused(kind->kind, n, true);
	ok(!bad, "%s: any number of keys up to the capacity fits", kind->name);
}

/*
 * Beyond the capacity keys are refused, at the latest at an eighth more, and stored keys
 * stay. A refusal leaves the table unchanged. False positives are skipped: at a rate of
 * about 0.001 these are less than 5 % of the keys.
 */
static void test_full(const struct kind *kind, u64 n)
{
	struct seen_set *set = planned(kind->kind, n, FPP_ONE / 1000);
	u64 refused = 0, stored = 0, bad = 0, others = 0, passed = 0;
	void *before;
	u64 key;
	u64 i;

	for (i = 0; !seen_set_full(set) && i < 3 * n; i++)
		stored += seen_set_test_and_add(set, hash_of(1, i)) ==
			  SEEN_NEW;
	before = copy_table(set);
	for (i = 0; i < n; i++)
		bad += seen_set_test_and_add(set, hash_of(1, i)) != SEEN_SEEN;
	while (others < n) {
		key = hash_of(1, 3 * n + others + passed);
		if (seen_set_test(set, key) == SEEN_SEEN) {
			passed++;
			continue;
		}
		others++;
		refused += seen_set_test_and_add(set, key) == SEEN_FULL;
		refused += seen_set_add(set, key) == SEEN_FULL;
	}
	bad += !same_table(set, before);
	ok(stored >= n && stored <= n + n / 8 && !bad &&
	   refused == 2 * n && passed <= n / 20 + 3,
	   "%s: for %llu keys, full after %llu", kind->name,
	   (unsigned long long)n, (unsigned long long)stored);
	free(before);
	set_free(set);
}

/* Counting in slices gives the same result as counting at once; each bit of a key is counted. */
static void test_used(const struct kind *kind)
{
	struct seen_set *set = planned(kind->kind, 3000, FPP_ONE / 100);
	u64 units = seen_geometry_units(&set->geo);
	u64 used[2] = { }, room[2] = { };
	u64 entries = 0, from = 0, i;
	bool good;

	for (i = 0; i < 3000; i++)
		entries += seen_set_test_and_add(set, hash_of(1, i)) ==
			   SEEN_NEW;
	good = !seen_set_used(set, 0, U64_MAX, &used[0], &room[0]);
	do
		from = seen_set_used(set, from, 3, &used[1], &room[1]);
	while (from);
	good &= used[0] == used[1] && room[0] == room[1];
	good &= seen_set_entries(set) == entries;
	good &= used[0] > room[0] / 10 && used[0] < room[0] * 6 / 10;
	if (kind->kind == SEEN_SET_CLASSIC)
		good &= room[0] == set->geo.blocks &&
			units == (room[0] + 511) / 512;
	else
		good &= units == set->geo.blocks;
	ok(good, "%s: %llu of %llu bits, %llu keys", kind->name,
	   (unsigned long long)used[0], (unsigned long long)room[0],
	   (unsigned long long)entries);
	set_free(set);
}

/* Adding twice is adding once; nothing is deleted. */
static void test_again(const struct kind *kind)
{
	struct seen_set *set = planned(kind->kind, 100, FPP_ONE / 100);
	u64 hash = hash_of(1, 1);
	void *before;
	bool good;

	good = seen_set_test(set, hash) == SEEN_NEW &&
	       seen_set_add(set, hash) == SEEN_NEW;
	before = copy_table(set);
	good &= seen_set_add(set, hash) == SEEN_SEEN &&
		seen_set_test_and_add(set, hash) == SEEN_SEEN &&
		same_table(set, before) && seen_set_entries(set) == 1;
	good &= !seen_set_can_del(&set->geo) &&
		seen_set_del(set, hash) == SEEN_ABSENT &&
		same_table(set, before);
	ok(good, "%s: a second add of a key changes nothing", kind->name);
	free(before);
	set_free(set);
}

/* A blocked key: all its bits in one line, in three words of it, no less. */
static void test_line(void)
{
	u64 wrong = 0, i, line, word, words, lines, bits;
	struct seen_set *set;
	u64 *table;

	for (i = 0; i < 1000; i++) {
		set = planned(SEEN_SET_BLOCKED, 1000, FPP_ONE / 100);
		seen_set_add(set, hash_of(1, i));
		table = set->table;
		words = 0;
		lines = 0;
		bits = 0;
		for (line = 0; line < set->geo.blocks; line++) {
			u64 before = words;

			for (word = 0; word < 8; word++, table++) {
				words += *table != 0;
				bits += __builtin_popcountll(*table);
			}
			lines += words != before;
		}
		wrong += lines != 1 || words != 3 || bits != set->geo.hashes;
		set_free(set);
	}
	ok(!wrong, "blocked: a key's bits lie in 3 words of 1 line");
}

/* Exact weights, and each bit of a word as likely as the next. */
static void test_patterns(void)
{
	u64 wrong = 0, uneven = 0;
	u32 bits, pick, bit;
	u64 word, due;

	for (bits = SEEN_PATTERN_BITS_MIN; bits <= SEEN_PATTERN_BITS_MAX;
	     bits++) {
		u64 often[64] = { };

		for (pick = 0; pick < 1 << 16; pick++) {
			word = seen_pattern(bits, pick);
			wrong += __builtin_popcountll(word) != (int)bits;
			for (bit = 0; bit < 64; bit++)
				often[bit] += word >> bit & 1;
		}
		due = ((u64)bits << 16) / 64;
		for (bit = 0; bit < 64; bit++)
			uneven += often[bit] != due;
	}
	ok(!wrong && !uneven, "patterns have their weight, evenly");
}

int main(void)
{
	u32 i;

	test_begin(6 * ARRAY_SIZE(kinds) + 2);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		test_capacity(&kinds[i]);
		test_full(&kinds[i], 1);
		test_full(&kinds[i], 1000);
		test_full(&kinds[i], scale(800000));
		test_used(&kinds[i]);
		test_again(&kinds[i]);
	}
	test_line();
	test_patterns();
	return test_end();
}
