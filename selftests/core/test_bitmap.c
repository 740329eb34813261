// SPDX-License-Identifier: GPL-2.0
/*
 * Bitmaps: every answer equals that of an exact model, in ranges that end anywhere in a
 * word or a line, with up to 2^32 numbers; the number of entries; a bitmap is never full.
 */
#include <string.h>
#include <sys/mman.h>

#include "test.h"

static struct seen_set *planned(u64 numbers)
{
	return set_planned((struct seen_geometry) {
		.kind = SEEN_SET_BITMAP,
		.capacity = numbers,
	});
}

static u64 bits_used(struct seen_set *set, u64 *room)
{
	u64 used = 0, from = 0;

	*room = 0;
	do
		from = seen_set_used(set, from, 3, &used, room);
	while (from);
	return used;
}

/* Do the set's count and the bits of the whole table agree with @numbers? */
static bool holds(struct seen_set *set, u64 numbers)
{
	u64 words = seen_geometry_bytes(&set->geo) / sizeof(u64);
	u64 room, bits = 0;
	u64 i;

	for (i = 0; i < words; i++)
		bits += __builtin_popcountll(((u64 *)set->table)[i]);
	return bits == numbers && bits_used(set, &room) == numbers &&
	       room == set->geo.capacity && seen_set_entries(set) == numbers &&
	       !seen_set_full(set);
}

/* One step of the model's; @there: is the number in it? */
static bool step(struct seen_set *set, u64 n, bool *there)
{
	enum seen_result was = *there ? SEEN_SEEN : SEEN_NEW;

	switch (random_below(4)) {
	case 0:
		*there = true;
		return seen_set_add(set, n) == was;
	case 1:
		*there = true;
		return seen_set_test_and_add(set, n) == was;
	case 2:
		was = *there ? SEEN_SEEN : SEEN_ABSENT;
		*there = false;
		return seen_set_del(set, n) == was;
	default:
		return seen_set_test(set, n) == was;
	}
}

static void test_model(u64 numbers)
{
	struct seen_set *set = planned(numbers);
	u64 steps = scale(1000000);
	bool *model = calloc(numbers, 1);
	u64 wrong = 0, in = 0;
	u64 i, n;

	for (i = 0; i < steps; i++) {
		n = random_below(numbers);
		wrong += !step(set, n, &model[n]);
	}
	for (n = 0; n < numbers; n++) {
		wrong += (seen_set_test(set, n) == SEEN_SEEN) != model[n];
		in += model[n];
	}
	ok(!wrong && holds(set, in),
	   "%llu numbers: %llu answers as the model's, %llu in it",
	   (unsigned long long)numbers, (unsigned long long)steps,
	   (unsigned long long)in);
	free(model);
	set_free(set);
}

/* The whole range in and out again. */
static void test_all(u64 numbers)
{
	struct seen_set *set = planned(numbers);
	u64 wrong = 0;
	u64 n;

	for (n = 0; n < numbers; n++)
		wrong += seen_set_test_and_add(set, n) != SEEN_NEW;
	wrong += !holds(set, numbers);
	for (n = 0; n < numbers; n++)
		wrong += seen_set_add(set, n) != SEEN_SEEN;
	wrong += !holds(set, numbers);
	for (n = 0; n < numbers; n++)
		wrong += seen_set_del(set, n) != SEEN_SEEN;
	ok(!wrong && holds(set, 0), "%llu numbers: all are added, all are deleted",
	   (unsigned long long)numbers);
	set_free(set);
}

/* 2^32 numbers, of which few are touched: memory that is not, is zero. */
static void test_largest(void)
{
	static const u64 numbers[] = {
		0, 1, 511, 512, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
	};
	struct seen_geometry geo = {
		.kind = SEEN_SET_BITMAP,
		.capacity = SEEN_BLOCKS_MAX,
	};
	struct seen_stripe *stripes;
	struct seen_set set;
	u64 wrong, bytes;
	void *table;
	u32 i;

	wrong = seen_plan(&geo, MIN_TICK) != SEEN_PLAN_OK;
	bytes = seen_geometry_bytes(&geo);
	table = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	stripes = aligned_alloc(64, seen_geometry_stripes(&geo) *
				    sizeof(*stripes));
	if (table == MAP_FAILED || !stripes)
		abort();
	seen_set_init(&set, &geo, table, stripes);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		wrong += seen_set_test(&set, numbers[i]) != SEEN_NEW ||
			 seen_set_add(&set, numbers[i]) != SEEN_NEW;
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		wrong += seen_set_test(&set, numbers[i]) != SEEN_SEEN;
	wrong += seen_set_entries(&set) != ARRAY_SIZE(numbers);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		wrong += seen_set_del(&set, numbers[i]) != SEEN_SEEN;
	ok(bytes == SEEN_BLOCKS_MAX / 8 && !wrong && !seen_set_entries(&set),
	   "2^32 numbers: from the first to the last");
	free(stripes);
	munmap(table, bytes);
}

int main(void)
{
	static const u64 sizes[] = {
		1, 2, 63, 64, 65, 511, 512, 513, 65536, 99999,
	};
	u32 i;

	test_begin(2 * ARRAY_SIZE(sizes) + 1);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		test_model(sizes[i]);
		test_all(sizes[i]);
	}
	test_largest();
	return test_end();
}
