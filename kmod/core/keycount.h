/* SPDX-License-Identifier: GPL-2.0 */
/* Counts by generation, in words with their epoch; see struct seen_keycount. */
#ifndef SEEN_CORE_KEYCOUNT_H
#define SEEN_CORE_KEYCOUNT_H

#include "internal.h"

#define SEEN_KEYCOUNT_BITS	(64 - SEEN_EPOCH_BITS)
#define SEEN_KEYCOUNT_MASK	((1ULL << SEEN_KEYCOUNT_BITS) - 1)
#define SEEN_KEYCOUNT_EPOCH_MASK	((1U << SEEN_EPOCH_BITS) - 1)

static inline u64 seen_keycount_word(u32 epoch, u64 count)
{
	return (u64)(epoch & SEEN_KEYCOUNT_EPOCH_MASK) << SEEN_KEYCOUNT_BITS |
	       count;
}

/* How many epochs @word is behind @epoch; huge if it is ahead. */
static inline u32 seen_keycount_age(u64 word, u32 epoch)
{
	return (epoch - (u32)(word >> SEEN_KEYCOUNT_BITS)) &
	       SEEN_KEYCOUNT_EPOCH_MASK;
}

/* What a word counts, 0 if its generation is over. */
static inline u64 seen_keycount_live(u64 word, u32 epoch)
{
	return seen_keycount_age(word, epoch) < SEEN_GENERATIONS ?
	       word & SEEN_KEYCOUNT_MASK : 0;
}

/* seen_keycount_add() - @keys more, or less, in the generation of @epoch */
void seen_keycount_add(struct seen_keycount *keycount, u32 epoch, s64 keys);

#endif
