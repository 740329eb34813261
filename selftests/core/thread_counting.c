// SPDX-License-Identifier: GPL-2.0
/*
 * Counting Bloom filters with threads: a new key is new to as many threads as the threshold,
 * by default one; each count of a key is returned once; and a key that was added is seen
 * and counted at any time, while other keys in the same lines are added and deleted.
 */
#include <string.h>

#include "test.h"

enum { THREADS = 4 };

enum family { SHARED, STABLE, OWN };

static struct seen_set *planned(u64 capacity, u32 threshold)
{
	return set_planned((struct seen_geometry) {
		.kind = SEEN_SET_COUNTING,
		.capacity = capacity,
		.fpp = FPP_ONE / 400,
		.threshold = threshold,
	});
}

static void count(u64 *sum, u64 n)
{
	__atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
}

struct once {
	struct seen_set *set;
	u64 keys;
	u8 *news;	/* a counter a key */
	u64 wrong;
};

/* The same keys in the same order: the threads meet at most of them. */
static void add_all(int id, void *arg)
{
	struct once *once = arg;
	enum seen_result result;
	u64 wrong = 0, i;

	(void)id;
	for (i = 0; i < once->keys; i++) {
		result = seen_set_test_and_add(once->set, hash_of(SHARED, i));
		if (result == SEEN_NEW)
			__atomic_fetch_add(&once->news[i], 1, __ATOMIC_RELAXED);
		else
			wrong += result != SEEN_SEEN;
	}
	count(&once->wrong, wrong);
}

/* With others' counters a key is seen earlier: then it is new to fewer. */
static void test_once(u32 threshold)
{
	struct once once = {
		.keys = threshold == 1 ? much(1000000) : scale(1000000),
	};
	u64 more = 0, fewer = 0;
	u64 i;

	once.set = planned(once.keys, threshold);
	once.news = calloc(once.keys, 1);
	in_threads(THREADS, add_all, &once);
	for (i = 0; i < once.keys; i++) {
		more += once.news[i] > threshold;
		fewer += once.news[i] < threshold;
		once.wrong += seen_set_count(once.set, hash_of(SHARED, i)) <
			      threshold;
	}
	ok(!once.wrong && !more &&
	   rate_kept(fewer, once.keys, once.set->geo.fpp),
	   "threshold %u: each of %llu keys is new to this many threads",
	   threshold, (unsigned long long)once.keys);
	free(once.news);
	set_free(once.set);
}

/* Every thread adds each key: each count is returned to one of the threads. */
struct counts {
	struct seen_set *set;
	u64 keys;
	u16 *told;	/* a map */
	u64 twice;
};

static void add_copies(int id, void *arg)
{
	struct counts *counts = arg;
	u16 bit, before;
	u32 has;
	u64 i;

	(void)id;
	for (i = 0; i < counts->keys; i++) {
		seen_set_add_count(counts->set, hash_of(SHARED, i), 0, &has);
		bit = 1U << has;
		before = __atomic_fetch_or(&counts->told[i], bit,
					   __ATOMIC_RELAXED);
		count(&counts->twice, before & bit ? 1 : 0);
	}
}

static void remove_copies(int id, void *arg)
{
	struct counts *counts = arg;
	u64 i;

	(void)id;
	for (i = 0; i < counts->keys; i++)
		count(&counts->twice,
		      seen_set_del(counts->set, hash_of(SHARED, i)) !=
		      SEEN_SEEN);
}

/*
 * Four keys with four copies each would stick in a counter that they share. In so
 * large a table the chance that four do is 2 * 10^-5.
 */
static void test_counts(void)
{
	struct counts counts = { .keys = 10000 };
	u64 used = 0, room = 0, wrong = 0;
	u64 i;

	counts.set = planned(counts.keys * 256, 1);
	counts.told = calloc(counts.keys, sizeof(*counts.told));
	in_threads(THREADS, add_copies, &counts);
	for (i = 0; i < counts.keys; i++)
		wrong += seen_set_count(counts.set, hash_of(SHARED, i)) <
			 THREADS;
	ok(!wrong && !counts.twice,
	   "%llu keys: no count is returned to two threads, no count is lost",
	   (unsigned long long)counts.keys);
	in_threads(THREADS, remove_copies, &counts);
	seen_set_used(counts.set, 0, U64_MAX, &used, &room);
	ok(!counts.twice && !used && !seen_set_entries(counts.set),
	   "keys deleted as often as added leave nothing");
	free(counts.told);
	set_free(counts.set);
}

/*
 * Each thread adds and deletes keys of its own in lines of all others; all look
 * for keys that always are there, and some that are there twice.
 */
enum { KEYS = 400, OWN_KEYS = KEYS / 2 / THREADS };

struct churn {
	struct seen_set *set;
	u64 end;	/* of go_on() */
	u64 steps;
	u64 lost;
};

static u64 own_hash(int id, u32 k)
{
	return hash_of(OWN, id * OWN_KEYS + k);
}

/* Threads draw from sequences of their own. */
static u64 draw(u64 *state)
{
	*state += 0x9e3779b97f4a7c15ULL;
	return seen_remix(*state);
}

/* Up to three times, so that no counter sticks by many in its line. */
static bool own_step(struct churn *churn, u64 hash, u8 *held, bool del)
{
	enum seen_result result;

	if (seen_set_count(churn->set, hash) < *held)
		return false;
	if (del && *held) {
		--*held;
		return seen_set_del(churn->set, hash) == SEEN_SEEN;
	}
	if (*held == 3)
		return true;
	result = seen_set_add(churn->set, hash);
	if (*held && result != SEEN_SEEN)
		return false;
	++*held;
	return result != SEEN_FULL;
}

static void come_and_go(int id, void *arg)
{
	struct churn *churn = arg;
	u8 held[OWN_KEYS] = { };
	u64 state = id + 1;
	u64 lost = 0;
	u64 i, k, r;

	for (i = 0; go_on(i, churn->end); i++) {
		r = draw(&state);
		k = r % (KEYS / 2);
		lost += seen_set_count(churn->set, hash_of(STABLE, k)) <
			1 + k % 2;
		k = (r >> 32) % OWN_KEYS;
		lost += !own_step(churn, own_hash(id, k), &held[k], r >> 63);
	}
	for (k = 0; k < OWN_KEYS; k++)
		while (held[k])
			lost += !own_step(churn, own_hash(id, k), &held[k],
					  true);
	count(&churn->steps, i);
	count(&churn->lost, lost);
}

/* The table is then as if the others had never been. */
static void test_churn(void)
{
	struct churn churn = { .end = deadline(5) };
	void *before;
	u64 entries;
	u64 k;

	churn.set = planned(4 * KEYS, 1);
	for (k = 0; k < KEYS / 2; k++) {
		seen_set_add(churn.set, hash_of(STABLE, k));
		if (k % 2)
			seen_set_add(churn.set, hash_of(STABLE, k));
	}
	before = copy_table(churn.set);
	entries = seen_set_entries(churn.set);
	in_threads(THREADS, come_and_go, &churn);
	ok(!churn.lost, "no key is lost, or counted too few, in %llu steps",
	   (unsigned long long)churn.steps);
	ok(same_table(churn.set, before) &&
	   seen_set_entries(churn.set) == entries,
	   "deleted keys leave no trace");
	free(before);
	set_free(churn.set);
}

int main(void)
{
	test_begin(6);
	test_once(1);
	test_once(3);
	test_counts();
	test_churn();
	return test_end();
}
