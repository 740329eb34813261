/* SPDX-License-Identifier: GPL-2.0 */
/* Sparse 64-bit patterns for blocked Bloom filters. */
#ifndef SEEN_CORE_PATTERN_H
#define SEEN_CORE_PATTERN_H

#include <linux/types.h>

#define SEEN_PATTERNS		1024
#define SEEN_PATTERN_BITS_MIN	1
#define SEEN_PATTERN_BITS_MAX	4

/* 8 KB for each number of bits, so that the table in use stays in the L1 cache. */
extern u64 seen_patterns[SEEN_PATTERN_BITS_MAX][SEEN_PATTERNS];

/**
 * seen_pattern_init() - fill the tables from fixed seeds: the same on every machine
 *
 * Call once before the first set of SEEN_SET_BLOCKED is made.
 */
void seen_pattern_init(void);

/**
 * seen_pattern() - a word with exactly @bits bits set
 * @bits: SEEN_PATTERN_BITS_MIN to SEEN_PATTERN_BITS_MAX
 * @pick: random; 10 bits choose the pattern, 6 more bits its rotation
 *
 * Return: the word.
 */
static inline u64 seen_pattern(u32 bits, u32 pick)
{
	u64 word = seen_patterns[bits - 1][pick % SEEN_PATTERNS];
	u32 by = pick / SEEN_PATTERNS % 64;

	return word << by | word >> (-by & 63);
}

#endif
