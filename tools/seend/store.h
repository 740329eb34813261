/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The store: the filter of a group, or in mode "each" a filter for each publisher. Functions return
 * 0 or a negative errno, and then store_ops.error has a line for people.
 */
#ifndef SEEND_STORE_H
#define SEEND_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "../lib/libseen_feed.h"

struct store;

/* Bytes of the description of a filter's geometry, with its NUL. */
#define GEOMETRY_ROOM	256

/**
 * struct store_info - a filter's state
 * @identity: changes if a filter loses its keys: it was flushed or replaced, or is another filter
 * @check: as group.check, of the filter's key, secret and window
 * @capacity: keys that fit
 * @entries: keys that are stored
 * @window: ns; 0: none
 * @bytes: of its table
 * @geometry: a keyframe fits only filters of an equal text
 */
struct store_info {
	uint64_t identity;
	uint64_t check;
	uint64_t capacity;
	uint64_t entries;
	uint64_t window;
	uint64_t bytes;
	char geometry[GEOMETRY_ROOM];
};

/* Value of @who: the filter of this host, which has the feed; in mode union the only one. */
#define STORE_OWN	((size_t)-1)

/**
 * struct store_ops - a store
 * @info: read the state of a filter
 * @take: take new keys; *@count: in: room, out: keys. They are taken again until a call has @done,
 *	  the *@number of the last call. *@lost: keys that the filter could not keep for @take
 * @add: store keys; results as of seen_hash_add(). @age: of the group's news, or NULL
 * @del: delete keys; results as of seen_hash_del()
 * @save: make a snapshot, whose time is by the engine's clock; the caller frees *@bytes
 * @load: read such a snapshot, which is trusted as far as its sender is, into a filter of its own;
 *	  changes @bytes. *@entries: its keys, as counted here
 * @merge: add the keys of the snapshot that was loaded
 * @unload: drop the snapshot, if one is loaded
 * @error: why the last call failed
 *
 * @who: the place of a publisher, or STORE_OWN
 * @now: what the engine's clock shows, ns
 */
struct store_ops {
	int (*info)(struct store *store, size_t who, struct store_info *info);
	int (*take)(struct store *store, uint64_t done, struct seen_feed_record *keys,
		    size_t *count, uint64_t *number, uint64_t *lost);
	int (*add)(struct store *store, size_t who, const struct seen_feed_record *keys,
		   size_t count, const uint64_t *age, uint8_t *results);
	int (*del)(struct store *store, size_t who, const struct seen_feed_record *keys,
		   size_t count, uint8_t *results);
	int (*save)(struct store *store, size_t who, uint64_t now, uint8_t **bytes, size_t *len);
	int (*load)(struct store *store, size_t who, uint64_t now, uint8_t *bytes, size_t len,
		    uint64_t *entries);
	int (*merge)(struct store *store, size_t who);
	void (*unload)(struct store *store);
	const char *(*error)(struct store *store);
};

/* struct store - the first member of each implementation */
struct store {
	const struct store_ops *ops;
};

#endif
