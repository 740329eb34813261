/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guards: device(s) + match + filter + verdict + action.
 *
 *	guard.c		a packet's way through a guard: match, filter, verdict,
 *			action; no lock but those of the set
 *	guard_port.c	ports: hooks, numbers, budgets, counters
 *	guard_block.c	evidence of a loop, blocking and releasing ports
 *	guard_dev.c	devices that come, go, join and leave
 *	netlink_guard.c	requests and replies
 */
#ifndef SEEN_GUARD_H
#define SEEN_GUARD_H

#include <linux/netfilter.h>
#include <linux/netdevice.h>

#include "event.h"
#include "registry.h"

/* Ports of all guards that one filter serves; see core/port.h. */
#define SEEN_GUARD_PORTS_MAX	SEEN_PORT_MAX

int seen_guard_init(void);	/* the netdevice notifier */
void seen_guard_exit(void);

/* A namespace ends, or the module does: every guard goes; rtnl and lock held. */
void seen_guard_net_exit(struct seen_net *sn);

#endif
