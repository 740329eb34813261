/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control groups: groups that ordinary bridges forward, although frames to them
 * control the network. Such a frame passes a blocked port and is never suspicion.
 * Copies that come by another port are dropped like others, so that no control frame
 * circles for ever.
 */
#ifndef SEEN_GUARD_CONTROL_H
#define SEEN_GUARD_CONTROL_H

#include <linux/if_ether.h>
#include <linux/types.h>

/* Groups that an operator may add to one guard. */
#define SEEN_EXEMPT_MAX	16

/**
 * struct seen_group - some group addresses
 * @addr: the first @bits of an address, the rest is 0
 * @bits: 8 to 48
 */
struct seen_group {
	u8 addr[ETH_ALEN];
	u8 bits;
};

/**
 * struct seen_exempts - groups that an operator has added
 * @rcu: frees it
 * @count: how many
 * @group: the groups
 */
struct seen_exempts {
	struct rcu_head rcu;
	u32 count;
	struct seen_group group[];
};

/**
 * seen_control_has() - does an address belong to a control group?
 * @exempts: more groups, or NULL
 * @addr: destination of a frame
 *
 * Context: any; @exempts: RCU read lock.
 */
bool seen_control_has(const struct seen_exempts *exempts, const u8 *addr);

#endif
