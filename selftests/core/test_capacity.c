// SPDX-License-Identifier: GPL-2.0
/*
 * Capacity is a promise: a filter of the cuckoo kinds that was planned for N keys stores
 * any N distinct keys without a refusal or an eviction. A cuckoo filter that gets more keys
 * fills at least 95 % of its slots on average.
 */
#include "test.h"

static const u32 sizes[] = { 8, 12, 16, 24, 32 };

static struct seen_set *planned(enum seen_set_kind kind, u32 fp_bits, u64 n)
{
	struct seen_geometry request = {
		.kind = kind,
		.fp_bits = fp_bits,
		.capacity = n,
		.window = kind == SEEN_SET_CUCKOO_WINDOW ? SECOND : 0,
	};

	return set_planned(request);
}

/* New or, by a false positive, seen: either is an answer. */
static u64 refused(struct seen_set *set, u64 key)
{
	enum seen_result result = seen_set_test_and_add(set, key);

	return result != SEEN_NEW && result != SEEN_SEEN;
}

static u64 fill(enum seen_set_kind kind, u32 fp_bits, u64 n)
{
	struct seen_set *set = planned(kind, fp_bits, n);
	u64 bad = 0;
	u64 i;

	reseed();
	for (i = 0; i < n; i++)
		bad += refused(set, hash_of(1, i));
	set_free(set);
	return bad;
}

/* Every number from 1 to 4,096, with 100 seeds, which the five sizes share. */
static void each_number(enum seen_set_kind kind, const char *name)
{
	u64 tries = scale(100 / ARRAY_SIZE(sizes) * 4096);
	u64 i, n, bad;
	u32 j;

	for (j = 0; j < ARRAY_SIZE(sizes); j++) {
		bad = 0;
		for (i = 0; i < tries; i++) {
			n = 1 + (ARRAY_SIZE(sizes) * i + j) % 4096;
			bad += fill(kind, sizes[j], n) != 0;
		}
		ok(!bad, "%s, %u bits: numbers from 1 to 4096, %llu tries",
		   name, sizes[j], (unsigned long long)tries);
	}
}

/* Full at 10^7 keys: test_cuckoo.c, test_cuckoo_window.c. */
static void large(enum seen_set_kind kind, const char *name)
{
	u64 most = scale(4000000);
	u64 n, bad;
	u32 j;

	for (j = 0; j < ARRAY_SIZE(sizes); j++) {
		bad = 0;
		for (n = most; n > 4096; n -= n / 4 + random_below(n / 2))
			bad += fill(kind, sizes[j], n);
		ok(!bad, "%s, %u bits: some numbers up to %llu", name,
		   sizes[j], (unsigned long long)most);
	}
}

/*
 * For ever @n keys in any span of the window and a tick. At this load 29 buckets of
 * 10^6 are full (measured: ten windows of 10^6 keys), so that about one key of 10^9
 * finds both of its buckets full.
 */
static void steady(u64 n)
{
	struct seen_set *set = planned(SEEN_SET_CUCKOO_WINDOW, 32, n);
	u64 ticks = scale(10000000) / n + 64;
	u64 span = set->geo.ticks + 1;
	u64 bad = 0, i = 0;
	u64 tick;

	for (tick = 0; tick < ticks; tick++) {
		for (; i < n * (tick + 1) / span; i++)
			bad += refused(set, hash_of(2, i));
		if (tick % 60 == 0)
			seen_set_sweep(set, 0, set->geo.blocks);
		clock_add(set->geo.tick);
	}
	ok(by_chance(bad, i / 1e9),
	   "cuckoo-window: %llu keys in %llu ticks, %llu at a time: %llu refused",
	   (unsigned long long)i, (unsigned long long)ticks,
	   (unsigned long long)n, (unsigned long long)bad);
	set_free(set);
}

/* All of @n keys within one tick, again as soon as they have expired. */
static void bunched(u64 n)
{
	struct seen_set *set = planned(SEEN_SET_CUCKOO_WINDOW, 32, n);
	u64 rounds = scale(2000000) / n + 1;
	u64 bad = 0;
	u64 i, j;

	for (i = 0; i < rounds; i++) {
		for (j = 0; j < n; j++)
			bad += refused(set, hash_of(3, i * n + j));
		seen_set_sweep(set, 0, set->geo.blocks);
		clock_add((set->geo.ticks + 1) * set->geo.tick);
	}
	ok(!bad, "cuckoo-window: %llu keys in one tick, %llu times",
	   (unsigned long long)n, (unsigned long long)rounds);
	set_free(set);
}

static double first_failure(u32 fp_bits, u64 buckets)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_CUCKOO,
		.fp_bits = fp_bits,
		.capacity = 4 * buckets,
		.blocks = buckets,
	};
	struct seen_set *set = set_new(&geo);
	u64 n = 0;

	reseed();
	while (seen_set_add(set, hash_of(4, n)) != SEEN_FULL)
		n++;
	set_free(set);
	return n / (4.0 * buckets);
}

static void load(u32 fp_bits)
{
	static const u64 buckets[] = { 16384, 16385, 20000, 31415, 65536 };
	u64 rounds = scale(3);
	double sum, mean;
	bool good = true;
	u32 i;
	u64 j;

	for (i = 0; i < ARRAY_SIZE(buckets); i++) {
		sum = 0;
		for (j = 0; j < rounds; j++)
			sum += first_failure(fp_bits, buckets[i]);
		mean = sum / rounds;
		note("%u bits, %llu buckets: first failure at %.4f", fp_bits,
		     (unsigned long long)buckets[i], mean);
		good &= mean >= 0.95;
	}
	ok(good, "%u bits: the mean first failure is at 95 %% or later",
	   fp_bits);
}

static const u64 numbers[] = { 1, 2, 16, 17, 50, 333, 4096, 65536 };

int main(void)
{
	u32 i;

	test_begin(5 * ARRAY_SIZE(sizes) + 2 * ARRAY_SIZE(numbers));
	each_number(SEEN_SET_CUCKOO, "cuckoo");
	each_number(SEEN_SET_CUCKOO_WINDOW, "cuckoo-window");
	large(SEEN_SET_CUCKOO, "cuckoo");
	large(SEEN_SET_CUCKOO_WINDOW, "cuckoo-window");
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		steady(numbers[i]);
		bunched(numbers[i]);
	}
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		load(sizes[i]);
	return test_end();
}
