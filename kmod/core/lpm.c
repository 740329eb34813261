// SPDX-License-Identifier: GPL-2.0
/* Longest-prefix match; lpm.h. */
#include "item.h"
#include "lpm.h"
#include "prefetch.h"

/* Number of prefixes that are prefetched together. */
#define AHEAD	8

void seen_lpm_begin(struct seen_lpm_walk *walk, const void *key, u32 len, u32 at)
{
	const u8 *from = key;
	u32 i;

	for (i = 0; i < len; i++)
		walk->key[i] = from[i];
	walk->len = len;
	walk->prefix = walk->key + at;
	walk->index = seen_lengths_index(walk->prefix);
}

/* Return: number of items, at most AHEAD. */
static u32 lpm_collect_prefixes(const struct seen_lpm *lpm,
				struct seen_lpm_walk *walk, struct seen_item *items)
{
	u32 count;

	for (count = 0; count < AHEAD; count++) {
		if (!seen_lpm_next(walk, lpm->lengths))
			break;
		seen_item_make(&lpm->set->geo, lpm->secret, NULL, walk->key,
			       walk->len, &items[count]);
		seen_set_prefetch(lpm->set, items[count].hash);
	}
	return count;
}

static enum seen_result lpm_ask_prefix(const struct seen_lpm *lpm,
				       const struct seen_item *item, u32 *value)
{
	if (lpm->over != SEEN_LPM_SEEN) {
		*value = seen_item_count(lpm->set, item);
		return *value > lpm->over ? SEEN_SEEN : SEEN_NEW;
	}
	if (lpm->set->geo.kind == SEEN_SET_MAP)
		return seen_item_value(lpm->set, item, value) ? SEEN_SEEN :
								SEEN_NEW;
	return seen_item_test(lpm->set, item);
}

enum seen_result seen_lpm_ask(const struct seen_lpm *lpm, const void *key, u32 len,
			      u32 at, u32 *value)
{
	/* Not cleared, because they are large; all bytes that are read were written before. */
	struct seen_item items[AHEAD] __uninitialized;
	struct seen_lpm_walk walk __uninitialized;
	enum seen_result result;
	u32 count, i;

	*value = 0;
	seen_lpm_begin(&walk, key, len, at);
	do {
		count = lpm_collect_prefixes(lpm, &walk, items);
		for (i = 0; i < count; i++) {
			result = lpm_ask_prefix(lpm, &items[i], value);
			if (result != SEEN_NEW)
				return result;
		}
	} while (count == AHEAD);
	*value = 0;
	return SEEN_NEW;
}
