/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A bucket of the table with stamps: a word of eight 8-bit stamps, then eight
 * fingerprints, in lanes of whole words. 12 bits take lanes of 16, and 24 bits
 * lanes of 16 followed by lanes of 8, so that no fingerprint lies in two words
 * of which one could change without the other being compared.
 */
#ifndef SEEN_CORE_SLOTS_H
#define SEEN_CORE_SLOTS_H

#include "geometry.h"
#include "lanes.h"

/*
 * seen_lanes_map() of many lanes, no more than @width. Each lane's bit meets all terms
 * of the product, each at a place of its own; those that make up the map are
 * neighbours.
 */
static __always_inline u32 seen_slots_gather(u64 equal, u32 width, u32 lanes)
{
	u32 first = (width - 1) * (lanes - 1);
	u64 terms = 0;
	u32 i;

	for (i = 0; i < lanes; i++)
		terms |= 1ULL << (width - 1) * i;
	return ((equal >> (width - 1)) * terms >> first) & ((1U << lanes) - 1);
}

/* Without a branch: nobody could tell in which word the fingerprint is. */
static __always_inline u32 seen_slots_lanes(const u64 *word, u32 width,
					    u32 value)
{
	u32 lanes = 64 / width;
	u32 map = 0;
	u32 i;

	for (i = 0; i < SEEN_CUCKOO_WINDOW_SLOTS / lanes; i++) {
		u64 equal = seen_lanes_equal(READ_ONCE(word[i]), width, value);

		map |= seen_slots_gather(equal, width, lanes) << (i * lanes);
	}
	return map;
}

/*
 * seen_slots_match() - a map of the slots, empty ones too, that hold @fp; inlined
 * where the compiler knows @fp_bits
 */
static __always_inline u32 seen_slots_match(const u64 *bucket, u32 fp_bits,
					    u32 fp)
{
	switch (fp_bits) {
	case 8:
		return seen_slots_lanes(bucket + 1, 8, fp);
	case 12:
	case 16:
		return seen_slots_lanes(bucket + 1, 16, fp);
	case 24:
		return seen_slots_lanes(bucket + 1, 16, fp & 0xffff) &
		       seen_slots_lanes(bucket + 3, 8, fp >> 16);
	default:
		return seen_slots_lanes(bucket + 1, 32, fp);
	}
}

u32 seen_slots_fp(const u64 *bucket, u32 fp_bits, u32 slot);

/* seen_slots_set_fp() - in a write section of the bucket's stripe */
void seen_slots_set_fp(u64 *bucket, u32 fp_bits, u32 slot, u32 fp);

/* The stamps are read and written as one word, the bucket's first. */
static inline u32 seen_stamp_get(u64 stamps, u32 slot)
{
	return seen_lane_get(stamps, 8, slot);
}

static inline u64 seen_stamp_put(u64 stamps, u32 slot, u32 stamp)
{
	return seen_lane_put(stamps, 8, slot, stamp);
}

#endif
