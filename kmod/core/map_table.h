/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables, entries and a key's place: shared by map.c, map_path.c, map_rehash.c and
 * map_unit.c.
 *
 * The memory of a table begins with a line that holds its seed, so a reader that has
 * loaded the table also has its seed. geo.blocks buckets follow: the first half is the
 * first of the algorithm's two tables, the second half is the second. (With even and
 * odd buckets instead, exports were torn twice as often.) A bucket begins with the
 * heads of its slots, which are all that a lookup reads until one of them matches; the
 * bodies follow. All fields are 64-bit words that are loaded and stored whole.
 */
#ifndef SEEN_CORE_MAP_TABLE_H
#define SEEN_CORE_MAP_TABLE_H

#include "block.h"
#include "map.h"

/* Words of the longest entry. */
#define SEEN_MAP_WORDS		8
/* Maximum moves for one key: one on each level of the search. */
#define SEEN_MAP_MOVES		4

/**
 * struct seen_map_entry - a key with its value
 * @word: [0], the head: the upper 56 bits of the hash, and in the low byte the key's
 *        length plus one, so that 0 is an empty slot. The rest is the body: [1] holds
 *        the value in its lower half; then follows the key, padded with zeros.
 */
struct seen_map_entry {
	u64 word[SEEN_MAP_WORDS];
};

/**
 * struct seen_map_key - an entry, and where it may lie
 * @entry: key and value
 * @bucket: one bucket in each half of a table, set by seen_map_locate()
 */
struct seen_map_key {
	struct seen_map_entry entry;
	u64 bucket[2];
};

/**
 * struct seen_map_view - a table with the sizes that a lookup needs
 * @header: memory of the table
 * @half: number of buckets in each half
 * @words: words of an entry
 */
struct seen_map_view {
	u64 *header;
	u64 half;
	u32 words;
};

/**
 * struct seen_map_slot - a slot of a table
 * @bucket: index of the bucket in the table
 * @index: index of the slot in the bucket
 * @value: value that seen_map_find() read there
 */
struct seen_map_slot {
	u64 bucket;
	u32 index;
	u32 value;
};

/**
 * struct seen_map_path - moves that bring an empty slot to a key
 * @slot: the entry in slot[i] moves to slot[i + 1]; the last slot is empty, the first
 *        is in one of the key's buckets
 * @moves: number of moves, may be 0
 */
struct seen_map_path {
	struct seen_map_slot slot[SEEN_MAP_MOVES + 1];
	u32 moves;
};

static inline struct seen_map_view seen_map_view(const struct seen_set *set,
						 void *table)
{
	return (struct seen_map_view) {
		.header = table,
		.half = set->geo.blocks / 2,
		.words = seen_map_words(&set->geo),
	};
}

static inline u64 *seen_map_heads(const struct seen_map_view *view, u64 bucket)
{
	return view->header + SEEN_MAP_HEADER +
	       bucket * SEEN_MAP_SLOTS * view->words;
}

static inline u64 *seen_map_body(const struct seen_map_view *view,
				 const struct seen_map_slot *slot)
{
	return seen_map_heads(view, slot->bucket) + SEEN_MAP_SLOTS +
	       slot->index * (view->words - 1);
}

/*
 * The bucket of an entry with @head in half 0 or 1. The seed is constant while the
 * table is in use.
 */
static inline u64 seen_map_bucket(const struct seen_map_view *view, u64 head,
				  u32 half)
{
	u64 hash = seen_remix((head | 0xff) ^ view->header[0]);

	if (!half)
		return seen_range(hash, view->half);
	return view->half + seen_range(seen_remix(~hash), view->half);
}

static inline void seen_map_locate(const struct seen_map_view *view,
				   struct seen_map_key *key)
{
	key->bucket[0] = seen_map_bucket(view, key->entry.word[0], 0);
	key->bucket[1] = seen_map_bucket(view, key->entry.word[0], 1);
}

/* Bitmap of the slots with this head; 0: of the empty slots. Bit i is slot i. */
static inline u32 seen_map_slots(const struct seen_map_view *view, u64 bucket,
				 u64 head)
{
	const u64 *heads = seen_map_heads(view, bucket);
	u32 map = 0;
	u32 i;

	for (i = 0; i < SEEN_MAP_SLOTS; i++)
		map |= (u32)(READ_ONCE(heads[i]) == head) << i;
	return map;
}

/**
 * seen_map_find() - the slot of a key
 * @view: the table
 * @key: key with its buckets
 * @slot: out
 *
 * The result is certain if the caller holds the mover lock or the key's stripes.
 * Otherwise it is valid only if the stripes' sequence counts have not changed.
 *
 * Return: true if found.
 */
bool seen_map_find(const struct seen_map_view *view,
		   const struct seen_map_key *key, struct seen_map_slot *slot);

/* seen_map_load() - read the entry in a slot; caller holds the mover lock; false if empty */
bool seen_map_load(const struct seen_map_view *view,
		   const struct seen_map_slot *slot,
		   struct seen_map_entry *entry);

/*
 * seen_map_add_entry() - as seen_map_add() without @replace, for a whole entry;
 * @import: with @replace, and also beyond the capacity: see seen_map_absorb()
 */
enum seen_result seen_map_add_entry(struct seen_set *set,
				    const struct seen_map_entry *entry,
				    bool import);

/* seen_map_clear() - empty a slot; caller holds the mover lock; takes the slot's stripe */
void seen_map_clear(struct seen_set *set, const struct seen_map_view *view,
		    const struct seen_map_slot *slot);

/**
 * seen_map_search() - find a shortest path that brings an empty slot to a key
 * @view: the table
 * @key: key with its buckets, not in the table
 * @front: front of an export, in slots, which no move may cross; 0: no export
 * @path: out
 *
 * Context: caller holds the mover lock; bounded.
 * Return: false if there is no path.
 */
bool seen_map_search(const struct seen_map_view *view,
		     const struct seen_map_key *key, u64 front,
		     struct seen_map_path *path);

/* seen_map_walk_path() - make the moves, then store @entry; caller holds the mover lock */
void seen_map_walk_path(struct seen_set *set, const struct seen_map_view *view,
			const struct seen_map_path *path,
			const struct seen_map_entry *entry);

/*
 * These keep the new table of a rehash in step; without a rehash they do nothing.
 * Caller holds the mover lock. seen_map_mirror(): store an entry of the old table in
 * the new one, with its value. seen_map_mirror_path(): store the entries on a path
 * before it is walked, so that an entry that moves back to slots that were already
 * copied is not missed. seen_map_mirror_del(): delete a key.
 */
void seen_map_mirror(struct seen_set *set, const struct seen_map_entry *entry);
void seen_map_mirror_path(struct seen_set *set,
			  const struct seen_map_view *view,
			  const struct seen_map_path *path);
void seen_map_mirror_del(struct seen_set *set,
			 const struct seen_map_entry *entry);

#endif
