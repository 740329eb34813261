// SPDX-License-Identifier: GPL-2.0
/* The list of heaviest keys of a local sketch, to and from a table. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local_open.h"
#include "local_set.h"
#include "number.h"
#include "top.h"

/* Bytes of a key's length, which precedes the key. */
#define RECORD_HEAD	2

static bool local_top_note_key(struct seen_local *local, const uint8_t *key,
			       size_t len)
{
	struct seen_item item;
	u32 count;

	if (!seen_item_make(&local->set.geo, &local->secret, &local->span, key,
			    len, &item))
		return false;
	count = seen_item_count(&local->set, &item);
	if (count)
		seen_top_note(&local->set, &item, count);
	return true;
}

int seen_local_top_put(struct seen_local *local, const struct seen_table *table)
{
	size_t at = 0, len;

	if (table->top_bytes && !local->set.top)
		return seen_local_fail(-EBADMSG,
				       "the header is damaged: it lists heaviest keys of a filter without top");
	for (; at < table->top_bytes; at += RECORD_HEAD + len) {
		len = number_get(table->top + at, RECORD_HEAD);
		if (!local_top_note_key(local, table->top + at + RECORD_HEAD,
					len))
			return seen_local_fail(-EBADMSG,
					       "the header is damaged: a heaviest key does not fit the filter");
	}
	return 0;
}

static void add_key(struct seen_table *table, const struct seen_item *item)
{
	uint8_t *to = table->top + table->top_bytes;

	number_put(to, RECORD_HEAD, item->len);
	memcpy(to + RECORD_HEAD, item->key, item->len);
	table->top_bytes += RECORD_HEAD + item->len;
}

int seen_local_top_get(struct seen_local *local, struct seen_table *table)
{
	u32 count = local->set.geo.top, i;
	struct seen_top_entry *list;

	if (!count)
		return 0;
	list = calloc(count, sizeof(*list));
	table->top = calloc(count, RECORD_HEAD + SEEN_ITEM_KEY_MAX);
	if (!list || !table->top) {
		free(list);
		return seen_local_no_memory(0);
	}
	count = seen_top_list(&local->set, list, count);
	for (i = 0; i < count; i++)
		add_key(table, &list[i].item);
	free(list);
	return 0;
}
