// SPDX-License-Identifier: GPL-2.0
/*
 * Bitmaps with threads: a number is new to exactly one thread, and exactly one thread
 * deletes it, also while other numbers in its word are added and deleted.
 */
#include "test.h"

enum { THREADS = 4 };

static struct seen_set *planned(u64 numbers)
{
	return set_planned((struct seen_geometry) {
		.kind = SEEN_SET_BITMAP,
		.capacity = numbers,
	});
}

static void count(u64 *sum, u64 n)
{
	__atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
}

/* All of the numbers by all threads, which meet at most of them. */
struct once {
	struct seen_set *set;
	bool del;
	u8 *done;	/* a counter a number */
	u64 wrong;
};

static void all(int id, void *arg)
{
	struct once *once = arg;
	enum seen_result result, mine, others;
	u64 wrong = 0, n;

	(void)id;
	mine = once->del ? SEEN_SEEN : SEEN_NEW;
	others = once->del ? SEEN_ABSENT : SEEN_SEEN;
	for (n = 0; n < once->set->geo.capacity; n++) {
		result = once->del ? seen_set_del(once->set, n)
				   : seen_set_test_and_add(once->set, n);
		if (result == mine)
			__atomic_fetch_add(&once->done[n], 1, __ATOMIC_RELAXED);
		else
			wrong += result != others;
		wrong += seen_set_test(once->set, n) ==
			 (once->del ? SEEN_SEEN : SEEN_NEW);
	}
	count(&once->wrong, wrong);
}

static void exactly_once(struct once *once, bool del)
{
	u64 numbers = once->set->geo.capacity;
	u64 n;

	once->del = del;
	once->done = calloc(numbers, 1);
	once->wrong = 0;
	in_threads(THREADS, all, once);
	for (n = 0; n < numbers; n++)
		once->wrong += once->done[n] != 1;
	ok(!once->wrong && seen_set_entries(once->set) == (del ? 0 : numbers),
	   "each of %llu numbers is %s by one thread",
	   (unsigned long long)numbers, del ? "removed" : "added");
	free(once->done);
}

/*
 * Each thread has numbers of its own, in words that all threads use, which only this thread
 * adds and deletes. Other numbers are for all threads: their adds and dels must alternate.
 */
enum { WORDS = 64, NUMBERS = 64 * WORDS };

struct churn {
	struct seen_set *set;
	u64 end;	/* of go_on() */
	u64 steps;
	u64 wrong;
	s64 added[NUMBERS];
};

/* Threads draw from sequences of their own. */
static u64 draw(u64 *state)
{
	*state += 0x9e3779b97f4a7c15ULL;
	return seen_remix(*state);
}

static bool own_step(struct seen_set *set, u64 n, bool *there)
{
	bool was = *there;

	if ((seen_set_test(set, n) == SEEN_SEEN) != was)
		return false;
	*there = !was;
	if (was)
		return seen_set_del(set, n) == SEEN_SEEN;
	return seen_set_add(set, n) == SEEN_NEW;
}

static void shared_step(struct churn *c, u64 n, bool del)
{
	if (del && seen_set_del(c->set, n) == SEEN_SEEN)
		__atomic_fetch_sub(&c->added[n], 1, __ATOMIC_RELAXED);
	else if (!del && seen_set_test_and_add(c->set, n) == SEEN_NEW)
		__atomic_fetch_add(&c->added[n], 1, __ATOMIC_RELAXED);
}

static void come_and_go(int id, void *arg)
{
	struct churn *c = arg;
	bool there[NUMBERS] = { };
	u64 state = id + 1;
	u64 wrong = 0;
	u64 i, n, r;

	for (i = 0; go_on(i, c->end); i++) {
		r = draw(&state);
		n = r % NUMBERS / 8 * 8;
		wrong += !own_step(c->set, n + id, &there[n]);
		shared_step(c, n + THREADS + (r >> 40) % THREADS, r >> 63);
	}
	for (n = 0; n < NUMBERS; n += 8)
		if (there[n])
			wrong += !own_step(c->set, n + id, &there[n]);
	count(&c->steps, i);
	count(&c->wrong, wrong);
}

static void test_churn(void)
{
	static struct churn churn;
	u64 in = 0;
	u64 n;

	churn.set = planned(NUMBERS);
	churn.end = deadline(5);
	in_threads(THREADS, come_and_go, &churn);
	for (n = 0; n < NUMBERS; n++) {
		in += churn.added[n];
		churn.wrong += churn.added[n] !=
			       (seen_set_test(churn.set, n) == SEEN_SEEN);
	}
	ok(!churn.wrong && seen_set_entries(churn.set) == in,
	   "%llu steps in the same words: no number is lost, adds and dels alternate",
	   (unsigned long long)churn.steps);
	set_free(churn.set);
}

int main(void)
{
	struct once once;

	test_begin(5);
	once.set = planned(much(1000000));
	exactly_once(&once, false);
	exactly_once(&once, true);
	exactly_once(&once, false);
	exactly_once(&once, true);
	set_free(once.set);
	test_churn();
	return test_end();
}
