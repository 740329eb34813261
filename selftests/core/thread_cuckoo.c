// SPDX-License-Identifier: GPL-2.0
/*
 * Cuckoo filters with threads: a new key is new to exactly one thread, and a key in the set
 * is found at any time, while other keys are added, deleted and moved.
 */
#include <string.h>

#include "test.h"

enum { THREADS = 4 };

enum family { SHARED, STABLE, OWN };

static const u32 sizes[] = { 8, 12, 16, 24, 32 };

static struct seen_set *planned(u32 fp_bits, u64 capacity)
{
	return set_planned((struct seen_geometry) {
		.kind = SEEN_SET_CUCKOO,
		.fp_bits = fp_bits,
		.capacity = capacity,
	});
}

static u64 slots_used(struct seen_set *set)
{
	u64 used = 0, room = 0;

	seen_set_used(set, 0, set->geo.blocks, &used, &room);
	return used;
}

struct once {
	struct seen_set *set;
	u64 keys;
	u8 *new;		/* times that a key was new */
	u64 failed;
};

static void same_keys(int id, void *arg)
{
	struct once *once = arg;
	enum seen_result result;
	u64 i;

	(void)id;
	for (i = 0; i < once->keys; i++) {
		result = seen_set_test_and_add(once->set, hash_of(SHARED, i));
		if (result == SEEN_NEW)
			__atomic_fetch_add(&once->new[i], 1, __ATOMIC_RELAXED);
		else if (result != SEEN_SEEN)
			__atomic_fetch_add(&once->failed, 1, __ATOMIC_RELAXED);
	}
}

/*
 * 32 bits have all of the keys, under a sanitizer too.
 * A key may look like another, and be new to none.
 */
static void exactly_once(u32 fp_bits)
{
	struct once once = {
		.keys = fp_bits == 32 ? much(1000000) : scale(1000000),
	};
	u64 total = 0, twice = 0;
	u64 i;

	once.set = planned(fp_bits, once.keys);
	once.new = calloc(once.keys, 1);
	in_threads(THREADS, same_keys, &once);
	for (i = 0; i < once.keys; i++) {
		total += once.new[i];
		twice += once.new[i] > 1;
	}
	ok(!twice && !once.failed && total == slots_used(once.set) &&
	   rate_kept(once.keys - total, once.keys, once.set->geo.fpp),
	   "%u bits: %llu keys, each new to one thread", fp_bits,
	   (unsigned long long)once.keys);
	free(once.new);
	set_free(once.set);
}

/* Every thread adds one copy of each key: each count is returned to one of the threads. */
struct counts {
	struct seen_set *set;
	u64 keys;
	u8 *told;
};

static void add_copies(int id, void *arg)
{
	struct counts *counts = arg;
	u32 copies;
	u64 i;

	(void)id;
	for (i = 0; i < counts->keys; i++) {
		copies = 0;
		seen_set_add_count(counts->set, hash_of(SHARED, i), THREADS,
				   &copies);
		__atomic_fetch_or(&counts->told[i], 1U << copies,
				  __ATOMIC_RELAXED);
	}
}

static void counted_once(u32 fp_bits)
{
	struct counts counts = { .keys = scale(200000) };
	u64 wrong = 0;
	u64 i;

	counts.set = planned(fp_bits, counts.keys * THREADS * 8);
	counts.told = calloc(counts.keys, 1);
	in_threads(THREADS, add_copies, &counts);
	for (i = 0; i < counts.keys; i++)
		wrong += counts.told[i] != (2 << THREADS) - 2 ||
			 seen_set_count(counts.set, hash_of(SHARED, i)) !=
			 THREADS;
	ok(!wrong, "%u bits: %llu keys, each count returned to one thread",
	   fp_bits, (unsigned long long)counts.keys);
	free(counts.told);
	set_free(counts.set);
}

/*
 * Each thread adds and deletes keys of its own, copies too, in a table that is
 * so full that most adds move others; all look for keys that always are there.
 */
enum { KEYS = 4000, OWN_KEYS = KEYS / 2 / THREADS };

struct churn {
	struct seen_set *set;
	u64 end;	/* of go_on() */
	u64 steps;
	u64 lost;
	u64 full;
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

static void come_and_go(int id, void *arg)
{
	struct churn *churn = arg;
	struct seen_set *set = churn->set;
	bool held[OWN_KEYS] = { };
	u64 state = id + 1;
	u64 lost = 0, full = 0;
	u64 i, r;
	u32 k;

	for (i = 0; go_on(i, churn->end); i++) {
		r = draw(&state);
		lost += seen_set_test(set, hash_of(STABLE, r % (KEYS / 2))) !=
			SEEN_SEEN;
		k = (r >> 32) % OWN_KEYS;
		if (held[k])
			lost += seen_set_del(set, own_hash(id, k)) != SEEN_SEEN;
		else
			full += seen_set_add(set, own_hash(id, k)) ==
				SEEN_FULL;
		held[k] = !held[k];
		k = (r >> 48) % OWN_KEYS;
		lost += held[k] &&
			seen_set_test(set, own_hash(id, k)) != SEEN_SEEN;
	}
	for (k = 0; k < OWN_KEYS; k++)
		if (held[k])
			lost += seen_set_del(set, own_hash(id, k)) != SEEN_SEEN;
	__atomic_fetch_add(&churn->steps, i, __ATOMIC_RELAXED);
	__atomic_fetch_add(&churn->lost, lost, __ATOMIC_RELAXED);
	__atomic_fetch_add(&churn->full, full, __ATOMIC_RELAXED);
}

static void never_lost(u32 fp_bits, bool odd)
{
	struct churn churn = { .end = deadline(2) };
	u64 filler = KEYS / 4;
	u64 i;

	churn.set = planned(fp_bits, KEYS);
	churn.set->geo.blocks -= odd;
	for (i = 0; i < KEYS / 2 + filler; i++)
		seen_set_add(churn.set, hash_of(STABLE, i));
	in_threads(THREADS, come_and_go, &churn);
	ok(!churn.lost && !churn.full &&
	   slots_used(churn.set) == KEYS / 2 + filler,
	   "%u bits: no key is lost in %llu steps", fp_bits,
	   (unsigned long long)churn.steps);
	set_free(churn.set);
}

int main(void)
{
	u32 i;

	test_begin(1 + ARRAY_SIZE(sizes) * 3);
	counted_once(32);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		exactly_once(sizes[i]);
		never_lost(sizes[i], false);
		never_lost(sizes[i], true);
	}
	return test_end();
}
