// SPDX-License-Identifier: GPL-2.0
/* kmod/netlink_filter_get.c: what takes long of telling what a filter is. */
#include "kmod.h"

#define put_u64(skb, attr, value)	((void)(value), (int)((skb) != NULL))
#define nla_put_flag(skb, attr)		((int)((skb) != NULL))

#include "netlink_filter_get.part"

void part_dump(struct seen_slot *slot, struct seen_slot *other)
{
	struct seen_slot *both[] = { slot, other };
	u32 i;

	for (i = 0; i < 2; i++) {
		down_read(&slot->sn->lock);
		put_load(NULL, both[i]->filter);
		put_fill(NULL, both[i]->filter);
		up_read(&slot->sn->lock);
	}
}
