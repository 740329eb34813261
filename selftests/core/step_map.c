// SPDX-License-Identifier: GPL-2.0
/*
 * Maps: every interleaving of adds that move other entries, of changes of a value, of
 * deletes, lookups and a rehash, in a table of four buckets, each under a stripe of its
 * own. An entry has a head and two words for the key.
 */
#include "interleave.h"
#include "keycount.h"
#include "map_keys.h"
#include "pair.h"

enum { BUCKETS = 4, STRIPES = 8, SLOTS = 4 * BUCKETS, LEN = 8 };
/* Slots that are copied when a rehash's actors begin. */
enum { COPIED = SLOTS / 2 };

static struct seen_set *set;
static struct seen_item item[SLOTS];	/* in the table, valued 0, 1, ... */
static u32 keys;
static struct seen_item fresh;		/* that is not */
static struct seen_item moved;		/* that must make room for it */
static u32 moved_value;
static struct seen_item twin;		/* as moved, but for the last byte */
static u32 restless;		/* may leave and come back to its slot */
static u32 late;		/* in the half that a rehash copies last */
static struct seen_map_table next;	/* of a rehash */

/* The results of the actors. Shared, because they are checked in each final state. */
static struct {
	enum seen_result result[3];
	bool seen[2];
	bool done;
	u32 value[2];
	struct seen_map_table old;
} told;

enum { FRESH_VALUE = 100, NEW_VALUE, TWIN_VALUE };

static void new_set(void)
{
	struct seen_geometry geo = map_tiny(LEN, BUCKETS);
	int i;

	if (set)
		set_free(set);
	set = set_new(&geo);
	free(set->stripes);
	set->stripes = aligned_alloc(64, STRIPES * sizeof(*set->stripes));
	memset(set->stripes, 0, STRIPES * sizeof(*set->stripes));
	set->stripe_mask = STRIPES - 1;
	for (i = 0; i < STRIPES; i++) {
		spin_lock_init(&set->stripes[i].lock);
		seqcount_init(&set->stripes[i].seq);
	}
}

static struct seen_map_key key_of(const struct seen_item *of)
{
	const struct seen_map_view view = seen_map_view(set, set->table);
	struct seen_map_key key = { };
	u32 i;

	key.entry.word[0] = (of->hash & ~0xffULL) | (of->len + 1);
	for (i = 0; i < of->len; i++)
		key.entry.word[1 + (i + 4) / 8] |=
			(u64)of->key[i] << (i + 4) % 8 * 8;
	seen_map_locate(&view, &key);
	return key;
}

/* Where a key is: its first bucket, its second, or neither. */
static int side_of(const struct seen_item *of)
{
	const struct seen_map_view view = seen_map_view(set, set->table);
	struct seen_map_key key = key_of(of);
	struct seen_map_slot slot;

	if (!seen_map_find(&view, &key, &slot))
		return -1;
	return slot.bucket == key.bucket[1];
}

static u32 find_moved(const int *before, int from)
{
	u32 i;

	for (i = 0; i < keys; i++)
		if (before[i] == from && side_of(&item[i]) == !from)
			return i;
	return keys;
}

/*
 * A key in a full bucket of @moved's that is the first of its own two: to go
 * and come again changes nothing.
 */
static u32 find_restless(void)
{
	const struct seen_map_view view = seen_map_view(set, set->table);
	struct seen_map_key by = key_of(&moved), key;
	u32 i;

	for (i = 0; i < keys; i++) {
		key = key_of(&item[i]);
		if (i != moved_value && !side_of(&item[i]) &&
		    !seen_map_slots(&view, key.bucket[0], 0) &&
		    (key.bucket[0] == by.bucket[0] ||
		     key.bucket[0] == by.bucket[1]))
			break;
	}
	return i;
}

/* A table in which an add of @fresh moves @moved from its bucket @from. */
static bool try_table(u32 count, int from)
{
	enum seen_result result;
	int before[SLOTS];
	void *copy;
	u32 i;

	new_set();
	for (keys = 0; keys < count; keys++) {
		item[keys] = map_item(set, LEN, random64());
		if (seen_item_put(set, &item[keys], keys) != SEEN_NEW)
			return false;
	}
	fresh = map_item(set, LEN, random64());
	for (i = 0; i < keys; i++)
		before[i] = side_of(&item[i]);
	copy = copy_table(set);
	result = seen_item_put(set, &fresh, FRESH_VALUE);
	moved_value = find_moved(before, from);
	memcpy(set->table, copy, seen_geometry_bytes(&set->geo));
	free(copy);
	set->map.torn = false;
	seen_keycount_uncount(set);
	if (result != SEEN_NEW || moved_value == keys)
		return false;
	moved = item[moved_value];
	twin = moved;
	twin.key[LEN - 1] ^= 1;
	restless = find_restless();
	return restless < keys;
}

static void prepare(u32 count, int from)
{
	while (!try_table(count, from))
		;
	unshare();
	share_set(set);
	share(set->stripes, STRIPES * sizeof(*set->stripes));
	memset(&told, 0xff, sizeof(told));
	share(&told, sizeof(told));
	free(next.entries);
	next = map_table(set, random64());
	share(next.entries, seen_geometry_bytes(&set->geo));
}

static void add_fresh(void)
{
	told.result[0] = seen_item_put(set, &fresh, FRESH_VALUE);
}

static void add_fresh_too(void)
{
	told.result[1] = seen_map_add(set, &fresh, NEW_VALUE, false);
}

static void test_moved(void)
{
	told.seen[0] = seen_item_value(set, &moved, &told.value[0]);
}

static void test_twin(void)
{
	told.seen[1] = seen_item_value(set, &twin, &told.value[1]);
}

static void test_late(void)
{
	told.seen[0] = seen_item_value(set, &item[late], &told.value[0]);
}

static void change_moved(void)
{
	told.result[2] = seen_item_put(set, &moved, NEW_VALUE);
}

static void del_moved(void)
{
	told.result[2] = seen_item_del(set, &moved);
}

/* It takes the slot, and has the same head and the same first bytes. */
static void del_moved_add_twin(void)
{
	told.result[2] = seen_item_del(set, &moved);
	told.result[0] = seen_item_put(set, &twin, TWIN_VALUE);
}

/* A lookup that loses each race, and then one with a move. */
static void disturb_and_add_fresh(void)
{
	int i;

	for (i = 0; i < SEEN_PAIR_TRIES; i++) {
		seen_item_del(set, &item[restless]);
		seen_item_put(set, &item[restless], restless);
	}
	add_fresh();
}

static void copy_some(void)
{
	u64 at = COPIED;

	do
		at = seen_map_rehash_step(set, at, 3);
	while (at);
}

static void end_rehash(void)
{
	told.done = seen_map_rehash_end(set, &told.old);
}

static void copy_and_end(void)
{
	copy_some();
	end_rehash();
}

static bool has(const struct seen_item *of, u32 value)
{
	u32 now;

	return seen_item_value(set, of, &now) && now == value;
}

static bool lacks(const struct seen_item *of)
{
	u32 now;

	return !seen_item_value(set, of, &now);
}

/* All but @moved, and so many others. */
static void expect_keys(u32 more)
{
	u32 i;

	for (i = 0; i < keys; i++)
		expect(i == moved_value || has(&item[i], i));
	expect(map_used(set) == keys - 1 + more);
	expect(seen_keycount_keys(set, 0) == keys - 1 + more);
}

static void expect_moved_seen(void)
{
	expect(told.seen[0] && (told.value[0] == moved_value ||
				told.value[0] == NEW_VALUE));
}

static void after_move(void)
{
	ends++;
	expect(told.result[0] == SEEN_NEW && has(&fresh, FRESH_VALUE));
	expect_moved_seen();
	expect(has(&moved, moved_value));
	expect_keys(2);
}

static void after_two(void)
{
	ends++;
	expect((told.result[0] == SEEN_NEW) != (told.result[1] == SEEN_NEW));
	expect((told.result[0] == SEEN_SEEN) != (told.result[1] == SEEN_SEEN));
	expect(has(&fresh, FRESH_VALUE));
	expect(has(&moved, moved_value));
	expect_keys(2);
}

static void after_change(void)
{
	ends++;
	expect(told.result[0] == SEEN_NEW && has(&fresh, FRESH_VALUE));
	expect(told.result[2] == SEEN_SEEN && has(&moved, NEW_VALUE));
	expect_moved_seen();
	expect_keys(2);
}

static void after_del(void)
{
	ends++;
	expect(told.result[0] == SEEN_NEW && has(&fresh, FRESH_VALUE));
	expect(told.result[2] == SEEN_SEEN && lacks(&moved));
	expect_keys(1);
}

static void after_twin(void)
{
	ends++;
	expect(told.result[2] == SEEN_SEEN && lacks(&moved));
	expect(told.result[0] == SEEN_NEW && has(&twin, TWIN_VALUE));
	expect(!told.seen[0] || told.value[0] == moved_value);
	expect(!told.seen[1] || told.value[1] == TWIN_VALUE);
	expect_keys(1);
}

/* Only what was copied and changed in time is in the table now. */
static void end_now(void)
{
	end_rehash();
	expect(told.done && told.old.entries != next.entries);
}

static void after_add_and_copy(void)
{
	end_now();
	after_move();
}

static void after_two_and_copy(void)
{
	end_now();
	after_two();
}

static void after_change_and_copy(void)
{
	ends++;
	end_now();
	expect(told.result[2] == SEEN_SEEN && has(&moved, NEW_VALUE));
	expect_moved_seen();
	expect_keys(1);
}

static void after_del_and_copy(void)
{
	ends++;
	end_now();
	expect(told.result[2] == SEEN_SEEN && lacks(&moved));
	expect_keys(0);
}

/* Whether the end came before or after: there is no moment without the keys. */
static void after_end(void)
{
	expect(told.done);
	after_move();
}

static void after_end_and_test(void)
{
	ends++;
	expect(told.done && told.seen[0] && told.value[0] == late);
	expect(has(&moved, moved_value));
	expect_keys(1);
}

static void after_end_and_del(void)
{
	ends++;
	expect(told.done && told.result[2] == SEEN_SEEN && lacks(&moved));
	expect(!told.seen[0] || told.value[0] == moved_value);
	expect_keys(0);
}

/* Full tables take few hashes: another one is drawn until all fits. */
static bool fits(void)
{
	struct seen_map_table table = map_table(set, next.seed);
	void *copy = copy_table(set), *entries = table.entries;
	struct seen_set before = *set;
	bool good;

	seen_map_rehash_begin(set, &table);
	seen_map_rehash_step(set, 0, SLOTS);
	good = seen_item_put(set, &fresh, FRESH_VALUE) == SEEN_NEW &&
	       seen_map_rehash_end(set, &table);
	*set = before;
	memcpy(set->table, copy, seen_geometry_bytes(&set->geo));
	free(copy);
	free(entries);
	return good;
}

static void run(u32 count, int from, const char *name,
		void (*const *actors)(void), void (*done)(void))
{
	u64 states;

	bad = 0;
	ends = 0;
	prepare(count, from);
	states = interleave(actors, done);
	ok(ends && !bad, "bucket %d, %s: %llu states, %llu ends", from, name,
	   (unsigned long long)states, (unsigned long long)ends);
}

static void run_rehash(u32 count, const char *name,
		       void (*const *actors)(void), void (*done)(void))
{
	u64 states;

	bad = 0;
	ends = 0;
	do
		prepare(count, 0);
	while (!fits());
	late = 0;
	while (side_of(&item[late]) != 1)
		late++;
	seen_map_rehash_begin(set, &next);
	seen_map_rehash_step(set, 0, COPIED);
	states = interleave(actors, done);
	ok(ends && !bad, "rehash, %s: %llu states, %llu ends", name,
	   (unsigned long long)states, (unsigned long long)ends);
}

static void all(int from)
{
	run(12, from, "move, test",
	    (void (*[])(void)) { add_fresh, test_moved, NULL }, after_move);
	run(12, from, "many changes and a move, test",
	    (void (*[])(void)) { disturb_and_add_fresh, test_moved, NULL },
	    after_move);
	run(12, from, "a new key twice",
	    (void (*[])(void)) { add_fresh, add_fresh_too, NULL }, after_two);
	run(12, from, "move, test, change of the value",
	    (void (*[])(void)) { add_fresh, test_moved, change_moved, NULL },
	    after_change);
	run(12, from, "move and delete",
	    (void (*[])(void)) { add_fresh, del_moved, NULL }, after_del);
	run(12, from, "delete, then a key of the same hash, test both",
	    (void (*[])(void)) { del_moved_add_twin, test_moved, test_twin,
				 NULL }, after_twin);
}

int main(void)
{
	test_begin(2 * 6 + 7);
	all(0);
	all(1);
	run_rehash(10, "copying, add, test",
		   (void (*[])(void)) { copy_some, add_fresh, test_moved,
					NULL }, after_add_and_copy);
	run_rehash(10, "copying, a new key twice",
		   (void (*[])(void)) { copy_some, add_fresh, add_fresh_too,
					NULL }, after_two_and_copy);
	run_rehash(10, "copying, change of a value, test",
		   (void (*[])(void)) { copy_some, change_moved, test_moved,
					NULL }, after_change_and_copy);
	run_rehash(10, "copying, delete",
		   (void (*[])(void)) { copy_some, del_moved, NULL },
		   after_del_and_copy);
	run_rehash(10, "copying and end, add, test",
		   (void (*[])(void)) { copy_and_end, add_fresh, test_moved,
					NULL }, after_end);
	run_rehash(10, "copying and end, delete, test",
		   (void (*[])(void)) { copy_and_end, del_moved, test_moved,
					NULL }, after_end_and_del);
	run_rehash(10, "copying and end, test of what is copied then",
		   (void (*[])(void)) { copy_and_end, test_late, NULL },
		   after_end_and_test);
	return test_end();
}
