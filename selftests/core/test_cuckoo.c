// SPDX-License-Identifier: GPL-2.0
/*
 * Cuckoo filters at full capacity, with each size of fingerprint, with even and odd
 * numbers of buckets: no false negatives; the false-positive rate; copies and deletes; an
 * add that fails leaves the table unchanged.
 */
#include "cuckoo.h"
#include "kinds.h"
#include "test.h"

static const u32 sizes[] = { 8, 12, 16, 24, 32 };

enum family { MEMBER, STRANGER, LATER };

static struct seen_geometry planned(u32 fp_bits, u64 capacity, bool odd)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_CUCKOO,
		.fp_bits = fp_bits,
		.capacity = capacity,
	};

	if (seen_plan(&geo, MIN_TICK))
		abort();
	geo.blocks |= odd;
	return geo;
}

static u64 count(struct seen_set *set, enum family family, u64 n,
		 enum seen_result result)
{
	u64 found = 0;

	while (n--)
		found += seen_set_test(set, hash_of(family, n)) == result;
	return found;
}

static u64 slots_used(struct seen_set *set)
{
	u64 used = 0, room = 0, at = 0;

	do
		at = seen_set_used(set, at, 4096, &used, &room);
	while (at);
	return used;
}

/* The full figures in one order; more where a rate below 10^-6 can be seen. */
static u64 strangers(u32 fp_bits, enum order order)
{
	if (order == SEQUENTIAL)
		return scale(3000000);
	return scale(fp_bits == 24 ? 100000000 : 12000000);
}

static void rate(u32 fp_bits, u64 n, bool odd, enum order order)
{
	u64 asked = strangers(fp_bits, order);
	struct seen_geometry geo = planned(fp_bits, n, odd);
	struct seen_set *set = set_new(&geo);
	u64 stored = 0, bad = 0;
	enum seen_result result;
	u64 hits = 0, i;

	for (i = 0; i < n; i++) {
		result = seen_set_test_and_add(set, hash_in(order, MEMBER, i));
		stored += result == SEEN_NEW;
		bad += result == SEEN_FULL;
	}
	for (i = 0; i < n; i++)
		bad += seen_set_test(set, hash_in(order, MEMBER, i)) !=
		       SEEN_SEEN;
	ok(!bad && slots_used(set) == stored,
	   "%u bits, %llu buckets: all of %llu %s keys are seen, in a slot each",
	   fp_bits, (unsigned long long)geo.blocks, (unsigned long long)n,
	   order_name[order]);

	for (i = 0; i < asked; i++)
		hits += seen_set_test(set, hash_in(order, STRANGER, i)) ==
			SEEN_SEEN;
	note("%u bits: %.2f bits a key", fp_bits,
	     8.0 * seen_geometry_bytes(&geo) / n);
	ok_rate(hits, asked, &geo, stored, "%u bits, %s keys", fp_bits,
		order_name[order]);
	set_free(set);
}

/* Where a key may lie, as its fingerprint in an empty table shows. */
static struct seen_cuckoo_key place(struct seen_set *empty, u64 hash)
{
	struct seen_cuckoo_key place = { };
	u32 slot = 0;

	seen_set_add(empty, hash);
	while (!seen_cuckoo_used(empty, place.bucket[0]))
		place.bucket[0]++;
	while (!place.fp)
		place.fp = seen_cuckoo_get(empty, place.bucket[0], slot++);
	place.bucket[1] = seen_cuckoo_other(empty, place.bucket[0], place.fp);
	seen_set_del(empty, hash);
	return place;
}

static bool same_buckets(const struct seen_cuckoo_key *a,
			 const struct seen_cuckoo_key *b)
{
	return (a->bucket[0] == b->bucket[0] && a->bucket[1] == b->bucket[1]) ||
	       (a->bucket[0] == b->bucket[1] && a->bucket[1] == b->bucket[0]);
}

/* Of a key that shares its pair of buckets with none of the first strangers. */
static u64 key_alone(const struct seen_geometry *geo, u64 strangers)
{
	struct seen_set *empty = set_new(geo);
	struct seen_cuckoo_key mine, other;
	u64 key, i, n = 0;

	do {
		key = hash_of(MEMBER, n++);
		mine = place(empty, key);
		for (i = 0; i < strangers; i++) {
			other = place(empty, hash_of(STRANGER, i));
			if (same_buckets(&mine, &other))
				break;
		}
	} while (i < strangers);
	set_free(empty);
	return key;
}

/*
 * A table with other keys, which move to make room for eight copies of one key. A key with
 * the same pair of buckets could not move, so no other key has that pair. A third bucket
 * gives no room if five keys have it and one of the two buckets. The chance of that is
 * 10^-6 for all sizes.
 */
static void copies(u32 fp_bits)
{
	struct seen_geometry geo = planned(fp_bits, 1000, false);
	const u32 ALL = SEEN_CUCKOO_COPIES;
	struct seen_set *set = set_new(&geo);
	u64 key = key_alone(&geo, 500);
	u32 there, i;
	bool good;

	for (i = 0; i < 500; i++)
		seen_set_add(set, hash_of(STRANGER, i));

	good = !seen_set_count(set, key) &&
	       seen_set_add_count(set, key, 2, &there) == SEEN_NEW &&
	       there == 1 &&
	       seen_set_add_count(set, key, 2, &there) == SEEN_SEEN &&
	       there == 2 &&
	       seen_set_add_count(set, key, 2, &there) == SEEN_COPIES &&
	       there == 2;
	for (i = 3; i <= SEEN_CUCKOO_COPIES; i++)
		good &= seen_set_add_count(set, key, ALL, &there) == SEEN_SEEN &&
			there == i;
	ok(good && slots_used(set) == 508, "%u bits: eight copies", fp_bits);

	good = seen_set_test_and_add(set, key) == SEEN_SEEN;
	ok(good && slots_used(set) == 508, "test-and-add stores no copy");
	good = seen_set_add(set, key) == SEEN_COPIES;
	ok(good && slots_used(set) == 508, "a ninth copy is not stored");

	good = seen_set_count(set, key) == SEEN_CUCKOO_COPIES &&
	       seen_set_add_count(set, key, ALL, &there) == SEEN_COPIES &&
	       there == SEEN_CUCKOO_COPIES;
	ok(good, "eight copies are counted");

	good = true;
	for (i = 0; i < SEEN_CUCKOO_COPIES; i++)
		good &= seen_set_test(set, key) == SEEN_SEEN &&
			seen_set_count(set, key) + i == SEEN_CUCKOO_COPIES &&
			seen_set_del(set, key) == SEEN_SEEN;
	ok(good && slots_used(set) == 500, "each del deletes one copy");
	good = seen_set_test(set, key) == SEEN_NEW &&
	       seen_set_del(set, key) == SEEN_ABSENT;
	ok(good && count(set, STRANGER, 500, SEEN_SEEN) == 500,
	   "then the key is absent, and the other keys are there");
	set_free(set);
}

/* Has a bucket a free slot, or would it have one after so many moves? */
static bool has_room(const struct seen_set *set, u64 bucket, u32 moves)
{
	u32 slot, fp;

	if (seen_cuckoo_has(set, bucket, 0))
		return true;
	for (slot = 0; moves && slot < SEEN_CUCKOO_SLOTS; slot++) {
		fp = seen_cuckoo_get(set, bucket, slot);
		if (has_room(set, seen_cuckoo_other(set, bucket, fp), moves - 1))
			return true;
	}
	return false;
}

/* A refusal is right if no moves, as many as an add searches, make room. */
static bool finds_room(struct seen_set *set, struct seen_set *empty, u64 key,
		       bool crowded)
{
	const struct seen_cuckoo_key at = place(empty, key);
	u32 moves = crowded ? 2 : 4;

	return has_room(set, at.bucket[0], moves) ||
	       has_room(set, at.bucket[1], moves);
}

/*
 * Copies of each key are added and deleted, and their count must be right. Capacity is a
 * promise for distinct keys only. Three keys with three copies each do not fit in one pair
 * of buckets, so some adds are refused.
 */
static void churn(u32 fp_bits, bool odd)
{
	enum { KEYS = 2000, COPIES = 3 };
	struct seen_geometry geo = planned(fp_bits, KEYS * COPIES, odd);
	struct seen_set *set = set_new(&geo), *empty = set_new(&geo);
	u64 wrong = 0, total = 0, refused = 0;
	u64 steps = scale(2000000);
	u8 held[KEYS] = { };
	enum seen_result result;
	bool crowded;
	u64 key;
	u32 k;

	while (steps--) {
		k = random_below(KEYS);
		key = hash_of(MEMBER, k);
		wrong += held[k] && seen_set_test(set, key) != SEEN_SEEN;
		if (held[k] && random_below(2)) {
			wrong += seen_set_del(set, key) != SEEN_SEEN;
			held[k]--;
			total--;
		} else if (held[k] < COPIES) {
			crowded = seen_set_full(set);
			result = seen_set_add(set, key);
			if (result == SEEN_FULL) {
				wrong += finds_room(set, empty, key, crowded);
				refused++;
				continue;
			}
			if (result == SEEN_COPIES)	/* others' look alike */
				continue;
			held[k]++;
			total++;
		}
	}
	ok(!wrong && slots_used(set) == total && seen_set_entries(set) == total,
	   "%u bits, %llu buckets: copies added and deleted, %llu found no room",
	   fp_bits, (unsigned long long)geo.blocks, (unsigned long long)refused);

	for (k = 0; k < KEYS; k++)
		for (; held[k]; held[k]--)
			seen_set_del(set, hash_of(MEMBER, k));
	ok(!slots_used(set) && !seen_set_entries(set),
	   "deleting all copies empties the table");
	set_free(set);
	set_free(empty);
}

/* Adds to a table until it is full and beyond, then again after deletes. */
static void overflow(u32 fp_bits, u64 buckets)
{
	struct seen_geometry geo = planned(fp_bits, 1, false);
	u64 refused = 0, changed = 0, wrong = 0, i = 0;
	struct seen_set *set, *empty;
	enum seen_result r;
	void *before;
	bool crowded;

	geo.blocks = buckets;
	geo.capacity = 4 * buckets;
	set = set_new(&geo);
	empty = set_new(&geo);
	while (refused < 200) {
		before = copy_table(set);
		crowded = seen_set_full(set);
		r = seen_set_add(set, hash_of(LATER, i));
		if (r == SEEN_FULL || r == SEEN_COPIES) {
			refused++;
			changed += !same_table(set, before);
			wrong += r == SEEN_FULL &&
				 finds_room(set, empty, hash_of(LATER, i),
					    crowded);
		}
		free(before);
		i++;
		if (refused == 100 && seen_set_full(set))
			seen_set_del(set, hash_of(LATER, 0));
	}
	ok(!changed && !wrong,
	   "%u bits, %llu buckets: 200 refused without room, the table unchanged",
	   fp_bits, (unsigned long long)buckets);
	set_free(set);
	set_free(empty);
}

static const u64 few[] = { 1, 2, 3, 7, 64, 501 };

int main(void)
{
	u32 i, j;

	test_begin(ARRAY_SIZE(sizes) * (3 * 2 + 6 + 2 * 2 + ARRAY_SIZE(few)));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		rate(sizes[i], scale(10000000), false, RANDOM);
		rate(sizes[i], scale(1000000), false, SEQUENTIAL);
		rate(sizes[i], scale(1000000), true, SEQUENTIAL);
		copies(sizes[i]);
		churn(sizes[i], false);
		churn(sizes[i], true);
		for (j = 0; j < ARRAY_SIZE(few); j++)
			overflow(sizes[i], few[j]);
	}
	return test_end();
}
