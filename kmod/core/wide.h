/* SPDX-License-Identifier: GPL-2.0 */
/*
 * 128-bit products, also where the compiler has no 128-bit type (32-bit machines), and
 * the number of bits set in a word.
 */
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

/**
 * seen_multiply_add() - add @a times @b to a number of 128 bits
 * @high: upper half of the number
 * @low: lower half of the number
 * @a: factor
 * @b: factor
 */
static inline void seen_multiply_add(u64 *high, u64 *low, u64 a, u64 b)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 product = (unsigned __int128)a * b;
	u64 lower = product, upper = product >> 64;
#else
	u64 lower = a * b, upper = seen_multiply_high(a, b);
#endif

	*low += lower;
	*high += upper + (*low < lower);
}

/* seen_multiply_shift() - @a times @b, shifted right by @shift bits: 1 to 64 */
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

/* seen_weight() - bits set in @word (Warren, "Hacker's Delight", 5-1) */
static inline u32 seen_weight(u64 word)
{
	word -= word >> 1 & 0x5555555555555555ULL;
	word = (word & 0x3333333333333333ULL) +
	       (word >> 2 & 0x3333333333333333ULL);
	word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return word * 0x0101010101010101ULL >> 56;
}

#endif
