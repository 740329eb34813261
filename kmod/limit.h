/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Caps on memory: one for each namespace (sysctl net.seen.max_bytes, which only
 * the owner of the initial user namespace may change), and one for all
 * namespaces of other users together (module parameter tenants_max_bytes).
 * Everything is charged to the memory cgroup as well (SEEN_GFP), but for what an allow
 * list's hash table allocates by itself.
 */
#ifndef SEEN_LIMIT_H
#define SEEN_LIMIT_H

#include <linux/gfp.h>

#include "seen.h"

/*
 * Whoever asks for more memory than there is gets -ENOMEM: without the second flag
 * the OOM killer of its cgroup would take it, or one of its neighbours, instead.
 */
#define SEEN_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* seen_is_tenant() - has it an owner of its own, who is not the machine's? */
bool seen_is_tenant(const struct seen_net *sn);

/**
 * seen_limit_charge() - reserve memory for whatever a namespace gets
 * @sn: whose
 * @bytes: how much
 * @extack: told the cap that refuses it; may be NULL
 *
 * Context: any.
 * Return: 0 or -ENOSPC.
 */
int seen_limit_charge(struct seen_net *sn, u64 bytes,
		      struct netlink_ext_ack *extack);

/**
 * seen_limit_exceed() - the same, beyond the caps, for what replaces its like within
 * one request
 * @sn: whose
 * @bytes: how much
 * @extack: told if the caps are exceeded already
 *
 * Return: 0 or -EBUSY.
 */
int seen_limit_exceed(struct seen_net *sn, u64 bytes,
		      struct netlink_ext_ack *extack);

void seen_limit_uncharge(struct seen_net *sn, u64 bytes);

int seen_limit_net_init(struct seen_net *sn);
void seen_limit_net_exit(struct seen_net *sn);

#endif
