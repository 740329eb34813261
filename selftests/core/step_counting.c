// SPDX-License-Identifier: GPL-2.0
/*
 * Counting Bloom filters: every interleaving of adds, dels and a reader, of keys
 * that share counters in one line.
 */
#include <string.h>

#include "interleave.h"

enum { KEY, OTHER, PRESENT, KEYS };

static u64 hash[KEYS];
static struct seen_set *set;

static struct {
	enum seen_result key[2];
	enum seen_result other;
	u32 count[2];
} told;

static u32 count(int key)
{
	return seen_set_count(set, hash[key]);
}

static void add_new(void)
{
	told.key[0] = seen_set_test_and_add(set, hash[KEY]);
}

static void add_new_too(void)
{
	told.key[1] = seen_set_test_and_add(set, hash[KEY]);
}

static void add_more(void)
{
	told.key[0] = seen_set_add_count(set, hash[KEY], 0, &told.count[0]);
}

static void add_more_too(void)
{
	told.key[1] = seen_set_add_count(set, hash[KEY], 0, &told.count[1]);
}

static void del_key(void)
{
	told.key[0] = seen_set_del(set, hash[KEY]);
}

static void del_key_too(void)
{
	told.key[1] = seen_set_del(set, hash[KEY]);
}

static void add_other(void)
{
	told.other = seen_set_add(set, hash[OTHER]);
}

static void del_present(void)
{
	told.other = seen_set_del(set, hash[PRESENT]);
}

static void count_key(void)
{
	told.count[0] = count(KEY);
}

static void after_new(void)
{
	ends++;
	expect((told.key[0] == SEEN_NEW && told.key[1] == SEEN_SEEN) ||
	       (told.key[0] == SEEN_SEEN && told.key[1] == SEEN_NEW));
	expect(told.other == SEEN_NEW && count(KEY) == 1 && count(OTHER) == 1 &&
	       count(PRESENT) == 1);
}

static void after_more(void)
{
	ends++;
	expect((told.key[0] == SEEN_NEW && told.key[1] == SEEN_SEEN) ||
	       (told.key[0] == SEEN_SEEN && told.key[1] == SEEN_NEW));
	expect((told.count[0] == 1 && told.count[1] == 2) ||
	       (told.count[0] == 2 && told.count[1] == 1));
	expect(told.other == SEEN_SEEN && count(KEY) == 2 && !count(PRESENT));
}

static void after_dels(void)
{
	ends++;
	expect((told.key[0] == SEEN_SEEN && told.key[1] == SEEN_ABSENT) ||
	       (told.key[0] == SEEN_ABSENT && told.key[1] == SEEN_SEEN));
	expect(told.other == SEEN_NEW && !count(KEY) && count(OTHER) == 1 &&
	       count(PRESENT) == 1);
}

/* The key is there once all the time: never is it less, or twice. */
static void after_count(void)
{
	ends++;
	expect(told.count[0] == 1 && count(KEY) == 1);
	expect(count(OTHER) == 1 && !count(PRESENT));
}

/* The reader meets an add of the key's second: it was there before. */
static void after_add_count(void)
{
	ends++;
	expect(told.count[0] >= 1 && told.count[0] <= 2 && count(KEY) == 2);
}

/* Two of them, one of which goes. */
static void after_del_count(void)
{
	ends++;
	expect(told.count[0] >= 1 && told.count[0] <= 2 && count(KEY) == 1);
}

/* A set of one line. */
static void fresh_set(void)
{
	if (set)
		set_free(set);
	set = set_planned((struct seen_geometry) {
		.kind = SEEN_SET_COUNTING,
		.capacity = 8,
		.fpp = FPP_ONE / 10,
	});
}

/* Do two keys share a counter, and is the third not seen because of them? */
static bool suits(int a, int b, int third)
{
	u64 used = 0, room = 0;

	fresh_set();
	seen_set_add(set, hash[a]);
	seen_set_add(set, hash[b]);
	seen_set_used(set, 0, 1, &used, &room);
	return used < 2 * set->geo.hashes && !count(third);
}

static void pick_keys(void)
{
	int i;

	do {
		for (i = 0; i < KEYS; i++)
			hash[i] = random64();
	} while (!suits(KEY, OTHER, PRESENT) || !suits(KEY, PRESENT, OTHER) ||
		 !suits(OTHER, PRESENT, KEY));
}

/* In a set that holds PRESENT, and the key @times. */
static void run(const char *name, u32 times, void (*const actors[])(void),
		void (*done)(void))
{
	u64 states;

	fresh_set();
	seen_set_add(set, hash[PRESENT]);
	while (times--)
		seen_set_add(set, hash[KEY]);
	unshare();
	share_set(set);
	share(&told, sizeof(told));
	bad = 0;
	ends = 0;
	states = interleave(actors, done);
	ok(ends && !bad, "%s: %llu states, %llu ends", name,
	   (unsigned long long)states, (unsigned long long)ends);
}

#define ACTORS(...)	((void (*const[])(void)) { __VA_ARGS__, NULL })

int main(void)
{
	test_begin(6);
	pick_keys();
	run("a key twice, if it is new, and another", 0,
	    ACTORS(add_new, add_new_too, add_other), after_new);
	run("a key twice, and another deleted", 0,
	    ACTORS(add_more, add_more_too, del_present), after_more);
	run("a key deleted twice, and another added", 1,
	    ACTORS(del_key, del_key_too, add_other), after_dels);
	run("a count, others added and deleted", 1,
	    ACTORS(count_key, add_other, del_present), after_count);
	run("a count, and an add", 1,
	    ACTORS(count_key, add_new_too, add_more), after_add_count);
	run("a count, and a delete", 2,
	    ACTORS(count_key, add_new_too, del_key), after_del_count);
	return test_end();
}
