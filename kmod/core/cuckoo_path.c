// SPDX-License-Identifier: GPL-2.0
/*
 * Making room in a cuckoo filter: search a bounded path first, then move entries from
 * its free end backwards (Li, Andersen, Kaminsky and Freedman, "Algorithmic
 * Improvements for Fast Concurrent Cuckoo Hashing", 2014).
 *
 * The search runs breadth-first, under the mover lock but without stripes, so the path
 * may be outdated at its end. Then all stripes of the path and of the key's pair are
 * locked together, in ascending order, at most six. In this one section the path is
 * checked, its entries are moved, and the key is inserted. So an add that fails leaves
 * the table bit for bit as it was, whatever other CPUs do, and no other CPU can use the
 * slot that was freed for the key. This also takes fewer locks than two per move.
 */
#include <linux/log2.h>
#include "cuckoo.h"

/* Buckets that a search visits: levels of 2, 8, 32 and 128. */
#define NODES		170
/* The same after the table has refused a key: a flood of new keys must stay cheap. */
#define NODES_CROWDED	10
/* Maximum moves for one key: one on each level. */
#define MOVES_MAX	4
/* Maximum searches for one key; only a lost race needs another search. */
#define TRIES		8
/*
 * Marks a move that is not allowed: across the front of an export. As this is also the
 * index of the last bucket in a table of 2^32 buckets, no path goes through that
 * bucket.
 */
#define NOWHERE		U32_MAX

/**
 * struct path - moves that empty a slot of the key
 * @bucket: the fingerprint in slot[i] of bucket[i] moves to bucket[i + 1]; the last
 *          bucket has a free slot
 * @slot: index of the slot in the bucket
 * @moves: number of moves
 */
struct path {
	u64 bucket[MOVES_MAX + 1];
	u32 slot[MOVES_MAX];
	u32 moves;
};

/* Stripes in ascending order, each once. */
struct stripes {
	struct seen_stripe *stripe[MOVES_MAX + 2];
	u32 count;
};

/* Child @slot of node i is node 2 + 4i + slot; nodes 0 and 1 are the roots. */
static u32 cuckoo_path_child_of(u32 i, u32 slot)
{
	return 2 + SEEN_CUCKOO_SLOTS * i + slot;
}

/* Fill in the path from a root to slot @slot of node @i, and on to bucket @end. */
static void cuckoo_path_trace(struct path *path, const u32 *node, u32 i, u32 slot, u64 end)
{
	u32 up, at;

	path->moves = 1;
	for (up = i; up >= 2; up = (up - 2) / SEEN_CUCKOO_SLOTS)
		path->moves++;

	path->bucket[path->moves] = end;
	for (at = path->moves; at-- > 0;) {
		path->bucket[at] = node[i];
		path->slot[at] = slot;
		slot = (i - 2) % SEEN_CUCKOO_SLOTS;
		i = (i - 2) / SEEN_CUCKOO_SLOTS;
	}
}

/*
 * Would a move cross the front? An entry that moves backward would be missing in the
 * export; an entry that moves forward would be in it twice.
 */
static bool cuckoo_path_crosses(u64 front, u64 from, u64 to)
{
	return (from < front) != (to < front);
}

/*
 * Breadth-first, so the path is a shortest one; it has 0 moves if there is no path.
 * @front: front of an export, which no move crosses; 0: no export.
 */
static void cuckoo_path_search(const struct seen_set *set,
			       const struct seen_cuckoo_key *key, u64 front,
			       struct path *path)
{
	u32 nodes = READ_ONCE(set->crowded) ? NODES_CROWDED : NODES;
	u32 i, slot, child, node[NODES];
	u32 bits = set->geo.fp_bits;

	node[0] = key->bucket[0];
	node[1] = key->bucket[1];
	for (i = 0; i < nodes; i++) {
		struct seen_bucket b = { };

		if (node[i] != NOWHERE)
			b = seen_bucket_load(set->table, bits, node[i]);
		for (slot = 0; slot < SEEN_CUCKOO_SLOTS; slot++) {
			u32 fp = seen_bucket_get(b, bits, slot);
			u64 next = NOWHERE;

			if (node[i] != NOWHERE)
				next = seen_cuckoo_other(set, node[i], fp);
			if (cuckoo_path_crosses(front, node[i], next))
				next = NOWHERE;
			if (next != NOWHERE && seen_cuckoo_has(set, next, 0)) {
				cuckoo_path_trace(path, node, i, slot, next);
				return;
			}
			child = cuckoo_path_child_of(i, slot);
			if (child < NODES)
				node[child] = next;
		}
	}
	path->moves = 0;
}

/* Is the path still valid? Only a concurrent change can make it visit a bucket twice. */
static bool cuckoo_path_check(const struct seen_set *set, const struct path *path)
{
	u32 i, j, fp;

	for (i = 0; i < path->moves; i++) {
		fp = seen_cuckoo_get(set, path->bucket[i], path->slot[i]);
		if (!fp || seen_cuckoo_other(set, path->bucket[i], fp) !=
			   path->bucket[i + 1])
			return false;
		for (j = 0; j <= i; j++)
			if (path->bucket[j] == path->bucket[i + 1])
				return false;
	}
	return path->moves &&
	       seen_cuckoo_has(set, path->bucket[path->moves], 0);
}

/* From the free end backwards: each copy is written before its source is cleared. */
static void cuckoo_path_walk(struct seen_set *set, const struct path *path)
{
	u32 free = ilog2(seen_cuckoo_slots(set, path->bucket[path->moves], 0));
	u32 i;

	for (i = path->moves; i-- > 0;) {
		u32 slot = path->slot[i];
		u32 fp = seen_cuckoo_get(set, path->bucket[i], slot);

		seen_cuckoo_put(set, path->bucket[i + 1], free, fp);
		seen_cuckoo_clear(set, path->bucket[i], slot);
		free = slot;
	}
}

static void cuckoo_path_collect(struct stripes *all, struct seen_stripe *stripe)
{
	u32 at = 0;
	u32 i;

	while (at < all->count && all->stripe[at] < stripe)
		at++;
	if (at < all->count && all->stripe[at] == stripe)
		return;
	for (i = all->count++; i > at; i--)
		all->stripe[i] = all->stripe[i - 1];
	all->stripe[at] = stripe;
}

static void path_collect_all(struct stripes *all, const struct seen_set *set,
			     const struct seen_cuckoo_key *key,
			     const struct path *path)
{
	u32 i;

	all->count = 0;
	for (i = 0; i < 2; i++)
		cuckoo_path_collect(all, seen_set_stripe(set, key->bucket[i]));
	for (i = 1; i <= path->moves; i++)
		cuckoo_path_collect(all, seen_set_stripe(set, path->bucket[i]));
}

/*
 * The mover lock has disabled bottom halves. __release() here and __acquire() in
 * path_unlock_all() are for sparse, which cannot count locks in a loop.
 */
static void path_lock_all(const struct stripes *all)
{
	u32 i;

	for (i = 0; i < all->count; i++) {
		spin_lock_nested(&all->stripe[i]->lock, i);
		__release(&all->stripe[i]->lock);
	}
}

static void path_unlock_all(const struct stripes *all)
{
	u32 i;

	for (i = all->count; i-- > 0;) {
		__acquire(&all->stripe[i]->lock);
		spin_unlock(&all->stripe[i]->lock);
	}
}

/*
 * Tries a plain insert first: another CPU may have added the key, or freed a slot,
 * while no stripe was held.
 */
static enum seen_result path_insert_by(struct seen_set *set,
				       struct seen_cuckoo_key *key, u32 max,
				       const struct path *path)
{
	enum seen_result result;
	struct stripes all;

	path_collect_all(&all, set, key, path);
	path_lock_all(&all);
	result = seen_cuckoo_insert(set, key, max);
	if (result == SEEN_FULL && cuckoo_path_check(set, path)) {
		cuckoo_path_walk(set, path);
		result = seen_cuckoo_insert(set, key, max);
	}
	path_unlock_all(&all);
	return result;
}

/* Tears an export only if there is no other path. Caller holds the mover lock. */
static void find_path(struct seen_set *set, const struct seen_cuckoo_key *key,
		      struct path *path)
{
	cuckoo_path_search(set, key, set->front, path);
	if (path->moves || !set->front)
		return;
	cuckoo_path_search(set, key, 0, path);
	if (!path->moves)
		return;
	set->front = 0;
	WRITE_ONCE(set->exported, 0);
}

enum seen_result seen_cuckoo_make_room(struct seen_set *set,
				       struct seen_cuckoo_key *key, u32 max)
{
	enum seen_result result;
	struct path path;
	u32 tries = 0;

	spin_lock_bh(&set->mover);
	do {
		find_path(set, key, &path);
		result = path_insert_by(set, key, max, &path);
	} while (result == SEEN_FULL && path.moves && ++tries < TRIES);
	if (result == SEEN_FULL)
		WRITE_ONCE(set->crowded, true);
	spin_unlock_bh(&set->mover);
	return result;
}
