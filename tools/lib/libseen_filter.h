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

/* The most counters and prefix lengths in a structure. */
#define SEEN_STATS_ROOM		64
#define SEEN_LENGTHS_ROOM	128

/**
 * struct seen_filter_config - the configuration of a filter
 * @name: of the filter
 * @type: enum seen_type
 * @layout: enum seen_layout; 0: the default of the type
 * @fp_bits: cuckoo: fingerprint bits; 0: the kernel derives them from @fpp
 * @on_full: enum seen_on_full; 0: the default of the type
 * @refresh: the window counts from the last sighting, not from the first
 * @has_secret: @secret is given; a reply never has one
 * @capacity: distinct keys that fit
 * @fpp: false-positive rate at capacity, in 10^-12; 0: @fp_bits determines it
 * @window: ns for which a key is remembered; 0: without limit
 * @secret: key of the hash
 * @key: the fields of a packet that make the key
 * @first: bitmap: the first key of its range, canonical
 * @first_len: bytes of @first
 * @threshold: counting types: a key is seen if its count is at least this; 0 means 1
 * @conservative: cms: an add raises only counters that are below the new count of the key
 * @top: cms, cmm: number of the heaviest keys to keep, in a list in addition to the sketch
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
 * @id: unique in the namespace, ascending; 0: @missing, or a filter of local.h
 * @hashes: bits that a key sets, or slots that a lookup reads
 * @users: guards and rules that use it, and filters whose allow map it is
 * @rules: rules among the users
 * @guard_owned: a guard created it, and deletes it when the guard is deleted
 * @full: it is full now
 * @missing: rules name this filter, but it does not exist
 * @unanswered: packets that looked it up while it did not exist
 * @allowed: keys on its allow list
 * @blocks: lines, buckets or (classic) bits of the table
 * @tick: ns for which a key may still be seen after its window
 * @bytes: all memory of the filter
 * @entries: keys stored within the window; updated in batches
 * @used: bits set or slots taken; estimated from a sample for large tables
 * @room: all bits or slots
 * @effective: ns, the effective window: the shortest time for which a key was kept recently; less
 *             than @config.window if keys were evicted or a generation was ended early
 * @ticks: ticks of the window
 * @fold: number of blocks that became one when the filter was folded; 0: not folded
 * @total: cms, cmm: sum of all counts within the window
 * @allow_map: name of the map whose keys are never judged; "": none
 * @allow_map_id: the id of that map
 * @lengths: number of prefix lengths that the filter holds
 * @length: 1 to 32: IPv4; 33 to 160: IPv6 lengths 1 to 128, with 32 added
 * @stats: counters, by enum seen_a_stats; 0 also if the kernel does not report the counter
 * @unfit_rules: rules that the filter can never answer: its type does not support the operation
 *               of the rule, or no packet of the rule has such a key
 * @has_feed: it has a feed, and the members @feed_ are valid
 * @feed_stale: the last news from other hosts are too old
 * @feed_updated: there were news, and @feed_age is valid
 * @feed_room: records that each CPU can hold, and all commands together
 * @feed_records: records made since the feed was added, without lost ones
 * @feed_lost: records that found no room
 * @feed_pending: records that were not taken, or whose batch was not confirmed
 * @feed_age: ns, age of the last news
 * @feed_limit: ns without news until the feed is stale; 0: never
 * @table_id: a random number; another one means that the filter was flushed, folded or replaced,
 *            also by another filter of this name. 0: a filter of local.h
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
	uint64_t unfit_rules;
	bool has_feed;
	bool feed_stale;
	bool feed_updated;
	uint32_t feed_room;
	uint64_t feed_records;
	uint64_t feed_lost;
	uint64_t feed_pending;
	uint64_t feed_age;
	uint64_t feed_limit;
	uint64_t table_id;
	uint64_t reserved[8];
};

/* Bytes for the text of a range, with its NUL. */
#define SEEN_RANGE_TEXT_LEN	(2 * SEEN_KEY_TEXT_LEN(16))

/**
 * seen_range_parse() - set the range of a bitmap: its first key and its capacity
 * @config: in: @config->key; out: @first, @first_len and @capacity
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
 * @config: the configuration of a bitmap
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
 * Context: one thread at a time for each client.
 * Return: 0; -EEXIST: a filter of this name exists; another negative errno of libseen.h.
 */
int seen_filter_add(struct seen_client *client,
		    const struct seen_filter_config *config);

/**
 * seen_filter_del() - delete a filter
 * @client: the connection
 * @name: of the filter
 * @no_wait: fail at once while rules use it; otherwise wait up to two seconds until the rules
 *           are deleted
 *
 * Context: one thread at a time for each client; may sleep for two seconds.
 * Return: 0; -EBUSY: guards, rules or other filters use it; another negative errno of
 * libseen.h.
 */
int seen_filter_del(struct seen_client *client, const char *name, bool no_wait);

/**
 * seen_filter_flush() - delete all keys of a filter atomically
 * @client: the connection
 * @name: of the filter; its counters are kept
 *
 * Context: one thread at a time for each client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_filter_flush(struct seen_client *client, const char *name);

/**
 * seen_filter_reset() - set the counters of a filter to 0
 * @client: the connection
 * @name: of the filter
 *
 * Context: one thread at a time for each client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_filter_reset(struct seen_client *client, const char *name);

/**
 * seen_filter_rename() - give a filter another name; its guards keep it
 * @client: the connection
 * @name: of the filter
 * @new_name: the new name
 *
 * Context: one thread at a time for each client.
 * Return: 0; -EEXIST: a filter of the new name exists; -EBUSY: rules refer to the filter by
 * its name, or a guard created it; another negative errno of libseen.h.
 */
int seen_filter_rename(struct seen_client *client, const char *name,
		       const char *new_name);

/**
 * seen_filter_swap() - exchange the filters that two names refer to, atomically
 * @client: the connection
 * @name: of a filter
 * @other: of another filter, with an equal key
 *
 * Context: one thread at a time for each client.
 * Return: 0; -EBUSY: a guard created one of them; -EINVAL: both are the same filter, or their
 * keys differ; another negative errno of libseen.h.
 */
int seen_filter_swap(struct seen_client *client, const char *name,
		     const char *other);

/**
 * seen_filter_set() - set what a full filter does with a new key
 * @client: the connection
 * @name: of the filter
 * @on_full: the policy
 *
 * Context: one thread at a time for each client.
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
 * Context: one thread at a time for each client.
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
 * Context: one thread at a time for each client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_filter_get(struct seen_client *client, const char *name,
		    struct seen_filter_info *info);

/* A list of filters; seen_filters_at() reads its elements. */
struct seen_filters;

/**
 * seen_filter_list() - read every filter of the namespace
 * @client: the connection
 * @list: out: the list; free it with seen_filters_free(); NULL: the call failed
 *
 * The list is consistent: no filter is added, deleted or renamed while it is read. Each filter
 * is reported as it was when the kernel reached it; its counters and settings may have changed
 * since.
 *
 * Context: one thread at a time for each client.
 * Return: 0; -EAGAIN: filters were added or deleted during every try; another negative errno of
 * libseen.h.
 */
int seen_filter_list(struct seen_client *client, struct seen_filters **list);

/**
 * seen_filters_count() - number of filters in a list
 * @list: the list, or NULL, which counts as empty
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
 * seen_filters_free() - free a list from seen_filter_list()
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
 * Anyone with the secret can construct keys that collide with other keys in the filter. An
 * export of the filter that is under way starts again.
 *
 * Context: one thread at a time for each client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_filter_secret(struct seen_client *client, const char *name,
		       uint8_t *secret);

/**
 * seen_filter_export() - write a snapshot of a filter, which stays in use
 * @client: the connection
 * @name: of the filter
 * @path: of the file, which is written completely or not at all; "-": standard output
 * @with_secret: store the secret of its hash, too; then only the owner may access the file,
 *               unless the old file had a secret already
 *
 * The snapshot has every key that was added before the call.
 *
 * Context: one thread at a time for each client; reads the whole table.
 * Return: 0; -EAGAIN: the filter changed during each of 16 tries; an errno of the file access,
 * such as -ENOSPC; another negative errno of libseen.h.
 */
int seen_filter_export(struct seen_client *client, const char *name,
		       const char *path, bool with_secret);

/**
 * seen_filter_import() - create a filter from a snapshot, completely or not at all
 * @client: the connection
 * @name: of the filter
 * @path: of the snapshot; "-": standard input
 * @secret: SEEN_SECRET_LEN bytes, the secret of its hash; NULL: use the secret in the
 *          snapshot, or, if the snapshot has no secret, that of the filter to be replaced
 * @replace: replace the filter of this name, if it exists
 *
 * Context: one thread at a time for each client; writes the whole table.
 * Return: 0; -EBADMSG: the file is damaged; -EPROTONOSUPPORT: its format is newer than this
 * library; -ENOKEY: the secret is missing or wrong; -EEXIST: a filter of this name exists;
 * -EAGAIN: the kernel aborted the import; an errno of the file access; another negative errno
 * of libseen.h.
 */
int seen_filter_import(struct seen_client *client, const char *name,
		       const char *path, const uint8_t *secret, bool replace);

/**
 * seen_filter_merge() - add the keys of another filter
 * @client: the connection
 * @name: of the filter
 * @other: of the filter to read, with the same geometry, key and secret; it is not changed
 * @force: merge even if that exceeds the promised capacity
 * @info: out: the filter afterwards
 *
 * If the merge fails after it has begun to add keys, the keys added so far stay.
 *
 * Context: one thread at a time for each client.
 * Return: 0; -ENOSPC: the promised capacity would be exceeded, or a key has no room; -E2BIG:
 * both filters together have more than 64 different prefix lengths; -EAGAIN: keys of the other
 * filter moved too often; -EINTR: a signal arrived; another negative errno of libseen.h.
 */
int seen_filter_merge(struct seen_client *client, const char *name,
		      const char *other, bool force,
		      struct seen_filter_info *info);

/**
 * seen_filter_fold() - make a Bloom filter as small as its promised rate allows
 * @client: the connection
 * @name: of the filter, which stays in use
 * @capacity: number of keys that must fit; 0: the number of keys stored now
 * @info: out: the filter afterwards
 *
 * Context: one thread at a time for each client.
 * Return: 0; -ENOSPC: the keys do not fit a smaller filter; another negative errno of
 * libseen.h.
 */
int seen_filter_fold(struct seen_client *client, const char *name,
		     uint64_t capacity, struct seen_filter_info *info);

#ifdef __cplusplus
}
#endif

#endif
