// SPDX-License-Identifier: GPL-2.0
/*
 * Cuckoo filter (Fan, Andersen, Kaminsky and Mitzenmacher, "Cuckoo Filter: Practically
 * Better Than Bloom", 2014), for keys without a window.
 *
 * A key lies in one of two buckets of four slots, as a fingerprint. The second bucket
 * follows from the first and the fingerprint alone, so an entry can be moved without
 * its key: b = (H(fp) - a) mod n, which is its own inverse for any n. If n is even, as
 * in all plans, H is made odd: then a and b differ in parity, and each key has two
 * buckets. If n is odd, each fingerprint has one bucket that is its own partner, so a
 * few keys have four slots instead of eight.
 *
 * Invariant: a key that was added lies in one of its buckets at any moment, because a
 * move writes the copy before it clears the source.
 *
 * Only a write that removes a fingerprint from a bucket changes its stripe's sequence
 * count. If a reader finds no match and the count is unchanged, its answer is right; a
 * reader that finds a match needs no count. With 12 and 24 bits a fingerprint
 * may lie in two words, and a reader may see it half-written. It matches a key as
 * rarely as any other fingerprint does, and it errs in the direction in which this
 * filter errs anyway.
 *
 * Direction of error: a new key is reported as seen, at the planned rate. Deleting a
 * key that was never added may remove another key's fingerprint; then that key is new
 * again.
 */
#include <linux/log2.h>
#include "cuckoo.h"
#include "keycount.h"
#include "kinds.h"

/* Inlined, so that a key's place can stay in registers. */
static __always_inline struct seen_cuckoo_key
cuckoo_locate(const struct seen_set *set, u64 hash)
{
	u32 values = U32_MAX >> (32 - set->geo.fp_bits);
	struct seen_cuckoo_key key;

	/* Not 0; plan.c calculates with 2^fp_bits - 1 values. */
	key.fp = 1 + seen_range(seen_remix(hash), values);
	key.bucket[0] = seen_range(hash, set->geo.blocks);
	key.bucket[1] = seen_cuckoo_other(set, key.bucket[0], key.fp);
	return key;
}

static __always_inline struct seen_pair
cuckoo_stripes(const struct seen_set *set, const struct seen_cuckoo_key *key)
{
	return (struct seen_pair) {
		.a = seen_set_stripe(set, key->bucket[0]),
		.b = seen_set_stripe(set, key->bucket[1]),
	};
}

/* Load both buckets before either is compared, so that their cache misses overlap. */
static __always_inline bool cuckoo_either_has(const void *table, u32 fp_bits,
					      const struct seen_cuckoo_key *key)
{
	struct seen_bucket a, b;

	a = seen_bucket_load(table, fp_bits, key->bucket[0]);
	b = seen_bucket_load(table, fp_bits, key->bucket[1]);
	return seen_bucket_has(a, fp_bits, key->fp) ||
	       seen_bucket_has(b, fp_bits, key->fp);
}

/* One case for each width, so that the compiler knows it. */
static __always_inline bool cuckoo_holds(const struct seen_set *set,
					 const struct seen_cuckoo_key *key)
{
	switch (set->geo.fp_bits) {
	case 8:
		return cuckoo_either_has(set->table, 8, key);
	case 12:
		return cuckoo_either_has(set->table, 12, key);
	case 16:
		return cuckoo_either_has(set->table, 16, key);
	case 24:
		return cuckoo_either_has(set->table, 24, key);
	default:
		return cuckoo_either_has(set->table, 32, key);
	}
}

u32 seen_cuckoo_slots(const struct seen_set *set, u64 bucket, u32 fp)
{
	u32 bits = set->geo.fp_bits;

	return seen_bucket_slots(seen_bucket_load(set->table, bits, bucket),
				 bits, fp);
}

u32 seen_cuckoo_get(const struct seen_set *set, u64 bucket, u32 slot)
{
	u32 bits = set->geo.fp_bits;

	return seen_bucket_get(seen_bucket_load(set->table, bits, bucket),
			       bits, slot);
}

/* @b: current content of bucket @i */
static __always_inline void cuckoo_put(void *table, u32 fp_bits, u64 i,
				       struct seen_bucket b, u32 slot, u32 fp)
{
	u32 lanes = fp_bits <= 16 ? 4 : 2;
	u64 *word = &b.word[slot / lanes];

	*word = seen_lane_put(*word, fp_bits, slot % lanes, fp);
	seen_bucket_store(table, fp_bits, i, b);
}

void seen_cuckoo_put(struct seen_set *set, u64 bucket, u32 slot, u32 fp)
{
	u32 bits = set->geo.fp_bits;

	cuckoo_put(set->table, bits, bucket,
		   seen_bucket_load(set->table, bits, bucket), slot, fp);
}

/* @b: current content of bucket @i */
static __always_inline void cuckoo_clear(struct seen_set *set, u32 fp_bits, u64 i,
					 struct seen_bucket b, u32 slot)
{
	struct seen_stripe *stripe = seen_set_stripe(set, i);

	raw_write_seqcount_begin(&stripe->seq);
	cuckoo_put(set->table, fp_bits, i, b, slot, 0);
	raw_write_seqcount_end(&stripe->seq);
}

void seen_cuckoo_clear(struct seen_set *set, u64 bucket, u32 slot)
{
	u32 bits = set->geo.fp_bits;

	cuckoo_clear(set, bits, bucket, seen_bucket_load(set->table, bits, bucket),
		     slot);
}

static __always_inline bool cuckoo_test(const struct seen_set *set,
					const struct seen_cuckoo_key *key,
					const struct seen_pair *pair)
{
	struct seen_pair_seq seq;
	int tries;
	bool seen;

	for (tries = 0; tries < SEEN_PAIR_TRIES; tries++) {
		seq = seen_pair_look(pair);
		if (cuckoo_holds(set, key))
			return true;
		if (seen_pair_calm(pair, seq))
			return false;
	}

	seen_pair_lock(pair);
	seen = cuckoo_holds(set, key);
	seen_pair_unlock(pair);
	return seen;
}

bool seen_cuckoo_test(struct seen_set *set, u64 hash)
{
	const struct seen_cuckoo_key key = cuckoo_locate(set, hash);
	const struct seen_pair pair = cuckoo_stripes(set, &key);

	return cuckoo_test(set, &key, &pair);
}

static u32 cuckoo_count_slots(u32 map)
{
	u32 count = 0;

	for (; map; map &= map - 1)
		count++;
	return count;
}

/* @map: for each bucket, bitmap of the slots that hold the fingerprint */
static u32 cuckoo_count_copies(const struct seen_cuckoo_key *key, const u32 *map)
{
	u32 count = cuckoo_count_slots(map[0]);

	return key->bucket[0] == key->bucket[1] ? count :
	       count + cuckoo_count_slots(map[1]);
}

static __always_inline enum seen_result
cuckoo_insert(struct seen_set *set, struct seen_cuckoo_key *key, u32 max, u32 bits)
{
	struct seen_bucket b[2];
	u32 copies[2];
	u32 room;
	int i;

	for (i = 0; i < 2; i++) {
		b[i] = seen_bucket_load(set->table, bits, key->bucket[i]);
		copies[i] = seen_bucket_slots(b[i], bits, key->fp);
	}
	key->copies = cuckoo_count_copies(key, copies);
	if (key->copies >= max)
		return max == 1 ? SEEN_SEEN : SEEN_COPIES;

	for (i = 0; i < 2; i++) {
		room = seen_bucket_slots(b[i], bits, 0);
		if (!room)
			continue;
		cuckoo_put(set->table, bits, key->bucket[i], b[i], ilog2(room), key->fp);
		seen_keycount_change(set, seen_set_stripe(set, key->bucket[i]), 1);
		return key->copies++ ? SEEN_SEEN : SEEN_NEW;
	}

	/* Copies of this key fill both buckets: no move could make room. */
	if ((copies[0] & copies[1]) == SEEN_CUCKOO_ALL)
		return SEEN_COPIES;
	return SEEN_FULL;
}

/* One case for each width, as in cuckoo_holds(). */
enum seen_result seen_cuckoo_insert(struct seen_set *set,
				    struct seen_cuckoo_key *key, u32 max)
{
	switch (set->geo.fp_bits) {
	case 8:
		return cuckoo_insert(set, key, max, 8);
	case 12:
		return cuckoo_insert(set, key, max, 12);
	case 16:
		return cuckoo_insert(set, key, max, 16);
	case 24:
		return cuckoo_insert(set, key, max, 24);
	default:
		return cuckoo_insert(set, key, max, 32);
	}
}

enum seen_result seen_cuckoo_add(struct seen_set *set, u64 hash, u32 max,
				 u32 *copies)
{
	struct seen_cuckoo_key key = cuckoo_locate(set, hash);
	const struct seen_pair pair = cuckoo_stripes(set, &key);
	enum seen_result result = SEEN_FULL;

	if (max == 1 && cuckoo_test(set, &key, &pair))
		return SEEN_SEEN;

	if (seen_cuckoo_has(set, key.bucket[0], 0) ||
	    seen_cuckoo_has(set, key.bucket[1], 0)) {
		seen_pair_lock(&pair);
		result = seen_cuckoo_insert(set, &key, max);
		seen_pair_unlock(&pair);
	}
	if (result == SEEN_FULL)
		result = seen_cuckoo_make_room(set, &key, max);
	*copies = key.copies;
	return result;
}

static struct seen_cuckoo_key cuckoo_entry(const struct seen_set *set, u64 bucket,
					   u32 fp)
{
	return (struct seen_cuckoo_key) {
		.fp = fp,
		.bucket = { bucket, seen_cuckoo_other(set, bucket, fp) },
	};
}

enum seen_result seen_cuckoo_add_entry(struct seen_set *set, u64 bucket, u32 fp,
				       u32 max)
{
	struct seen_cuckoo_key key = cuckoo_entry(set, bucket, fp);
	const struct seen_pair pair = cuckoo_stripes(set, &key);
	enum seen_result result;

	seen_pair_lock(&pair);
	result = seen_cuckoo_insert(set, &key, max);
	seen_pair_unlock(&pair);
	if (result == SEEN_FULL)
		result = seen_cuckoo_make_room(set, &key, max);
	return result;
}

/*
 * A move writes the copy before it clears the source: without the locks the entry might
 * count twice.
 */
static u32 cuckoo_count(struct seen_set *set, const struct seen_cuckoo_key *key)
{
	const struct seen_pair pair = cuckoo_stripes(set, key);
	u32 copies[2];
	int i;

	seen_pair_lock(&pair);
	for (i = 0; i < 2; i++)
		copies[i] = seen_cuckoo_slots(set, key->bucket[i], key->fp);
	seen_pair_unlock(&pair);
	return cuckoo_count_copies(key, copies);
}

u32 seen_cuckoo_count(struct seen_set *set, u64 hash)
{
	const struct seen_cuckoo_key key = cuckoo_locate(set, hash);

	return cuckoo_count(set, &key);
}

u32 seen_cuckoo_count_entry(struct seen_set *set, u64 bucket, u32 fp)
{
	const struct seen_cuckoo_key key = cuckoo_entry(set, bucket, fp);

	return cuckoo_count(set, &key);
}

/* Caller holds both stripes. */
static __always_inline enum seen_result
cuckoo_take(struct seen_set *set, const struct seen_cuckoo_key *key, u32 bits)
{
	struct seen_bucket b;
	u32 copies;
	int i;

	for (i = 0; i < 2; i++) {
		b = seen_bucket_load(set->table, bits, key->bucket[i]);
		copies = seen_bucket_slots(b, bits, key->fp);
		if (!copies)
			continue;
		cuckoo_clear(set, bits, key->bucket[i], b, ilog2(copies));
		seen_keycount_change(set, seen_set_stripe(set, key->bucket[i]), -1);
		WRITE_ONCE(set->crowded, false);
		return SEEN_SEEN;
	}
	return SEEN_ABSENT;
}

static enum seen_result cuckoo_take_any(struct seen_set *set,
					const struct seen_cuckoo_key *key)
{
	switch (set->geo.fp_bits) {
	case 8:
		return cuckoo_take(set, key, 8);
	case 12:
		return cuckoo_take(set, key, 12);
	case 16:
		return cuckoo_take(set, key, 16);
	case 24:
		return cuckoo_take(set, key, 24);
	default:
		return cuckoo_take(set, key, 32);
	}
}

enum seen_result seen_cuckoo_del(struct seen_set *set, u64 hash)
{
	const struct seen_cuckoo_key key = cuckoo_locate(set, hash);
	const struct seen_pair pair = cuckoo_stripes(set, &key);
	enum seen_result result;

	seen_pair_lock(&pair);
	result = cuckoo_take_any(set, &key);
	seen_pair_unlock(&pair);
	return result;
}

u32 seen_cuckoo_used(const struct seen_set *set, u64 bucket)
{
	return SEEN_CUCKOO_SLOTS - cuckoo_count_slots(seen_cuckoo_slots(set, bucket, 0));
}
