// SPDX-License-Identifier: GPL-2.0
/*
 * Bitmaps: every interleaving of two adds or two dels of one number, and of another
 * operation in the same word.
 */
#include "interleave.h"

enum { NUMBER = 5, OTHER = 6, PRESENT = 7, NUMBERS = 64 };

static struct seen_set *set;

static struct {
	enum seen_result number[2];
	enum seen_result other;
} told;

static bool seen(u64 number)
{
	return seen_set_test(set, number) == SEEN_SEEN;
}

static void add_number(void)
{
	told.number[0] = seen_set_test_and_add(set, NUMBER);
}

static void add_number_too(void)
{
	told.number[1] = seen_set_add(set, NUMBER);
}

static void del_number(void)
{
	told.number[0] = seen_set_del(set, NUMBER);
}

static void del_number_too(void)
{
	told.number[1] = seen_set_del(set, NUMBER);
}

static void add_other(void)
{
	told.other = seen_set_test_and_add(set, OTHER);
}

static void del_present(void)
{
	told.other = seen_set_del(set, PRESENT);
}

static void test_present(void)
{
	told.other = seen_set_test(set, PRESENT);
}

/* One of the two actors got the result @one, the other got @two. */
static void expect_once(enum seen_result one, enum seen_result two)
{
	ends++;
	expect((told.number[0] == one && told.number[1] == two) ||
	       (told.number[0] == two && told.number[1] == one));
}

static void after_adds(void)
{
	expect_once(SEEN_NEW, SEEN_SEEN);
	expect(told.other == SEEN_NEW && seen(NUMBER) && seen(OTHER) &&
	       seen(PRESENT) && seen_set_entries(set) == 3);
}

static void after_adds_and_del(void)
{
	expect_once(SEEN_NEW, SEEN_SEEN);
	expect(told.other == SEEN_SEEN && seen(NUMBER) && !seen(PRESENT) &&
	       seen_set_entries(set) == 1);
}

static void after_dels(void)
{
	expect_once(SEEN_SEEN, SEEN_ABSENT);
	expect(told.other == SEEN_NEW && !seen(NUMBER) && seen(OTHER) &&
	       seen(PRESENT) && seen_set_entries(set) == 2);
}

static void after_dels_and_test(void)
{
	expect_once(SEEN_SEEN, SEEN_ABSENT);
	expect(told.other == SEEN_SEEN && !seen(NUMBER) && seen(PRESENT) &&
	       seen_set_entries(set) == 1);
}

/* One add and one del in any order: the last one decides if the number is in the set. */
static void after_both(void)
{
	bool added = told.number[1] == SEEN_NEW;
	bool removed = told.number[0] == SEEN_SEEN;

	ends++;
	expect(added || told.number[1] == SEEN_SEEN);
	expect(removed || told.number[0] == SEEN_ABSENT);
	expect(seen(NUMBER) == (added && !removed));
	expect(seen_set_entries(set) == (seen(NUMBER) ? 2 : 1));
}

static void fresh_set(bool number)
{
	if (set)
		set_free(set);
	set = set_planned((struct seen_geometry) {
		.kind = SEEN_SET_BITMAP,
		.capacity = NUMBERS,
	});
	seen_set_add(set, PRESENT);
	if (number)
		seen_set_add(set, NUMBER);
	unshare();
	share_set(set);
	share(&told, sizeof(told));
}

static void run(const char *name, bool number, void (*const actors[])(void),
		void (*done)(void))
{
	fresh_set(number);
	play(name, actors, done);
}

#define ACTORS(...)	((void (*const[])(void)) { __VA_ARGS__, NULL })

int main(void)
{
	test_begin(5);
	run("a number added twice, and its neighbour", false,
	    ACTORS(add_number, add_number_too, add_other), after_adds);
	run("a number added twice, its neighbour deleted", false,
	    ACTORS(add_number, add_number_too, del_present),
	    after_adds_and_del);
	run("a number deleted twice, its neighbour added", true,
	    ACTORS(del_number, del_number_too, add_other), after_dels);
	run("a number deleted twice, its neighbour tested", true,
	    ACTORS(del_number, del_number_too, test_present),
	    after_dels_and_test);
	run("a number added and deleted", false,
	    ACTORS(del_number, add_number_too), after_both);
	return test_end();
}
