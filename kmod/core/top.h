/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Top: a small exact table of the heaviest keys of a sketch. A key that is counted
 * replaces the lightest key of its bucket if it is heavier now, as in Space-Saving
 * (Metwally, Agrawal and El Abbadi, 2005), but with the sketch's counts. A bucket has
 * eight entries, and there are eight times as many entries as keys in the list, so that
 * a heavy key hardly ever meets eight heavier keys.
 *
 * Direction of error: a key may stay in the table for longer than it is heavy. The list
 * is made with the sketch's current counts.
 */
#ifndef SEEN_CORE_TOP_H
#define SEEN_CORE_TOP_H

#include "table.h"

/**
 * struct seen_top_entry - a heavy key
 * @count: its count in the sketch when the list was made
 * @item: the key
 */
struct seen_top_entry {
	u32 count;
	struct seen_item item;
};

/* seen_top_bytes() - bytes of a set's table of heaviest keys, 0 without geo.top */
u64 seen_top_bytes(const struct seen_geometry *geo);

/**
 * seen_top_note() - update the table after a key was counted
 * @set: set with a table of heaviest keys
 * @item: the key
 * @count: its count now
 *
 * Context: softirq or process; bounded; takes a lock only if the key is heavy, or is
 * the first of its bucket in a tick.
 */
void seen_top_note(struct seen_set *set, const struct seen_item *item,
		   u32 count);

/**
 * seen_top_list() - list the heaviest keys, heaviest first
 * @set: set with a table of heaviest keys
 * @list: out
 * @max: number of entries in @list
 *
 * Context: process. Counts are the sketch's current ones; keys with a count of 0 (their
 * window is over) are left out.
 * Return: number of keys.
 */
u32 seen_top_list(struct seen_set *set, struct seen_top_entry *list, u32 max);

#endif
