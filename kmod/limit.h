/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Caps on memory: one per network namespace (sysctl net.seen.max_bytes), and one for
 * all tenants' namespaces together (module parameter tenants_max_bytes). A tenant's
 * namespace belongs to another user namespace than the initial one; its sysctl is
 * read-only.
 *
 * All memory is charged to the memory cgroup as well (SEEN_GFP), except the hash
 * table of an allow list, which rhashtable allocates.
 */
#ifndef SEEN_LIMIT_H
#define SEEN_LIMIT_H

#include <linux/gfp.h>

#include "seen.h"

/*
 * __GFP_RETRY_MAYFAIL: fail with -ENOMEM instead of invoking the OOM killer of the
 * memory cgroup.
 */
#define SEEN_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* seen_is_tenant() - is this a tenant's namespace, see above? */
bool seen_is_tenant(const struct seen_net *sn);

/**
 * seen_limit_charge() - charge memory to a namespace before it is allocated
 * @sn: the namespace
 * @bytes: number of bytes
 * @extack: receives the cap that is exceeded; may be NULL
 *
 * Context: any.
 * Return: 0, or -ENOSPC: a cap would be exceeded, and nothing is charged.
 */
int seen_limit_charge(struct seen_net *sn, u64 bytes,
		      struct netlink_ext_ack *extack);

/**
 * seen_limit_exceed() - charge memory that may exceed the caps once
 * @sn: the namespace
 * @bytes: number of bytes
 * @extack: receives the text of an error; may be NULL
 *
 * For a table that replaces another one in the same request: both exist until the old
 * one is freed.
 *
 * Context: any.
 * Return: 0, or -EBUSY: a cap is exceeded already, and nothing is charged.
 */
int seen_limit_exceed(struct seen_net *sn, u64 bytes,
		      struct netlink_ext_ack *extack);

void seen_limit_uncharge(struct seen_net *sn, u64 bytes);

int seen_limit_net_init(struct seen_net *sn);
void seen_limit_net_exit(struct seen_net *sn);

#endif
