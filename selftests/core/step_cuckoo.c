// SPDX-License-Identifier: GPL-2.0
/*
 * Cuckoo filters: every interleaving of adds that move other fingerprints, of tests, adds
 * and deletes, in a table of a few buckets, each under a stripe of its own.
 */
#include <string.h>

#include "cuckoo.h"
#include "interleave.h"
#include "kinds.h"

enum { BUCKETS = 6, STRIPES = 8, KEYS_MAX = 4 * BUCKETS };

static struct seen_set *set;
static u64 key[KEYS_MAX];	/* that are in the table */
static u32 keys;
static u64 fresh;		/* that is not */
static u64 moved;		/* that must make room for it, by going to where */
static u64 other;		/* may go, too, but not both: one slot is free */
static u64 heir;		/* may lie where that lies */

/* The results of the actors. Shared, because they are checked in each final state. */
static struct {
	enum seen_result fresh[2];
	enum seen_result other;
	enum seen_result heir;
	enum seen_result moved[2];
} told;

static void *aligned(size_t bytes)
{
	return memset(aligned_alloc(64, bytes), 0, bytes);
}

/* A stripe for each bucket. */
static void new_set(u32 fp_bits)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_CUCKOO,
		.fp_bits = fp_bits,
		.capacity = KEYS_MAX,
		.blocks = BUCKETS,
	};
	int i;

	if (set)
		set_free(set);
	set = set_new(&geo);
	free(set->stripes);
	set->stripes = aligned(STRIPES * sizeof(*set->stripes));
	set->stripe_mask = STRIPES - 1;
	for (i = 0; i < STRIPES; i++) {
		spin_lock_init(&set->stripes[i].lock);
		seqcount_init(&set->stripes[i].seq);
	}
}

static bool seen(u64 hash)
{
	return seen_set_test(set, hash) == SEEN_SEEN;
}

static bool full(u64 bucket)
{
	return !seen_cuckoo_slots(set, bucket, 0);
}

/* The place of a key, as the first of its copies in a table of its own shows. */
static struct seen_cuckoo_key place(u64 hash)
{
	struct seen_cuckoo_key place = { };
	struct seen_set *table = set;

	set = NULL;
	new_set(table->geo.fp_bits);
	seen_set_add(set, hash);
	while (!seen_cuckoo_used(set, place.bucket[0]))
		place.bucket[0]++;
	while (!place.fp)
		place.fp = seen_cuckoo_get(set, place.bucket[0],
					   place.bucket[1]++);
	place.bucket[1] = seen_cuckoo_other(set, place.bucket[0], place.fp);
	set_free(set);
	set = table;
	return place;
}

/* The key that was moved out of its bucket @from, if there is one. */
static u64 moved_from(int from, void *before)
{
	struct seen_cuckoo_key at;
	void *after = set->table;
	bool was, is;
	u32 i;

	for (i = 0; i < keys; i++) {
		at = place(key[i]);
		is = seen_cuckoo_slots(set, at.bucket[from], at.fp);
		set->table = before;
		was = seen_cuckoo_slots(set, at.bucket[from], at.fp);
		set->table = after;
		if (was && !is)
			return key[i];
	}
	return 0;
}

/* A few holes in a full table, and a key of which both buckets are full. */
static bool fill_but(u32 holes)
{
	struct seen_cuckoo_key at;
	u32 tries;

	for (keys = 0; keys < KEYS_MAX - 1; keys++) {
		key[keys] = random64();
		if (seen_set_test_and_add(set, key[keys]) != SEEN_NEW)
			break;
	}
	while (holes-- && keys)
		seen_set_del(set, key[--keys]);
	for (tries = 0; tries < 20; tries++) {
		fresh = random64();
		at = place(fresh);
		if (full(at.bucket[0]) && full(at.bucket[1]) && !seen(fresh))
			return true;
	}
	return false;
}

static u64 key_for(u64 bucket)
{
	u64 hash;

	do
		hash = random64();
	while (place(hash).bucket[0] != bucket);
	return hash;
}

static bool pick_others(int from)
{
	struct seen_cuckoo_key at = place(moved);
	u32 room = seen_cuckoo_slots(set, at.bucket[!from], 0);

	other = key_for(at.bucket[!from]);
	heir = key_for(at.bucket[from]);
	return room && !(room & (room - 1)) && !seen(other) && !seen(heir);
}

/*
 * A table in which an add of @fresh moves @moved from its bucket @from. A reader
 * looks into a key's bucket 0 first, so it is a move from bucket 1 that it could
 * miss.
 */
static bool try_table(u32 fp_bits, int from)
{
	enum seen_result result;
	void *before;

	new_set(fp_bits);
	if (!fill_but(2 + random_below(3)))
		return false;

	before = copy_table(set);
	result = seen_set_test_and_add(set, fresh);
	moved = moved_from(from, before);
	memcpy(set->table, before, seen_geometry_bytes(&set->geo));
	free(before);
	set->crowded = false;
	return result == SEEN_NEW && moved && pick_others(from);
}

static void full_table(u32 fp_bits, int from)
{
	while (!try_table(fp_bits, from))
		;
	unshare();
	share_set(set);
	share(set->stripes, STRIPES * sizeof(*set->stripes));
	memset(&told, 0xff, sizeof(told));
	share(&told, sizeof(told));
}

static void add_fresh(void)
{
	told.fresh[0] = seen_set_test_and_add(set, fresh);
}

static void add_fresh_too(void)
{
	told.fresh[1] = seen_set_test_and_add(set, fresh);
}

static void add_other(void)
{
	told.other = seen_set_test_and_add(set, other);
}

static void test_moved(void)
{
	told.moved[0] = seen_set_test(set, moved);
}

static void add_moved(void)
{
	told.moved[1] = seen_set_test_and_add(set, moved);
}

static void del_moved(void)
{
	told.moved[1] = seen_set_del(set, moved);
}

static void del_moved_add_heir(void)
{
	told.moved[1] = seen_set_del(set, moved);
	told.heir = seen_set_test_and_add(set, heir);
}

/* One copy goes, but another came before. */
static void copy_and_del_moved(void)
{
	seen_set_add(set, moved);
	told.moved[1] = seen_set_del(set, moved);
}

static u64 used(void)
{
	u64 slots = 0, room = 0;

	seen_set_used(set, 0, BUCKETS, &slots, &room);
	return slots;
}

static void expect_keys(u64 but)
{
	u32 i;

	for (i = 0; i < keys; i++)
		expect(seen(key[i]) || key[i] == but);
}

static void after_move(void)
{
	ends++;
	expect(told.fresh[0] == SEEN_NEW);
	expect(told.moved[0] == SEEN_SEEN && told.moved[1] == SEEN_SEEN);
	expect(seen(fresh) && used() == keys + 1);
	expect_keys(0);
}

static void after_two(void)
{
	ends++;
	expect((told.fresh[0] == SEEN_NEW) + (told.fresh[1] == SEEN_NEW) == 1);
	expect((told.fresh[0] == SEEN_SEEN) + (told.fresh[1] == SEEN_SEEN) == 1);
	expect(seen(fresh) && used() == keys + 1);
	expect_keys(0);
}

/* A second new key may take the slot that was free, and need not fit then. */
static void after_race(void)
{
	u64 stored = (told.fresh[0] == SEEN_NEW) + (told.other == SEEN_NEW);

	ends++;
	expect(told.fresh[0] == SEEN_NEW || told.fresh[0] == SEEN_FULL);
	expect(told.other == SEEN_NEW || told.other == SEEN_FULL);
	expect(stored && used() == keys + stored);
	expect(seen(fresh) == (told.fresh[0] == SEEN_NEW));
	expect(seen(other) == (told.other == SEEN_NEW));
	expect_keys(0);
}

static void after_del(void)
{
	ends++;
	expect(told.fresh[0] == SEEN_NEW && told.moved[1] == SEEN_SEEN);
	expect(seen(fresh) && !seen(moved) && used() == keys);
	expect_keys(moved);
}

static void after_heir(void)
{
	ends++;
	expect(told.fresh[0] == SEEN_NEW && told.moved[1] == SEEN_SEEN);
	expect(told.heir == SEEN_NEW || told.heir == SEEN_FULL);
	expect(seen(fresh) && seen(heir) == (told.heir == SEEN_NEW));
	expect_keys(moved);
}

static void after_copy(void)
{
	ends++;
	expect(told.moved[0] == SEEN_SEEN && told.moved[1] == SEEN_SEEN);
	expect_keys(0);
}

static void run(u32 fp_bits, int from, const char *name,
		void (*const *actors)(void), void (*done)(void))
{
	u64 states;

	bad = 0;
	ends = 0;
	full_table(fp_bits, from);
	states = interleave(actors, done);
	ok(ends && !bad, "%u bits, bucket %d, %s: %llu states, %llu ends",
	   fp_bits, from, name, (unsigned long long)states,
	   (unsigned long long)ends);
}

static void all(u32 fp_bits, int from)
{
	run(fp_bits, from, "move, test, test-and-add",
	    (void (*[])(void)) { add_fresh, test_moved, add_moved, NULL },
	    after_move);
	run(fp_bits, from, "a new key twice",
	    (void (*[])(void)) { add_fresh, add_fresh_too, NULL }, after_two);
	run(fp_bits, from, "two new keys",
	    (void (*[])(void)) { add_fresh, add_other, NULL }, after_race);
	run(fp_bits, from, "move and delete",
	    (void (*[])(void)) { add_fresh, del_moved, NULL }, after_del);
	run(fp_bits, from, "move and replace",
	    (void (*[])(void)) { add_fresh, del_moved_add_heir, NULL },
	    after_heir);
	run(fp_bits, from, "test while copies are added and deleted",
	    (void (*[])(void)) { copy_and_del_moved, test_moved, NULL },
	    after_copy);
}

int main(void)
{
	static const u32 sizes[] = { 8, 12, 16, 24, 32 };
	u32 i;

	test_begin(12 * ARRAY_SIZE(sizes));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		all(sizes[i], 0);
		all(sizes[i], 1);
	}
	return test_end();
}
