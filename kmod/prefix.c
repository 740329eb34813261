// SPDX-License-Identifier: GPL-2.0
/* Filters whose keys have prefixes of any length; core/lengths.h. */
#include <linux/spinlock.h>

#include "core/prefetch.h"
#include "filter.h"

/* For who adds lengths, so that there are not more than may be exported. */
static DEFINE_SPINLOCK(admit_lock);

/* Prefixes whose memory is fetched at once. */
#define AHEAD	8

/* Return: how many items there are, at most AHEAD. */
static u32 collect(struct seen_filter *filter, const struct seen_key *key,
		   struct seen_prefix_walk *walk, struct seen_item *items)
{
	u32 count;

	for (count = 0; count < AHEAD; count++) {
		if (!seen_prefix_next(walk, &filter->lengths))
			break;
		seen_item_make(&filter->set.geo, &filter->secret, &filter->span,
			       walk->head, key->len, &items[count]);
		seen_set_prefetch(&filter->set, items[count].hash);
	}
	return count;
}

/* Is one of them in the filter? The first is the longest. */
static bool find(struct seen_filter *filter, const struct seen_item *items,
		 u32 count, struct seen_item *item)
{
	u32 i;

	for (i = 0; i < count; i++) {
		if (seen_item_test(&filter->set, &items[i]) != SEEN_SEEN)
			continue;
		*item = items[i];
		return true;
	}
	return false;
}

/* Apart from what asks by whole keys: its items take room on the stack. */
static noinline void ask_prefixes(struct seen_filter *filter,
				  const struct seen_key *key,
				  struct seen_item *item)
{
	struct seen_item items[AHEAD] __uninitialized;
	struct seen_prefix_walk walk __uninitialized;
	u32 count;

	seen_prefix_begin(&walk, key);
	do
		count = collect(filter, key, &walk, items);
	while (!find(filter, items, count, item) && count == AHEAD);
}

bool seen_filter_question(struct seen_filter *filter, const struct seen_key *key,
			  struct seen_item *item)
{
	if (!seen_filter_item(filter, key, item))
		return false;
	if (unlikely(key->prefix))
		ask_prefixes(filter, key, item);
	return true;
}

bool seen_filter_admit(struct seen_filter *filter, const struct seen_key *key)
{
	bool fits;
	int index;

	if (!key->prefix)
		return true;
	index = seen_lengths_index(key->head + key->prefix - 1);
	if (seen_lengths_next(&filter->lengths, index) == index)
		return true;
	spin_lock(&admit_lock);
	fits = seen_lengths_add(&filter->lengths, index);
	spin_unlock(&admit_lock);
	return fits;
}

bool seen_filter_admit_all(struct seen_filter *to, const struct seen_filter *from)
{
	bool fit;

	spin_lock(&admit_lock);
	fit = seen_lengths_merge(&to->lengths, &from->lengths);
	spin_unlock(&admit_lock);
	return fit;
}
