/* SPDX-License-Identifier: GPL-2.0 */
/* What is behind struct seen_local. Inside of libseen, with core's headers. */
#ifndef LIBSEEN_LOCAL_SET_H
#define LIBSEEN_LOCAL_SET_H

#include <pthread.h>

#include "hash.h"
#include "item.h"
#include "lengths.h"
#include "local.h"
#include "local_error.h"

struct seen_retired;

/**
 * struct seen_local - a set, and what its owner has to know
 * @set: the filter itself; first, since it has lines of memory of its own
 * @config: as it was asked for, with what the plan has chosen
 * @secret: of the hash, from config.secret
 * @nh: words that hash payloads, from config.secret
 * @head: bytes of a key before its payload; 0: keys have none
 * @prefix: where a key has its prefix of any length, plus 1; 0: there is none
 * @key_bytes: of each key, where it has such a prefix
 * @lengths: of these prefixes; changed with @busy held
 * @most: bytes of a payload
 * @span: of a bitmap
 * @period: ns from one sweep to the next, 0: never
 * @sweep: ns, when the next one begins
 * @busy: held by the thread that sweeps, hashes a map anew, or adds a length
 * @retired: former tables of a map, in which readers may be still
 * @mapped: what the table lies in: pages of its own, or a private mapping of a file
 * @bytes: of that
 */
struct seen_local {
	struct seen_set set;
	struct seen_filter_config config;
	struct seen_secret secret;
	struct seen_nh_key nh;
	u32 head;
	u32 prefix;
	u32 key_bytes;
	struct seen_lengths lengths;
	u32 most;
	struct seen_span span;
	u64 period;
	u64 sweep;
	pthread_mutex_t busy;
	struct seen_retired *retired;
	void *mapped;
	size_t bytes;
};

/* seen_local_key_bytes() - geo.key_bytes: of the longest key; 0: none is kept */
u32 seen_local_key_bytes(const struct seen_filter_config *config);
/* seen_local_asks() - geo.asks */
u32 seen_local_asks(const struct seen_filter_config *config);
/* seen_local_evicts() - geo.evict */
bool seen_local_evicts(const struct seen_filter_config *config);

/* seen_local_test_and_add_hash() - of a key with a payload, by its hash */
int seen_local_test_and_add_hash(struct seen_local *local, u64 hash);

/* seen_local_pages() - zeroed memory of whole pages, or NULL */
void *seen_local_pages(size_t bytes);
void seen_local_pages_free(void *pages, size_t bytes);

/**
 * seen_local_make() - a filter of a geometry, with a table of its own or one that is
 * there
 * @local: out
 * @config: with its secret
 * @geo: of the set
 * @table: 64-byte aligned; the caller's, until it makes what this lies in @mapped;
 *         NULL: it gets new pages
 */
int seen_local_make(struct seen_local **local,
		    const struct seen_filter_config *config,
		    const struct seen_geometry *geo, void *table);

/* seen_local_rehash() - give a torn map other hashes; @busy is held */
int seen_local_rehash(struct seen_local *local);
/* seen_local_map_valid() - is each key where it will be looked for? */
bool seen_local_map_valid(struct seen_local *local);
/* seen_local_retired_free() - nobody reads any more */
void seen_local_retired_free(struct seen_local *local);

#endif
