// SPDX-License-Identifier: GPL-2.0
/*
 * Making room in a map: search a bounded path first, then move entries from its free
 * end backwards (Li, Andersen, Kaminsky and Freedman, "Algorithmic Improvements for
 * Fast Concurrent Cuckoo Hashing", 2014).
 *
 * All writers hold the mover lock, so a path that was found is still valid when it is
 * walked. As a shortest path, it visits no bucket twice. A search that ends at its
 * bound without a path is treated as the cycle in Pagh and Rodler's algorithm: the
 * table needs other hashes.
 */
#include <linux/log2.h>

#include "map_table.h"

/* Buckets that a search visits: levels of 2, 8, 32 and 128. */
#define NODES		170
/*
 * Marks a move that is not allowed: across the front of an export. As this is also the
 * index of the last bucket in a table of 2^32 buckets, no path goes through that
 * bucket.
 */
#define NOWHERE		U32_MAX

/* Child @index of node i is node 2 + 4i + index; 0 and 1 are the roots. */
static u32 map_path_child_of(u32 i, u32 index)
{
	return 2 + SEEN_MAP_SLOTS * i + index;
}

/* Fill in the path from a root to slot @index of node @i, and on to the empty slot. */
static void map_path_trace(struct seen_map_path *path, const u32 *node, u32 i, u32 index)
{
	u32 up, at;

	path->moves = 1;
	for (up = i; up >= 2; up = (up - 2) / SEEN_MAP_SLOTS)
		path->moves++;

	path->slot[path->moves] = path->slot[0];
	for (at = path->moves; at-- > 0;) {
		path->slot[at].bucket = node[i];
		path->slot[at].index = index;
		index = (i - 2) % SEEN_MAP_SLOTS;
		i = (i - 2) / SEEN_MAP_SLOTS;
	}
}

static bool path_find_empty(const struct seen_map_view *view, u64 bucket,
			    struct seen_map_slot *slot)
{
	u32 map = seen_map_slots(view, bucket, 0);

	if (!map)
		return false;
	slot->bucket = bucket;
	slot->index = ilog2(map);
	return true;
}

/* The other bucket of the entry in a slot of @bucket. */
static u64 map_path_other(const struct seen_map_view *view, u64 bucket, u32 index)
{
	u64 head = READ_ONCE(seen_map_heads(view, bucket)[index]);

	return seen_map_bucket(view, head, bucket < view->half);
}

/*
 * Would a move back cross the front? Then the entry would be missing in the export. An
 * entry that moves forward is exported twice, which an import handles.
 */
static bool map_path_crosses(u64 front, u64 bucket, u32 index, u64 next)
{
	return front && bucket * SEEN_MAP_SLOTS + index >= front &&
	       next * SEEN_MAP_SLOTS < front;
}

/* Breadth-first, so the path is a shortest one. */
bool seen_map_search(const struct seen_map_view *view,
		     const struct seen_map_key *key, u64 front,
		     struct seen_map_path *path)
{
	u32 i, index, child, node[NODES];
	u64 next;

	path->moves = 0;
	for (i = 0; i < 2; i++) {
		if (path_find_empty(view, key->bucket[i], &path->slot[0]))
			return true;
		node[i] = key->bucket[i];
	}

	for (i = 0; i < NODES; i++)
		for (index = 0; index < SEEN_MAP_SLOTS; index++) {
			next = NOWHERE;
			if (node[i] != NOWHERE)
				next = map_path_other(view, node[i], index);
			if (map_path_crosses(front, node[i], index, next))
				next = NOWHERE;
			if (next != NOWHERE &&
			    path_find_empty(view, next, &path->slot[0])) {
				map_path_trace(path, node, i, index);
				return true;
			}
			child = map_path_child_of(i, index);
			if (child < NODES)
				node[child] = next;
		}
	return false;
}

/* No reader uses the body of an empty slot. */
static void map_path_put(const struct seen_map_view *view,
			 const struct seen_map_slot *slot,
			 const struct seen_map_entry *entry)
{
	u64 *heads = seen_map_heads(view, slot->bucket);
	u64 *body = seen_map_body(view, slot);
	u32 i;

	for (i = 1; i < view->words; i++)
		WRITE_ONCE(body[i - 1], entry->word[i]);
	/* Pairs with map_same(): the body is stored before the head. */
	smp_store_release(&heads[slot->index], entry->word[0]);
}

/* Each copy is written before its source is cleared. */
void seen_map_walk_path(struct seen_set *set, const struct seen_map_view *view,
			const struct seen_map_path *path,
			const struct seen_map_entry *entry)
{
	struct seen_map_entry moved;
	u32 i;

	for (i = path->moves; i-- > 0;) {
		seen_map_load(view, &path->slot[i], &moved);
		map_path_put(view, &path->slot[i + 1], &moved);
		seen_map_clear(set, view, &path->slot[i]);
	}
	map_path_put(view, &path->slot[0], entry);
}
