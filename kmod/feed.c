// SPDX-License-Identifier: GPL-2.0
/*
 * Feeds: feed.h.
 *
 * A feed ends in two steps, as a filter does: it is unpublished under seen_net.lock, and after
 * a grace period a work item stops its watch and frees it.
 */
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "core/clock.h"
#include "event.h"
#include "feed.h"
#include "limit.h"

/* Records between two calls of cond_resched(): each is searched in the rings of all CPUs. */
#define SLICE		256
/* SEEN_A_FEED_DATA: bit of an age that marks a deleted key. */
#define DELETED		SEEN_RECORD_DELETED

/* See struct seen_feed. */
static u32 feed_rings(void)
{
	return nr_cpu_ids + 1;
}

static u64 feed_slots_bytes(u32 records)
{
	return (u64)feed_rings() * records * sizeof(struct seen_ring_slot);
}

static u64 feed_bytes(u32 records)
{
	return sizeof(struct seen_feed) + feed_slots_bytes(records) +
	       feed_rings() * sizeof(struct seen_feed_ring);
}

static void feed_free_memory(struct seen_feed *feed)
{
	vfree(feed->slots);
	kvfree(feed->rings);
	kfree(feed);
}

void seen_feed_free(struct seen_feed *feed)
{
	cancel_delayed_work_sync(&feed->watch_work);
	seen_limit_uncharge(feed->sn, feed->bytes);
	feed_free_memory(feed);
}

/* Runs a grace period after the last packet could have found the feed. */
static void feed_free_work(struct work_struct *work)
{
	seen_feed_free(container_of(to_rcu_work(work), struct seen_feed, free_work));
}

static void feed_watch(struct work_struct *work);

static struct seen_feed *feed_allocate(u32 records)
{
	struct seen_feed *feed = kzalloc(sizeof(*feed), SEEN_GFP);
	u32 i;

	if (!feed)
		return NULL;
	feed->rings = kvcalloc(feed_rings(), sizeof(*feed->rings), SEEN_GFP);
	feed->slots = vmalloc_huge(feed_slots_bytes(records), SEEN_GFP | __GFP_ZERO);
	if (!feed->rings || !feed->slots) {
		feed_free_memory(feed);
		return NULL;
	}
	for (i = 0; i < feed_rings(); i++)
		seen_ring_init(&feed->rings[i].ring, feed->slots + (size_t)i * records,
			       records);
	return feed;
}

struct seen_feed *seen_feed_create(struct seen_net *sn, u32 records, u64 stale_after,
				   struct netlink_ext_ack *extack)
{
	u64 bytes = feed_bytes(records);
	struct seen_feed *feed;
	int err;

	lockdep_assert_held(&sn->changes);
	err = seen_limit_charge(sn, bytes, extack);
	if (err)
		return ERR_PTR(err);
	feed = feed_allocate(records);
	if (!feed) {
		seen_limit_uncharge(sn, bytes);
		NL_SET_ERR_MSG(extack, SEEN_TEXT_MEMORY("records"));
		return ERR_PTR(-ENOMEM);
	}
	feed->sn = sn;
	feed->records = records;
	feed->bytes = bytes;
	feed->stale_after = stale_after;
	mutex_init(&feed->lock);
	spin_lock_init(&feed->order);
	INIT_DELAYED_WORK(&feed->watch_work, feed_watch);
	INIT_RCU_WORK(&feed->free_work, feed_free_work);
	return feed;
}

void seen_feed_destroy(struct seen_feed *feed)
{
	lockdep_assert_held_write(&feed->sn->lock);
	/* From now on the watch does nothing. */
	feed->name = NULL;
	queue_rcu_work(seen_wq, &feed->free_work);
}

int seen_feed_check(const struct seen_geometry *geo, const struct seen_keyspec *spec,
		    struct netlink_ext_ack *extack)
{
	const char *text = NULL;

	if (geo->kind == SEEN_SET_BITMAP || geo->kind == SEEN_SET_MAP)
		text = "type: bitmap and map store keys, not hashes; use bloom, cuckoo or counting";
	else if (!seen_set_can_test_and_add(geo))
		text = "type: cms and cmm count keys; use bloom, cuckoo or counting";
	else if (geo->threshold > 1)
		text = "threshold: must be at most 1; other hosts cannot count the same packets";
	else if (spec->prefix)
		text = "key: prefixes of any length have no hash to share; use a fixed length";
	if (!text)
		return 0;
	if (extack)
		extack->_msg = text;
	return -EOPNOTSUPP;
}

/*
 * The ring of a CPU is used with bottom halves and preemption off, so that all its producers run
 * on this CPU. The other one is used by processes only.
 */
void seen_feed_put(struct seen_feed *feed, u64 hash, bool deleted)
{
	struct seen_record record = { .hash = hash, .deleted = deleted };

	if (in_softirq()) {
		record.when = seen_now();
		seen_ring_put(&feed->rings[get_cpu() + 1].ring, &record);
		put_cpu();
		return;
	}
	spin_lock(&feed->order);
	/* Under the lock: the reader expects that times of a ring never decrease. */
	record.when = seen_now();
	seen_ring_put(&feed->rings[0].ring, &record);
	spin_unlock(&feed->order);
}

static void feed_release(struct seen_feed *feed)
{
	struct seen_feed_ring *own;
	u32 i;

	for (i = 0; i < feed_rings(); i++) {
		own = &feed->rings[i];
		seen_ring_release(&own->ring, own->given);
		own->given = 0;
	}
	feed->released += feed->given;
	feed->given = 0;
}

/*
 * Find the ring with the oldest record: behind those that were chosen, or (@again) among those
 * that were chosen but not copied. Of equal times that of a command is first. NULL: there are
 * no more records.
 */
static struct seen_feed_ring *feed_oldest(struct seen_feed *feed, bool again,
					  struct seen_record *oldest)
{
	struct seen_feed_ring *own, *found = NULL;
	struct seen_record record;
	u32 i;

	for (i = 0; i < feed_rings(); i++) {
		own = &feed->rings[i];
		if (again && own->read == own->given)
			continue;
		if (!seen_ring_peek(&own->ring, again ? own->read : own->given, &record) ||
		    (found && record.when >= oldest->when))
			continue;
		*oldest = record;
		found = own;
	}
	return found;
}

static void feed_choose(struct seen_feed *feed, u32 max)
{
	struct seen_feed_ring *own;
	struct seen_record record;

	while (feed->given < max) {
		own = feed_oldest(feed, false, &record);
		if (!own)
			break;
		own->given++;
		if (++feed->given % SLICE == 0)
			cond_resched();
	}
	if (feed->given)
		feed->batch++;
}

static void feed_sum(struct seen_feed *feed, u64 *lost, u64 *pending)
{
	struct seen_feed_ring *own;
	u32 i;

	*lost = 0;
	*pending = 0;
	for (i = 0; i < feed_rings(); i++) {
		own = &feed->rings[i];
		*lost += seen_ring_lost(&own->ring);
		*pending += seen_ring_pending(&own->ring);
	}
}

void seen_feed_choose(struct seen_feed *feed, const u64 *done, u32 max,
		      struct seen_feed_batch *batch)
{
	lockdep_assert_held(&feed->lock);
	if (feed->given && done && *done == feed->batch)
		feed_release(feed);
	if (!feed->given)
		feed_choose(feed, max);
	feed_sum(feed, &batch->lost, &batch->pending);
	batch->pending -= feed->given;
	batch->number = feed->batch;
	batch->count = feed->given;
}

/*
 * A time that was measured in jiffies may be a jiffy too long. Round down: a key that seems
 * younger expires later, so no key expires early.
 */
static u64 feed_age(u64 when, u64 now)
{
	u64 age = now > when ? now - when : 0;
	u64 jiffy = jiffies_to_nsecs(1);

	return age > jiffy ? age - jiffy : 0;
}

void seen_feed_read(struct seen_feed *feed, struct seen_packed_record *to)
{
	struct seen_packed_record packed;
	struct seen_feed_ring *own;
	struct seen_record record;
	u64 now = seen_now();
	u32 count = 0, i;

	lockdep_assert_held(&feed->lock);
	for (i = 0; i < feed_rings(); i++)
		feed->rings[i].read = 0;
	/* The records were there when the batch was chosen. */
	while ((own = feed_oldest(feed, true, &record))) {
		own->read++;
		packed.hash = record.hash;
		packed.age = feed_age(record.when, now) |
			     (record.deleted ? DELETED : 0);
		memcpy(to++, &packed, sizeof(packed));
		if (++count % SLICE == 0)
			cond_resched();
	}
}

static void feed_tell(const struct seen_feed *feed, u8 cmd, u64 age)
{
	const struct seen_event event = {
		.cmd = cmd,
		.filter = feed->name,
		.filter_id = feed->name_id,
		.duration = age,
	};

	seen_event_send(feed->sn, &event);
}

static bool feed_is_stale(const struct seen_feed *feed, u64 age)
{
	return feed->stale_after && age > feed->stale_after;
}

/* Look again when the feed becomes stale; a jiffy later, because times are rounded down. */
static void feed_watch_later(struct seen_feed *feed, u64 age)
{
	mod_delayed_work(seen_wq, &feed->watch_work,
			 nsecs_to_jiffies(feed->stale_after - age) + 1);
}

/* Caller holds @lock, which keeps the events in order. */
static void feed_judge(struct seen_feed *feed)
{
	u64 age = seen_now() - feed->updated;

	if (!feed_is_stale(feed, age)) {
		feed_watch_later(feed, age);
		if (feed->told)
			feed_tell(feed, SEEN_CMD_FEED_FRESH_NTF, 0);
		feed->told = false;
	} else if (!feed->told) {
		feed_tell(feed, SEEN_CMD_FEED_STALE_NTF, age);
		feed->told = true;
	}
}

static void feed_watch(struct work_struct *work)
{
	struct seen_feed *feed = container_of(to_delayed_work(work), struct seen_feed,
					      watch_work);
	struct seen_net *sn = feed->sn;

	down_read(&sn->lock);
	/* After the feed was deleted, the work must not be queued again. */
	if (feed->name) {
		mutex_lock(&feed->lock);
		feed_judge(feed);
		mutex_unlock(&feed->lock);
	}
	up_read(&sn->lock);
}

void seen_feed_update(struct seen_feed *feed, u64 age)
{
	u64 now;

	lockdep_assert_held(&feed->sn->lock);
	mutex_lock(&feed->lock);
	now = seen_now();
	if (!feed->has_news || age < now - feed->updated) {
		feed->updated = now - age;
		feed->has_news = true;
		if (feed->stale_after)
			feed_judge(feed);
	}
	mutex_unlock(&feed->lock);
}

/* The packet path adds records meanwhile, so the numbers are of slightly different moments. */
void seen_feed_state(struct seen_feed *feed, struct seen_feed_state *state)
{
	u64 age;

	mutex_lock(&feed->lock);
	feed_sum(feed, &state->lost, &state->pending);
	state->total = feed->released + state->pending;
	state->has_news = feed->has_news;
	age = feed->has_news ? seen_now() - feed->updated : 0;
	state->age = min_t(u64, age, SEEN_WINDOW_MAX);
	state->stale = feed->has_news && feed_is_stale(feed, age);
	mutex_unlock(&feed->lock);
}
