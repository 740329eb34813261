// SPDX-License-Identifier: GPL-2.0
/*
 * Counting Bloom filters, compared with an exact model: a count is never too low, up to
 * 15, where counters stick; how often it is too high; deletes; capacity and full, also
 * after many adds and deletes; thresholds.
 */
#include <math.h>
#include <string.h>

#include "rate.h"
#include "test.h"

enum family { MEMBER, STRANGER, LATER };

static struct seen_geometry request(u64 capacity, u64 fpp)
{
	return (struct seen_geometry) {
		.kind = SEEN_SET_COUNTING,
		.capacity = capacity,
		.fpp = fpp,
	};
}

static struct seen_set *planned(u64 capacity, u64 fpp)
{
	return set_planned(request(capacity, fpp));
}

static u64 counters_used(struct seen_set *set)
{
	u64 used = 0, room = 0, from = 0;

	do
		from = seen_set_used(set, from, 3, &used, &room);
	while (from);
	return room == set->geo.blocks * SEEN_COUNTERS ? used : U64_MAX;
}

static bool empty(struct seen_set *set)
{
	u64 words = seen_geometry_bytes(&set->geo) / sizeof(u64);
	u64 *word = set->table;

	while (words--)
		if (*word++)
			return false;
	return !counters_used(set) && !seen_set_entries(set);
}

/* Six standard deviations of the estimated number of keys; see counting.c. */
static u64 spread(const struct seen_geometry *geo)
{
	return 4 * sqrt((double)geo->capacity / geo->hashes) + 4;
}

static u64 refused(u64 n, u64 fpp)
{
	struct seen_set *set = planned(n, fpp);
	u64 bad = 0;
	u64 i;

	reseed();
	for (i = 0; i < n; i++)
		bad += seen_set_add(set, hash_of(MEMBER, i)) == SEEN_FULL;
	for (i = 0; i < n; i++)
		bad += !seen_set_count(set, hash_of(MEMBER, i));
	set_free(set);
	return bad;
}

static void test_capacity(u64 fpp)
{
	u64 rounds = scale(8);
	u64 bad = 0, round, n;

	for (round = 0; round < rounds; round++)
		for (n = 1; n <= 4096; n++)
			bad += refused(n, fpp);
	for (n = 5000; n <= scale(10000000); n *= 7)
		bad += refused(n, fpp);
	ok(!bad, "%g: any number of keys up to the capacity fits",
	   (double)fpp / FPP_ONE);
}

/* Beyond the capacity: refused, unchanged, until one is deleted. */
static void test_full(u64 n)
{
	struct seen_set *set = planned(n, FPP_ONE / 100);
	u64 stored, bad = 0, i = 0;
	void *before;
	u64 key;

	for (stored = 0; !seen_set_full(set) && stored < 3 * n; stored++)
		bad += seen_set_add(set, hash_of(MEMBER, stored)) == SEEN_FULL;
	do
		key = hash_of(LATER, i++);
	while (seen_set_test(set, key) == SEEN_SEEN);
	before = copy_table(set);
	bad += seen_set_test_and_add(set, key) != SEEN_FULL ||
	       seen_set_add(set, key) != SEEN_FULL || !same_table(set, before);
	for (i = 0; i < stored / 2 + 1; i++)
		bad += seen_set_del(set, hash_of(MEMBER, i)) != SEEN_SEEN;
	bad += seen_set_add(set, key) != SEEN_NEW;
	ok(stored >= n && stored <= n + n / 50 + 2 * spread(&set->geo) && !bad,
	   "for %llu keys: full after %llu, until some are deleted",
	   (unsigned long long)n, (unsigned long long)stored);
	free(before);
	set_free(set);
}

/* A key's counters: one each in as many words of one line. */
static void test_line(void)
{
	u64 wrong = 0, i, word, words, counters;
	struct seen_set *set;
	u64 line, first;
	u64 *table;

	for (i = 0; i < 1000; i++) {
		set = planned(1000, FPP_ONE / 100);
		seen_set_add(set, hash_of(MEMBER, i));
		table = set->table;
		words = 0;
		counters = 0;
		first = U64_MAX;
		for (word = 0; word < 8 * set->geo.blocks; word++) {
			if (!table[word])
				continue;
			line = word / 8;
			first = first == U64_MAX ? line : first;
			wrong += line != first;
			words++;
			counters += __builtin_popcountll(table[word]);
		}
		wrong += words != set->geo.hashes || counters != words ||
			 counters_used(set) != words ||
			 seen_set_entries(set) != 1;
		set_free(set);
	}
	ok(!wrong, "a key has a counter each in some words of one line");
}

/* At capacity as many members are counted too often as strangers are seen. */
static void test_counts(u64 n, u64 fpp)
{
	struct seen_set *set = planned(n, fpp);
	u64 keys, more = 0, less = 0;
	u32 count;
	u64 i;

	for (i = 0; i < n; i++)
		seen_set_add(set, hash_of(MEMBER, i));
	for (i = 0; i < n; i++) {
		count = seen_set_count(set, hash_of(MEMBER, i));
		less += !count;
		more += count > 1;
	}
	keys = seen_set_entries(set);
	ok_rate(more, n, &set->geo, n, "%g: the rate of counts that are too high",
		(double)fpp / FPP_ONE);
	ok(!less && keys + spread(&set->geo) > n &&
	   keys < n + spread(&set->geo), "%g: %llu keys, %llu are reported",
	   (double)fpp / FPP_ONE, (unsigned long long)n,
	   (unsigned long long)keys);
	set_free(set);
}

/* The least count of each key: up to 15, and then always 15. */
struct model {
	struct seen_set *set;
	u8 *least;
	u64 wrong;
};

static void check(struct model *m, bool good)
{
	m->wrong += !good;
}

static void model_add(struct model *m, u64 k, bool if_new)
{
	u64 key = hash_of(MEMBER, k);
	u32 had = seen_set_count(m->set, key);
	enum seen_result result;
	u32 count = 0;
	u32 due = had < SEEN_COUNTING_MAX ? had + 1 : had;

	if (if_new) {
		result = seen_set_test_and_add(m->set, key);
		due = had ? had : 1;
		count = seen_set_count(m->set, key);
	} else {
		result = seen_set_add_count(m->set, key, 0, &count);
	}
	check(m, result == (had ? SEEN_SEEN : SEEN_NEW));
	check(m, count == due && seen_set_count(m->set, key) == due);
	if (m->least[k] < SEEN_COUNTING_MAX && (!if_new || !had))
		m->least[k]++;
}

/* Only what was added: but then one that has stuck stays. */
static void model_del(struct model *m, u64 k)
{
	u64 key = hash_of(MEMBER, k);
	u32 had = seen_set_count(m->set, key);
	u32 due = had < SEEN_COUNTING_MAX ? had - 1 : had;

	check(m, seen_set_del(m->set, key) == SEEN_SEEN);
	check(m, seen_set_count(m->set, key) == due);
	if (m->least[k] < SEEN_COUNTING_MAX)
		m->least[k]--;
}

static void model_absent(struct model *m, u64 k)
{
	u64 key = hash_of(MEMBER, k);
	void *before;

	if (seen_set_count(m->set, key))
		return;		/* a false positive: must not be deleted */
	before = copy_table(m->set);
	check(m, seen_set_test(m->set, key) == SEEN_NEW);
	check(m, seen_set_del(m->set, key) == SEEN_ABSENT);
	check(m, same_table(m->set, before));
	free(before);
}

static u64 too_few(const struct model *m, u64 keys)
{
	u64 bad = 0;
	u64 key, k;

	for (k = 0; k < keys; k++) {
		key = hash_of(MEMBER, k);
		bad += seen_set_count(m->set, key) < m->least[k];
		bad += m->least[k] && seen_set_test(m->set, key) != SEEN_SEEN;
	}
	return bad;
}

/* @adds of 100 steps add: above 50 all come to stick in the end. */
static void test_model(u64 keys, u64 fpp, u64 adds)
{
	struct model m = {
		.set = planned(keys, fpp),
		.least = calloc(keys, 1),
	};
	u64 steps = scale(1000000);
	u64 few = 0, stuck = 0;
	u64 i, k, r;

	for (i = 0; i < steps; i++) {
		k = random_below(keys);
		r = random_below(100);
		if (r < adds)
			model_add(&m, k, r % 4 == 0);
		else if (m.least[k])
			model_del(&m, k);
		else if (r % 16 == 0)
			model_absent(&m, k);
		if (i % (steps / 16 + 1) == 0)
			few += too_few(&m, keys);
	}
	few += too_few(&m, keys);
	for (k = 0; k < keys; k++)
		stuck += m.least[k] == SEEN_COUNTING_MAX;
	ok(!few && !m.wrong && (stuck || adds < 50),
	   "%llu keys, %llu%% adds: never too few, %llu stick",
	   (unsigned long long)keys, (unsigned long long)adds,
	   (unsigned long long)stuck);
	free(m.least);
	set_free(m.set);
}

/* Fifteen times is for good, and takes nothing from the others of its line. */
static void test_stuck(void)
{
	struct seen_set *set = planned(8, FPP_ONE / 100);
	u64 key = hash_of(MEMBER, 0), other = hash_of(MEMBER, 1);
	u32 count = 0, i;
	bool good;
	void *before;

	good = seen_set_add(set, other) == SEEN_NEW;
	for (i = 0; i < SEEN_COUNTING_MAX; i++)
		seen_set_add_count(set, key, 0, &count);
	good &= count == SEEN_COUNTING_MAX;
	before = copy_table(set);
	good &= seen_set_add_count(set, key, 0, &count) == SEEN_SEEN &&
		count == SEEN_COUNTING_MAX && same_table(set, before);
	for (i = 0; i < 100; i++)
		good &= seen_set_del(set, key) == SEEN_SEEN;
	good &= same_table(set, before) &&
		seen_set_count(set, key) == SEEN_COUNTING_MAX &&
		seen_set_test(set, other) == SEEN_SEEN &&
		seen_set_count_max(&set->geo) == SEEN_COUNTING_MAX;
	ok(good && set->geo.blocks == 1, "at 15 it sticks");
	free(before);
	set_free(set);
}

/* Fourteen come and go again, without a trace. */
static void test_below(void)
{
	struct seen_set *set = planned(8, FPP_ONE / 100);
	u64 key = hash_of(MEMBER, 0);
	bool good = true;
	u32 i;

	for (i = 0; i < SEEN_COUNTING_MAX - 1; i++)
		good &= seen_set_add(set, key) == (i ? SEEN_SEEN : SEEN_NEW);
	for (; i; i--)
		good &= seen_set_count(set, key) == i &&
			seen_set_del(set, key) == SEEN_SEEN;
	good &= seen_set_del(set, key) == SEEN_ABSENT;
	ok(good && empty(set), "at 14 it does not");
	set_free(set);
}

/*
 * Keys are added by test-and-add, and deleted if they were new. Some keys are not stored,
 * and some are deleted while other keys have the same bits. The reported number must not
 * drift: it stays between the keys that were stored and those that were added.
 */
static void test_drift(u64 n)
{
	struct seen_set *set = planned(n, FPP_ONE / 20);
	u64 rounds = scale(5000000) / n + 2;
	bool *stored = calloc(n, 1);
	u64 off = 0, full = 0, in = 0;
	enum seen_result result;
	u64 round, i, told;

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < n; i++) {
			if (stored[i])
				seen_set_del(set,
					     hash_of(MEMBER, round * n + i));
			in -= stored[i];
			result = seen_set_test_and_add(set,
						       hash_of(MEMBER,
							       round * n + n + i));
			stored[i] = result == SEEN_NEW;
			in += stored[i];
			full += result == SEEN_FULL;
		}
		told = seen_set_entries(set);
		off += told > n + spread(&set->geo) ||
		       told + spread(&set->geo) < in;
	}
	for (i = 0; i < n; i++)
		if (stored[i])
			seen_set_del(set, hash_of(MEMBER, rounds * n + i));
	ok(!full && !off && empty(set),
	   "%llu keys replaced %llu times: never full, right number, no old key stays",
	   (unsigned long long)n, (unsigned long long)rounds);
	free(stored);
	set_free(set);
}

/* Seen from that count on; a test-and-add counts up to it. */
static void test_threshold(u32 threshold)
{
	struct seen_geometry geo = request(1000, FPP_ONE / 1000 * 3);
	u64 key = hash_of(MEMBER, 0);
	struct seen_set *set;
	bool good = true;
	u32 count, i;

	geo.threshold = threshold;
	set = set_planned(geo);
	for (i = 0; i < threshold; i++)
		good &= seen_set_count(set, key) == i &&
			seen_set_test(set, key) == SEEN_NEW &&
			seen_set_test_and_add(set, key) == SEEN_NEW;
	good &= seen_set_test(set, key) == SEEN_SEEN &&
		seen_set_test_and_add(set, key) == SEEN_SEEN &&
		seen_set_count(set, key) == threshold;
	ok(good, "threshold %u: this many adds are new, and not counted",
	   threshold);

	key = hash_of(MEMBER, 1);
	good = true;
	for (i = 0; i < SEEN_COUNTING_MAX; i++)
		good &= seen_set_add_count(set, key, 0, &count) ==
			(i < threshold ? SEEN_NEW : SEEN_SEEN) &&
			count == i + 1;
	ok(good && seen_set_entries(set) == 2,
	   "threshold %u: add counts beyond", threshold);
	set_free(set);
}

int main(void)
{
	static const u64 rates[] = { FPP_ONE / 3, FPP_ONE / 100, FPP_ONE / 400 };
	u32 i;

	test_begin(4 * ARRAY_SIZE(rates) + 3 + 1 + 4 + 2 + 3 + 3 * 2);
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		test_capacity(rates[i]);
		test_counts(scale(5000000), rates[i]);
		test_model(3000, rates[i], 45);
	}
	test_full(1);
	test_full(1000);
	test_full(scale(800000));
	test_line();
	test_model(1, FPP_ONE / 100, 45);
	test_model(10, FPP_ONE / 100, 45);
	test_model(10, FPP_ONE / 100, 60);
	test_model(300, FPP_ONE / 100, 90);
	test_stuck();
	test_below();
	test_drift(10);
	test_drift(1000);
	test_drift(scale(1000000));
	test_threshold(1);
	test_threshold(3);
	test_threshold(SEEN_COUNTING_MAX);
	return test_end();
}
