/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libseen: feeds, which report the new keys of a filter as hashes, and keys that are added by
 * their hash, for programs that share a filter between hosts. libseen.h states units, errors
 * and threads.
 *
 * Filters on two hosts can share hashes if they have the same key specification and secret.
 * Their types and sizes may differ.
 */
#ifndef LIBSEEN_FEED_H
#define LIBSEEN_FEED_H

#include "libseen_client.h"

#ifdef __cplusplus
extern "C" {
#endif

/* struct seen_feed_config: the feed is never stale. */
#define SEEN_FEED_NEVER		UINT64_MAX

/**
 * struct seen_feed_record - a key that was seen or deleted
 * @hash: of the key
 * @age: ns since the key was seen or deleted
 * @deleted: it was deleted
 */
struct seen_feed_record {
	uint64_t hash;
	uint64_t age;
	bool deleted;
};

/**
 * struct seen_feed_config - the configuration of a feed
 * @records: records of each CPU, and of commands, a power of two; 0: the kernel's default
 * @stale: ns without news until an event reports that the feed is stale; 0: the kernel's
 *         default; SEEN_FEED_NEVER
 * @reserved: 0
 */
struct seen_feed_config {
	uint32_t records;
	uint64_t stale;
	uint64_t reserved[4];
};

/**
 * struct seen_feed_batch - records of a feed
 * @number: of the batch, at least 1 if there are records; for the next seen_feed_take()
 * @lost: records that found no room since the feed was added
 * @pending: records to be taken after these
 * @count: elements of @records
 * @records: the records; free them with seen_feed_batch_free()
 * @reserved: for later versions
 */
struct seen_feed_batch {
	uint64_t number;
	uint64_t lost;
	uint64_t pending;
	size_t count;
	struct seen_feed_record *records;
	uint64_t reserved[4];
};

/**
 * seen_feed_add() - give a filter a feed
 * @client: the connection
 * @filter: name
 * @config: configuration of the feed; NULL: the defaults
 *
 * The feed stays when the filter is flushed or replaced, and is deleted with it.
 *
 * Context: one thread at a time for each client.
 * Return: 0; -EEXIST: it has one; -EOPNOTSUPP: filters of this type or key, or filters of
 * guards with verdict loop or other-port, cannot have a feed; another negative errno of
 * libseen.h.
 */
int seen_feed_add(struct seen_client *client, const char *filter,
		  const struct seen_feed_config *config);

/**
 * seen_feed_del() - delete the feed of a filter, with the records that were not taken
 * @client: the connection
 * @filter: name
 *
 * Context: one thread at a time for each client.
 * Return: 0; -ENOENT: the filter does not exist or has no feed; another negative errno of
 * libseen.h.
 */
int seen_feed_del(struct seen_client *client, const char *filter);

/**
 * seen_feed_take() - take the next records of a feed
 * @client: the connection
 * @filter: name
 * @done: number of the last batch, if its records have been stored elsewhere; 0: deliver the
 *        last batch again, if there was one
 * @batch: out: the records; 0 records: try again later
 *
 * The kernel keeps the records of a batch until @done confirms it, also if the program that
 * took them ends. A feed has one reader: two readers would confirm each other's batches.
 *
 * Context: one thread at a time for each client.
 * Return: 0; -ENOENT: the filter does not exist or has no feed; another negative errno of
 * libseen.h. After an error there is nothing to free.
 */
int seen_feed_take(struct seen_client *client, const char *filter, uint64_t done,
		   struct seen_feed_batch *batch);

/**
 * seen_feed_batch_free() - free the records of a batch
 * @batch: from seen_feed_take(); has no records afterwards
 *
 * Context: any thread.
 */
void seen_feed_batch_free(struct seen_feed_batch *batch);

/**
 * seen_hash_add() - add keys by their hash
 * @client: the connection
 * @filter: name; it need not have a feed, unless @age is given
 * @records: the keys with their ages; none of them @deleted
 * @count: elements of @records; may be 0, for news without a key
 * @age: ns, age of the news from other hosts; NULL: not known. The kernel reports a feed as
 *       stale if its last news are too old
 * @results: out: enum seen_hash_result of each record; NULL: not wanted
 *
 * In a filter with a window a key expires as if it had been seen here @age ago: never early,
 * and at most a tick and two jiffies late. A key that is present is renewed if this sighting
 * is later than the stored one. These keys make no records in the feed.
 *
 * Sends as many requests as are needed; after an error, the keys of earlier requests are
 * stored.
 *
 * Context: one thread at a time for each client.
 * Return: 0, also if some keys were not stored, see @results; -EOPNOTSUPP: as for
 * seen_feed_add(); another negative errno of libseen.h.
 */
int seen_hash_add(struct seen_client *client, const char *filter,
		  const struct seen_feed_record *records, size_t count,
		  const uint64_t *age, uint8_t *results);

/**
 * seen_hash_del() - delete keys by their hash
 * @client: the connection
 * @filter: name
 * @records: the keys; only the hashes are used
 * @count: elements of @records
 * @results: out: enum seen_hash_result of each record; NULL: not wanted
 *
 * Delete only hashes for which seen_hash_add() has returned SEEN_HASH_NEW: another key may have
 * the same fingerprint.
 *
 * Context: one thread at a time for each client.
 * Return: as seen_hash_add().
 */
int seen_hash_del(struct seen_client *client, const char *filter,
		  const struct seen_feed_record *records, size_t count, uint8_t *results);

#ifdef __cplusplus
}
#endif

#endif
