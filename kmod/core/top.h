/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Top: a small exact table of the heaviest keys beside a sketch. A key that is
 * counted takes the place of the lightest in its bucket if it is heavier now, in
 * the manner of Space-Saving (Metwally, Agrawal and El Abbadi, 2005), but with
 * the sketch's counts. Buckets have eight entries and there are eight times as
 * many entries as keys are asked for, so that a heavy key hardly ever meets eight
 * heavier ones.
 *
 * Direction of error: a key may be listed for longer than it is heavy; counts
 * are asked of the sketch when the list is told.
 */
#ifndef SEEN_CORE_TOP_H
#define SEEN_CORE_TOP_H

#include "table.h"

/**
 * struct seen_top_entry - a heavy key
 * @count: of the sketch, at the time when it was asked for last
 * @item: the key
 */
struct seen_top_entry {
	u32 count;
	struct seen_item item;
};

/* seen_top_bytes() - of the table that goes with a set, 0 without geo.top */
u64 seen_top_bytes(const struct seen_geometry *geo);

/**
 * seen_top_note() - a key was counted
 * @set: with a table
 * @item: the key
 * @count: of it, now
 *
 * Context: softirq or process; bounded; a lock only if the key is heavy.
 */
void seen_top_note(struct seen_set *set, const struct seen_item *item,
		   u32 count);

/**
 * seen_top_list() - the heaviest keys, heaviest first
 * @set: with a table
 * @list: to fill
 * @max: entries in it
 *
 * Context: process. Counts are the sketch's present ones; keys whose count has
 * gone (their window is over) are not listed.
 * Return: how many.
 */
u32 seen_top_list(struct seen_set *set, struct seen_top_entry *list, u32 max);

#endif
