/* SPDX-License-Identifier: GPL-2.0 */
/* Sum of all counts of a sketch. */
#ifndef SEEN_CORE_TOTAL_H
#define SEEN_CORE_TOTAL_H

#include "table.h"

/*
 * seen_total_init() starts at 0, seen_total_count() adds one, seen_total_add() adds
 * @count. @epoch: in which it counts (0 without a window). @stripe: chosen by the key's
 * hash; its lock is not needed.
 */
void seen_total_init(struct seen_set *set);
void seen_total_count(struct seen_set *set, struct seen_stripe *stripe,
		      u32 epoch);
void seen_total_add(struct seen_set *set, u32 epoch, u64 count);
/*
 * Add the pending counts of the stripes, and drop the epochs before @epoch. @stale: the
 * sweep is so late that epochs are ambiguous; drop all of them.
 */
void seen_total_sweep(struct seen_set *set, u32 epoch, bool stale);
/* Raise the sum to at least @total; the difference counts in @epoch. */
void seen_total_raise(struct seen_set *set, u32 epoch, u64 total);
/*
 * seen_total() is the sum without the pending counts of stripes; seen_total_pending()
 * is the sum of these, and walks all stripes.
 */
u64 seen_total(const struct seen_set *set, u32 epoch);
u64 seen_total_pending(const struct seen_set *set, u32 epoch);

#endif
