/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Map: an exact cuckoo hash table in two tables, from keys to values of 32
 * bits.
 *
 * All writers hold the set's mover lock; readers hold none, and use the
 * stripes' sequence counts. A kick that finds no end within its bound (a cycle,
 * with luck rarer than one in the number of buckets) leaves the table as it
 * was, answers SEEN_FULL and sets seen_map_torn(): the table needs other
 * hashes. Process context then makes another table and calls, in this order:
 *
 *	seen_map_rehash_begin()	from now on each change is made in both tables
 *	seen_map_rehash_step()	until it returns 0: copies a slice of entries
 *	seen_map_rehash_end()	the new table is the set's; readers of the old one
 *				may still be in it: free it after a grace period
 *
 * If a step or a change finds no place in the new table, seen_map_rehash_end()
 * says so, and the caller begins again with other hashes.
 *
 * A map takes its capacity and no key more: then an add answers SEEN_FULL, too,
 * and seen_set_full() is true.
 *
 * Context: seen_map_test() and seen_map_add() read the table without a lock, so
 * their callers are in an RCU read section, as the packet path is, or keep
 * seen_map_rehash_end() away. The others need none.
 */
#ifndef SEEN_CORE_MAP_H
#define SEEN_CORE_MAP_H

#include "table.h"

/**
 * struct seen_map_table - the entries, and the hashes that place them
 * @entries: seen_geometry_bytes() of memory, 64-byte aligned
 * @seed: mixed into every hash of this table; 0 in a set's first one
 */
struct seen_map_table {
	void *entries;
	u64 seed;
};

bool seen_map_test(struct seen_set *set, const struct seen_item *item,
		   u32 *value);
/* @replace: a key that is there gets @value, too */
enum seen_result seen_map_add(struct seen_set *set,
			      const struct seen_item *item, u32 value,
			      bool replace);
enum seen_result seen_map_del(struct seen_set *set,
			      const struct seen_item *item);

/* seen_map_torn() - has an add failed for want of other hashes? */
bool seen_map_torn(const struct seen_set *set);

/**
 * seen_map_rehash_begin() - have changes made in another table as well
 * @set: of SEEN_SET_MAP; no rehash is under way
 * @table: zeroed entries, and a random seed; @entries stay the owner's until
 *         the end, and the seed is written into them
 *
 * Context: process, one caller at a time until seen_map_rehash_end().
 */
void seen_map_rehash_begin(struct seen_set *set, struct seen_map_table *table);

/**
 * seen_map_rehash_step() - copy entries to the new table
 * @set: in a rehash
 * @from: first slot of the old one
 * @count: slots at most
 *
 * Takes locks a slot at a time.
 *
 * Return: the next slot, or 0 after the last, or if the rehash has failed.
 */
u64 seen_map_rehash_step(struct seen_set *set, u64 from, u64 count);

/**
 * seen_map_rehash_end() - make the new table the set's
 * @set: in a rehash, every slot of which was copied
 * @old: out: what is to be freed after a grace period: the old table's memory,
 *       or the new one's if the rehash has failed
 *
 * Return: false: some key found no place; the set is as it was.
 */
bool seen_map_rehash_end(struct seen_set *set, struct seen_map_table *old);

/**
 * seen_map_get() - what is in a slot
 * @set: of SEEN_SET_MAP
 * @at: slot, of geo.blocks * SEEN_MAP_SLOTS
 * @item: out: the key, and of the hash the upper 56 bits, which are all that a
 *        map looks at: seen_map_add() puts it into a map of the same secret
 * @value: out
 *
 * Context: @set->mover is held.
 * Return: false: it is empty.
 */
bool seen_map_get(struct seen_set *set, u64 at, struct seen_item *item,
		  u32 *value);

/**
 * seen_map_walk() - tell the entries of some slots
 * @set: of SEEN_SET_MAP
 * @from: first slot
 * @count: slots at most
 * @tell: called for each entry, without a lock
 * @context: for @tell
 *
 * Between two slots entries may move, and a rehash puts each elsewhere: who
 * must not miss one sets @set->front, in slots, and looks at @set->exported;
 * see snapshot.h.
 *
 * Return: the next slot, or 0 after the last.
 */
u64 seen_map_walk(struct seen_set *set, u64 from, u64 count,
		  void (*tell)(void *context, const void *key, u32 len,
			       u32 value),
		  void *context);

#endif
