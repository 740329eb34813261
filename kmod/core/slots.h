/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A bucket of SEEN_SET_CUCKOO_WINDOW: one word of eight 8-bit stamps, then eight
 * fingerprints in lanes. No lane crosses a word boundary: a 12-bit
 * fingerprint takes a lane of 16 bits; a 24-bit fingerprint takes a lane of 16 bits
 * and, after all of these, a lane of 8 bits.
 */
#ifndef SEEN_CORE_SLOTS_H
#define SEEN_CORE_SLOTS_H

#include "geometry.h"
#include "lanes.h"

/*
 * As seen_lanes_map(), for at most @width lanes, by one multiplication: the product
 * has each lane's bit once for each term, each time at another position. The positions
 * from @first on form the bitmap.
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

/* Without a branch, because nothing predicts which word holds the fingerprint. */
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
 * seen_slots_match() - bitmap of the slots, empty ones too, that hold @fp; inlined
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

/* seen_slots_set_fp() - caller is in a write section of the bucket's stripe */
void seen_slots_set_fp(u64 *bucket, u32 fp_bits, u32 slot, u32 fp);

/* All stamps of a bucket are its first word, which is read and written as a whole. */
static inline u32 seen_stamp_get(u64 stamps, u32 slot)
{
	return seen_lane_get(stamps, 8, slot);
}

static inline u64 seen_stamp_put(u64 stamps, u32 slot, u32 stamp)
{
	return seen_lane_put(stamps, 8, slot, stamp);
}

#endif
