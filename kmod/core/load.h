/* SPDX-License-Identifier: GPL-2.0 */
/* Counts by generation, in words with their epoch; see struct seen_load. */
#ifndef SEEN_CORE_LOAD_H
#define SEEN_CORE_LOAD_H

#include "internal.h"

#define SEEN_LOAD_COUNT_BITS	(64 - SEEN_EPOCH_BITS)
#define SEEN_LOAD_COUNT_MASK	((1ULL << SEEN_LOAD_COUNT_BITS) - 1)
#define SEEN_LOAD_EPOCH_MASK	((1U << SEEN_EPOCH_BITS) - 1)

static inline u64 seen_load_word(u32 epoch, u64 count)
{
	return (u64)(epoch & SEEN_LOAD_EPOCH_MASK) << SEEN_LOAD_COUNT_BITS |
	       count;
}

/* How many epochs @word is behind @epoch; huge if it is ahead. */
static inline u32 seen_load_age(u64 word, u32 epoch)
{
	return (epoch - (u32)(word >> SEEN_LOAD_COUNT_BITS)) &
	       SEEN_LOAD_EPOCH_MASK;
}

/* What a word counts, 0 if its generation is over. */
static inline u64 seen_load_live(u64 word, u32 epoch)
{
	return seen_load_age(word, epoch) < SEEN_GENERATIONS ?
	       word & SEEN_LOAD_COUNT_MASK : 0;
}

/* seen_load_add() - @keys more, or less, in the generation of @epoch */
void seen_load_add(struct seen_load *load, u32 epoch, s64 keys);

#endif
