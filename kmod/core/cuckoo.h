/* SPDX-License-Identifier: GPL-2.0 */
/* Buckets of SEEN_SET_CUCKOO, and the two buckets of a key. */
#ifndef SEEN_CORE_CUCKOO_H
#define SEEN_CORE_CUCKOO_H

#include "block.h"
#include "lanes.h"
#include "pair.h"

/* Bitmap of all slots of a bucket: bit i is slot i. */
#define SEEN_CUCKOO_ALL		((1U << SEEN_CUCKOO_SLOTS) - 1)

/**
 * struct seen_bucket - a bucket in registers
 * @word: fingerprints of up to 16 bits: word[0] holds all four slots (with 8 bits it
 *        holds them twice, so that each lane holds a slot); 24 and 32 bits: each word
 *        holds two slots
 *
 * In memory a bucket takes 4 * fp_bits bits without gaps. It consists of whole units of
 * 16, 32 or 64 bits, which no other bucket shares. Fingerprint 0 is an empty slot.
 */
struct seen_bucket {
	u64 word[2];
};

/**
 * struct seen_cuckoo_key - the places where a key may lie
 * @fp: fingerprint, never 0
 * @bucket: its two buckets; both are the same bucket only in tables with an odd number
 *          of buckets
 * @copies: copies in these buckets, set by seen_cuckoo_insert()
 */
struct seen_cuckoo_key {
	u32 fp;
	u64 bucket[2];
	u32 copies;
};

static __always_inline struct seen_bucket
seen_bucket_load(const void *table, u32 fp_bits, u64 i)
{
	struct seen_bucket b = { };

	switch (fp_bits) {
	case 8:
		b.word[0] = READ_ONCE(((const u32 *)table)[i]);
		b.word[0] |= b.word[0] << 32;
		break;
	case 12: {
		const u16 *unit = (const u16 *)table + 3 * i;

		b.word[0] = READ_ONCE(unit[0]) |
			    (u32)READ_ONCE(unit[1]) << 16 |
			    (u64)READ_ONCE(unit[2]) << 32;
		break;
	}
	case 16:
		b.word[0] = READ_ONCE(((const u64 *)table)[i]);
		break;
	case 24: {
		const u32 *unit = (const u32 *)table + 3 * i;
		u32 middle = READ_ONCE(unit[1]);

		b.word[0] = READ_ONCE(unit[0]) | (u64)(middle & 0xffff) << 32;
		b.word[1] = middle >> 16 | (u64)READ_ONCE(unit[2]) << 16;
		break;
	}
	default:
		b.word[0] = READ_ONCE(((const u64 *)table)[2 * i]);
		b.word[1] = READ_ONCE(((const u64 *)table)[2 * i + 1]);
	}
	return b;
}

/* Does a bucket hold @fp? With @fp 0: does it have an empty slot? */
static __always_inline bool seen_bucket_has(struct seen_bucket b, u32 fp_bits,
					    u32 fp)
{
	u64 equal = seen_lanes_equal(b.word[0], fp_bits, fp);

	if (fp_bits > 16)
		equal |= seen_lanes_equal(b.word[1], fp_bits, fp);
	return equal;
}

/* The fingerprint in a slot, 0 if it is empty. */
static __always_inline u32 seen_bucket_get(struct seen_bucket b, u32 fp_bits,
					   u32 slot)
{
	if (fp_bits <= 16)
		return seen_lane_get(b.word[0], fp_bits, slot);
	return seen_lane_get(b.word[slot / 2], fp_bits, slot % 2);
}

/**
 * seen_bucket_slots() - bitmap of the slots that hold a fingerprint
 * @b: the bucket
 * @fp_bits: length of the set's fingerprints in bits
 * @fp: the fingerprint; 0: empty slots
 *
 * Return: bit i is set if slot i holds @fp.
 */
static __always_inline u32 seen_bucket_slots(struct seen_bucket b, u32 fp_bits,
					     u32 fp)
{
	u64 equal = seen_lanes_equal(b.word[0], fp_bits, fp);
	u32 map;

	if (fp_bits <= 16)
		return seen_lanes_map(equal, fp_bits, 4);
	map = seen_lanes_map(equal, fp_bits, 2);
	equal = seen_lanes_equal(b.word[1], fp_bits, fp);
	return map | seen_lanes_map(equal, fp_bits, 2) << 2;
}

/* As seen_bucket_has(), _get() and _slots(), for a bucket of the table by its index. */
static inline bool seen_cuckoo_has(const struct seen_set *set, u64 bucket,
				   u32 fp)
{
	u32 bits = set->geo.fp_bits;

	return seen_bucket_has(seen_bucket_load(set->table, bits, bucket),
			       bits, fp);
}

u32 seen_cuckoo_get(const struct seen_set *set, u64 bucket, u32 slot);
u32 seen_cuckoo_slots(const struct seen_set *set, u64 bucket, u32 fp);

/*
 * seen_bucket_store() - store all slots of bucket @i; caller holds its stripe or is the
 * only user
 */
static __always_inline void seen_bucket_store(void *table, u32 fp_bits, u64 i,
					      struct seen_bucket b)
{
	u16 *u16s = (u16 *)table + 3 * i;
	u32 *u32s = (u32 *)table + 3 * i;

	switch (fp_bits) {
	case 8:
		WRITE_ONCE(((u32 *)table)[i], b.word[0]);
		break;
	case 12:
		WRITE_ONCE(u16s[0], b.word[0]);
		WRITE_ONCE(u16s[1], b.word[0] >> 16);
		WRITE_ONCE(u16s[2], b.word[0] >> 32);
		break;
	case 16:
		WRITE_ONCE(((u64 *)table)[i], b.word[0]);
		break;
	case 24:
		WRITE_ONCE(u32s[0], b.word[0]);
		WRITE_ONCE(u32s[1], b.word[0] >> 32 | b.word[1] << 16);
		WRITE_ONCE(u32s[2], b.word[1] >> 16);
		break;
	default:
		WRITE_ONCE(((u64 *)table)[2 * i], b.word[0]);
		WRITE_ONCE(((u64 *)table)[2 * i + 1], b.word[1]);
	}
}

/* seen_cuckoo_put() - fill an empty slot; caller holds the bucket's stripe */
void seen_cuckoo_put(struct seen_set *set, u64 bucket, u32 slot, u32 fp);

/* seen_cuckoo_clear() - empty a slot; caller holds the bucket's stripe */
void seen_cuckoo_clear(struct seen_set *set, u64 bucket, u32 slot);

/* seen_cuckoo_other() - the other bucket of @fp; applied twice, it returns @bucket */
static inline u64 seen_cuckoo_other(const struct seen_set *set, u64 bucket,
				    u32 fp)
{
	u64 n = set->geo.blocks;
	u64 sum = seen_range(seen_remix(fp), n) | (~n & 1);

	return sum >= bucket ? sum - bucket : sum + n - bucket;
}

/**
 * seen_cuckoo_insert() - count a key's copies; store one if allowed and a slot is free
 * @set: the set
 * @key: the key; caller holds the stripes of both buckets; out: copies
 * @max: maximum number of copies; one is stored if fewer are present
 *
 * Return: SEEN_NEW or SEEN_SEEN if a copy was stored. Otherwise SEEN_SEEN if @max is 1 and
 * the key is present; SEEN_COPIES if more copies are not allowed, or copies of the key fill
 * both buckets; SEEN_FULL if entries of several keys fill both buckets.
 */
enum seen_result seen_cuckoo_insert(struct seen_set *set,
				    struct seen_cuckoo_key *key, u32 max);

/**
 * seen_cuckoo_make_room() - insert, moving other entries out of the way if necessary
 * @set: the set
 * @key: the key; caller holds no stripe; out: copies
 * @max: as for seen_cuckoo_insert()
 *
 * Return: as seen_cuckoo_insert(). If SEEN_FULL, nothing was moved.
 */
enum seen_result seen_cuckoo_make_room(struct seen_set *set,
				       struct seen_cuckoo_key *key, u32 max);

#endif
