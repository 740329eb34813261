// SPDX-License-Identifier: GPL-2.0
/*
 * Other hashes for a map in which a key has found no place although there is room.
 * The new table is charged and filled while the old one is in use. The old one goes
 * when no packet and no command can be in it any more; until then there is no other
 * rehash, so that a filter never has more than two tables.
 */
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "core/map.h"
#include "limit.h"
#include "filter.h"

/* Slots copied between two chances to be scheduled away. */
#define SLICE	1024
/* Hashes that are tried: with each it is less likely that they are bad again. */
#define TRIES	4

static void drop(struct seen_filter *filter, void *table)
{
	vfree(table);
	seen_limit_uncharge(filter->sn,
			    seen_filter_table_bytes(&filter->set.geo));
}

/* Packets hold an RCU section, keys in bulk the lock. */
static void retire(struct work_struct *work)
{
	struct seen_filter *filter = container_of(work, struct seen_filter,
						  retire_work);
	void *table = READ_ONCE(filter->retired);

	synchronize_rcu();
	down_write(&filter->sn->lock);
	up_write(&filter->sn->lock);
	drop(filter, table);
	/* Pairs with seen_rehash(): its charge is given back before another's. */
	smp_store_release(&filter->retired, NULL);
}

static void *allocate(struct seen_filter *filter)
{
	u64 bytes = seen_filter_table_bytes(&filter->set.geo);
	void *table;

	if (seen_limit_charge(filter->sn, bytes, NULL))
		return NULL;
	table = seen_filter_table(&filter->set.geo);
	if (!table)
		seen_limit_uncharge(filter->sn, bytes);
	return table;
}

static bool try(struct seen_filter *filter)
{
	struct seen_map_table table = { .seed = get_random_u64() };
	u64 at = 0;

	table.entries = allocate(filter);
	if (!table.entries)
		return false;
	seen_map_rehash_begin(&filter->set, &table);
	do {
		at = seen_map_rehash_step(&filter->set, at, SLICE);
		cond_resched();
	} while (at);
	if (!seen_map_rehash_end(&filter->set, &table)) {
		drop(filter, table.entries);
		return false;
	}
	WRITE_ONCE(filter->retired, table.entries);
	queue_work(seen_sweep_wq, &filter->retire_work);
	return true;
}

bool seen_rehash(struct seen_filter *filter)
{
	bool done = false;
	int i;

	if (filter->set.geo.kind != SEEN_SET_MAP ||
	    !seen_map_torn(&filter->set))
		return false;
	mutex_lock(&filter->rehashing);
	/* Somebody else has done it. */
	if (!seen_map_torn(&filter->set))
		done = true;
	for (i = 0; i < TRIES && !done; i++) {
		/* Pairs with retire(). */
		if (smp_load_acquire(&filter->retired))
			break;
		done = try(filter);
	}
	mutex_unlock(&filter->rehashing);
	return done;
}

static void rehash_work(struct work_struct *work)
{
	seen_rehash(container_of(work, struct seen_filter, rehash_work));
}

bool seen_rehash_soon(struct seen_filter *filter)
{
	if (filter->set.geo.kind != SEEN_SET_MAP ||
	    !seen_map_torn(&filter->set))
		return false;
	queue_work(seen_sweep_wq, &filter->rehash_work);
	return true;
}

void seen_rehash_init(struct seen_filter *filter)
{
	mutex_init(&filter->rehashing);
	INIT_WORK(&filter->rehash_work, rehash_work);
	INIT_WORK(&filter->retire_work, retire);
}

void seen_rehash_stop(struct seen_filter *filter)
{
	cancel_work_sync(&filter->rehash_work);
	if (cancel_work_sync(&filter->retire_work))
		drop(filter, filter->retired);
}
