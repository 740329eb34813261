// SPDX-License-Identifier: GPL-2.0
/*
 * Bloom filters without a window: every interleaving of two adds of one key, and of
 * another operation in the same words.
 */
#include "interleave.h"

enum { KEY, OTHER, PRESENT, KEYS };

static u64 hash[KEYS];
static struct seen_set *set;

static struct {
	enum seen_result key[2];
	enum seen_result other;
} told;

static bool seen(int key)
{
	return seen_set_test(set, hash[key]) == SEEN_SEEN;
}

static void add_key(void)
{
	told.key[0] = seen_set_test_and_add(set, hash[KEY]);
}

static void add_key_too(void)
{
	told.key[1] = seen_set_test_and_add(set, hash[KEY]);
}

static void add_other(void)
{
	told.other = seen_set_test_and_add(set, hash[OTHER]);
}

static void test_present(void)
{
	told.other = seen_set_test(set, hash[PRESENT]);
}

static void expect_once(void)
{
	expect((told.key[0] == SEEN_NEW && told.key[1] == SEEN_SEEN) ||
	       (told.key[0] == SEEN_SEEN && told.key[1] == SEEN_NEW));
	expect(seen(KEY) && seen(PRESENT));
}

static void after_add(void)
{
	ends++;
	expect_once();
	expect(told.other == SEEN_NEW && seen(OTHER));
	expect(seen_set_entries(set) == 3);
}

static void after_test(void)
{
	ends++;
	expect_once();
	expect(told.other == SEEN_SEEN && !seen(OTHER));
	expect(seen_set_entries(set) == 2);
}

/* A set that holds PRESENT, and @key if it is one. */
static void fresh_set(enum seen_set_kind kind, int key)
{
	if (set)
		set_free(set);
	set = set_planned((struct seen_geometry) {
		.kind = kind,
		.capacity = 40,
		.fpp = FPP_ONE / 20,
	});
	seen_set_test_and_add(set, hash[PRESENT]);
	seen_set_test_and_add(set, hash[key]);
}

/* Neither KEY nor OTHER is seen because of the rest. */
static void pick_keys(enum seen_set_kind kind)
{
	bool good;
	int i;

	do {
		for (i = 0; i < KEYS; i++)
			hash[i] = random64();
		fresh_set(kind, KEY);
		good = !seen(OTHER);
		fresh_set(kind, OTHER);
		good &= !seen(KEY);
	} while (!good);
	fresh_set(kind, PRESENT);
	unshare();
	share_set(set);
	share(&told, sizeof(told));
}

static void run(enum seen_set_kind kind, const char *name,
		void (*third)(void), void (*done)(void))
{
	void (*const actors[])(void) = { add_key, add_key_too, third, NULL };

	pick_keys(kind);
	play(name, actors, done);
}

int main(void)
{
	test_begin(4);
	run(SEEN_SET_BLOCKED, "blocked: a key twice, and another",
	    add_other, after_add);
	run(SEEN_SET_BLOCKED, "blocked: a key twice, a test of a stored key",
	    test_present, after_test);
	run(SEEN_SET_CLASSIC, "classic: a key twice, and another",
	    add_other, after_add);
	run(SEEN_SET_CLASSIC, "classic: a key twice, a test of a stored key",
	    test_present, after_test);
	return test_end();
}
