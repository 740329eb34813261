/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libseen: filters of the kernel. libseen.h states units, errors and threads.
 */
#ifndef LIBSEEN_FILTER_H
#define LIBSEEN_FILTER_H

#include "libseen_client.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counters and prefix lengths that fit a structure. */
#define SEEN_STATS_ROOM		64
#define SEEN_LENGTHS_ROOM	128

/**
 * struct seen_filter_config - the configuration of a filter
 * @name: of the filter
 * @type: enum seen_type
 * @layout: enum seen_layout; 0: the default of the type
 * @fp_bits: cuckoo: fingerprint bits; 0: the kernel chooses by @fpp
 * @on_full: enum seen_on_full; 0: the default of the type
 * @refresh: the window counts from the last sighting, not from the first
 * @has_secret: @secret is given; a reply never has one
 * @capacity: distinct keys that fit
 * @fpp: false-positive rate at capacity, in 10^-12; 0: what @fp_bits gives
 * @window: ns that a key is remembered; 0: for ever
 * @secret: key of the hash
 * @key: what of a packet is remembered
 * @first: bitmap: the first key of its range, canonical
 * @first_len: bytes of @first
 * @threshold: types that count: a key is seen from this count on; 0: from 1
 * @conservative: cms: an add raises only the counters that it must
 * @top: cms, cmm: number of the heaviest keys that are kept beside it
 * @reserved: 0
 */
struct seen_filter_config {
	char name[SEEN_NAME_ROOM];
	uint32_t type;
	uint32_t layout;
	uint32_t fp_bits;
	uint32_t on_full;
	bool refresh;
	bool has_secret;
	uint64_t capacity;
	uint64_t fpp;
	uint64_t window;
	uint8_t secret[SEEN_SECRET_LEN];
	struct seen_key_spec key;
	uint8_t first[16];
	uint32_t first_len;
	uint32_t threshold;
	bool conservative;
	uint32_t top;
	uint64_t reserved[8];
};

/**
 * struct seen_filter_info - a filter as the kernel reports it
 * @config: its configuration, without the secret
 * @id: unique in the namespace, ascending; 0: @missing, or a filter in the program's memory
 * @hashes: bits that a key sets, or slots that a lookup reads
 * @users: guards, rules, and filters whose allow map it is
 * @rules: rules among the users
 * @guard_owned: a guard made it, and takes it along
 * @full: it is full now
 * @missing: there is no such filter: rules have named it
 * @unanswered: packets that asked while there was no filter
 * @allowed: keys on its allow list
 * @blocks: lines, buckets or (classic) bits of the table
 * @tick: ns that a key may be seen longer than the window
 * @bytes: all memory of the filter
 * @entries: keys stored, in the window; counted in batches
 * @used: bits set or slots taken; sampled for large tables
 * @room: bits or slots in all
 * @effective: ns, the window that was kept lately
 * @ticks: of the window
 * @fold: number of blocks that became one when the filter was folded; 0: not folded
 * @total: cms, cmm: all that was counted, in the window
 * @allow_map: name of the map whose keys are never judged; "": none
 * @allow_map_id: its id
 * @lengths: prefix lengths that the filter holds
 * @length: 1 to 32 of IPv4, and of IPv6 each with 32 added
 * @stats: counters, by enum seen_a_stats; 0: the kernel does not report it
 * @reserved: 0
 */
struct seen_filter_info {
	struct seen_filter_config config;
	uint32_t id;
	uint32_t hashes;
	uint32_t users;
	uint32_t rules;
	bool guard_owned;
	bool full;
	bool missing;
	uint64_t unanswered;
	uint32_t allowed;
	uint64_t blocks;
	uint64_t tick;
	uint64_t bytes;
	uint64_t entries;
	uint64_t used;
	uint64_t room;
	uint64_t effective;
	uint32_t ticks;
	uint32_t fold;
	uint64_t total;
	char allow_map[SEEN_NAME_ROOM];
	uint32_t allow_map_id;
	uint32_t lengths;
	uint8_t length[SEEN_LENGTHS_ROOM];
	uint64_t stats[SEEN_STATS_ROOM];
	uint64_t reserved[16];
};

/* Room for the text of a range. */
#define SEEN_RANGE_TEXT_LEN	(2 * SEEN_KEY_TEXT_LEN(16))

/**
 * seen_range_parse() - set a bitmap's range: its first key and its capacity
 * @config: its key is given
 * @text: "10.0.0.0/8", "0-65535", "02:00:00:00:00:00-02:00:00:00:ff:ff"
 * @error: out: SEEN_KEY_ERROR_LEN bytes, a line for people
 *
 * Context: any thread.
 * Return: 0, or -1: @error says why.
 */
int seen_range_parse(struct seen_filter_config *config, const char *text,
		     char *error);

/**
 * seen_range_format() - the range of a bitmap as FIRST-LAST
 * @config: of a bitmap
 * @text: out: SEEN_RANGE_TEXT_LEN bytes
 *
 * Context: any thread.
 */
void seen_range_format(const struct seen_filter_config *config, char *text);

/**
 * seen_filter_add() - create a filter
 * @client: the connection
 * @config: the filter
 *
 * Context: one thread a client.
 * Return: 0; -EEXIST: there is a filter of this name; another negative errno of libseen.h.
 */
int seen_filter_add(struct seen_client *client,
		    const struct seen_filter_config *config);

/**
 * seen_filter_del() - delete a filter
 * @client: the connection
 * @name: of the filter
 * @no_wait: do not wait; else rules that use it have two seconds to go
 *
 * Context: one thread a client; may sleep for two seconds.
 * Return: 0; -EBUSY: guards, rules or other filters use it; another negative errno of
 * libseen.h.
 */
int seen_filter_del(struct seen_client *client, const char *name, bool no_wait);

/**
 * seen_filter_flush() - delete all keys of a filter at one instant
 * @client: the connection
 * @name: of the filter; its counters go on
 *
 * Context: one thread a client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_filter_flush(struct seen_client *client, const char *name);

/**
 * seen_filter_reset() - set the counters of a name to 0
 * @client: the connection
 * @name: of the filter
 *
 * Context: one thread a client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_filter_reset(struct seen_client *client, const char *name);

/**
 * seen_filter_rename() - give a filter another name; guards follow
 * @client: the connection
 * @name: of the filter
 * @new_name: the other name
 *
 * Context: one thread a client.
 * Return: 0; -EEXIST: there is a filter of the other name; -EBUSY: rules know the filter by
 * its name, or a guard made it; another negative errno of libseen.h.
 */
int seen_filter_rename(struct seen_client *client, const char *name,
		       const char *new_name);

/**
 * seen_filter_swap() - exchange the filters behind two names at one instant
 * @client: the connection
 * @name: of a filter
 * @other: of a filter with an equal key
 *
 * Context: one thread a client.
 * Return: 0; -EBUSY: a guard made one of them; another negative errno of libseen.h.
 */
int seen_filter_swap(struct seen_client *client, const char *name,
		     const char *other);

/**
 * seen_filter_set() - set what happens when a filter is full
 * @client: the connection
 * @name: of the filter
 * @on_full: the policy
 *
 * Context: one thread a client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_filter_set(struct seen_client *client, const char *name,
		    enum seen_on_full on_full);

/**
 * seen_filter_set_allow_map() - set the map whose keys a filter never judges
 * @client: the connection
 * @name: of the filter
 * @map: name of a filter of type map with an equal key; "": none
 *
 * Context: one thread a client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_filter_set_allow_map(struct seen_client *client, const char *name,
			      const char *map);

/**
 * seen_filter_get() - read a filter's configuration, state and counters
 * @client: the connection
 * @name: of the filter
 * @info: out
 *
 * Context: one thread a client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_filter_get(struct seen_client *client, const char *name,
		    struct seen_filter_info *info);

/* Filters; seen_filters_at() reads one. */
struct seen_filters;

/**
 * seen_filter_list() - read every filter of the namespace
 * @client: the connection
 * @list: out: for seen_filters_free(); NULL: the call failed
 *
 * No filter is added, deleted or renamed while the list is read. Each filter is as it was when
 * the kernel reached it: meanwhile counters go on, and filters may be changed.
 *
 * Context: one thread a client.
 * Return: 0; -EAGAIN: filters came and went faster than they could be listed; another
 * negative errno of libseen.h.
 */
int seen_filter_list(struct seen_client *client, struct seen_filters **list);

/**
 * seen_filters_count() - how many filters a list has
 * @list: the list, or NULL: it has none
 *
 * Context: any thread.
 * Return: the number of filters.
 */
size_t seen_filters_count(const struct seen_filters *list);

/**
 * seen_filters_at() - a filter of a list
 * @list: the list, or NULL
 * @index: of the filter, from 0
 *
 * Context: any thread.
 * Return: the filter, valid until seen_filters_free(); NULL: the list is shorter.
 */
const struct seen_filter_info *seen_filters_at(const struct seen_filters *list,
					       size_t index);

/**
 * seen_filters_free() - free a list of seen_filter_list()
 * @list: the list, or NULL
 *
 * Context: any thread.
 */
void seen_filters_free(struct seen_filters *list);

/**
 * seen_filter_secret() - read the secret of a filter's hash
 * @client: the connection
 * @name: of the filter
 * @secret: out: SEEN_SECRET_LEN bytes
 *
 * Whoever has the secret can make keys that the filter takes for others. An export of the
 * filter that is under way begins again.
 *
 * Context: one thread a client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_filter_secret(struct seen_client *client, const char *name,
		       uint8_t *secret);

/**
 * seen_filter_export() - write a snapshot of a filter, which stays in use
 * @client: the connection
 * @name: of the filter
 * @path: "-": standard output. A file is there whole or not at all
 * @with_secret: store the secret of its hash; the file then has mode 0600
 *
 * No key that was added before the call is missing.
 *
 * Context: one thread a client; reads the whole table.
 * Return: 0; -EAGAIN: the filter changed during each of 16 tries; an errno of the file, such
 * as -ENOSPC; another negative errno of libseen.h.
 */
int seen_filter_export(struct seen_client *client, const char *name,
		       const char *path, bool with_secret);

/**
 * seen_filter_import() - make a filter of a snapshot, or nothing at all
 * @client: the connection
 * @name: of the filter
 * @path: "-": standard input
 * @secret: SEEN_SECRET_LEN bytes of its hash, or NULL: that in the snapshot; if there is
 *          none, that of the filter that is to be replaced
 * @replace: take the place of the filter of this name, if there is one
 *
 * Context: one thread a client; writes the whole table.
 * Return: 0; -EBADMSG: the file is damaged; -EPROTONOSUPPORT: it is of a later version;
 * -ENOKEY: no secret, or another one; -EEXIST: there is a filter of this name; -EAGAIN: the
 * kernel has ended the import; an errno of the file; another negative errno of libseen.h.
 */
int seen_filter_import(struct seen_client *client, const char *name,
		       const char *path, const uint8_t *secret, bool replace);

/**
 * seen_filter_merge() - add the keys of another filter
 * @client: the connection
 * @name: of the filter
 * @other: of the same geometry, key and secret; it stays as it is
 * @force: also beyond the promised capacity
 * @info: out: the filter afterwards
 *
 * If the merge fails when it has begun to add, the keys that were added stay.
 *
 * Context: one thread a client.
 * Return: 0; -ENOSPC: beyond the promised capacity, or no room for a key; -E2BIG: together
 * they have prefixes of more than 64 lengths; -EAGAIN: keys of the other filter moved
 * too often; -EINTR: a signal came; another negative errno of libseen.h.
 */
int seen_filter_merge(struct seen_client *client, const char *name,
		      const char *other, bool force,
		      struct seen_filter_info *info);

/**
 * seen_filter_fold() - make a Bloom filter as small as its promised rate allows
 * @client: the connection
 * @name: of the filter, which stays in use
 * @capacity: keys that shall fit; 0: those that are in it
 * @info: out: the filter afterwards
 *
 * Context: one thread a client.
 * Return: 0; -ENOSPC: the keys have no room in a smaller one; another negative errno of
 * libseen.h.
 */
int seen_filter_fold(struct seen_client *client, const char *name,
		     uint64_t capacity, struct seen_filter_info *info);

#ifdef __cplusplus
}
#endif

#endif
