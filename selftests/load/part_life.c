// SPDX-License-Identifier: GPL-2.0
/* kmod/filter.c and kmod/registry.c: filters come and go. */
#include "kmod.h"

#define WORKS			8
#define SEEN_GFP		0
#define __GFP_ZERO		0
#define PAGE_ALIGN(bytes)	(((bytes) + 4095) & ~4095ULL)

struct seen_stats {
	u64 count;
};

#define gfp_t				int
#define atomic_t			u32
#define atomic_inc_return(v)		(++*(v))
#define num_possible_cpus()		2
#define kzalloc(bytes, gfp)		((void)(gfp), spans_memory(bytes))
#define kvzalloc(bytes, gfp)		((void)(gfp), spans_memory(bytes))
#define alloc_percpu_gfp(type, gfp)	spans_memory(64)
#define free_percpu(p)			free(p)
#define seen_filter_table(geo)		spans_memory(seen_filter_table_bytes(geo))
#define seen_limit_exceed(sn, bytes, extack) ((void)(sn), 0)
#define seen_limit_charge(sn, bytes, extack) ((void)(sn), 0)
#define seen_rehash_init(filter)	((void)(filter))
#define seen_rehash_stop(filter)	((void)(filter))
#define seen_sweep_start(filter)	((void)(filter))
#define seen_filter_announce(filter, event) ((void)(filter))
#define mod_delayed_work(wq, work, in)	((void)(work))
#define announce(slot, cmd)		((void)(slot))
#define seen_allow_drop(slot)		((void)(slot))
#define seen_allow_map_drop(slot)	((void)(slot))
#define seen_slot_put(slot)		((void)(slot))
#define plan(geo, extack)		((void)(extack), 0)
#define check(sn, geo, extack)		0

static void event_work(struct work_struct *work)
{
	(void)work;
}

static struct work_struct *works[WORKS];
static u32 work_count;

void work_queue(struct work_struct *work)
{
	if (work_count == WORKS)
		abort();
	works[work_count++] = work;
}

void works_run(void)
{
	struct work_struct *work;

	while (work_count) {
		work = works[--work_count];
		span_sleeps();
		work->fn(work);
	}
	span_sleeps();
}

#include "filter.part"
#include "registry.part"

void part_create(struct seen_slot *slot, struct seen_slot *other)
{
	struct seen_filter_config config = {
		.geo = slot->filter->set.geo,
	};

	(void)other;
	seen_filter_free(seen_filter_create_as(slot->sn, &config, false, NULL));
}

void part_rotate(struct seen_slot *slot, struct seen_slot *other)
{
	(void)other;
	slot->filter->on_full = SEEN_ON_FULL_ROTATE;
	if (!seen_set_full(&slot->filter->set) || !rotate(slot->filter))
		abort();
}

void part_flush(struct seen_slot *slot, struct seen_slot *other)
{
	(void)slot;
	if (seen_slot_flush(other, NULL))
		abort();
}

void part_delete(struct seen_slot *slot, struct seen_slot *other)
{
	struct seen_slot *both[] = { slot, other };
	u32 i;

	for (i = 0; i < 2; i++) {
		down_write(&slot->sn->lock);
		seen_slot_del(both[i]);
		up_write(&slot->sn->lock);
	}
}
