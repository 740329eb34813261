/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Feeds: the hashes of keys that a filter stores, for a reader that shares them with other
 * hosts. A feed belongs to a name (struct seen_binding), so it stays when the filter of that
 * name is flushed, folded or replaced.
 *
 * A packet or a command that stores a new key, or is the first one to renew a key in a half of
 * the window, puts a record into a ring (core/ring.h). So does a command that adds a key that
 * is there. Packets, with bottom halves off, use the
 * ring of their CPU. Processes use a ring under a lock, so that a delete and an add of one
 * program keep their order, even if it has moved to another CPU in between. One reader at a
 * time takes the records of all rings in batches, the oldest first. A batch is delivered
 * again until the reader confirms it, so a reader that ends loses nothing.
 *
 * Keys that are added by their hash, by a merge or by an import make no record: other hosts
 * have them already, or a user has decided about this host.
 */
#ifndef SEEN_FEED_H
#define SEEN_FEED_H

#include <linux/cache.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "core/ring.h"
#include "core/set.h"
#include "key.h"
#include "seen.h"

/* Records of a ring: a power of two in this range. */
#define SEEN_FEED_RECORDS_MIN		64
#define SEEN_FEED_RECORDS_MAX		1048576
#define SEEN_FEED_RECORDS_DEFAULT	4096
/* A feed is stale after this time without news. */
#define SEEN_FEED_STALE_DEFAULT		(10ULL * NSEC_PER_SEC)

/**
 * struct seen_feed_ring - one of a feed's rings
 * @ring: the records
 * @given: number of records in the batch that was delivered last; under seen_feed.lock. In a
 *         cache line of its own: producers read the line of seen_ring.tail
 * @read: number of records of that batch that were copied; under seen_feed.lock
 */
struct seen_feed_ring {
	struct seen_ring ring;
	u32 given ____cacheline_aligned;
	u32 read;
};

/**
 * struct seen_feed - the feed of a binding
 * @rings: nr_cpu_ids + 1 rings; the first one is that of processes, number n + 1 that of CPU n
 * @order: held by producers of the first ring
 * @sn: the namespace; outlives the feed
 * @name: name of the binding; NULL: the feed was deleted. Changes under @sn->lock, like
 *        @name_id
 * @name_id: id of the binding
 * @slots: memory of all rings
 * @records: slots of each ring
 * @bytes: memory charged for it
 * @stale_after: ns without news after which the feed is stale; 0: never
 * @lock: one reader at a time. Protects the members below, and keeps events in order
 * @batch: number of the last batch; 0: no batch yet
 * @given: number of records in that batch that were not released
 * @released: number of records that were released
 * @updated: seen_now() less the age of the last news; valid with @has_news
 * @has_news: an update has been received
 * @told: an event has reported that the feed is stale
 * @watch_work: sends this event
 * @free_work: frees the feed, in process context, after a grace period
 */
struct seen_feed {
	struct seen_feed_ring *rings;
	spinlock_t order;		/* producers of the first ring */
	struct seen_net *sn;
	const char *name;
	u32 name_id;
	struct seen_ring_slot *slots;
	u32 records;
	u64 bytes;
	u64 stale_after;
	struct mutex lock;		/* the reader */
	u64 batch;
	u32 given;
	u64 released;
	u64 updated;
	bool has_news;
	bool told;
	struct delayed_work watch_work;
	struct rcu_work free_work;
};

/**
 * seen_feed_create() - allocate a feed, not published yet
 * @sn: its namespace, @sn->changes held
 * @records: slots of each ring, a power of two
 * @stale_after: see struct seen_feed
 * @extack: receives the text of an error
 *
 * Context: process, may sleep.
 * Return: the feed or ERR_PTR: -ENOMEM, -ENOSPC (the cap).
 */
struct seen_feed *seen_feed_create(struct seen_net *sn, u32 records, u64 stale_after,
				   struct netlink_ext_ack *extack);

/* seen_feed_free() - free a feed at once that was not published. Context: process */
void seen_feed_free(struct seen_feed *feed);

/**
 * seen_feed_destroy() - free a feed that was published
 * @feed: no filter points to it any more, but packets may still use it; seen_net.lock held
 *        for writing
 *
 * A work item frees it after a grace period. Does not wait.
 */
void seen_feed_destroy(struct seen_feed *feed);

/**
 * seen_feed_check() - can a filter have a feed?
 * @geo: geometry of the filter
 * @spec: key of the filter
 * @extack: receives the text of an error
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int seen_feed_check(const struct seen_geometry *geo, const struct seen_keyspec *spec,
		    struct netlink_ext_ack *extack);

/**
 * seen_feed_put() - add a record, or count it as lost
 * @feed: in an RCU read section, or seen_net.lock held
 * @hash: hash of the key
 * @deleted: the key was deleted
 *
 * Context: softirq or process. Allocates nothing; takes no lock if bottom halves are off.
 */
void seen_feed_put(struct seen_feed *feed, u64 hash, bool deleted);

/**
 * struct seen_feed_batch - what a reader gets
 * @number: of the batch; the reader confirms it by this number
 * @count: number of records
 * @lost: number of records that were lost since the feed was made
 * @pending: number of records that are stored, less those of this batch
 */
struct seen_feed_batch {
	u64 number;
	u32 count;
	u64 lost;
	u64 pending;
};

/**
 * seen_feed_choose() - release the last batch if the reader has it, and choose the next one
 * @feed: its @lock held
 * @done: number of the batch that the reader has; NULL: none
 * @max: maximum number of records in a batch
 * @batch: out
 *
 * Without the number of the last batch that batch is delivered again, with the same
 * records. A batch without records has the number of the last one.
 */
void seen_feed_choose(struct seen_feed *feed, const u64 *done, u32 max,
		      struct seen_feed_batch *batch);

/**
 * seen_feed_read() - copy the records of the batch
 * @feed: its @lock held since seen_feed_choose()
 * @to: out: @count of the batch; no alignment needed
 */
void seen_feed_read(struct seen_feed *feed, struct seen_packed_record *to);

/**
 * seen_feed_update() - news have been received from other hosts
 * @feed: seen_net.lock held
 * @age: age of the news in ns
 *
 * News that are older than those before change nothing. Sends SEEN_CMD_FEED_FRESH_NTF if an
 * event has reported that the feed is stale, and it is not any more.
 *
 * Context: process.
 */
void seen_feed_update(struct seen_feed *feed, u64 age);

/**
 * struct seen_feed_state - a feed, for reports
 * @total: number of records that were stored since the feed was made
 * @lost: number of records that found their ring full
 * @pending: number of records that were not released
 * @age: ns since the last news, at most SEEN_WINDOW_MAX; valid with @has_news
 * @has_news: there was an update
 * @stale: the last news are older than permitted
 */
struct seen_feed_state {
	u64 total;
	u64 lost;
	u64 pending;
	u64 age;
	bool has_news;
	bool stale;
};

/* seen_feed_state() - seen_net.lock held; process context */
void seen_feed_state(struct seen_feed *feed, struct seen_feed_state *state);

#endif
