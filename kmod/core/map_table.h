/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What map.c, map_path.c and map_rehash.c share: tables, entries, a key's
 * place.
 *
 * The memory of a table is a line with its seed, so that who has the one has
 * the other, and then geo.blocks buckets: one half is the first of the
 * algorithm's two tables, one half the second. (Even and odd buckets would do,
 * but an export was torn twice as often.) A bucket begins with the heads of its
 * slots, which are all that a lookup reads until one of them matches; the
 * bodies follow. Everything is words of 64 bits, loaded and stored whole.
 */
#ifndef SEEN_CORE_MAP_TABLE_H
#define SEEN_CORE_MAP_TABLE_H

#include "block.h"
#include "map.h"

/* Words of the longest entry. */
#define SEEN_MAP_WORDS		8
/* Most moves for one key: a slot on each level of the search. */
#define SEEN_MAP_MOVES		4

/**
 * struct seen_map_entry - a key with its value
 * @word: [0], the head: the upper 56 bits of the hash, and the key's length
 *        plus one, so that 0 is an empty slot. The rest is the body: [1] has
 *        the value in its lower half; from there on the key, with zeroes behind
 *        it.
 */
struct seen_map_entry {
	u64 word[SEEN_MAP_WORDS];
};

/**
 * struct seen_map_key - an entry, and where it may lie
 * @entry: with the key
 * @bucket: one in each half of a table, as seen_map_locate() has left it
 */
struct seen_map_key {
	struct seen_map_entry entry;
	u64 bucket[2];
};

/**
 * struct seen_map_view - a table, as who looks into it needs it
 * @header: its memory
 * @half: buckets in each half
 * @words: of an entry
 */
struct seen_map_view {
	u64 *header;
	u64 half;
	u32 words;
};

/**
 * struct seen_map_slot - one of a table's
 * @bucket: of all in the table
 * @index: in the bucket
 * @value: that seen_map_find() has read there
 */
struct seen_map_slot {
	u64 bucket;
	u32 index;
	u32 value;
};

/**
 * struct seen_map_path - moves that bring an empty slot to a key
 * @slot: the entry in slot[i] goes to slot[i + 1]; the last one is empty, the
 *        first is one of the key's
 * @moves: how many, may be 0
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

/* In one of the halves. The seed is constant while others know the table. */
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

/* The slots with a head, or with 0, the empty ones: bit i is slot i. */
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
 * @key: with its buckets
 * @slot: out
 *
 * Exact under the mover lock or the key's stripes. Else others may have been at
 * work, as the stripes' counts tell.
 */
bool seen_map_find(const struct seen_map_view *view,
		   const struct seen_map_key *key, struct seen_map_slot *slot);

/* seen_map_load() - the entry in a slot, under the mover; false: it is empty */
bool seen_map_load(const struct seen_map_view *view,
		   const struct seen_map_slot *slot,
		   struct seen_map_entry *entry);

/*
 * seen_map_add_entry() - as seen_map_add(), without @replace, of a whole entry;
 * @import: with it, and beyond the capacity, too: see seen_map_absorb()
 */
enum seen_result seen_map_add_entry(struct seen_set *set,
				    const struct seen_map_entry *entry,
				    bool import);

/* seen_map_clear() - empty a slot; under the mover lock, takes its stripe */
void seen_map_clear(struct seen_set *set, const struct seen_map_view *view,
		    const struct seen_map_slot *slot);

/**
 * seen_map_search() - a shortest way to bring an empty slot to a key
 * @view: the table
 * @key: with its buckets, not in the table
 * @front: an export's, in slots, which no move may cross; 0: none
 * @path: out
 *
 * Context: under the mover lock; bounded.
 * Return: false: there is none, nothing was changed.
 */
bool seen_map_search(const struct seen_map_view *view,
		     const struct seen_map_key *key, u64 front,
		     struct seen_map_path *path);

/* seen_map_walk_path() - move, and put an entry; under the mover lock */
void seen_map_walk_path(struct seen_set *set, const struct seen_map_view *view,
			const struct seen_map_path *path,
			const struct seen_map_entry *entry);

/*
 * In a rehash, under the mover lock, and otherwise nothing: an entry in the old
 * table is in the new one, too, with its value; those on a path that is about
 * to be walked are, and so none is missed that goes back behind the copying; a
 * key is in neither.
 */
void seen_map_mirror(struct seen_set *set, const struct seen_map_entry *entry);
void seen_map_mirror_path(struct seen_set *set,
			  const struct seen_map_view *view,
			  const struct seen_map_path *path);
void seen_map_mirror_del(struct seen_set *set,
			 const struct seen_map_entry *entry);

#endif
