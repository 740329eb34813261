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
#include "key.h"
#include "seen.h"

/* Counters; the order of SEEN_A_STATS_, which they are told as. */
enum seen_stat {
	SEEN_STAT_LOOKUPS,	/* counted: those that were neither seen nor new */
	SEEN_STAT_SEEN,
	SEEN_STAT_NEW,
	SEEN_STAT_ADDS,
	SEEN_STAT_DELS,
	SEEN_STAT_NOKEY,
	SEEN_STAT_FULL,
	SEEN_STAT_EVICTED,	/* kept by the set, by stripe */
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

/* What the packet path asks the filter's work to announce. */
enum seen_filter_event {
	SEEN_FILTER_SATURATED,
	SEEN_FILTER_WINDOW_SHORT,
	SEEN_FILTER_STALE,
	SEEN_FILTER_EVENTS
};

/**
 * struct seen_filter_config - what a request says of a filter
 * @geo: kind, capacity, fpp, fp_bits, window, refresh, threshold, conservative,
 *       top, key_bytes; planned by create
 * @span: bitmap: its range
 * @spec: the key
 * @secret: the hash's key
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
 * @secret: of the hash; never told
 * @stats: per CPU
 * @on_full: enum seen_on_full; live changes by READ_ONCE/WRITE_ONCE
 * @spec: the key
 * @span: bitmap: its range
 * @set: the table
 * @serial: tells it from every other filter of the namespace
 * @sn: whose it is
 * @name_id: of its binding, as @name
 * @name: of its binding, whose memory it is; changes under @sn->lock (swap), read by
 *        @event_work under it; NULL before the filter is published, and from when it is
 *        destroyed, for which @sn->changes suffice
 * @bytes: charged for it
 * @events: bits of enum seen_filter_event, set by the packet path
 * @event_work: announces them
 * @sweep_work: clears what has expired
 * @dying: no binding points to it any more
 * @effective: ns, the window at its last shortfall
 * @effective_at: seen_now() then, 0: there was none
 * @announced: jiffies of the last event of each kind, for the rate limit
 * @aux: memory of the stripes and of the list of the heaviest keys
 * @rehash_work: gives a map other hashes; rehash.c, as the next ones
 * @rehashing: held by who does that
 * @retire_work: frees @retired
 * @retired: a map's table of before; somebody may be in it
 * @rehash_failed: jiffies when a rehash did last, 0: it did not
 * @group: that of its creator, to which its tables are charged
 * @free_work: ends it, in process context, after a grace period
 * @nh: words that hash payloads, derived from @secret
 * @lengths: of its prefixes, if its key has them of any length
 *
 * What a packet reads before it comes to @set is in the first line, unless the key has
 * more than six fields; the next line that it reads is the set's first.
 */
struct seen_filter {
	struct seen_secret secret;
	struct seen_stats __percpu *stats;
	u32 on_full;
	struct seen_keyspec spec;
	struct seen_span span;
	struct seen_set set ____cacheline_aligned;
	u32 serial;
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
	struct mutex rehashing;		/* of one rehash at a time */
	struct work_struct retire_work;
	void *retired;
	unsigned long rehash_failed;
	struct mem_cgroup *group;
	struct rcu_work free_work;
	struct seen_nh_key nh;
	struct seen_lengths lengths;
};

/**
 * seen_filter_create() - allocate and prepare a filter; nobody knows it yet
 * @sn: its namespace, @sn->changes held
 * @config: what it shall be; its geo is planned in place
 * @flush: it replaces a filter of this very geometry, and may exceed the caps
 *         until that one is freed
 * @extack: names the attribute that is refused, and why
 *
 * Context: process, may sleep.
 * Return: the filter or ERR_PTR: -EINVAL, -ENOMEM, -ENOSPC (the cap).
 */
struct seen_filter *seen_filter_create(struct seen_net *sn,
				       struct seen_filter_config *config,
				       bool flush,
				       struct netlink_ext_ack *extack);

/**
 * seen_filter_create_as() - the same of a geometry that no plan made
 * @sn: its namespace, @sn->changes held
 * @config: its geo has every member, not trusted
 * @fold: it replaces a larger filter at once, and may exceed the caps
 * @extack: names what is refused, and why
 */
struct seen_filter *seen_filter_create_as(struct seen_net *sn,
					  struct seen_filter_config *config,
					  bool fold,
					  struct netlink_ext_ack *extack);

/**
 * seen_filter_destroy() - end a filter that no binding points to any more
 * @filter: unpublished; readers may still be inside
 *
 * Frees after a grace period, from a work item. Does not wait.
 */
void seen_filter_destroy(struct seen_filter *filter);

/* seen_filter_free() - the same at once, of one that no binding has ever pointed to */
void seen_filter_free(struct seen_filter *filter);

/* seen_filter_effective() - ns, the window kept lately; process context */
u64 seen_filter_effective(struct seen_filter *filter);

/**
 * seen_filter_item() - what a filter knows a key by
 * @filter: the filter
 * @key: of the filter's specification
 * @item: to fill
 *
 * Return: false: it cannot hold such a key, which is outside of a bitmap's range,
 * or longer than a map's; it was never added.
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
 * seen_filter_match() - is one of a key's prefixes in the filter? The longest answers
 * @filter: whose key has prefixes of any length; in an RCU read section
 * @key: of its specification
 * @over: how often a prefix must have been counted, and once more; SEEN_LPM_SEEN: as
 *        seen_filter_test() says
 * @value: out: of a map, or the count, where @over is one
 *
 * This is the answer, without policy and counters: seen_filter_answered().
 *
 * Context: softirq or process.
 * Return: SEEN_SEEN, SEEN_NEW, or SEEN_STALE.
 */
enum seen_result seen_filter_match(struct seen_filter *filter,
				   const struct seen_key *key, u32 over,
				   u32 *value);

/**
 * seen_filter_test_prefix() - seen_filter_test() of a key whose prefix may have any length
 * @filter: in an RCU read section
 * @key: of its specification
 * @value: out: of a map
 */
enum seen_result seen_filter_test_prefix(struct seen_filter *filter,
					 const struct seen_key *key, u32 *value);

/**
 * seen_filter_admit() - may a key be stored, whatever room there is?
 * @filter: the filter
 * @key: of the filter's specification
 *
 * Return: false: its prefix would be of one length more than SEEN_LENGTHS_MAX.
 */
bool seen_filter_admit(struct seen_filter *filter, const struct seen_key *key);

/* seen_filter_admit_all() - the same for all keys of another filter */
bool seen_filter_admit_all(struct seen_filter *to, const struct seen_filter *from);

/* seen_filter_can_fill() - may a filter of this geometry have no more room? */
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
 * seen_filter_test() - ask, with policy and counters
 * @filter: in an RCU read section
 * @item: seen_filter_item() of the key
 *
 * Direction of error: a false positive answers SEEN_SEEN for a new key, at the
 * promised rate; a bitmap and a map are exact. Of what counts, cms answers
 * SEEN_SEEN too early and never too late, cmm either. When full under policy
 * "pass" the answer is SEEN_NEW.
 *
 * Context: softirq or process.
 */
enum seen_result seen_filter_test(struct seen_filter *filter,
				  const struct seen_item *item);

/* seen_filter_answered() - count an answer; returns it */
enum seen_result seen_filter_answered(struct seen_filter *filter,
				      enum seen_result result);

/* seen_filter_find() - is it there, whatever the policy? In an RCU read section */
bool seen_filter_find(struct seen_filter *filter, const struct seen_key *key);

/* seen_filter_miss() - such a key cannot be in it: count the question */
void seen_filter_miss(struct seen_filter *filter);

/* seen_filter_passes() - it is full under policy "pass": nothing is seen */
bool seen_filter_passes(struct seen_filter *filter);

/* seen_filter_test_and_add() - ask and store in one step; as seen_filter_test() */
enum seen_result seen_filter_test_and_add(struct seen_filter *filter,
					  const struct seen_item *item);

/* seen_filter_add() - store one more; SEEN_FULL and SEEN_COPIES are failures */
enum seen_result seen_filter_add(struct seen_filter *filter,
				 const struct seen_item *item);

/**
 * seen_filter_add_count() - store one more, and count
 * @filter: seen_set_can_count()
 * @item: the key
 * @max: cuckoo: copies to be there at most
 * @count: out: of the key, with this one
 *
 * Return: as seen_filter_add().
 */
enum seen_result seen_filter_add_count(struct seen_filter *filter,
				       const struct seen_item *item, u32 max,
				       u32 *count);

/**
 * seen_filter_put() - store a key with a value
 * @filter: of SEEN_SET_MAP
 * @item: the key
 * @value: of it
 * @replace: a key that is there gets it, too
 * @last: do not ask to be called again
 *
 * Return: enum seen_result, or -EAGAIN: after seen_rehash() there may be a place.
 */
int seen_filter_put(struct seen_filter *filter, const struct seen_item *item,
		    u32 value, bool replace, bool last);

/* seen_filter_stale() - is the sweep so late that nothing is judged? Counted, told */
bool seen_filter_stale(struct seen_filter *filter);

/**
 * seen_filter_value() - as seen_filter_test(), and a key's value or count
 * @filter: of SEEN_SET_MAP, or seen_set_can_count()
 * @item: the key
 * @value: out: 0 for what is not there
 */
enum seen_result seen_filter_value(struct seen_filter *filter,
				   const struct seen_item *item, u32 *value);

/* seen_filter_del() - remove one copy, or take one off the count */
enum seen_result seen_filter_del(struct seen_filter *filter,
				 const struct seen_item *item);

/**
 * seen_filter_port() - the verdict of a guard that knows ports
 * @filter: of SEEN_SET_CUCKOO_WINDOW, in an RCU read section
 * @hash: of the key
 * @port: 1 to SEEN_ARRIVAL_MAX
 * @rule: what makes a duplicate
 *
 * seen_arrival_commit() with the counters. The guard asks seen_arrival_peek() first
 * and comes here if that answer is pending.
 *
 * Context: softirq or process.
 */
struct seen_arrival_answer seen_filter_port(struct seen_filter *filter, u64 hash,
					    u32 port,
					    const struct seen_arrival_rule *rule);

/* seen_filter_port_count() - the counters for a peek that was final */
void seen_filter_port_count(struct seen_filter *filter,
			    const struct seen_arrival_answer *answer);

/* seen_filter_announce() - packet path: have an event told, soon, once */
void seen_filter_announce(struct seen_filter *filter,
			  enum seen_filter_event event);

/* seen_filter_table() - zeroed memory of so many bytes for a table, or NULL */
void *seen_filter_table(const struct seen_geometry *geo);
u64 seen_filter_table_bytes(const struct seen_geometry *geo);

/* rehash.c */
void seen_rehash_init(struct seen_filter *filter);
/* seen_rehash_soon() - any context; false: other hashes are not what is missing */
bool seen_rehash_soon(struct seen_filter *filter);
/**
 * seen_rehash() - give a map other hashes if it needs them
 * @filter: that stays: its namespace's changes are held, or this is its own work
 * @extack: why there is no table, or NULL
 *
 * Waits until the table of an earlier rehash is freed.
 *
 * Context: process, may sleep; seen_net.lock is not held.
 * Return: 0: it has others now than those that an add has failed with; -ENOMEM, or
 * -ENOSPC: the cap; -EAGAIN: all that were tried are as bad.
 */
int seen_rehash(struct seen_filter *filter, struct netlink_ext_ack *extack);
/* seen_rehash_stop() - nobody has the filter any more */
void seen_rehash_stop(struct seen_filter *filter);

/* sweep.c: start the work that keeps stamps and epochs from wrapping */
void seen_sweep_start(struct seen_filter *filter);
/* seen_sweep_wake() - any context: a key was stored, perhaps the first in a while */
void seen_sweep_wake(struct seen_filter *filter);

#endif
