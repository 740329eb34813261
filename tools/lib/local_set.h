/* SPDX-License-Identifier: GPL-2.0 */
/* The members of struct seen_local. Internal to libseen; needs core's headers. */
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
 * struct seen_local - a local filter
 * @set: the set of core; first, because some of its members have cache lines of their own
 * @config: the configuration, completed by the plan
 * @secret: of the hash, from config.secret
 * @nh: words that hash payloads, from config.secret
 * @head: bytes of a key before its payload; 0: keys have no payload
 * @prefix: offset of the prefix of any length in a key, plus 1; 0: keys have no such prefix
 * @key_bytes: bytes of a key, if @prefix is set
 * @lengths: lengths of the stored prefixes; changed under @busy
 * @most: most bytes of a payload
 * @span: range of a bitmap
 * @period: ns between sweeps; 0: no sweeps
 * @sweep: ns, time of the next sweep
 * @busy: held by the thread that sweeps, rehashes a map, or adds a prefix length
 * @retired: former tables of a map, which readers may still use
 * @mapped: memory of the table: anonymous pages, or a private mapping of a file
 * @bytes: length of @mapped
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

/* seen_local_key_bytes() - for geo.key_bytes: bytes of the longest key; 0: keys are not stored */
u32 seen_local_key_bytes(const struct seen_filter_config *config);
/* seen_local_asks() - the value for geo.asks */
u32 seen_local_asks(const struct seen_filter_config *config);
/* seen_local_evicts() - the value for geo.evict */
bool seen_local_evicts(const struct seen_filter_config *config);

/* seen_local_test_and_add_hash() - test and store a key by its hash */
int seen_local_test_and_add_hash(struct seen_local *local, u64 hash);

/* seen_local_pages() - zeroed memory of whole pages, or NULL */
void *seen_local_pages(size_t bytes);
void seen_local_pages_free(void *pages, size_t bytes);

/**
 * seen_local_make() - create a filter of a geometry
 * @local: out
 * @config: with its secret
 * @geo: of the set
 * @table: memory for the table, aligned to 64 bytes, which stays the caller's until the caller
 *         sets @mapped; NULL: allocate new pages
 *
 * Return: 0 or -errno, with the reason in seen_local_error().
 */
int seen_local_make(struct seen_local **local,
		    const struct seen_filter_config *config,
		    const struct seen_geometry *geo, void *table);

/* seen_local_rehash() - give a map new hash functions after a cycle; caller holds @busy */
int seen_local_rehash(struct seen_local *local);
/* seen_local_map_valid() - is each key stored where a lookup finds it? */
bool seen_local_map_valid(struct seen_local *local);
/* seen_local_retired_free() - free former tables; no reader may be left */
void seen_local_retired_free(struct seen_local *local);

#endif
