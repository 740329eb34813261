/* SPDX-License-Identifier: GPL-2.0 */
/* What cuckoo.c and cuckoo_path.c share: buckets, and a key's place. */
#ifndef SEEN_CORE_CUCKOO_H
#define SEEN_CORE_CUCKOO_H

#include "block.h"
#include "lanes.h"
#include "pair.h"

/* A map of slots, bit i for slot i. */
#define SEEN_CUCKOO_ALL		((1U << SEEN_CUCKOO_SLOTS) - 1)

/**
 * struct seen_bucket - a bucket in registers
 * @word: four lanes of fingerprints in the first (eight bits: the same four
 *        twice, so that no lane is without a slot), from 24 bits on two in each
 *
 * In memory a bucket is 4 * fp_bits bits without a gap, in units of 16, 32 or
 * 64 bits that no other bucket shares. Fingerprint 0 is an empty slot.
 */
struct seen_bucket {
	u64 word[2];
};

/**
 * struct seen_cuckoo_key - where a key may lie
 * @fp: its fingerprint, not 0
 * @bucket: its two buckets; the same twice only in tables of odd size
 * @copies: in them, as seen_cuckoo_insert() has left it
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

/* Does a bucket hold @fp, or with 0, has it an empty slot? */
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
 * seen_bucket_slots() - a map of the slots that hold a fingerprint
 * @b: the bucket
 * @fp_bits: of the set
 * @fp: 0 for the empty slots
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

/* The same three by index, in the table. */
static inline bool seen_cuckoo_has(const struct seen_set *set, u64 bucket,
				   u32 fp)
{
	u32 bits = set->geo.fp_bits;

	return seen_bucket_has(seen_bucket_load(set->table, bits, bucket),
			       bits, fp);
}

u32 seen_cuckoo_get(const struct seen_set *set, u64 bucket, u32 slot);
u32 seen_cuckoo_slots(const struct seen_set *set, u64 bucket, u32 fp);

/* seen_bucket_store() - all slots of bucket @i; its stripe is held, or nobody is there */
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

/* seen_cuckoo_put() - fill an empty slot; the bucket's stripe is held */
void seen_cuckoo_put(struct seen_set *set, u64 bucket, u32 slot, u32 fp);

/* seen_cuckoo_clear() - empty a slot; the bucket's stripe is held */
void seen_cuckoo_clear(struct seen_set *set, u64 bucket, u32 slot);

/* seen_cuckoo_other() - the other bucket where @fp may lie, and back again */
static inline u64 seen_cuckoo_other(const struct seen_set *set, u64 bucket,
				    u32 fp)
{
	u64 n = set->geo.blocks;
	u64 sum = seen_range(seen_remix(fp), n) | (~n & 1);

	return sum >= bucket ? sum - bucket : sum + n - bucket;
}

/**
 * seen_cuckoo_insert() - look again, and store if there is a free slot
 * @set: the set
 * @key: the key, both of whose stripes are held; told the copies
 * @max: copies to be there at most; one where fewer are is stored
 *
 * Return: SEEN_NEW, SEEN_SEEN, SEEN_COPIES, or SEEN_FULL: both buckets are.
 */
enum seen_result seen_cuckoo_insert(struct seen_set *set,
				    struct seen_cuckoo_key *key, u32 max);

/**
 * seen_cuckoo_make_room() - insert after moving others out of the way
 * @set: the set
 * @key: the key, no stripe held
 * @max: copies to be there at most; one where fewer are is stored
 *
 * Return: as seen_cuckoo_insert(). If SEEN_FULL, nothing was moved.
 */
enum seen_result seen_cuckoo_make_room(struct seen_set *set,
				       struct seen_cuckoo_key *key, u32 max);

#endif
