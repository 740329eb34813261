// SPDX-License-Identifier: GPL-2.0
/* The list of a sketch's heaviest keys: complete, in order, and keys expire with the window. */
#include <string.h>

#include "clock.h"
#include "item.h"
#include "sketch.h"
#include "test.h"
#include "top.h"

#define W	SECOND

static const struct kind {
	enum seen_set_kind kind;
	bool conservative;
	u64 window;
	const char *name;
} kinds[] = {
	{ SEEN_SET_CMS, false, 0, "cms" },
	{ SEEN_SET_CMS, true, 0, "cms conservative" },
	{ SEEN_SET_CMS, false, W, "cms with a window" },
	{ SEEN_SET_CMM, false, 0, "cmm" },
	{ SEEN_SET_CMM, false, W, "cmm with a window" },
};

static struct seen_top_entry list[SEEN_TOP_MAX_KEYS + 1];

/* So large that no two of the test's keys share all of their counters. */
static struct seen_set *begin(const struct kind *kind, u32 top)
{
	struct seen_set *set;
	u64 bytes;

	clock_set(1000 * SECOND + random_below(SECOND));
	set = set_planned((struct seen_geometry) {
		.kind = kind->kind,
		.conservative = kind->conservative,
		.capacity = 300000,
		.fpp = FPP_ONE / 10000,
		.window = kind->window,
		.top = top,
		.key_bytes = SEEN_ITEM_KEY_MAX,
	});
	bytes = seen_top_bytes(&set->geo);
	set->top = aligned_alloc(SEEN_LINE_BYTES, bytes);
	memset(set->top, 0, bytes);
	return set;
}

static void end(struct seen_set *set)
{
	free(set->top);
	set_free(set);
}

/* A key's length, and all of its bytes, say which it is. */
static struct seen_item item_of(u64 n)
{
	struct seen_item item = { .hash = hash_of(1, n) };
	u32 i;

	item.len = 8 + n % (SEEN_ITEM_KEY_MAX - 7);
	memcpy(item.key, &n, sizeof(n));
	for (i = 8; i < item.len; i++)
		item.key[i] = n + i;
	return item;
}

static u64 number_of(const struct seen_item *item)
{
	u64 n;

	memcpy(&n, item->key, sizeof(n));
	return n;
}

static bool whole(const struct seen_item *item)
{
	struct seen_item was = item_of(number_of(item));

	return was.hash == item->hash && was.len == item->len &&
	       !memcmp(was.key, item->key, sizeof(was.key));
}

static void add(struct seen_set *set, u64 n, u64 times)
{
	struct seen_item item = item_of(n);
	u32 count;

	while (times--)
		seen_item_add_count(set, &item, 0, &count);
}

/* The @keys heaviest are those numbered from 0, in this order. */
static u64 wrong_list(struct seen_set *set, u32 keys, u64 least)
{
	u32 got = seen_top_list(set, list, keys);
	u64 wrong = got != keys;
	u32 i;

	for (i = 0; i < got; i++) {
		wrong += !whole(&list[i].item);
		wrong += number_of(&list[i].item) != i;
		wrong += list[i].count != seen_set_count(set,
							 list[i].item.hash);
		/* what cmm takes for noise is below one here, rounded */
		wrong += least + keys - i - list[i].count >
			 (set->geo.kind == SEEN_SET_CMM);
	}
	return wrong;
}

/* Do more of the heaviest keys than its eight slots have one bucket? See top.c. */
static bool overflows(const struct seen_set *set, u32 top)
{
	u8 keys[SEEN_TOP_MAX_KEYS] = { };
	u64 hash;
	u32 n;

	for (n = 0; n < top; n++) {
		hash = seen_sketch_hash(hash_of(1, n), SEEN_SKETCH_ROWS + 1);
		if (++keys[seen_range64(hash, set->geo.top)] > 8)
			return true;
	}
	return false;
}

/*
 * Heavy ones and many light ones, mixed; the n-th heavy one comes less often
 * than the one before it. A list misses a key where a bucket overflows: of lists of
 * 1024 keys one in 900 has such a bucket.
 */
static void test_list(const struct kind *kind, u32 top)
{
	struct seen_set *set = begin(kind, top);
	u64 light = scale(50000), n, i;
	u64 wrong;

	while (overflows(set, top))
		reseed();
	for (i = 0; i < 40; i++)
		for (n = 0; n < top; n++)
			add(set, n, i ? 1 : top - n + 10);
	for (i = 0; i < 5; i++)
		for (n = 0; n < light; n++)
			add(set, top + n, 1);
	wrong = wrong_list(set, top, 49);
	/* fewer are the first of them, and none at all is no list */
	for (i = 1; i < top; i += 1 + top / 7) {
		wrong += seen_top_list(set, list, i) != i;
		for (n = 0; n < i; n++)
			wrong += number_of(&list[n].item) != n;
	}
	wrong += seen_top_list(set, list, 0) != 0;
	ok(!wrong, "%s: the %u heaviest of %llu, in order", kind->name, top,
	   (unsigned long long)(light + top));
	end(set);
}

/* A key is heavy later than others, among which it was light. */
static void test_late(const struct kind *kind)
{
	struct seen_set *set = begin(kind, 5);
	u64 n, wrong;

	for (n = 0; n < 1000; n++)
		add(set, n, 20);
	wrong = seen_top_list(set, list, 5) != 5 || list[0].count != 20;
	add(set, 5000, 21);
	wrong += seen_top_list(set, list, 5) != 5;
	wrong += number_of(&list[0].item) != 5000 || list[0].count != 21;
	ok(!wrong, "%s: a key that becomes heavy is listed", kind->name);
	end(set);
}

/* An expired heavy key is not listed, and does not exclude other keys. */
static void test_expiry(const struct kind *kind)
{
	struct seen_set *set = begin(kind, 1);
	u64 tick = set->geo.tick;
	u64 n, wrong = 0, round;

	for (round = 0; round < 5; round++) {
		for (n = 0; n < 8; n++)
			add(set, 100 * round + n, 1000 - n);
		wrong += seen_top_list(set, list, 8) != 8;
		for (n = 0; n < 8; n++)
			wrong += number_of(&list[n].item) != 100 * round + n;
		clock_add(3 * tick);
		wrong += seen_top_list(set, list, 8) != 0;
		/* lighter by far than the eight that fill the bucket */
		add(set, 100 * round + 50, 3);
		wrong += seen_top_list(set, list, 8) != 1 ||
			 number_of(&list[0].item) != 100 * round + 50 ||
			 list[0].count != 3;
		clock_add(3 * tick);
	}
	ok(!wrong, "%s: a key that expires makes room", kind->name);
	end(set);
}

/* Heavy keys that are still added stay in the list, while other keys expire. */
static void test_steady(const struct kind *kind)
{
	struct seen_set *set = begin(kind, 4);
	u64 tick = set->geo.tick;
	u64 wrong = 0, i, n;

	for (i = 0; i < 64; i++) {
		for (n = 0; n < 4; n++)
			add(set, n, 50 - n);
		/* a burst that is the heaviest, but once */
		if (!(i % 8))
			for (n = 0; n < 6; n++)
				add(set, 1000 * i + n + 1000, 500);
		clock_add(tick / 4);
		if (i % 8 == 7) {
			clock_add(tick);
			for (n = 0; n < 4; n++)
				add(set, n, 50 - n);
			wrong += seen_top_list(set, list, 32) < 4;
			add(set, 0, 1);
			clock_add(tick);
			for (n = 0; n < 4; n++)
				add(set, n, 50 - n);
			clock_add(tick - 1);
			wrong += seen_top_list(set, list, 4) != 4;
			for (n = 0; n < 4; n++)
				wrong += number_of(&list[n].item) != n;
		}
	}
	ok(!wrong, "%s: a key that stays heavy stays listed", kind->name);
	end(set);
}

/* A heavy key costs a write only where its count has grown by a sixteenth. */
static void test_writes(void)
{
	struct seen_set *set = begin(&kinds[0], 1);
	u64 bytes = seen_top_bytes(&set->geo);
	void *before = malloc(bytes);
	u64 writes = 0, i;

	for (i = 0; i < 100000; i++) {
		memcpy(before, set->top, bytes);
		add(set, 1, 1);
		writes += !!memcmp(before, set->top, bytes);
	}
	ok(writes < 200 && seen_top_list(set, list, 1) == 1 &&
	   list[0].count == 100000, "a key with 100000 adds is written %llu times",
	   (unsigned long long)writes);
	free(before);
	end(set);
}

/* If the sweep is late, the list is reported as empty, and stays unchanged. */
static void test_stale(void)
{
	struct seen_set *set = begin(&kinds[2], 4);
	u64 bytes = seen_top_bytes(&set->geo);
	void *before = malloc(bytes);
	u64 wrong;

	add(set, 1, 10);
	memcpy(before, set->top, bytes);
	clock_add(3 * seen_set_sweep_period(&set->geo));
	add(set, 2, 10);
	wrong = seen_top_list(set, list, 4) || memcmp(before, set->top, bytes);
	while (seen_set_sweep(set, 0, U64_MAX))
		;
	add(set, 2, 10);
	wrong += seen_top_list(set, list, 4) != 1 ||
		 number_of(&list[0].item) != 2;
	ok(!wrong, "no list when the sweep is late, a new one after it");
	free(before);
	end(set);
}

int main(void)
{
	static const u32 sizes[] = { 1, 2, 7, 100, SEEN_TOP_MAX_KEYS };
	u32 windowed = 0;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		windowed += !!kinds[i].window;
	test_begin(ARRAY_SIZE(kinds) * (ARRAY_SIZE(sizes) + 1) + 2 * windowed +
		   2);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (j = 0; j < ARRAY_SIZE(sizes); j++)
			test_list(&kinds[i], sizes[j]);
		test_late(&kinds[i]);
		if (!kinds[i].window)
			continue;
		test_expiry(&kinds[i]);
		test_steady(&kinds[i]);
	}
	test_writes();
	test_stale();
	return test_end();
}
