// SPDX-License-Identifier: GPL-2.0
/* Quotas: how many keys pass at once, and how soon others may follow. */
#include "../../tools/seend/quota.h"
#include "tap.h"

#define SEC	1000000000ULL
#define NOW	(1000 * SEC)

/* Ten keys a second, and at most 40 at once. */
static bool take(struct quota *quota, uint64_t keys, uint64_t now)
{
	return quota_take(quota, 10, SEC, 40, keys, now);
}

static void test_rate(void)
{
	struct quota quota = { 0 };

	ok(take(&quota, 30, NOW) && take(&quota, 10, NOW), "a full bucket");
	ok(!take(&quota, 1, NOW) && !take(&quota, 1, NOW + SEC / 11), "an empty one");
	ok(take(&quota, 1, NOW + SEC / 10), "a key is refilled in its time");
	ok(!take(&quota, 41, NOW + 100 * SEC), "never more than the bucket holds");
	ok(take(&quota, 40, NOW + 100 * SEC) && !take(&quota, 1, NOW + 100 * SEC),
	   "it holds no more after a long time");
	ok(!take(&quota, 1, NOW + 50 * SEC) && !take(&quota, 1, NOW + 50 * SEC),
	   "a clock that goes back refills nothing");
}

/* The share of a publisher: charged when a key is forwarded. */
static void test_share(void)
{
	uint64_t later = NOW + 1000000 * SEC;
	struct quota quota = { 0 };

	quota_charge(&quota, 100);
	ok(quota_take(&quota, 100, 0, 100, 0, NOW), "a share that is just used up");
	quota_charge(&quota, 1);
	ok(!quota_take(&quota, 100, 0, 100, 0, later),
	   "one that is exceeded stays so without a window");
	quota_return(&quota, 1);
	ok(quota_take(&quota, 100, 0, 100, 0, later), "until a key is deleted");
	quota_charge(&quota, 100);
	ok(!quota_take(&quota, 100, 60 * SEC, 100, 0, later) &&
	   quota_take(&quota, 100, 60 * SEC, 100, 0, later + 60 * SEC),
	   "with a window until it has passed");
	quota_return(&quota, 1000);
	ok(quota.taken == 0, "no bucket is more than full");
}

/* A sender cannot refill its bucket with times that go back and forth. */
static void test_back(void)
{
	struct quota quota = { 0 };
	uint64_t passed = 0;

	for (unsigned int i = 0; i < 100; i++)
		passed += quota_take(&quota, 10, SEC, 10, 10, i % 2 ? NOW + 100 * SEC : NOW);
	ok(passed == 2, "an earlier time refills nothing");
	quota_step(&quota, 1000 * SEC);
	ok(quota_take(&quota, 10, SEC, 10, 10, NOW), "unless the clock was set back");
}

int main(void)
{
	tap_begin(13);
	test_rate();
	test_back();
	test_share();
	return tap_end();
}
