// SPDX-License-Identifier: GPL-2.0
/* Caps on memory; limit.h. */
#include <linux/moduleparam.h>
#include <linux/netlink.h>
#include <linux/slab.h>
#include <linux/sysctl.h>
#include <linux/user_namespace.h>

#include "limit.h"

/* net.seen.max_bytes of a tenant's namespace, which is read-only. */
#define TENANT_DEFAULT	(64UL << 20)

static unsigned long tenants_max_bytes = 256UL << 20;
module_param(tenants_max_bytes, ulong, 0644);
MODULE_PARM_DESC(tenants_max_bytes,
		 "maximum bytes of all namespaces of other users together; 0: no maximum");

static atomic64_t tenants_bytes;

bool seen_is_tenant(const struct seen_net *sn)
{
	return sn->net->user_ns != &init_user_ns;
}

/*
 * Check before adding: a charge that fails must not make concurrent charges fail, nor
 * overflow the sum.
 */
static bool limit_charge(atomic64_t *used, u64 bytes, u64 cap)
{
	s64 sum = atomic64_read(used);

	do {
		if (cap && (bytes > cap || sum > cap - bytes))
			return false;
	} while (!atomic64_try_cmpxchg(used, &sum, sum + bytes));
	return true;
}

int seen_limit_charge(struct seen_net *sn, u64 bytes,
		      struct netlink_ext_ack *extack)
{
	if (!limit_charge(&sn->bytes, bytes, READ_ONCE(sn->max_bytes))) {
		if (seen_is_tenant(sn))
			NL_SET_ERR_MSG(extack,
				       "memory: sysctl net.seen.max_bytes, read-only in this namespace, would be exceeded; delete filters");
		else
			NL_SET_ERR_MSG(extack,
				       "memory: sysctl net.seen.max_bytes of this namespace would be exceeded; raise it or delete filters");
		return -ENOSPC;
	}
	if (seen_is_tenant(sn) &&
	    !limit_charge(&tenants_bytes, bytes, READ_ONCE(tenants_max_bytes))) {
		atomic64_sub(bytes, &sn->bytes);
		NL_SET_ERR_MSG(extack,
			       "memory: module parameter tenants_max_bytes would be exceeded; delete filters, or ask the host to raise it");
		return -ENOSPC;
	}
	return 0;
}

/* May exceed the cap once. If several callers race, one succeeds. */
static bool limit_exceed(atomic64_t *used, u64 bytes, u64 cap)
{
	s64 sum = atomic64_read(used);

	do {
		if (cap && sum > cap)
			return false;
	} while (!atomic64_try_cmpxchg(used, &sum, sum + bytes));
	return true;
}

int seen_limit_exceed(struct seen_net *sn, u64 bytes,
		      struct netlink_ext_ack *extack)
{
	if (!limit_exceed(&sn->bytes, bytes, READ_ONCE(sn->max_bytes)))
		goto refuse;
	if (seen_is_tenant(sn) &&
	    !limit_exceed(&tenants_bytes, bytes, READ_ONCE(tenants_max_bytes))) {
		atomic64_sub(bytes, &sn->bytes);
		goto refuse;
	}
	return 0;
refuse:
	NL_SET_ERR_MSG(extack,
		       "memory: cap exceeded; the table replaced by the last flush may not be freed yet, try again");
	return -EBUSY;
}

void seen_limit_uncharge(struct seen_net *sn, u64 bytes)
{
	atomic64_sub(bytes, &sn->bytes);
	if (seen_is_tenant(sn))
		atomic64_sub(bytes, &tenants_bytes);
}

/*
 * The sysctl core grants the owner's mode bits to a process with CAP_NET_ADMIN in the
 * namespace. So a tenant's cap must not have a write bit.
 */
int seen_limit_net_init(struct seen_net *sn)
{
	struct ctl_table *table;

	sn->max_bytes = seen_is_tenant(sn) ? TENANT_DEFAULT : 0;
	/* One entry, and the empty entry that terminates a table before Linux 6.11. */
	table = kcalloc(2, sizeof(*table), SEEN_GFP);
	if (!table)
		return -ENOMEM;
	table->procname = "max_bytes";
	table->data = &sn->max_bytes;
	table->maxlen = sizeof(sn->max_bytes);
	table->mode = seen_is_tenant(sn) ? 0444 : 0644;
	table->proc_handler = proc_doulongvec_minmax;
	sn->sysctl = seen_register_net_sysctl(sn->net, "net/seen", table);
	if (!sn->sysctl) {
		kfree(table);
		return -ENOMEM;
	}
	return 0;
}

void seen_limit_net_exit(struct seen_net *sn)
{
	const struct ctl_table *table = sn->sysctl->ctl_table_arg;

	unregister_net_sysctl_table(sn->sysctl);
	kfree(table);
}
