// SPDX-License-Identifier: GPL-2.0
#include "plan.h"
#include "slots.h"

u32 seen_slots_words(u32 fp_bits)
{
	switch (fp_bits) {
	case 8:
		return 2;
	case 12:
	case 16:
		return 3;
	case 24:
		return 4;
	default:
		return 5;
	}
}

static u32 get(const u64 *word, u32 width, u32 lane)
{
	u32 lanes = 64 / width;

	return seen_lane_get(READ_ONCE(word[lane / lanes]), width,
			     lane % lanes);
}

static void put(u64 *word, u32 width, u32 lane, u32 value)
{
	u32 lanes = 64 / width;
	u64 *at = &word[lane / lanes];

	WRITE_ONCE(*at, seen_lane_put(READ_ONCE(*at), width, lane % lanes,
				      value));
}

/*
 * seen_lanes_map() of many lanes, no more than @width. Each lane's bit meets all terms
 * of the product, each at a place of its own; those that make up the map are
 * neighbours.
 */
static __always_inline u32 gather(u64 equal, u32 width, u32 lanes)
{
	u32 first = (width - 1) * (lanes - 1);
	u64 terms = 0;
	u32 i;

	for (i = 0; i < lanes; i++)
		terms |= 1ULL << (width - 1) * i;
	return ((equal >> (width - 1)) * terms >> first) & ((1U << lanes) - 1);
}

/* Without a branch: nobody could tell in which word the fingerprint is. */
static __always_inline u32 match(const u64 *word, u32 width, u32 value)
{
	u32 lanes = 64 / width;
	u32 map = 0;
	u32 i;

	for (i = 0; i < SEEN_STAMPED_SLOTS / lanes; i++) {
		u64 equal = seen_lanes_equal(READ_ONCE(word[i]), width, value);

		map |= gather(equal, width, lanes) << (i * lanes);
	}
	return map;
}

u32 seen_slots_match(const u64 *bucket, u32 fp_bits, u32 fp)
{
	switch (fp_bits) {
	case 8:
		return match(bucket + 1, 8, fp);
	case 12:
	case 16:
		return match(bucket + 1, 16, fp);
	case 24:
		return match(bucket + 1, 16, fp & 0xffff) &
		       match(bucket + 3, 8, fp >> 16);
	default:
		return match(bucket + 1, 32, fp);
	}
}

u32 seen_slots_fp(const u64 *bucket, u32 fp_bits, u32 slot)
{
	switch (fp_bits) {
	case 8:
		return get(bucket + 1, 8, slot);
	case 12:
	case 16:
		return get(bucket + 1, 16, slot);
	case 24:
		return get(bucket + 1, 16, slot) |
		       get(bucket + 3, 8, slot) << 16;
	default:
		return get(bucket + 1, 32, slot);
	}
}

void seen_slots_set_fp(u64 *bucket, u32 fp_bits, u32 slot, u32 fp)
{
	switch (fp_bits) {
	case 8:
		put(bucket + 1, 8, slot, fp);
		break;
	case 12:
	case 16:
		put(bucket + 1, 16, slot, fp);
		break;
	case 24:
		put(bucket + 1, 16, slot, fp & 0xffff);
		put(bucket + 3, 8, slot, fp >> 16);
		break;
	default:
		put(bucket + 1, 32, slot, fp);
	}
}
