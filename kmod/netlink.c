// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family: the operations, and the locks that each handler runs under.
 * netlink_policy.c has the attributes of each operation.
 */
#include <linux/rtnetlink.h>

#include "event.h"
#include "netlink.h"
#include "netlink_policy.h"

/* Locks of a command's handler, outermost first, in genl_ops.internal_flags. */
enum {
	OP_CHANGES	= BIT(0),	/* seen_net.changes */
	OP_RTNL		= BIT(1),
	OP_READ		= BIT(2),	/* seen_net.lock for reading */
	OP_WRITE	= BIT(3),	/* seen_net.lock for writing */
};

/*
 * GUARD_SET adds and deletes no filter, so it does not need seen_net.changes. So it can
 * pause a guard at once, even while another command holds changes.
 */
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

#define TAKES(_policy)					\
	.policy = seen_nl_##_policy,			\
	.maxattr = ARRAY_SIZE(seen_nl_##_policy) - 1

#define OP(_cmd, _doit, _policy, _internal_flags) {	\
	.cmd = SEEN_CMD_##_cmd,				\
	.doit = seen_nl_##_doit,			\
	TAKES(_policy),					\
	.internal_flags = _internal_flags,		\
	SEEN_GENL_DO(nl_pre_doit, nl_post_doit),	\
}

#define DUMP(_cmd, _name, _policy, _start, _done) {	\
	.cmd = SEEN_CMD_##_cmd,				\
	.start = _start,				\
	.dumpit = seen_nl_##_name##_dump,		\
	TAKES(_policy),					\
	.done = _done,					\
	SEEN_GENL_DUMP,					\
}

/* A command that returns one object, or dumps all. */
#define GET(_cmd, _name, _start) {			\
	.cmd = SEEN_CMD_##_cmd,				\
	.doit = seen_nl_##_name##_get,			\
	TAKES(_name##_policy),				\
	.internal_flags = OP_READ,			\
	SEEN_GENL_DO(nl_pre_doit, nl_post_doit),	\
	SEEN_GENL_DUMP_OF(.cmd = SEEN_CMD_##_cmd,	\
			  TAKES(none_policy),		\
			  .internal_flags = OP_READ),	\
	.start = _start,				\
	.dumpit = seen_nl_##_name##_dump,		\
}

/*
 * Reading counters requires CAP_NET_ADMIN, too. Otherwise a user could send a packet with
 * some key, and learn from the counters whether the key is in the filter.
 */
static const struct seen_genl_ops ops[] = {
	OP(FILTER_ADD, filter_add, filter_add_policy, OP_CHANGES),
	OP(FILTER_DEL, filter_del, filter_policy, OP_CHANGES | OP_WRITE),
	GET(FILTER_GET, filter, NULL),
	OP(FILTER_SET, filter_set, filter_set_policy, OP_CHANGES | OP_WRITE),
	OP(FILTER_FLUSH, filter_flush, filter_policy, OP_CHANGES),
	OP(FILTER_RENAME, filter_rename, rename_policy, OP_CHANGES | OP_WRITE),
	OP(FILTER_SWAP, filter_swap, swap_policy, OP_CHANGES | OP_WRITE),
	OP(KEY_ADD, key_add, key_add_policy, OP_READ),
	OP(KEY_TEST, key_test, key_policy, OP_READ),
	OP(KEY_DEL, key_del, key_policy, OP_READ),
	OP(GUARD_ADD, guard_add, guard_add_policy, OP_CHANGES),
	OP(GUARD_DEL, guard_del, guard_policy, OP_CHANGES | OP_RTNL | OP_WRITE),
	GET(GUARD_GET, guard, seen_nl_guard_start),
	OP(GUARD_SET, guard_set, guard_set_policy, OP_GUARD),
	OP(ALLOW_ADD, allow_add, key_policy, OP_CHANGES),
	OP(ALLOW_DEL, allow_del, key_policy, OP_CHANGES),
	DUMP(ALLOW_GET, allow, list_policy, seen_nl_allow_start, NULL),
	OP(KEY_COUNT, key_count, key_policy, OP_READ),
	DUMP(TOP_GET, top, list_policy, NULL, seen_nl_top_done),
	OP(FILTER_MERGE, filter_merge, merge_policy, OP_CHANGES),
	OP(FILTER_FOLD, filter_fold, fold_policy, OP_CHANGES),
	OP(FILTER_EXPORT, filter_export, export_policy, OP_CHANGES),
	OP(FILTER_IMPORT, filter_import, import_policy, OP_CHANGES),
	DUMP(PORT_GET, port, port_policy, NULL, NULL),
	OP(FEED_ADD, feed_add, feed_add_policy, OP_CHANGES),
	OP(FEED_DEL, feed_del, feed_policy, OP_CHANGES | OP_WRITE),
	OP(FEED_GET, feed_get, feed_get_policy, OP_READ),
	OP(HASH_ADD, hash_add, hash_add_policy, OP_READ),
	OP(HASH_DEL, hash_del, hash_policy, OP_READ),
};

const struct seen_event_sender seen_nl_event_sender = {
	.family = &seen_family,
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
	.seen_family_ops = ops,
	.seen_family_n_ops = ARRAY_SIZE(ops),
	/* Refuse reserved bits of the header in all commands. */
	.resv_start_op = SEEN_CMD_FILTER_ADD,
	.pre_doit = nl_pre_doit,
	.post_doit = nl_post_doit,
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};
