// SPDX-License-Identifier: GPL-2.0
/* The tables of pattern.h. */
#include "pattern.h"
#include "siphash.h"

u64 seen_patterns[SEEN_PATTERN_BITS_MAX][SEEN_PATTERNS];

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators". */
static u64 pattern_draw(u64 *state)
{
	*state += 0x9e3779b97f4a7c15ULL;
	return seen_remix(*state);
}

/* A word with @bits bits set; each pattern is equally likely. */
static u64 pattern_make(u32 bits, u64 *state)
{
	u64 word = 0;
	u64 bit;

	while (bits) {
		bit = 1ULL << (pattern_draw(state) >> 58);
		if (word & bit)
			continue;
		word |= bit;
		bits--;
	}
	return word;
}

void seen_pattern_init(void)
{
	u64 state = 0;
	u32 bits, i;

	for (bits = SEEN_PATTERN_BITS_MIN; bits <= SEEN_PATTERN_BITS_MAX;
	     bits++)
		for (i = 0; i < SEEN_PATTERNS; i++)
			seen_patterns[bits - 1][i] = pattern_make(bits, &state);
}
