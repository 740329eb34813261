// SPDX-License-Identifier: GPL-2.0
/*
 * Capacity is a promise: a map that was planned for N keys stores any N distinct keys
 * without a rehash, and no more. Without that limit its table would fill at least 95 % of
 * the slots on average.
 */
#include "map_keys.h"

/* Random hashes replace the hashes under random secrets. */
static struct seen_item item_of(u64 n, u64 seed)
{
	struct seen_item item = { .len = 4 };
	u32 i;

	for (i = 0; i < 4; i++)
		item.key[i] = n >> 8 * i;
	item.hash = seen_remix(seed + n * 0x9e3779b97f4a7c15ULL);
	return item;
}

static bool put(struct seen_set *set, u64 n, u64 seed, enum seen_result result)
{
	struct seen_item item = item_of(n, seed);

	return seen_item_put(set, &item, n) == result;
}

static u64 fill(u64 n)
{
	struct seen_geometry geo = map_planned(4, n);
	struct seen_set *set = set_new(&geo);
	u64 seed = random64();
	u64 bad = 0;
	u64 i;

	for (i = 0; i < n; i++)
		bad += !put(set, i, seed, SEEN_NEW);
	bad += seen_map_torn(set) || !put(set, n, seed, SEEN_FULL) ||
	       seen_map_torn(set);
	set_free(set);
	return bad;
}

static void each_number(u64 from, u64 to, u64 tries)
{
	u64 numbers = to - from + 1;
	u64 bad = 0;
	u64 i;

	for (i = 0; i < tries; i++)
		bad += fill(from + (tries < numbers ? i * numbers / tries :
						      i % numbers)) != 0;
	ok(!bad, "numbers from %llu to %llu, %llu tries",
	   (unsigned long long)from, (unsigned long long)to,
	   (unsigned long long)tries);
}

static void large(void)
{
	u64 most = scale(4000000);
	u64 bad = 0;
	u64 n;

	for (n = most; n > 4096; n -= n / 4 + random_below(n / 2))
		bad += fill(n);
	ok(!bad, "some numbers up to %llu", (unsigned long long)most);
}

/* At capacity an add is refused without a change; after a del one fits. */
static void full(void)
{
	struct seen_geometry geo = map_planned(16, scale(1000000));
	struct seen_set *set = set_new(&geo);
	u64 n = geo.capacity, bad = 0, i;
	struct seen_item item;
	u32 value;
	void *before;
	bool good;

	for (i = 0; i < n; i++) {
		bad += seen_set_full(set) || !put(set, i, 1, SEEN_NEW);
		bad += seen_set_entries(set) != i + 1;
	}
	before = copy_table(set);
	for (i = n; i < n + 1000; i++)
		bad += !put(set, i, 1, SEEN_FULL);
	good = seen_set_full(set) && !seen_map_torn(set);
	ok(good && !bad && same_table(set, before),
	   "%llu keys, and not one more", (unsigned long long)n);

	item = item_of(0, 1);
	good = seen_item_del(set, &item) == SEEN_SEEN && !seen_set_full(set) &&
	       put(set, n, 1, SEEN_NEW) && seen_set_full(set);
	for (i = 1; i <= n; i++) {
		item = item_of(i, 1);
		bad += !seen_item_value(set, &item, &value) || value != i;
	}
	ok(good && !bad && map_used(set) == n,
	   "a del makes room for one; all values are right");
	free(before);
	set_free(set);
}

static double first_failure(u64 buckets)
{
	struct seen_geometry geo = map_tiny(4, buckets);
	struct seen_set *set = set_new(&geo);
	u64 seed = random64();
	u64 n = 0;

	while (put(set, n, seed, SEEN_NEW))
		n++;
	set_free(set);
	return (double)n / geo.capacity;
}

static void load(u64 buckets)
{
	u64 rounds = scale(10), i;
	double sum = 0;

	for (i = 0; i < rounds; i++)
		sum += first_failure(buckets);
	ok(sum / rounds >= 0.95,
	   "%llu buckets: the mean first failure is at %.4f",
	   (unsigned long long)buckets, sum / rounds);
}

int main(void)
{
	static const u64 buckets[] = { 16384, 20000, 31414, 65536, 262144 };
	u32 i;

	test_begin(2 + 1 + 2 + ARRAY_SIZE(buckets));
	each_number(1, 512, scale(512 * 1000));
	each_number(513, 4096, scale(4096 * 8));
	large();
	full();
	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		load(buckets[i]);
	return test_end();
}
