// SPDX-License-Identifier: GPL-2.0
/* The keys in an exact filter; local_walk.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local_set.h"
#include "local_walk.h"
#include "map.h"

#define WORD_BITS	64
#define SLICE		1024

/**
 * struct entry - a key of a map
 * @value: of the key
 * @len: bytes of @key
 * @key: canonical, padded with zeroes
 */
struct entry {
	u32 value;
	u32 len;
	u8 key[SEEN_ITEM_KEY_MAX];
};

/**
 * struct entries - all keys of a map
 * @entry: the keys
 * @count: number of keys
 * @room: number of keys that @entry has memory for
 * @lost: memory ran out, and at least one key is missing
 */
struct entries {
	struct entry *entry;
	size_t count;
	size_t room;
	bool lost;
};

static bool grow(struct entries *entries)
{
	size_t room = entries->room ? 2 * entries->room : SLICE;
	struct entry *entry = reallocarray(entries->entry, room,
					   sizeof(*entry));

	if (!entry)
		return false;
	entries->entry = entry;
	entries->room = room;
	return true;
}

static void local_walk_collect(void *context, const void *key, u32 len,
			       u32 value)
{
	struct entries *entries = context;
	struct entry *entry;

	if (entries->lost || len > sizeof(entry->key) ||
	    (entries->count == entries->room && !grow(entries))) {
		entries->lost = true;
		return;
	}
	entry = &entries->entry[entries->count++];
	*entry = (struct entry) { .value = value, .len = len };
	memcpy(entry->key, key, len);
}

/* Keys are padded with zeroes. If two padded keys are equal, the shorter key comes first. */
static int local_walk_compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = memcmp(x->key, y->key, sizeof(x->key));

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static int walk_map(struct seen_local *local, seen_tell_fn tell, void *context)
{
	struct entries entries = {};
	int err = 0;
	u64 at = 0;

	do {
		at = seen_map_walk(&local->set, at, SLICE, local_walk_collect,
				   &entries);
	} while (at);
	if (entries.lost)
		err = seen_local_no_memory(0);
	else if (entries.count)
		qsort(entries.entry, entries.count, sizeof(*entries.entry),
		      local_walk_compare);
	for (size_t i = 0; i < entries.count && !err; i++)
		err = tell(entries.entry[i].key, entries.entry[i].len,
			   entries.entry[i].value, context);
	free(entries.entry);
	return err;
}

/* The key of bit @number of a bitmap: @number prefixes after the first key. */
static void key_of(const struct seen_span *span, u64 number, u8 *key)
{
	u64 carry = number << span->shift % 8;
	int i = span->len - 1 - span->shift / 8;

	memcpy(key, span->first, span->len);
	for (; carry && i >= 0; i--) {
		carry += key[i];
		key[i] = carry;
		carry >>= 8;
	}
}

static int walk_word(const struct seen_span *span, u64 first, u64 word,
		     seen_tell_fn tell, void *context)
{
	u8 key[sizeof(span->first)];
	int err = 0;

	for (; word && !err; word &= word - 1) {
		key_of(span, first + __builtin_ctzll(word), key);
		err = tell(key, span->len, 0, context);
	}
	return err;
}

static int walk_bitmap(const struct seen_local *local, seen_tell_fn tell,
		       void *context)
{
	const u64 *word = local->set.table;
	u64 bits = local->set.geo.blocks;
	int err = 0;

	for (u64 at = 0; at < bits && !err; at += WORD_BITS, word++)
		err = walk_word(&local->span, at, *word, tell, context);
	return err;
}

int seen_local_walk(struct seen_local *local, seen_tell_fn tell, void *context)
{
	switch (local->set.geo.kind) {
	case SEEN_SET_MAP:
		return walk_map(local, tell, context);
	case SEEN_SET_BITMAP:
		return walk_bitmap(local, tell, context);
	default:
		return seen_local_fail(-EOPNOTSUPP,
				       SEEN_NO_WALK_TEXT,
				       seen_word(&seen_types,
						 local->config.type));
	}
}
