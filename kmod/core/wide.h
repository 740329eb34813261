/* SPDX-License-Identifier: GPL-2.0 */
/* Products of 128 bits, also where the compiler has no type for them: in 32 bits. */
#ifndef SEEN_CORE_WIDE_H
#define SEEN_CORE_WIDE_H

#include <linux/types.h>

/* seen_multiply_high() - the upper 64 bits of @a times @b */
static inline u64 seen_multiply_high(u64 a, u64 b)
{
#ifdef __SIZEOF_INT128__
	return (unsigned __int128)a * b >> 64;
#else
	u64 cross = (a >> 32) * (u32)b + ((u64)(u32)a * (u32)b >> 32);
	u64 other = (u64)(u32)a * (b >> 32) + (u32)cross;

	return (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
#endif
}

/* seen_multiply_shift() - @a times @b, without the last @shift bits: 1 to 64 */
static inline u64 seen_multiply_shift(u64 a, u64 b, unsigned int shift)
{
	u64 high = seen_multiply_high(a, b);

	return shift == 64 ? high : high << (64 - shift) | a * b >> shift;
}

/* seen_multiply_round() - the upper 64 bits, rounded to the nearest */
static inline u64 seen_multiply_round(u64 a, u64 b)
{
	return seen_multiply_high(a, b) + (a * b >> 63);
}

#endif
