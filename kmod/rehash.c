// SPDX-License-Identifier: GPL-2.0
/*
 * Rehash: a new table with another seed, for a map in which a key found no slot although
 * the map is not full. The new table is charged and filled while the old table is in use.
 * The old table is freed when no packet and no command can use it any more. Until then there
 * is no further rehash, so that a filter never has more than two tables.
 */
#include <linux/jiffies.h>
#include <linux/memcontrol.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/vmalloc.h>

#include "core/map.h"
#include "limit.h"
#include "filter.h"

/* Slots copied between two calls of cond_resched(). */
#define SLICE	1024
/* Number of seeds to try. Each further seed makes it less likely that a key finds no slot. */
#define TRIES	4

static void rehash_drop(struct seen_filter *filter, void *table)
{
	vfree(table);
	seen_limit_uncharge(filter->sn,
			    seen_filter_table_bytes(&filter->set.geo));
}

/* Packets use the table in an RCU read section, key commands under seen_net.lock. */
static void rehash_retire(struct work_struct *work)
{
	struct seen_filter *filter = container_of(work, struct seen_filter,
						  retire_work);

	synchronize_rcu();
	down_write(&filter->sn->lock);
	up_write(&filter->sn->lock);
	rehash_drop(filter, filter->retired);
}

/* Charge the memory cgroup of the first table, no matter what triggers the rehash. */
static void *rehash_allocate_charged(struct seen_filter *filter)
{
	struct mem_cgroup *others = set_active_memcg(filter->group);
	void *table = seen_filter_table(&filter->set.geo);

	set_active_memcg(others);
	return table;
}

static void *rehash_allocate(struct seen_filter *filter,
			     struct netlink_ext_ack *extack)
{
	u64 bytes = seen_filter_table_bytes(&filter->set.geo);
	void *table;
	int err;

	err = seen_limit_charge(filter->sn, bytes, extack);
	if (err)
		return ERR_PTR(err);
	table = rehash_allocate_charged(filter);
	if (table)
		return table;
	seen_limit_uncharge(filter->sn, bytes);
	NL_SET_ERR_MSG(extack, SEEN_TEXT_REHASH_MEMORY);
	return ERR_PTR(-ENOMEM);
}

static int rehash_try(struct seen_filter *filter, struct netlink_ext_ack *extack)
{
	struct seen_map_table table = { .seed = get_random_u64() };
	u64 at = 0;

	table.entries = rehash_allocate(filter, extack);
	if (IS_ERR(table.entries))
		return PTR_ERR(table.entries);
	seen_map_rehash_begin(&filter->set, &table);
	do {
		at = seen_map_rehash_step(&filter->set, at, SLICE);
		cond_resched();
	} while (at);
	if (!seen_map_rehash_end(&filter->set, &table)) {
		rehash_drop(filter, table.entries);
		return -EAGAIN;
	}
	filter->retired = table.entries;
	queue_work(seen_sweep_wq, &filter->retire_work);
	return 0;
}

int seen_rehash(struct seen_filter *filter, struct netlink_ext_ack *extack)
{
	int err = -EAGAIN, i;

	if (filter->set.geo.kind != SEEN_SET_MAP)
		return err;
	mutex_lock(&filter->rehashing);
	/* If the map is not torn any more, another caller has rehashed it. */
	if (seen_map_torn(&filter->set))
		flush_work(&filter->retire_work);
	else
		err = 0;
	for (i = 0; i < TRIES && err == -EAGAIN; i++)
		err = rehash_try(filter, extack);
	WRITE_ONCE(filter->rehash_failed, err ? jiffies | 1 : 0);
	mutex_unlock(&filter->rehashing);
	return err;
}

static void rehash_work(struct work_struct *work)
{
	struct seen_filter *filter = container_of(work, struct seen_filter,
						  rehash_work);

	if (seen_rehash(filter, NULL))
		seen_filter_announce(filter, SEEN_FILTER_SATURATED);
}

/* After a rehash failed, packets do not trigger another for a second. */
static bool rehash_is_backing_off(const struct seen_filter *filter)
{
	unsigned long failed = READ_ONCE(filter->rehash_failed);

	return failed && time_before(jiffies, failed + HZ);
}

bool seen_rehash_soon(struct seen_filter *filter)
{
	if (filter->set.geo.kind != SEEN_SET_MAP ||
	    !seen_map_torn(&filter->set) || rehash_is_backing_off(filter))
		return false;
	queue_work(seen_sweep_wq, &filter->rehash_work);
	return true;
}

void seen_rehash_init(struct seen_filter *filter)
{
	mutex_init(&filter->rehashing);
	filter->group = get_mem_cgroup_from_mm(current->mm);
	INIT_WORK(&filter->rehash_work, rehash_work);
	INIT_WORK(&filter->retire_work, rehash_retire);
}

void seen_rehash_stop(struct seen_filter *filter)
{
	cancel_work_sync(&filter->rehash_work);
	if (cancel_work_sync(&filter->retire_work))
		rehash_drop(filter, filter->retired);
	mem_cgroup_put(filter->group);
}
