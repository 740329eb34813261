/* SPDX-License-Identifier: GPL-2.0 */
/* A filter: a set with a key, a secret, a policy and counters. */
#ifndef SEEN_FILTER_H
#define SEEN_FILTER_H

#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "core/arrival.h"
#include "core/clock.h"
#include "core/item.h"
#include "core/lpm.h"
#include "feed.h"
#include "key.h"
#include "seen.h"

/* Counters, in the order of the SEEN_A_STATS_ attributes that report them. */
enum seen_stat {
	SEEN_STAT_LOOKUPS,	/* lookups neither seen nor new; a reply adds these two */
	SEEN_STAT_SEEN,
	SEEN_STAT_NEW,
	SEEN_STAT_ADDS,
	SEEN_STAT_DELS,
	SEEN_STAT_NOKEY,
	SEEN_STAT_FULL,
	SEEN_STAT_EVICTED,	/* counted by the set, in its stripes */
	SEEN_STAT_COPIES,
	SEEN_STAT_ABSENT,
	SEEN_STAT_STALE,
	SEEN_STAT_UNFIT,
	SEEN_STAT_ALLOWED,
	SEEN_STATS
};

/* 64-bit kernels only: this_cpu_inc() of a u64 never tears. */
struct seen_stats {
	u64 count[SEEN_STATS];
};

/* Events that the packet path leaves to the filter's work. */
enum seen_filter_event {
	SEEN_FILTER_SATURATED,
	SEEN_FILTER_WINDOW_SHORT,
	SEEN_FILTER_STALE,
	SEEN_FILTER_EVENTS
};

/**
 * struct seen_filter_config - parameters of a new filter
 * @geo: kind, capacity, fpp, fp_bits, window, refresh, threshold, conservative,
 *       top, key_bytes; seen_filter_create() fills in the other members
 * @span: range of a bitmap
 * @spec: fields of the key
 * @secret: key of the hash
 * @on_full: enum seen_on_full, not SEEN_ON_FULL_UNSPEC
 */
struct seen_filter_config {
	struct seen_geometry geo;
	struct seen_span span;
	struct seen_keyspec spec;
	struct seen_secret secret;
	enum seen_on_full on_full;
};

/**
 * struct seen_filter - see above
 * @secret: key of the hash; only an export can contain it
 * @stats: per CPU
 * @on_full: enum seen_on_full; changes while packets read it (READ_ONCE, WRITE_ONCE)
 * @spec: fields of the key
 * @span: range of a bitmap
 * @set: the set that stores the keys
 * @feed: the feed of its binding, or NULL; read for keys that are new or renewed
 * @serial: unique in the namespace
 * @table_id: random, for programs that must notice that all keys are gone, also if the module
 *            was loaded again meanwhile
 * @sn: the namespace
 * @name_id: id of its binding; changes together with @name
 * @name: points to the name in its binding; NULL before the filter is published and after
 *        seen_filter_destroy(). Changes under @sn->lock when a binding gets the filter;
 *        @event_work reads it under the same lock. seen_filter_destroy() may clear it
 *        under @sn->changes alone
 * @bytes: memory charged for it
 * @events: bits of enum seen_filter_event, set by the packet path
 * @event_work: sends these events
 * @sweep_work: clears expired entries
 * @dying: seen_filter_destroy() or seen_filter_free() was called; ends the sweep
 * @effective: effective window in ns when it was last below the promised window
 * @effective_at: seen_now() at that time; 0: never
 * @announced: jiffies of the last event of each kind, for the rate limit
 * @aux: memory of the stripes and of the list of the heaviest keys
 * @rehash_work: rehashes a map; this and the next members belong to rehash.c
 * @rehashing: mutex held during a rehash
 * @retire_work: frees @retired
 * @retired: the map's table before the last rehash; readers may still use it
 * @rehash_failed: jiffies when the last rehash failed; 0: it did not fail
 * @group: memory cgroup of its creator; tables of a rehash are charged to it
 * @free_work: frees the filter, in process context, after a grace period
 * @nh: words that hash payloads, derived from @secret
 * @lengths: prefix lengths of its keys, if the key has a prefix of any length
 *
 * The members that a packet reads before @set fit into the first cache line, unless the key
 * has more than six fields. The next cache line that it reads is the first one of @set.
 */
struct seen_filter {
	struct seen_secret secret;
	struct seen_stats __percpu *stats;
	u32 on_full;
	struct seen_keyspec spec;
	struct seen_span span;
	struct seen_set set ____cacheline_aligned;
	struct seen_feed __rcu *feed;
	u32 serial;
	u64 table_id;
	struct seen_net *sn;
	const char *name;
	u32 name_id;
	u64 bytes;
	unsigned long events;
	struct work_struct event_work;
	struct delayed_work sweep_work;
	bool dying;
	u64 effective;
	u64 effective_at;
	unsigned long announced[SEEN_FILTER_EVENTS];
	void *aux;
	struct work_struct rehash_work;
	struct mutex rehashing;		/* one rehash at a time */
	struct work_struct retire_work;
	void *retired;
	unsigned long rehash_failed;
	struct mem_cgroup *group;
	struct rcu_work free_work;
	struct seen_nh_key nh;
	struct seen_lengths lengths;
};

/**
 * seen_filter_create() - allocate and prepare a filter, not published yet
 * @sn: its namespace, @sn->changes held
 * @config: parameters; the other members of its geo are filled in, unless @flush
 * @flush: the new filter replaces a filter with this geometry. Until the old one is freed,
 *         both together may exceed the caps
 * @extack: receives the text of an error
 *
 * Context: process, may sleep.
 * Return: the filter or ERR_PTR: -EINVAL, -ENOMEM, -ENOSPC (the cap), -EBUSY (@flush: the
 * caps are exceeded already).
 */
struct seen_filter *seen_filter_create(struct seen_net *sn,
				       struct seen_filter_config *config,
				       bool flush,
				       struct netlink_ext_ack *extack);

/**
 * seen_filter_create_as() - the same with a given geometry, from an import or a fold
 * @sn: its namespace, @sn->changes held
 * @config: all members of its geo are set, but not trusted
 * @fold: the new filter replaces a larger one at once, and may exceed the caps
 * @extack: receives the text of an error
 *
 * Context: process, may sleep.
 * Return: the filter or ERR_PTR: -EINVAL, -ENOMEM, -ENOSPC (the cap), -EBUSY (@fold: the
 * caps are exceeded already).
 */
struct seen_filter *seen_filter_create_as(struct seen_net *sn,
					  struct seen_filter_config *config,
					  bool fold,
					  struct netlink_ext_ack *extack);

/**
 * seen_filter_destroy() - free a filter that was published
 * @filter: no binding points to it any more, but readers may still use it
 *
 * A work item frees it after a grace period. Does not wait.
 */
void seen_filter_destroy(struct seen_filter *filter);

/* seen_filter_free() - free a filter at once; no packet can find it. Context: process */
void seen_filter_free(struct seen_filter *filter);

/* seen_filter_effective() - effective window of the recent past in ns; process context */
u64 seen_filter_effective(struct seen_filter *filter);

/**
 * seen_filter_item() - make the item by which a filter stores or finds a key
 * @filter: the filter
 * @key: of the filter's specification
 * @item: to fill
 *
 * Return: true; false: the filter cannot hold this key, because it is outside of a bitmap's
 * range or longer than the keys of a map.
 */
static inline bool seen_filter_item(const struct seen_filter *filter,
				    const struct seen_key *key,
				    struct seen_item *item)
{
	if (!key->has_payload)
		return seen_item_make(&filter->set.geo, &filter->secret,
				      &filter->span, key->head, key->len, item);
	item->len = 0;
	item->hash = seen_key_hash(key, &filter->secret, &filter->nh);
	return true;
}

/**
 * seen_filter_match() - find the longest prefix of a key that is in the filter
 * @filter: its key has a prefix of any length
 * @key: of the filter's specification
 * @over: a prefix matches if it was counted more than @over times; SEEN_LPM_SEEN: if the
 *        set calls it seen
 * @value: out: the value in a map; or the count, if @over is a count
 *
 * Applies no policy and counts nothing; seen_filter_answered() counts the result.
 *
 * Context: softirq or process; RCU read section.
 * Return: SEEN_SEEN, SEEN_NEW, or SEEN_STALE.
 */
enum seen_result seen_filter_match(struct seen_filter *filter,
				   const struct seen_key *key, u32 over,
				   u32 *value);

/**
 * seen_filter_test_prefix() - seen_filter_test() for a key with a prefix of any length
 * @filter: the filter; in an RCU read section
 * @key: of the filter's specification
 * @value: out: the value in a map, else 0
 *
 * Context: softirq or process.
 * Return: SEEN_SEEN, SEEN_NEW, or SEEN_STALE.
 */
enum seen_result seen_filter_test_prefix(struct seen_filter *filter,
					 const struct seen_key *key, u32 *value);

/**
 * seen_filter_admit() - record the prefix length of a key that is about to be stored
 * @filter: the filter
 * @key: of the filter's specification
 *
 * Return: true; false: the key must not be stored, because the filter already has prefixes
 * of SEEN_LENGTHS_MAX other lengths.
 */
bool seen_filter_admit(struct seen_filter *filter, const struct seen_key *key);

/* seen_filter_admit_all() - the same for all keys of @from */
bool seen_filter_admit_all(struct seen_filter *to, const struct seen_filter *from);

/* seen_filter_can_fill() - can a filter of this geometry become full? */
static inline bool seen_filter_can_fill(const struct seen_geometry *geo)
{
	return geo->kind != SEEN_SET_BITMAP && geo->kind != SEEN_SET_CMS &&
	       geo->kind != SEEN_SET_CMM;
}

static inline void seen_filter_count(const struct seen_filter *filter,
				     enum seen_stat stat)
{
	this_cpu_inc(filter->stats->count[stat]);
}

/**
 * seen_filter_test() - look a key up, with policy and counters
 * @filter: the filter; in an RCU read section
 * @item: seen_filter_item() of the key
 *
 * Direction of error: a false positive returns SEEN_SEEN for a new key, at the promised
 * false-positive rate; a bitmap and a map are exact. A cms may return SEEN_SEEN below its
 * threshold, but never fails to return it at the threshold; a cmm may err both ways. A full
 * filter with policy "pass" returns SEEN_NEW.
 *
 * Context: softirq or process.
 * Return: SEEN_SEEN, SEEN_NEW, or SEEN_STALE: the sweep is late, and nothing is judged.
 */
enum seen_result seen_filter_test(struct seen_filter *filter,
				  const struct seen_item *item);

/* seen_filter_answered() - count the result of a lookup and return it */
enum seen_result seen_filter_answered(struct seen_filter *filter,
				      enum seen_result result);

/* seen_filter_find() - seen_filter_test() without the policy; in an RCU read section */
bool seen_filter_find(struct seen_filter *filter, const struct seen_key *key);

/* seen_filter_miss() - count the lookup of a key that the filter cannot hold, as new */
void seen_filter_miss(struct seen_filter *filter);

/* seen_filter_passes() - is the filter full under policy "pass"? Then every key is new. */
bool seen_filter_passes(struct seen_filter *filter);

/* seen_filter_test_and_add() - seen_filter_test() that stores a new key, in one step */
enum seen_result seen_filter_test_and_add(struct seen_filter *filter,
					  const struct seen_item *item);

/* seen_filter_add() - store a key; results other than SEEN_NEW and SEEN_SEEN are failures */
enum seen_result seen_filter_add(struct seen_filter *filter,
				 const struct seen_item *item);

/**
 * seen_filter_add_by_user() - store a key that a user adds
 * @filter: seen_net.lock held
 * @item: seen_filter_item() of the key
 * @if_new: as seen_filter_test_and_add(); otherwise as seen_filter_add()
 *
 * Makes a record for the filter's feed also if the key is there: it may be there because of
 * another host, and must then stay when that host deletes it.
 *
 * Context: process.
 * Return: as these functions.
 */
enum seen_result seen_filter_add_by_user(struct seen_filter *filter,
					 const struct seen_item *item, bool if_new);

/**
 * seen_filter_add_count() - store a key and get its count
 * @filter: seen_set_can_count() is true for its set
 * @item: seen_filter_item() of the key
 * @max: cuckoo: maximum number of copies of the key
 * @count: out: count of the key, including this one
 *
 * Return: as seen_filter_add().
 */
enum seen_result seen_filter_add_count(struct seen_filter *filter,
				       const struct seen_item *item, u32 max,
				       u32 *count);

/**
 * seen_filter_put() - store a key with a value
 * @filter: of SEEN_SET_MAP
 * @item: seen_filter_item() of the key
 * @value: value of the key
 * @replace: also replace the value of a key that the map has already
 * @last: last attempt: do not return -EAGAIN
 *
 * Return: enum seen_result, or -EAGAIN: no slot was found, but there may be one after
 * seen_rehash().
 */
int seen_filter_put(struct seen_filter *filter, const struct seen_item *item,
		    u32 value, bool replace, bool last);

/*
 * seen_filter_stale() - is the sweep so late that nothing is judged? If so, this is counted
 * and an event is sent.
 */
bool seen_filter_stale(struct seen_filter *filter);

/**
 * seen_filter_add_aged() - store a key that was seen on another host
 * @filter: seen_feed_check() accepts it; seen_net.lock held
 * @hash: hash of the key
 * @age: ns since the key was seen
 *
 * Makes no record for the filter's feed.
 *
 * Context: process.
 * Return: as seen_set_add_aged().
 */
enum seen_result seen_filter_add_aged(struct seen_filter *filter, u64 hash, u64 age);

/**
 * seen_filter_set_feed() - attach a feed to a filter, or detach it
 * @filter: the filter
 * @feed: the feed, or NULL; readers may still use the old one for a grace period
 *
 * Context: process; seen_net.lock held for writing, or @filter is not published.
 */
void seen_filter_set_feed(struct seen_filter *filter, struct seen_feed *feed);

/**
 * seen_filter_feed() - put a record into the feed of a filter, if it has one
 * @filter: in an RCU read section, or seen_net.lock held
 * @hash: hash of the key
 * @deleted: the key was deleted; otherwise it was new or was renewed
 *
 * Context: softirq or process.
 */
void seen_filter_feed(const struct seen_filter *filter, u64 hash, bool deleted);

/**
 * seen_filter_value() - seen_filter_test() that also gets the value or count of the key
 * @filter: of SEEN_SET_MAP, or seen_set_can_count() is true for its set
 * @item: seen_filter_item() of the key
 * @value: out: value or count; 0 if the filter does not have the key
 *
 * Return: as seen_filter_test().
 */
enum seen_result seen_filter_value(struct seen_filter *filter,
				   const struct seen_item *item, u32 *value);

/* seen_filter_del() - remove one copy of a key, or decrement its count */
enum seen_result seen_filter_del(struct seen_filter *filter,
				 const struct seen_item *item);

/*
 * seen_filter_del_by_user() - the same, with a record for the filter's feed if it was the last
 * copy; process context, seen_net.lock held. Deletes by rules make no records, because other
 * hosts see other packets.
 */
enum seen_result seen_filter_del_by_user(struct seen_filter *filter,
					 const struct seen_item *item);

/**
 * seen_filter_port() - judge and store an arrival on a port
 * @filter: of SEEN_SET_CUCKOO_WINDOW, in an RCU read section
 * @hash: of the key
 * @port: number of the port, 1 to SEEN_ARRIVAL_MAX
 * @rule: which arrivals are duplicates
 *
 * This is seen_arrival_commit(), with the filter's counters. The guard calls
 * seen_arrival_peek() first, and this function if that answer is pending.
 *
 * Context: softirq or process.
 * Return: the answer of seen_arrival_commit().
 */
struct seen_arrival_answer seen_filter_port(struct seen_filter *filter, u64 hash,
					    u32 port,
					    const struct seen_arrival_rule *rule);

/* seen_filter_port_count() - count an answer of core/arrival.h, but record nothing */
void seen_filter_port_count(struct seen_filter *filter,
			    const struct seen_arrival_answer *answer);

/* seen_filter_port_feed() - put a record into the feed if the key is new or was renewed */
void seen_filter_port_feed(const struct seen_filter *filter, u64 hash,
			   const struct seen_arrival_answer *answer);

/* seen_filter_announce() - packet path: have the work send an event, at most one a second */
void seen_filter_announce(struct seen_filter *filter,
			  enum seen_filter_event event);

/* seen_filter_table() - zeroed memory for a table of seen_filter_table_bytes(), or NULL */
void *seen_filter_table(const struct seen_geometry *geo);
u64 seen_filter_table_bytes(const struct seen_geometry *geo);

/* rehash.c */
void seen_rehash_init(struct seen_filter *filter);
/*
 * seen_rehash_soon() - queue a rehash; any context. Returns false if a rehash does not help:
 * no add has failed because of the map's hashes, or a rehash has failed within the last second.
 */
bool seen_rehash_soon(struct seen_filter *filter);
/**
 * seen_rehash() - give a map a new hash seed, if an add has failed with the present one
 * @filter: kept alive by its namespace's changes, or because this is its own work
 * @extack: receives the text of an error, or NULL
 *
 * Waits until the table of an earlier rehash is freed.
 *
 * Context: process, may sleep; seen_net.lock is not held.
 * Return: 0: the seed with which an add failed was replaced, here or by another caller;
 * -ENOMEM; -ENOSPC: the cap; -EAGAIN: not a map, or all seeds that were tried failed, too.
 */
int seen_rehash(struct seen_filter *filter, struct netlink_ext_ack *extack);
/* seen_rehash_stop() - stop the works of rehash.c; for a filter without readers */
void seen_rehash_stop(struct seen_filter *filter);

/* sweep.c: start the work that keeps stamps and epochs from wrapping */
void seen_sweep_start(struct seen_filter *filter);
/* seen_sweep_wake() - call after a key was stored: the sweep of an empty filter sleeps */
void seen_sweep_wake(struct seen_filter *filter);

#endif
