/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A bucket of the stamped table: a word of eight 8-bit stamps, then eight
 * fingerprints, in lanes of whole words. 12 bits take lanes of 16, and 24 bits
 * lanes of 16 followed by lanes of 8, so that no fingerprint lies in two words
 * of which one could change without the other being compared.
 */
#ifndef SEEN_CORE_SLOTS_H
#define SEEN_CORE_SLOTS_H

#include "lanes.h"

/* seen_slots_words() - 64-bit words of a bucket */
u32 seen_slots_words(u32 fp_bits);

/* seen_slots_match() - a map of the slots, empty ones too, that hold @fp */
u32 seen_slots_match(const u64 *bucket, u32 fp_bits, u32 fp);

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
