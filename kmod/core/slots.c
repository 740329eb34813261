// SPDX-License-Identifier: GPL-2.0
#include "slots.h"

static u32 slots_get(const u64 *word, u32 width, u32 lane)
{
	u32 lanes = 64 / width;

	return seen_lane_get(READ_ONCE(word[lane / lanes]), width,
			     lane % lanes);
}

static void slots_put(u64 *word, u32 width, u32 lane, u32 value)
{
	u32 lanes = 64 / width;
	u64 *at = &word[lane / lanes];

	WRITE_ONCE(*at, seen_lane_put(READ_ONCE(*at), width, lane % lanes,
				      value));
}

u32 seen_slots_fp(const u64 *bucket, u32 fp_bits, u32 slot)
{
	switch (fp_bits) {
	case 8:
		return slots_get(bucket + 1, 8, slot);
	case 12:
	case 16:
		return slots_get(bucket + 1, 16, slot);
	case 24:
		return slots_get(bucket + 1, 16, slot) |
		       slots_get(bucket + 3, 8, slot) << 16;
	default:
		return slots_get(bucket + 1, 32, slot);
	}
}

void seen_slots_set_fp(u64 *bucket, u32 fp_bits, u32 slot, u32 fp)
{
	switch (fp_bits) {
	case 8:
		slots_put(bucket + 1, 8, slot, fp);
		break;
	case 12:
	case 16:
		slots_put(bucket + 1, 16, slot, fp);
		break;
	case 24:
		slots_put(bucket + 1, 16, slot, fp & 0xffff);
		slots_put(bucket + 3, 8, slot, fp >> 16);
		break;
	default:
		slots_put(bucket + 1, 32, slot, fp);
	}
}
