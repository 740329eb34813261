// SPDX-License-Identifier: GPL-2.0
/* Filters: memory, policy and counters around core/'s sets. */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>
#include <linux/vmalloc.h>

#include "core/map.h"
#include "core/plan_text.h"
#include "core/snapshot.h"
#include "core/top.h"
#include "event.h"
#include "filter.h"
#include "limit.h"

/* Two jiffies, so that the clock can distinguish two ticks. */
static u64 filter_min_tick(void)
{
	return 2 * jiffies_to_nsecs(1);
}

static int filter_plan_geometry(struct seen_net *sn, struct seen_geometry *geo,
				struct netlink_ext_ack *extack)
{
	enum seen_plan_error err = seen_plan(geo, filter_min_tick());
	char rate[SEEN_PLAN_RATE_LEN];
	const char *text;

	if (err == SEEN_PLAN_OK)
		return 0;
	text = err == SEEN_PLAN_FPP_TYPE ? seen_plan_type_text(geo, filter_min_tick()) :
					   seen_plan_text(err);
	if (!text)
		SEEN_SET_ERR_MSG_FMT(sn, extack, SEEN_PLAN_FPP_TYPE_TEXT,
				     seen_plan_rate_text(geo->fpp, rate),
				     seen_plan_use(geo, filter_min_tick()));
	else if (extack)
		extack->_msg = text;
	return -EINVAL;
}

/* The table is allocated separately, because a rehash replaces the table of a map. */
u64 seen_filter_table_bytes(const struct seen_geometry *geo)
{
	return PAGE_ALIGN(seen_geometry_bytes(geo));
}

void *seen_filter_table(const struct seen_geometry *geo)
{
	return vmalloc_huge(seen_filter_table_bytes(geo), SEEN_GFP | __GFP_ZERO);
}

/* The other allocation: the stripes, then the list of the heaviest keys. */
static u64 filter_top_at(const struct seen_geometry *geo)
{
	return seen_geometry_stripes(geo) * sizeof(struct seen_stripe);
}

static u64 filter_aux_bytes(const struct seen_geometry *geo)
{
	return filter_top_at(geo) + seen_top_bytes(geo);
}

static u64 filter_bytes(const struct seen_geometry *geo)
{
	return seen_filter_table_bytes(geo) + filter_aux_bytes(geo) +
	       sizeof(struct seen_filter) +
	       num_possible_cpus() * sizeof(struct seen_stats);
}

static void filter_free_memory(struct seen_filter *filter)
{
	vfree(filter->set.table);
	kvfree(filter->aux);
	free_percpu(filter->stats);
	kfree_sensitive(filter);
}

void seen_filter_free(struct seen_filter *filter)
{
	WRITE_ONCE(filter->dying, true);
	cancel_delayed_work_sync(&filter->sweep_work);
	seen_rehash_stop(filter);
	/* After seen_rehash_stop(), because a rehash may queue this work. */
	cancel_work_sync(&filter->event_work);
	seen_limit_uncharge(filter->sn, filter->bytes);
	filter_free_memory(filter);
}

/* Runs a grace period after the last packet could have found the filter. */
static void filter_free_work(struct work_struct *work)
{
	seen_filter_free(container_of(to_rcu_work(work), struct seen_filter,
				      free_work));
}

static void filter_report(struct work_struct *work);

static struct seen_filter *filter_allocate(const struct seen_geometry *geo)
{
	const gfp_t gfp = SEEN_GFP | __GFP_ZERO;
	struct seen_filter *filter;
	void *aux;

	filter = kzalloc(sizeof(*filter), gfp);
	if (!filter)
		return NULL;
	filter->stats = alloc_percpu_gfp(struct seen_stats, gfp);
	aux = kvzalloc(filter_aux_bytes(geo), gfp);
	filter->aux = aux;
	filter->set.table = seen_filter_table(geo);
	if (!filter->stats || !aux || !filter->set.table) {
		filter_free_memory(filter);
		return NULL;
	}
	seen_set_init(&filter->set, geo, filter->set.table, aux);
	if (seen_top_bytes(geo))
		filter->set.top = aux + filter_top_at(geo);
	return filter;
}

/*
 * An allocation may fail because of the limit of a memory cgroup, the address space of
 * vmalloc, or percpu chunks; the reason is not known here. So the text states the available
 * memory only if it is less than needed.
 */
static void filter_refuse_memory(struct seen_net *sn, u64 capacity, u64 bytes,
				 struct netlink_ext_ack *extack)
{
	u64 available = (u64)si_mem_available() << PAGE_SHIFT;
	char need[16], have[16];

	string_get_size(bytes, 1, STRING_UNITS_2, need, sizeof(need));
	string_get_size(available, 1, STRING_UNITS_2, have, sizeof(have));
	if (available < bytes)
		SEEN_SET_ERR_MSG_FMT(sn, extack,
				     "capacity: %llu keys need %s, %s is available",
				     capacity, need, have);
	else
		SEEN_SET_ERR_MSG_FMT(sn, extack,
				     "capacity: %llu keys need %s, which could not be allocated",
				     capacity, need);
}

/* @exceed: the filter replaces another one, so both together may exceed the caps */
static struct seen_filter *filter_create(struct seen_net *sn,
					 const struct seen_filter_config *config,
					 bool exceed, struct netlink_ext_ack *extack)
{
	struct seen_filter *filter;
	u64 bytes;
	int err;

	lockdep_assert_held(&sn->changes);
	bytes = filter_bytes(&config->geo);
	err = exceed ? seen_limit_exceed(sn, bytes, extack)
		     : seen_limit_charge(sn, bytes, extack);
	if (err)
		return ERR_PTR(err);
	filter = filter_allocate(&config->geo);
	if (!filter) {
		seen_limit_uncharge(sn, bytes);
		filter_refuse_memory(sn, config->geo.capacity, bytes, extack);
		return ERR_PTR(-ENOMEM);
	}
	filter->serial = ++sn->last_serial;
	filter->table_id = get_random_u64();
	filter->sn = sn;
	filter->bytes = bytes;
	filter->secret = config->secret;
	if (config->spec.payload)
		seen_nh_key_set(&filter->nh, &filter->secret);
	filter->span = config->span;
	filter->spec = config->spec;
	filter->on_full = config->on_full;
	INIT_WORK(&filter->event_work, filter_report);
	INIT_RCU_WORK(&filter->free_work, filter_free_work);
	seen_rehash_init(filter);
	seen_sweep_start(filter);
	return filter;
}

struct seen_filter *seen_filter_create(struct seen_net *sn,
				       struct seen_filter_config *config,
				       bool flush,
				       struct netlink_ext_ack *extack)
{
	int err;

	config->geo.evict = config->on_full == SEEN_ON_FULL_EVICT;
	err = flush ? 0 : filter_plan_geometry(sn, &config->geo, extack);
	return err ? ERR_PTR(err) : filter_create(sn, config, flush, extack);
}

static int filter_check(struct seen_net *sn, const struct seen_geometry *geo,
			struct netlink_ext_ack *extack)
{
	const char *member = seen_geometry_check(geo);

	if (member) {
		SEEN_SET_ERR_MSG_FMT(sn, extack,
				     "%s: contradicts the other attributes of the table",
				     member);
		return -EINVAL;
	}
	/* An import may come from a kernel with a finer clock. */
	if (!geo->tick || geo->tick >= filter_min_tick())
		return 0;
	if (extack)
		extack->_msg = seen_plan_text(SEEN_PLAN_WINDOW);
	return -EINVAL;
}

struct seen_filter *seen_filter_create_as(struct seen_net *sn,
					  struct seen_filter_config *config,
					  bool fold,
					  struct netlink_ext_ack *extack)
{
	int err;

	config->geo.evict = config->on_full == SEEN_ON_FULL_EVICT;
	err = filter_check(sn, &config->geo, extack);
	return err ? ERR_PTR(err) : filter_create(sn, config, fold, extack);
}

void seen_filter_destroy(struct seen_filter *filter)
{
	seen_filter_set_feed(filter, NULL);
	WRITE_ONCE(filter->name, NULL);
	WRITE_ONCE(filter->dying, true);
	queue_rcu_work(seen_wq, &filter->free_work);
}

u64 seen_filter_effective(struct seen_filter *filter)
{
	u64 window = filter->set.geo.window;
	u64 effective = seen_set_effective(&filter->set);
	u64 now = seen_now();

	if (effective < window) {
		WRITE_ONCE(filter->effective, effective);
		WRITE_ONCE(filter->effective_at, now);
		return effective;
	}
	/* Report a shortfall for some time, so that a user can notice it. */
	if (READ_ONCE(filter->effective_at) &&
	    now - READ_ONCE(filter->effective_at) < window + 10 * NSEC_PER_SEC)
		return READ_ONCE(filter->effective);
	return window;
}

static void filter_report(struct work_struct *work)
{
	struct seen_filter *filter = container_of(work, struct seen_filter,
						  event_work);
	struct seen_net *sn = filter->sn;
	struct seen_event event = {};

	down_read(&sn->lock);
	event.filter = READ_ONCE(filter->name);
	event.filter_id = READ_ONCE(filter->name_id);
	if (!event.filter)
		goto out;
	if (test_and_clear_bit(SEEN_FILTER_SATURATED, &filter->events)) {
		event.cmd = SEEN_CMD_SATURATED_NTF;
		event.count = seen_set_entries(&filter->set);
		seen_event_send(sn, &event);
	}
	if (test_and_clear_bit(SEEN_FILTER_WINDOW_SHORT, &filter->events)) {
		event.cmd = SEEN_CMD_WINDOW_SHORT_NTF;
		event.count = 0;
		event.window = seen_filter_effective(filter);
		event.promised = filter->set.geo.window;
		seen_event_send(sn, &event);
	}
	if (test_and_clear_bit(SEEN_FILTER_STALE, &filter->events)) {
		event.cmd = SEEN_CMD_WINDOW_SHORT_NTF;
		event.count = 0;
		event.window = 0;
		event.promised = filter->set.geo.window;
		seen_event_send(sn, &event);
	}
out:
	up_read(&sn->lock);
}

void seen_filter_announce(struct seen_filter *filter,
			  enum seen_filter_event event)
{
	unsigned long now = jiffies;
	unsigned long last = READ_ONCE(filter->announced[event]);

	/* At most one event of each kind per second; 0: no event yet. */
	if ((last && time_before(now, last + HZ)) ||
	    test_bit(event, &filter->events))
		return;
	WRITE_ONCE(filter->announced[event], now | 1);
	if (!test_and_set_bit(event, &filter->events))
		queue_work(seen_wq, &filter->event_work);
}

bool seen_filter_passes(struct seen_filter *filter)
{
	return READ_ONCE(filter->on_full) == SEEN_ON_FULL_PASS &&
	       seen_set_full(&filter->set);
}

/* Until the sweep has caught up nothing is judged, so the effective window is 0. */
static void filter_count_stale(struct seen_filter *filter)
{
	seen_filter_count(filter, SEEN_STAT_STALE);
	seen_filter_announce(filter, SEEN_FILTER_STALE);
}

bool seen_filter_stale(struct seen_filter *filter)
{
	if (!seen_set_stale(&filter->set))
		return false;
	filter_count_stale(filter);
	return true;
}

void seen_filter_set_feed(struct seen_filter *filter, struct seen_feed *feed)
{
	rcu_assign_pointer(filter->feed, feed);
	WRITE_ONCE(filter->set.reports, !!feed);
}

void seen_filter_feed(const struct seen_filter *filter, u64 hash, bool deleted)
{
	struct seen_feed *feed = rcu_dereference_check(filter->feed,
						       lockdep_is_held(&filter->sn->lock));

	if (unlikely(feed))
		seen_feed_put(feed, hash, deleted);
}

enum seen_result seen_filter_answered(struct seen_filter *filter,
				      enum seen_result result)
{
	switch (result) {
	case SEEN_NEW:
		seen_filter_count(filter, SEEN_STAT_NEW);
		break;
	case SEEN_SEEN:
	case SEEN_RENEWED:
		seen_filter_count(filter, SEEN_STAT_SEEN);
		break;
	case SEEN_STALE:
		filter_count_stale(filter);
		fallthrough;
	default:
		seen_filter_count(filter, SEEN_STAT_LOOKUPS);
	}
	return result;
}

static void filter_count_failure(struct seen_filter *filter, enum seen_result result)
{
	if (result == SEEN_FULL) {
		seen_filter_count(filter, SEEN_STAT_FULL);
		if (!seen_rehash_soon(filter))
			seen_filter_announce(filter, SEEN_FILTER_SATURATED);
	} else if (result == SEEN_COPIES) {
		seen_filter_count(filter, SEEN_STAT_COPIES);
	} else if (result == SEEN_STALE) {
		filter_count_stale(filter);
	}
}

/* Count a stored key, and report if keys have been evicted before their window was over. */
static void filter_count_add(struct seen_filter *filter)
{
	seen_filter_count(filter, SEEN_STAT_ADDS);
	seen_sweep_wake(filter);
	if (READ_ONCE(filter->set.shortest) < filter->set.geo.window)
		seen_filter_announce(filter, SEEN_FILTER_WINDOW_SHORT);
}

/*
 * Policy "rotate": one caller ends the oldest generations until there is room, and all
 * callers try again. If all keys were stored in one tick, all generations end.
 */
static bool filter_rotate(struct seen_filter *filter)
{
	int i;

	if (READ_ONCE(filter->on_full) != SEEN_ON_FULL_ROTATE)
		return false;
	spin_lock_bh(&filter->set.mover);
	for (i = 0; i < SEEN_GENERATIONS && seen_set_full(&filter->set); i++)
		seen_set_rotate(&filter->set);
	spin_unlock_bh(&filter->set.mover);
	seen_filter_announce(filter, SEEN_FILTER_WINDOW_SHORT);
	/* Rotations advance epochs faster than the clock does. */
	if (seen_set_sweep_due(&filter->set))
		mod_delayed_work(seen_sweep_wq, &filter->sweep_work, 0);
	return true;
}

enum seen_result seen_filter_test(struct seen_filter *filter,
				  const struct seen_item *item)
{
	if (seen_filter_passes(filter))
		return seen_filter_answered(filter, SEEN_NEW);
	return seen_filter_answered(filter, seen_item_test(&filter->set, item));
}

enum seen_result seen_filter_test_prefix(struct seen_filter *filter,
					 const struct seen_key *key, u32 *value)
{
	*value = 0;
	if (seen_filter_passes(filter))
		return seen_filter_answered(filter, SEEN_NEW);
	return seen_filter_answered(filter, seen_filter_match(filter, key,
							      SEEN_LPM_SEEN, value));
}

bool seen_filter_find(struct seen_filter *filter, const struct seen_key *key)
{
	enum seen_result result;
	struct seen_item item;
	u32 value;

	if (key->prefix)
		result = seen_filter_match(filter, key, SEEN_LPM_SEEN, &value);
	else if (seen_filter_item(filter, key, &item))
		result = seen_item_test(&filter->set, &item);
	else
		return false;
	return seen_filter_answered(filter, result) == SEEN_SEEN;
}

void seen_filter_miss(struct seen_filter *filter)
{
	seen_filter_answered(filter, SEEN_NEW);
}

/*
 * Count a test-and-add: the lookup, and the new key that was stored. A new or renewed key
 * makes a record for the feed.
 */
static enum seen_result filter_count_asked(struct seen_filter *filter, u64 hash,
					   enum seen_result result)
{
	seen_filter_answered(filter, result);
	if (likely(result == SEEN_SEEN))
		return SEEN_SEEN;
	if (result == SEEN_FULL)
		filter_count_failure(filter, result);
	if (result == SEEN_NEW)
		filter_count_add(filter);
	if (result != SEEN_NEW && result != SEEN_RENEWED)
		return result;
	seen_filter_feed(filter, hash, false);
	return result == SEEN_NEW ? SEEN_NEW : SEEN_SEEN;
}

static enum seen_result filter_ask(struct seen_filter *filter, const struct seen_item *item)
{
	enum seen_result result;

	if (seen_filter_passes(filter))
		return SEEN_FULL;
	result = seen_item_test_and_add(&filter->set, item);
	if (result == SEEN_FULL && filter_rotate(filter))
		result = seen_item_test_and_add(&filter->set, item);
	return result;
}

enum seen_result seen_filter_test_and_add(struct seen_filter *filter,
					  const struct seen_item *item)
{
	return filter_count_asked(filter, item->hash, filter_ask(filter, item));
}

static enum seen_result filter_count_stored(struct seen_filter *filter,
					    enum seen_result result)
{
	if (result == SEEN_NEW || result == SEEN_SEEN)
		filter_count_add(filter);
	else
		filter_count_failure(filter, result);
	return result;
}

/* The same, and a new or renewed key makes a record for the feed. */
static enum seen_result filter_feed_stored(struct seen_filter *filter, u64 hash,
					   enum seen_result result)
{
	if (result == SEEN_NEW || result == SEEN_RENEWED)
		seen_filter_feed(filter, hash, false);
	return filter_count_stored(filter, result == SEEN_RENEWED ? SEEN_SEEN : result);
}

static enum seen_result filter_store(struct seen_filter *filter, const struct seen_item *item)
{
	enum seen_result result = seen_item_add(&filter->set, item);

	if (result == SEEN_FULL && filter_rotate(filter))
		result = seen_item_add(&filter->set, item);
	return result;
}

enum seen_result seen_filter_add(struct seen_filter *filter,
				 const struct seen_item *item)
{
	return filter_feed_stored(filter, item->hash, filter_store(filter, item));
}

enum seen_result seen_filter_add_by_user(struct seen_filter *filter,
					 const struct seen_item *item, bool if_new)
{
	enum seen_result result = if_new ? filter_ask(filter, item) :
					   filter_store(filter, item);

	if (result == SEEN_SEEN)
		seen_filter_feed(filter, item->hash, false);
	return if_new ? filter_count_asked(filter, item->hash, result) :
			filter_feed_stored(filter, item->hash, result);
}

enum seen_result seen_filter_add_aged(struct seen_filter *filter, u64 hash, u64 age)
{
	enum seen_result result = seen_set_add_aged(&filter->set, hash, age);

	if (result == SEEN_FULL && filter_rotate(filter))
		result = seen_set_add_aged(&filter->set, hash, age);
	return result == SEEN_EXPIRED ? result : filter_count_stored(filter, result);
}

enum seen_result seen_filter_add_count(struct seen_filter *filter,
				       const struct seen_item *item, u32 max,
				       u32 *count)
{
	return filter_feed_stored(filter, item->hash,
				  seen_item_add_count(&filter->set, item, max, count));
}

int seen_filter_put(struct seen_filter *filter, const struct seen_item *item,
		    u32 value, bool replace, bool last)
{
	enum seen_result result;

	result = seen_map_add(&filter->set, item, value, replace);
	if (result == SEEN_FULL && !last && !seen_set_full(&filter->set))
		return -EAGAIN;
	return replace ? filter_count_stored(filter, result) :
			 filter_count_asked(filter, item->hash, result);
}

enum seen_result seen_filter_value(struct seen_filter *filter,
				   const struct seen_item *item, u32 *value)
{
	u32 threshold = max(filter->set.geo.threshold, 1U);
	bool seen;

	*value = 0;
	if (filter->set.geo.kind == SEEN_SET_MAP) {
		seen = seen_item_value(&filter->set, item, value);
	} else {
		*value = seen_item_count(&filter->set, item);
		/* While the sweep is late, every count is 0. */
		if (!*value && seen_set_stale(&filter->set))
			return seen_filter_answered(filter, SEEN_STALE);
		seen = *value >= threshold;
	}
	if (seen_filter_passes(filter))
		seen = false;
	return seen_filter_answered(filter, seen ? SEEN_SEEN : SEEN_NEW);
}

static enum seen_result filter_count_del(struct seen_filter *filter,
					 enum seen_result result)
{
	if (result == SEEN_TWIN)
		result = SEEN_SEEN;
	if (result == SEEN_SEEN)
		seen_filter_count(filter, SEEN_STAT_DELS);
	else if (result == SEEN_ABSENT)
		seen_filter_count(filter, SEEN_STAT_ABSENT);
	else
		filter_count_failure(filter, result);
	return result;
}

enum seen_result seen_filter_del(struct seen_filter *filter,
				 const struct seen_item *item)
{
	return filter_count_del(filter, seen_item_del(&filter->set, item));
}

static bool filter_is_seen(struct seen_filter *filter, const struct seen_item *item)
{
	return seen_item_test(&filter->set, item) == SEEN_SEEN;
}

/*
 * Other hosts delete a key when its last copy is deleted here. With a window a key has one
 * copy.
 *
 * Another CPU may have stored the key again, and have made its record before this one. Then
 * other hosts would delete the key although it is here. So look again after the record: a key
 * that is stored later has a later record.
 */
static void filter_feed_del(struct seen_filter *filter, const struct seen_item *item,
			    enum seen_result result)
{
	if (!filter->set.geo.window && filter_is_seen(filter, item))
		return;
	seen_filter_feed(filter, item->hash, true);
	if (result != SEEN_TWIN && filter_is_seen(filter, item))
		seen_filter_feed(filter, item->hash, false);
}

enum seen_result seen_filter_del_by_user(struct seen_filter *filter,
					 const struct seen_item *item)
{
	enum seen_result result = seen_item_del(&filter->set, item);

	if ((result == SEEN_SEEN || result == SEEN_TWIN) && READ_ONCE(filter->set.reports))
		filter_feed_del(filter, item, result);
	return filter_count_del(filter, result);
}

void seen_filter_port_count(struct seen_filter *filter,
			    const struct seen_arrival_answer *answer)
{
	switch (answer->result) {
	case SEEN_ARRIVAL_NEW:
		seen_filter_answered(filter, SEEN_NEW);
		filter_count_add(filter);
		break;
	case SEEN_ARRIVAL_REPEAT:
	case SEEN_ARRIVAL_DUP_SAME:
	case SEEN_ARRIVAL_DUP_OTHER:
		seen_filter_answered(filter, SEEN_SEEN);
		break;
	case SEEN_ARRIVAL_FULL:
		seen_filter_answered(filter, SEEN_FULL);
		filter_count_failure(filter, SEEN_FULL);
		break;
	case SEEN_ARRIVAL_STALE:
		seen_filter_answered(filter, SEEN_STALE);
		break;
	}
}

void seen_filter_port_feed(const struct seen_filter *filter, u64 hash,
			   const struct seen_arrival_answer *answer)
{
	if (answer->result == SEEN_ARRIVAL_NEW || answer->renewed)
		seen_filter_feed(filter, hash, false);
}

struct seen_arrival_answer seen_filter_port(struct seen_filter *filter, u64 hash,
					    u32 port,
					    const struct seen_arrival_rule *rule)
{
	struct seen_arrival_answer answer;

	answer = seen_arrival_commit(&filter->set, hash, port, rule);
	seen_filter_port_count(filter, &answer);
	seen_filter_port_feed(filter, hash, &answer);
	return answer;
}
