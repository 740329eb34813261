// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family: operations, and the lock that each handler runs under.
 * netlink_policy.c has what each of them takes. Handlers hold only meaning.
 */
#include <linux/rtnetlink.h>

#include "event.h"
#include "netlink.h"
#include "netlink_policy.h"

/* What a command's handler runs under, outermost first: genl_ops.internal_flags. */
enum {
	OP_CHANGES	= BIT(0),	/* seen_net.changes */
	OP_RTNL		= BIT(1),
	OP_READ		= BIT(2),	/* seen_net.lock */
	OP_WRITE	= BIT(3),	/* the same, for writing */
};

/* No filter comes or goes: guards are paused at once, whatever else goes on. */
#define OP_GUARD	(OP_RTNL | OP_WRITE)

static int nl_pre_doit(const struct seen_genl_ops *ops, struct sk_buff *skb,
		       struct genl_info *info)
{
	struct seen_net *sn = seen_net(genl_info_net(info));

	if (ops->internal_flags & OP_CHANGES)
		mutex_lock(&sn->changes);
	if (ops->internal_flags & OP_RTNL)
		rtnl_lock();
	if (ops->internal_flags & OP_READ)
		down_read(&sn->lock);
	if (ops->internal_flags & OP_WRITE)
		down_write(&sn->lock);
	info->user_ptr[0] = sn;
	return 0;
}

static void nl_post_doit(const struct seen_genl_ops *ops, struct sk_buff *skb,
			 struct genl_info *info)
{
	struct seen_net *sn = seen_info_net(info);

	if (ops->internal_flags & OP_WRITE)
		up_write(&sn->lock);
	if (ops->internal_flags & OP_READ)
		up_read(&sn->lock);
	if (ops->internal_flags & OP_RTNL)
		rtnl_unlock();
	if (ops->internal_flags & OP_CHANGES)
		mutex_unlock(&sn->changes);
}

/* Where the policy is that of a request for one object. */
static int netlink_dump_all(struct netlink_callback *cb)
{
	if (!nlmsg_attrlen(cb->nlh, GENL_HDRLEN))
		return 0;
	NL_SET_ERR_MSG_ATTR(cb->extack, nlmsg_attrdata(cb->nlh, GENL_HDRLEN),
			    "dump: takes no attributes; omit them");
	return -EINVAL;
}

#define OP(_cmd, _doit, _policy, _internal_flags) {	\
	.cmd = SEEN_CMD_##_cmd,				\
	.doit = seen_nl_##_doit,			\
	.policy = seen_nl_##_policy,			\
	.maxattr = ARRAY_SIZE(seen_nl_##_policy) - 1,	\
	.flags = GENL_UNS_ADMIN_PERM,			\
	.internal_flags = _internal_flags,		\
}

/*
 * Counters are the administrator's, too: who sends a packet with some key, and
 * sees which counter moves, has learned whether the key is in the filter.
 */
static const struct genl_ops ops[] = {
	OP(FILTER_ADD, filter_add, filter_add_policy, OP_CHANGES),
	OP(FILTER_DEL, filter_del, filter_policy, OP_CHANGES | OP_WRITE),
	{
		.cmd = SEEN_CMD_FILTER_GET,
		.doit = seen_nl_filter_get,
		.start = netlink_dump_all,
		.dumpit = seen_nl_filter_dump,
		.policy = seen_nl_filter_policy,
		.maxattr = ARRAY_SIZE(seen_nl_filter_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM,
		.internal_flags = OP_READ,
	},
	OP(FILTER_SET, filter_set, filter_set_policy, OP_CHANGES | OP_WRITE),
	OP(FILTER_FLUSH, filter_flush, filter_policy, OP_CHANGES),
	OP(FILTER_RENAME, filter_rename, rename_policy, OP_CHANGES | OP_WRITE),
	OP(FILTER_SWAP, filter_swap, swap_policy, OP_CHANGES | OP_WRITE),
	OP(KEY_ADD, key_add, key_add_policy, OP_READ),
	OP(KEY_TEST, key_test, key_policy, OP_READ),
	OP(KEY_DEL, key_del, key_policy, OP_READ),
	OP(GUARD_ADD, guard_add, guard_add_policy, OP_CHANGES),
	OP(GUARD_DEL, guard_del, guard_policy, OP_CHANGES | OP_RTNL | OP_WRITE),
	{
		.cmd = SEEN_CMD_GUARD_GET,
		.doit = seen_nl_guard_get,
		.start = netlink_dump_all,
		.dumpit = seen_nl_guard_dump,
		.policy = seen_nl_guard_policy,
		.maxattr = ARRAY_SIZE(seen_nl_guard_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM,
		.internal_flags = OP_READ,
	},
	OP(GUARD_SET, guard_set, guard_set_policy, OP_GUARD),
	OP(ALLOW_ADD, allow_add, key_policy, OP_CHANGES),
	OP(ALLOW_DEL, allow_del, key_policy, OP_CHANGES),
	{
		.cmd = SEEN_CMD_ALLOW_GET,
		.start = seen_nl_allow_start,
		.dumpit = seen_nl_allow_dump,
		.policy = seen_nl_list_policy,
		.maxattr = ARRAY_SIZE(seen_nl_list_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM,
	},
	OP(KEY_COUNT, key_count, key_policy, OP_READ),
	{
		.cmd = SEEN_CMD_TOP_GET,
		.start = seen_nl_top_start,
		.dumpit = seen_nl_top_dump,
		.done = seen_nl_top_done,
		.policy = seen_nl_list_policy,
		.maxattr = ARRAY_SIZE(seen_nl_list_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM,
	},
	OP(FILTER_MERGE, filter_merge, merge_policy, OP_CHANGES),
	OP(FILTER_FOLD, filter_fold, fold_policy, OP_CHANGES),
	OP(FILTER_EXPORT, filter_export, export_policy, OP_CHANGES),
	OP(FILTER_IMPORT, filter_import, import_policy, OP_CHANGES),
	{
		.cmd = SEEN_CMD_PORT_GET,
		.start = seen_nl_port_start,
		.dumpit = seen_nl_port_dump,
		.policy = seen_nl_port_policy,
		.maxattr = ARRAY_SIZE(seen_nl_port_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM,
	},
};

const struct seen_event_objects seen_nl_event_objects = {
	.put_filter = seen_nl_filter_put,
	.put_guard = seen_nl_guard_put,
};

static const struct genl_multicast_group groups[] = {
	{ .name = SEEN_MCGRP_EVENTS, .flags = SEEN_MCAST_ADMIN },
};

struct genl_family seen_family __ro_after_init = {
	.name = SEEN_FAMILY_NAME,
	.version = SEEN_FAMILY_VERSION,
	.module = THIS_MODULE,
	.netnsok = true,
	.parallel_ops = true,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	/* No reserved bits of a header, in any command. */
	.resv_start_op = SEEN_CMD_FILTER_ADD,
	.pre_doit = nl_pre_doit,
	.post_doit = nl_post_doit,
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};
