/* SPDX-License-Identifier: GPL-2.0 */
/* How much a sketch has counted in all. */
#ifndef SEEN_CORE_TOTAL_H
#define SEEN_CORE_TOTAL_H

#include "table.h"

/* A sketch has counted one more, or @count, in @epoch (0: no window). */
void seen_total_init(struct seen_set *set);
void seen_total_count(struct seen_set *set, struct seen_stripe *stripe,
		      u32 epoch);
void seen_total_add(struct seen_set *set, u32 epoch, u64 count);
/*
 * Add the pending counts of the stripes, and drop the epochs before @epoch. @stale: the
 * sweep is so late that epochs are ambiguous; drop all of them.
 */
void seen_total_sweep(struct seen_set *set, u32 epoch, bool stale);
/* At least @total was counted; the difference counts in @epoch. */
void seen_total_raise(struct seen_set *set, u32 epoch, u64 total);
/* The sum, and what the stripes still hold back; that walks them. */
u64 seen_total(const struct seen_set *set, u32 epoch);
u64 seen_total_pending(const struct seen_set *set, u32 epoch);

#endif
