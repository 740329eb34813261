// SPDX-License-Identifier: GPL-2.0
/* Which sightings an aggregator forwards. */
#include "../../tools/seend/dedup.h"
#include "tap.h"

#define LIFE	1000
#define THEN	1000000

static struct dedup_mark mark(uint64_t hash)
{
	return (struct dedup_mark) { .hash = hash };
}

static bool pass(struct dedup *dedup, uint64_t hash, uint64_t life, uint64_t when)
{
	return dedup_pass(dedup, mark(hash), life, when);
}

/* No hash of one publisher can hide that of another, nor a delete. */
static void test_marks(struct dedup *dedup)
{
	struct dedup_mark other = { .hash = 1, .who = 2 }, deleted = { .hash = 1, .deleted = true };

	dedup_clear(dedup);
	ok(pass(dedup, 1, 0, THEN) && dedup_pass(dedup, other, 0, THEN) &&
	   dedup_pass(dedup, deleted, 0, THEN), "publishers and deletes are kept apart");
	ok(dedup_forget(dedup, other) && !dedup_forget(dedup, other) && !pass(dedup, 1, 0, THEN),
	   "one is dropped alone");
}

static void test_window(struct dedup *dedup)
{
	ok(pass(dedup, 1, LIFE, THEN), "a new hash is forwarded");
	ok(!pass(dedup, 1, LIFE, THEN), "its sighting is not forwarded again");
	ok(pass(dedup, 2, LIFE, THEN), "another hash is");
	ok(!pass(dedup, 1, LIFE, THEN + LIFE - 1), "nor one that is hardly later");
	ok(!pass(dedup, 1, LIFE, THEN - 5 * LIFE), "nor an earlier one");
	ok(pass(dedup, 1, LIFE, THEN + LIFE), "a later sighting is forwarded");
	ok(!pass(dedup, 1, LIFE, THEN + 2 * LIFE - 1) &&
	   pass(dedup, 1, LIFE, THEN + 2 * LIFE), "and counts from then on");
}

/* The old sighting comes first, because its host was without the engine. */
static void test_late(struct dedup *dedup)
{
	dedup_clear(dedup);
	ok(pass(dedup, 1, LIFE, THEN - 9 * LIFE) && pass(dedup, 1, LIFE, THEN),
	   "an old sighting hides no fresh one");
	ok(!pass(dedup, 1, LIFE, THEN - 9 * LIFE), "the fresh one hides the old one");
}

static void test_ever(struct dedup *dedup)
{
	dedup_clear(dedup);
	ok(pass(dedup, 1, 0, THEN) && !pass(dedup, 1, 0, 1000 * (uint64_t)THEN),
	   "without a window a hash is forwarded once");
	ok(pass(dedup, 2, 0, 0) && !pass(dedup, 2, 0, 0),
	   "also one that was seen before the clock began");
	dedup_forget(dedup, mark(1));
	ok(pass(dedup, 1, 0, THEN), "a deleted hash is forwarded again");
}

/* All these hashes are of one bucket of eight. */
static void test_full(struct dedup *dedup)
{
	size_t passed = 0;

	dedup_clear(dedup);
	for (uint64_t i = 0; i < 9; i++)
		passed += pass(dedup, i << 32, 0, THEN + i);
	ok(passed == 9, "a full bucket forwards all hashes");
	ok(!pass(dedup, 1ULL << 32, 0, THEN), "its later ones are known");
	ok(pass(dedup, 0, 0, THEN), "its oldest one is forwarded again");
}

int main(void)
{
	struct dedup *dedup = dedup_new(1024);

	tap_begin(17);
	test_marks(dedup);
	dedup_clear(dedup);
	test_window(dedup);
	test_late(dedup);
	test_ever(dedup);
	test_full(dedup);
	dedup_free(dedup);
	return tap_end();
}
