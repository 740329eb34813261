/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Map: an exact cuckoo hash table from keys to values of 32 bits.
 *
 * All writers hold the set's mover lock. Readers hold no lock and use the stripes'
 * sequence counts. If the search for room finds no free slot within its bound (a cycle,
 * which is rare), the add leaves the table as it was, returns SEEN_FULL and makes
 * seen_map_torn() true: the table needs other hashes. Process context then allocates
 * another table and calls, in this order:
 *
 *	seen_map_rehash_begin()	from now on each change is made in both tables
 *	seen_map_rehash_step()	copies a slice of entries; call until it returns 0
 *	seen_map_rehash_end()	publishes the new table; readers may still use the
 *				old one: free it after a grace period
 *
 * If a step or a change finds no room in the new table, seen_map_rehash_end() returns
 * false, and the caller starts again with other hashes.
 *
 * A map accepts keys up to its capacity. At capacity an add of a new key returns
 * SEEN_FULL, and seen_set_full() is true.
 *
 * Context: seen_map_test() and seen_map_add() read the table without a lock. So their
 * callers are in an RCU read section, like the packet path, or exclude
 * seen_map_rehash_end(). The other functions access the table only under the mover lock
 * and need neither.
 */
#ifndef SEEN_CORE_MAP_H
#define SEEN_CORE_MAP_H

#include "table.h"

/**
 * struct seen_map_table - the entries, and the seed of the hashes that place them
 * @entries: seen_geometry_bytes() of memory, 64-byte aligned
 * @seed: mixed into every hash of this table; 0 in a set's first table
 */
struct seen_map_table {
	void *entries;
	u64 seed;
};

bool seen_map_test(struct seen_set *set, const struct seen_item *item,
		   u32 *value);
/* @replace: give @value also to a key that is present */
enum seen_result seen_map_add(struct seen_set *set,
			      const struct seen_item *item, u32 value,
			      bool replace);
enum seen_result seen_map_del(struct seen_set *set,
			      const struct seen_item *item);

/* seen_map_torn() - did an add fail because the table needs other hashes? */
bool seen_map_torn(const struct seen_set *set);

/**
 * seen_map_rehash_begin() - from now on, make changes in another table as well
 * @set: set of kind SEEN_SET_MAP, without a rehash under way
 * @table: zeroed entries and a random seed, which is written into them; the caller owns
 *         @entries until seen_map_rehash_end()
 *
 * Context: process, one caller at a time until seen_map_rehash_end().
 */
void seen_map_rehash_begin(struct seen_set *set, struct seen_map_table *table);

/**
 * seen_map_rehash_step() - copy entries to the new table
 * @set: in a rehash
 * @from: first slot of the old table
 * @count: maximum number of slots
 *
 * Takes the mover lock once per slot.
 *
 * Return: the next slot; 0 after the last slot or if the rehash has failed.
 */
u64 seen_map_rehash_step(struct seen_set *set, u64 from, u64 count);

/**
 * seen_map_rehash_end() - make the new table the set's table
 * @set: a map in a rehash; the last seen_map_rehash_step() returned 0
 * @old: out: the table to free after a grace period: the old one, or the new one if the
 *       rehash has failed
 *
 * Return: false if a key found no room in the new table; then the set keeps the old
 * table.
 */
bool seen_map_rehash_end(struct seen_set *set, struct seen_map_table *old);

/**
 * seen_map_get() - read the entry in a slot
 * @set: set of kind SEEN_SET_MAP
 * @at: slot, below geo.blocks * SEEN_MAP_SLOTS
 * @item: out: the key, and the upper 56 bits of its hash, which are all that
 *        seen_map_add() needs to store it in a map of the same secret
 * @value: out
 *
 * Context: caller holds @set->mover.
 * Return: false if the slot is empty.
 */
bool seen_map_get(struct seen_set *set, u64 at, struct seen_item *item,
		  u32 *value);

/**
 * seen_map_walk() - call a function for each entry of some slots
 * @set: set of kind SEEN_SET_MAP
 * @from: first slot
 * @count: maximum number of slots
 * @tell: the function; called without a lock
 * @context: first argument of the function
 *
 * Between two slots entries may move, and a rehash moves all of them. A caller that
 * must not miss an entry sets @set->front, in slots, and checks @set->exported; see
 * snapshot.h.
 *
 * Return: the next slot, or 0 after the last.
 */
u64 seen_map_walk(struct seen_set *set, u64 from, u64 count,
		  void (*tell)(void *context, const void *key, u32 len,
			       u32 value),
		  void *context);

#endif
