// SPDX-License-Identifier: GPL-2.0
/*
 * The list of the heaviest keys: every interleaving of keys that compete for the
 * last place of a bucket, and of the end of a window.
 */
#include <string.h>

#include "interleave.h"
#include "kinds.h"
#include "top.h"

enum { A, B, C, KEYS };

/* Places that are taken by heavier ones; one is left. */
enum { FILLED = 7 };

static struct seen_set *set;
static void *top;
static void fresh_set(u64 window)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_CMS,
		.conservative = true,
		.capacity = 100,
		.fpp = FPP_ONE / 5,
		.window = window,
		.top = 1,
		.key_bytes = sizeof(u64),
	};
	u64 bytes;

	if (set)
		set_free(set);
	free(top);
	expect(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK);
	set = set_new(&geo);
	bytes = seen_top_bytes(&set->geo);
	top = aligned_alloc(SEEN_LINE_BYTES, bytes);
	memset(top, 0, bytes);
	set->top = top;
	unshare();
	share_set(set);
	share(top, bytes);
}

static void note_key(u64 n, u32 times)
{
	struct seen_item item = { .hash = n, .len = sizeof(n) };

	memcpy(item.key, &n, sizeof(n));
	seen_top_note(set, &item, times);
}

/* Heavy keys leave one slot; the sketch knows all that compete for it. */
static void fill_list(u64 window)
{
	u32 i, j;

	fresh_set(window);
	for (i = 0; i < FILLED; i++)
		for (j = 0; j < 9; j++)
			note_key(1000 + i, seen_sketch_add(set, 1000 + i));
	for (i = 0; i < KEYS; i++)
		for (j = 0; j <= i; j++)
			seen_sketch_add(set, hash_of(1, i));
}

static void note_a(void)
{
	note_key(hash_of(1, A), 1);
}

static void note_b(void)
{
	note_key(hash_of(1, B), 2);
}

static void note_c(void)
{
	note_key(hash_of(1, C), 3);
}

static bool listed(int key, u32 *found)
{
	struct seen_top_entry list[8];
	u32 i, count = seen_top_list(set, list, ARRAY_SIZE(list));
	bool is = false;
	u64 n;

	*found = count;
	for (i = 0; i < count; i++) {
		memcpy(&n, list[i].item.key, sizeof(n));
		expect(n == list[i].item.hash);
		is |= n == hash_of(1, key);
	}
	return is;
}

/* The heaviest of the competing keys stays. */
static void after_competition(void)
{
	u32 found;

	ends++;
	expect(listed(C, &found) && found == FILLED + 1);
}

static void after_same(void)
{
	u32 found;

	ends++;
	expect(listed(C, &found) && found == FILLED + 1);
}

/* Three ticks later none of the heavy ones is there. */
static void after_turn(void)
{
	u32 found;

	ends++;
	listed(C, &found);
	expect(!found);
}

static void pass_three_ticks(void)
{
	clock_add(SEEN_GENERATIONS * set->geo.tick);
}

int main(void)
{
	test_begin(3);
	fill_list(0);
	play("three keys for one place",
	     (void (*[])(void)) { note_a, note_b, note_c, NULL },
	     after_competition);

	fill_list(0);
	play("one key by two actors",
	     (void (*[])(void)) { note_c, note_c, note_b, NULL }, after_same);

	fill_list(SECOND);
	play("keys that are added while the window ends",
	     (void (*[])(void)) { note_a, note_c, pass_three_ticks, NULL },
	     after_turn);
	return test_end();
}
