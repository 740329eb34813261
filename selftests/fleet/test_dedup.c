// SPDX-License-Identifier: GPL-2.0
/* Which sightings an aggregator forwards. */
#include "../../tools/seend/dedup.h"
#include "tap.h"

#define LIFE	1000
#define THEN	1000000

static void test_window(struct dedup *dedup)
{
	ok(dedup_pass(dedup, 1, LIFE, THEN), "a new hash is forwarded");
	ok(!dedup_pass(dedup, 1, LIFE, THEN), "its sighting is not forwarded again");
	ok(dedup_pass(dedup, 2, LIFE, THEN), "another hash is");
	ok(!dedup_pass(dedup, 1, LIFE, THEN + LIFE - 1), "nor one that is hardly later");
	ok(!dedup_pass(dedup, 1, LIFE, THEN - 5 * LIFE), "nor an earlier one");
	ok(dedup_pass(dedup, 1, LIFE, THEN + LIFE), "a later sighting is forwarded");
	ok(!dedup_pass(dedup, 1, LIFE, THEN + 2 * LIFE - 1) &&
	   dedup_pass(dedup, 1, LIFE, THEN + 2 * LIFE), "and counts from then on");
}

/* The old sighting comes first, because its host was without the engine. */
static void test_late(struct dedup *dedup)
{
	dedup_clear(dedup);
	ok(dedup_pass(dedup, 1, LIFE, THEN - 9 * LIFE) && dedup_pass(dedup, 1, LIFE, THEN),
	   "an old sighting hides no fresh one");
	ok(!dedup_pass(dedup, 1, LIFE, THEN - 9 * LIFE), "the fresh one hides the old one");
}

static void test_ever(struct dedup *dedup)
{
	dedup_clear(dedup);
	ok(dedup_pass(dedup, 1, 0, THEN) && !dedup_pass(dedup, 1, 0, 1000 * (uint64_t)THEN),
	   "without a window a hash is forwarded once");
	ok(dedup_pass(dedup, 2, 0, 0) && !dedup_pass(dedup, 2, 0, 0),
	   "also one that was seen before the clock began");
	dedup_forget(dedup, 1);
	ok(dedup_pass(dedup, 1, 0, THEN), "a deleted hash is forwarded again");
}

/* All these hashes are of one bucket of eight. */
static void test_full(struct dedup *dedup)
{
	size_t passed = 0;

	dedup_clear(dedup);
	for (uint64_t i = 0; i < 9; i++)
		passed += dedup_pass(dedup, i << 32, 0, THEN + i);
	ok(passed == 9, "a full bucket forwards all hashes");
	ok(!dedup_pass(dedup, 1ULL << 32, 0, THEN), "its later ones are known");
	ok(dedup_pass(dedup, 0, 0, THEN), "its oldest one is forwarded again");
}

int main(void)
{
	struct dedup *dedup = dedup_new(1024);

	tap_begin(15);
	test_window(dedup);
	test_late(dedup);
	test_ever(dedup);
	test_full(dedup);
	dedup_free(dedup);
	return tap_end();
}
