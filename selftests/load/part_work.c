// SPDX-License-Identifier: GPL-2.0
/* kmod/sweep.c and kmod/rehash.c: what runs by itself. */
#include "kmod.h"
#include "test.h"

#define again(filter)			((void)(filter))
/* A bit, and work of its own. */
#define seen_filter_announce(filter, event) ((void)(filter))
#define get_random_u64()		random64()

/* rehash.c's goes to the kernel for its memory. */
static void *allocate(struct seen_filter *filter, struct netlink_ext_ack *extack)
{
	(void)extack;
	return spans_memory(seen_filter_table_bytes(&filter->set.geo));
}

#include "sweep.part"
#include "rehash.part"

void part_sweep(struct seen_slot *slot, struct seen_slot *other)
{
	(void)other;
	sweep(&slot->filter->sweep_work);
}

void part_rehash(struct seen_slot *slot, struct seen_slot *other)
{
	u32 i;

	(void)other;
	slot->filter->retire_work.fn = retire;
	for (i = 0; i < TRIES && try(slot->filter, NULL); i++)
		;
}
