/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A word as a row of lanes of equal width, all compared at once (SWAR; the
 * exact test for zero is from Warren, "Hacker's Delight", 6-1).
 */
#ifndef SEEN_CORE_LANES_H
#define SEEN_CORE_LANES_H

#include <linux/compiler.h>
#include <linux/types.h>

/* The lowest bit of each lane. */
static __always_inline u64 seen_lanes_ones(u32 width)
{
	switch (width) {
	case 8:
		return 0x0101010101010101ULL;
	case 12:
		return 0x0000001001001001ULL;
	case 16:
		return 0x0001000100010001ULL;
	case 24:
		return 0x0000000001000001ULL;
	default:
		return 0x0000000100000001ULL;
	}
}

/* The highest bit of each lane that holds @value. */
static __always_inline u64 seen_lanes_equal(u64 word, u32 width, u32 value)
{
	u64 ones = seen_lanes_ones(width);
	u64 high = ones << (width - 1);
	u64 low = high - ones;
	u64 diff = word ^ ones * value;

	return ~(((diff & low) + low) | diff) & high;
}

/* The highest bit of each byte that is at most @max. */
static __always_inline u64 seen_bytes_up_to(u64 word, u8 max)
{
	u64 ones = seen_lanes_ones(8);
	u64 high = ones << 7;
	u64 limit = ones * max;
	/* Compares the low seven bits; no borrow crosses a byte. */
	u64 low = (limit | high) - (word & ~high);

	return ((~word & limit) | (~(word ^ limit) & low)) & high;
}

/* Subtract @value from each byte, modulo 256. */
static __always_inline u64 seen_bytes_less(u64 word, u8 value)
{
	u64 ones = seen_lanes_ones(8);
	u64 high = ones << 7;
	u64 less = ones * value;

	return ((word | high) - (less & ~high)) ^ ((word ^ ~less) & high);
}

/* Number of bytes whose highest bit is set in @map; no other bits may be set. */
static __always_inline u32 seen_bytes_count(u64 map)
{
	return (map >> 7) * seen_lanes_ones(8) >> 56;
}

/* The result of seen_lanes_equal() as a bitmap: bit i for lane i of @lanes. */
static __always_inline u32 seen_lanes_map(u64 equal, u32 width, u32 lanes)
{
	u32 map = 0;
	u32 i;

	for (i = 0; i < lanes; i++)
		map |= (equal >> (i * width + width - 1) & 1) << i;
	return map;
}

static __always_inline u32 seen_lane_get(u64 word, u32 width, u32 lane)
{
	return word >> lane * width & (~0ULL >> (64 - width));
}

static __always_inline u64 seen_lane_put(u64 word, u32 width, u32 lane,
					 u32 value)
{
	u64 mask = ~0ULL >> (64 - width);

	return (word & ~(mask << lane * width)) | (u64)value << lane * width;
}

#endif
