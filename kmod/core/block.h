/* SPDX-License-Identifier: GPL-2.0 */
/* Where in a table a hash is, and which stripe guards it. */
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
 * The line of a Bloom kind. A folded one spreads its hashes as it did before, and
 * neighbours then share one.
 */
static __always_inline u64 seen_set_block(const struct seen_set *set, u64 hash)
{
	if (likely(set->geo.fold <= 1))
		return seen_range(hash, set->geo.blocks);
	return seen_range(hash, set->geo.span) / set->geo.fold;
}

#endif
