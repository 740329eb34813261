/* SPDX-License-Identifier: GPL-2.0 */
/* Maps a hash to its block of the table, and a block to its stripe. */
#ifndef SEEN_CORE_BLOCK_H
#define SEEN_CORE_BLOCK_H

#include "siphash.h"
#include "table.h"

static inline struct seen_stripe *seen_set_stripe(const struct seen_set *set,
						  u64 block)
{
	return &set->stripes[block & set->stripe_mask];
}

/*
 * The line of a hash, for Bloom kinds. A folded set still spreads hashes over geo.span
 * lines; each group of geo.fold neighbouring lines is one line of the table.
 */
static __always_inline u64 seen_set_block(const struct seen_set *set, u64 hash)
{
	if (likely(set->geo.fold <= 1))
		return seen_range(hash, set->geo.blocks);
	return seen_range(hash, set->geo.span) / set->geo.fold;
}

/*
 * The bit of a hash, for a classic Bloom filter. As seen_set_block(), with all bits of the
 * hash, because there are more bits than lines.
 */
static __always_inline u64 seen_set_place(const struct seen_set *set, u64 hash)
{
	if (likely(set->geo.fold <= 1))
		return seen_range64(hash, set->geo.blocks);
	return seen_range64(hash, set->geo.span) / set->geo.fold;
}

#endif
