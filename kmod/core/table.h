/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data that all kinds of sets share: a set, a key as the set stores it, and results.
 * set.h and item.h have the operations.
 */
#ifndef SEEN_CORE_TABLE_H
#define SEEN_CORE_TABLE_H

#include "geometry.h"
#include "stripe.h"

enum seen_result {
	SEEN_NEW,	/* was not in the set; an add has stored it */
	SEEN_SEEN,	/* was in the set */
	SEEN_FULL,	/* was not in the set, and not stored: no room */
	SEEN_COPIES,	/* not stored: all allowed copies are present */
	SEEN_ABSENT,	/* nothing to delete */
	SEEN_STALE,	/* unknown: the sweep is late, let the packet pass */
	SEEN_EXPIRED,	/* seen_set_add_aged(): not stored, older than the window */
	SEEN_RENEWED,	/* as SEEN_SEEN, only from a set that @reports */
	SEEN_TWIN,	/* deleted, as SEEN_SEEN, only from a set that @reports */
};

/**
 * struct seen_keycount - number of keys stored
 * @batch: pending keys of a stripe that are added here at once
 * @max: the set is full from this count on: the capacity; counting: counters
 * @count: number of keys; counting: of counters in use. Without generations only [0] is
 *         used. With generations, [epoch % 4] has the epoch in its upper 28 bits and
 *         the keys of that epoch in its lower 36. (% 4 has no jump where the epoch
 *         wraps; % 3 would.) Keys that a stripe holds in @pending are not included: at
 *         most 1/8 of the capacity, so a set is never called full too early.
 */
struct seen_keycount {
	u32 batch;
	u64 max;
	atomic64_t count[SEEN_GENERATIONS + 1];
};

/**
 * struct seen_set_map - rehash state of a map
 * @next: the new table during a rehash, or NULL; under the mover lock, like @failed
 * @torn: an add has failed because the table needs other hashes
 * @failed: the rehash has failed: a key found no room in @next
 */
struct seen_set_map {
	void *next;
	bool torn;
	bool failed;
};

/* Does a set with stamps need its sweep? See cuckoo_window.c. */
enum seen_rest {
	SEEN_REST_AWAKE,
	SEEN_REST_WOKEN,	/* the sweep must start again */
	SEEN_REST_DOZING,	/* one sweep found it empty */
	SEEN_REST_ASLEEP,	/* it is empty: nothing can become stale */
};

/**
 * struct seen_set - a table and its state
 * @table: seen_geometry_bytes() of memory, 64-byte aligned; map: a rehash replaces it
 * @stripes: @stripe_mask + 1 of them
 * @mirror: keys that are stored in @table are stored there as well; see snapshot.h
 * @stripe_mask: picks the stripe of a line or bucket from its index
 * @skip: windowed Bloom: generations ended early by seen_set_rotate()
 * @geo: the geometry, constant after init except @evict
 * @born: windowed Bloom: the tick that its epochs are counted from
 * @rotated: windowed Bloom: times of the last call of seen_set_rotate() and of the call
 *           before, in ns
 * @swept: with a window: the tick or epoch in which the last whole sweep began
 * @sweeping: the tick or epoch in which the current sweep began
 * @rest: with stamps: enum seen_rest
 * @left: with stamps: the current sweep has found a live entry
 * @shortest: with a window: shortest time in ns after which a live entry was evicted,
 *            or lost by seen_set_rotate(), since the last seen_set_effective();
 *            U64_MAX: none lost
 * @mover: held by a CPU that moves fingerprints, writes to a map, or rotates; the outermost
 *         lock of core/
 * @crowded: cuckoo: a search has found no room, and nothing was deleted since; the next
 *           searches are short
 * @keys: number of keys stored
 * @map: SEEN_SET_MAP: state of a rehash; see map.h
 * @top: sketches: seen_top_bytes() of zeroed memory, or NULL; see top.h
 * @total: sketches: sum of all counts; by generation like @keys
 * @merges: sketches: merges into this set that have begun, and that have ended
 * @judges: the mirror decides whether a key was new
 * @mirrors: this set is a mirror and takes keys beyond its capacity
 * @reports: with a window: the first add that renews an entry in a half of the window (cuckoo:
 *           of geo.ticks / 2 ticks; bloom: a generation) returns SEEN_RENEWED instead of
 *           SEEN_SEEN. With a window a delete returns SEEN_TWIN if the key still looks
 *           present, because another key has its fingerprint. Changes while packets read it
 * @front: front of an export: moves do not cross this unit, see snapshot.h; 0: no
 *         export is under way; under @mover
 * @exported: cookie of the latest export, 0 after it was torn
 * @exports: number of cookies issued
 *
 * The members that each packet reads come first. Up to the geometry's @blocks they
 * share one cache line, which is rarely written.
 */
struct seen_set {
	void *table;
	struct seen_stripe *stripes;
	struct seen_set *mirror;
	u32 stripe_mask;
	u32 skip;
	struct seen_geometry geo;
	u64 born;
	u64 rotated[2];
	u64 swept;
	u64 sweeping;
	u32 rest;
	bool left;
	u64 shortest;
	spinlock_t mover;	/* for moves, writes to a map, rotations */
	bool crowded;
	struct seen_keycount keys;
	struct seen_set_map map;
	void *top;
	struct seen_keycount total;
	atomic64_t merges[2];
	bool judges;
	bool mirrors;
	bool reports;
	u64 front;
	u64 exported;
	u64 exports;
};

/**
 * struct seen_item - a key, as a set uses it
 * @hash: hash of the key; bitmap: its number in the range
 * @len: bytes of @key; 0 for kinds that do not need it
 * @key: canonical key, padded with zeros
 */
struct seen_item {
	u64 hash;
	u16 len;
	u8 key[SEEN_ITEM_KEY_MAX];
};

#endif
