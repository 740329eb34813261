/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control groups: multicast groups that ordinary bridges forward, although frames to them
 * control the network. A frame to a control group passes a blocked port and never raises a
 * suspicion. Its copies on another port are dropped like other copies, so that no control
 * frame circles for ever.
 */
#ifndef SEEN_GUARD_CONTROL_H
#define SEEN_GUARD_CONTROL_H

#include <linux/if_ether.h>
#include <linux/types.h>

/* Maximum number of control groups that an operator can add to one guard. */
#define SEEN_EXEMPT_MAX	16

/**
 * struct seen_group - group addresses with a common prefix
 * @addr: the first @bits bits of the addresses; the other bits are 0
 * @bits: 8 to 48
 */
struct seen_group {
	u8 addr[ETH_ALEN];
	u8 bits;
};

/**
 * struct seen_exempts - groups that an operator has added
 * @rcu: frees it after a grace period
 * @count: number of groups
 * @group: the groups
 */
struct seen_exempts {
	struct rcu_head rcu;
	u32 count;
	struct seen_group group[];
};

/**
 * seen_control_has() - is an address in a control group?
 * @exempts: additional groups, or NULL
 * @addr: destination of a frame
 *
 * Context: any. The caller keeps @exempts alive, for example by rcu_read_lock().
 * Return: true if it is.
 */
bool seen_control_has(const struct seen_exempts *exempts, const u8 *addr);

#endif
