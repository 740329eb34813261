// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family: operations, policies, and the lock that each
 * handler runs under. Handlers hold only meaning.
 */
#include <linux/if_ether.h>
#include <linux/rtnetlink.h>

#include "netlink.h"

#define NAME_POLICY	{ .type = NLA_NUL_STRING, .len = SEEN_NAME_MAX - 1 }
#define DEV_POLICY	{ .type = NLA_NUL_STRING, .len = IFNAMSIZ - 1 }

/* What a filter is asked to be, by add and import. */
#define FILTER_POLICY						\
	[SEEN_A_FILTER_NAME] = NAME_POLICY,				\
	[SEEN_A_FILTER_TYPE] = { .type = NLA_U32 },			\
	[SEEN_A_FILTER_LAYOUT] = { .type = NLA_U32 },			\
	[SEEN_A_FILTER_CAPACITY] = { .type = NLA_U64 },			\
	[SEEN_A_FILTER_FPP] = { .type = NLA_U64 },			\
	[SEEN_A_FILTER_FP_BITS] = { .type = NLA_U32 },			\
	[SEEN_A_FILTER_WINDOW] = { .type = NLA_U64 },			\
	[SEEN_A_FILTER_REFRESH] = { .type = NLA_FLAG },			\
	[SEEN_A_FILTER_ON_FULL] = { .type = NLA_U32 },			\
	[SEEN_A_FILTER_SECRET] = NLA_POLICY_EXACT_LEN(SEEN_SECRET_LEN),	\
	[SEEN_A_FILTER_KEY] = { .type = NLA_NESTED },			\
	[SEEN_A_FILTER_PROFILE] = { .type = NLA_U32 },			\
	[SEEN_A_FILTER_INNER] = { .type = NLA_FLAG },			\
	[SEEN_A_FILTER_THRESHOLD] = { .type = NLA_U32 },		\
	[SEEN_A_FILTER_CONSERVATIVE] = { .type = NLA_FLAG },		\
	[SEEN_A_FILTER_TOP] = { .type = NLA_U32 },			\
	[SEEN_A_FILTER_VXLAN_PORT] = NLA_POLICY_MIN(NLA_U16, 1)

static const struct nla_policy add_policy[SEEN_A_FILTER_MAX + 1] = {
	FILTER_POLICY,
	[SEEN_A_FILTER_FIRST] = { .type = NLA_BINARY },
};

/* The table says how heavy it is. */
static const struct nla_policy top_key_policy[SEEN_A_ENTRY_KEY + 1] = {
	[SEEN_A_ENTRY_KEY] = { .type = NLA_BINARY, .len = SEEN_KEY_EXACT_MAX },
};

static const struct nla_policy import_policy[SEEN_A_FILTER_MAX + 1] = {
	FILTER_POLICY,
	[SEEN_A_FILTER_HASHES] = { .type = NLA_U32 },
	[SEEN_A_FILTER_BLOCKS] = { .type = NLA_U64 },
	[SEEN_A_FILTER_TICK] = { .type = NLA_U64 },
	[SEEN_A_FILTER_FIRST] = { .type = NLA_BINARY, .len = 16 },
	[SEEN_A_FILTER_FOLD] = { .type = NLA_U32 },
	[SEEN_A_FILTER_TICKS] = { .type = NLA_U32 },
	[SEEN_A_FILTER_COOKIE] = { .type = NLA_U64 },
	[SEEN_A_FILTER_FROM] = { .type = NLA_U64 },
	[SEEN_A_FILTER_DATA] = { .type = NLA_BINARY, .len = SEEN_CHUNK_MAX },
	[SEEN_A_FILTER_AGE] = { .type = NLA_U64 },
	[SEEN_A_FILTER_SECRET_CHECK] = { .type = NLA_U64 },
	[SEEN_A_FILTER_COMMIT] = { .type = NLA_FLAG },
	[SEEN_A_FILTER_REPLACE] = { .type = NLA_FLAG },
	[SEEN_A_FILTER_SPAN] = { .type = NLA_U64 },
	[SEEN_A_FILTER_TOTAL] = { .type = NLA_U64 },
	[SEEN_A_FILTER_TOP_KEY] = NLA_POLICY_NESTED(top_key_policy),
	[SEEN_A_FILTER_LENGTHS4] = { .type = NLA_BINARY, .len = SEEN_LENGTHS_MAX },
	[SEEN_A_FILTER_LENGTHS6] = { .type = NLA_BINARY, .len = SEEN_LENGTHS_MAX },
};

/* What is done with a filter that is there, and perhaps another one. */
#define FILTER_ID_POLICY						\
	[SEEN_A_FILTER_NAME] = NAME_POLICY,				\
	[SEEN_A_FILTER_NEW_NAME] = NAME_POLICY,				\
	[SEEN_A_FILTER_ID] = { .type = NLA_U32 },			\
	[SEEN_A_FILTER_NEW_ID] = { .type = NLA_U32 }

static const struct nla_policy filter_policy[SEEN_A_FILTER_MAX + 1] = {
	FILTER_ID_POLICY,
	[SEEN_A_FILTER_ON_FULL] = { .type = NLA_U32 },
	[SEEN_A_FILTER_ALLOW_MAP] = NAME_POLICY,
	[SEEN_A_FILTER_RESET] = { .type = NLA_FLAG },
};

/* Merge, fold and export. */
static const struct nla_policy transfer_policy[SEEN_A_FILTER_MAX + 1] = {
	FILTER_ID_POLICY,
	[SEEN_A_FILTER_CAPACITY] = { .type = NLA_U64 },
	[SEEN_A_FILTER_COOKIE] = { .type = NLA_U64 },
	[SEEN_A_FILTER_FROM] = { .type = NLA_U64 },
	[SEEN_A_FILTER_WITH_SECRET] = { .type = NLA_FLAG },
	[SEEN_A_FILTER_FORCE] = { .type = NLA_FLAG },
};

static const struct nla_policy entry_policy[SEEN_A_ENTRY_VALUE + 1] = {
	[SEEN_A_ENTRY_KEY] = { .type = NLA_BINARY, .len = SEEN_KEY_MAX },
	[SEEN_A_ENTRY_VALUE] = { .type = NLA_U32 },
};

static const struct nla_policy key_policy[SEEN_A_KEY_MAX + 1] = {
	[SEEN_A_KEY_FILTER] = NAME_POLICY,
	[SEEN_A_KEY_FILTER_ID] = { .type = NLA_U32 },
	[SEEN_A_KEY_ENTRY] = NLA_POLICY_NESTED(entry_policy),
	[SEEN_A_KEY_PACKED] = { .type = NLA_BINARY },
	[SEEN_A_KEY_IF_NEW] = { .type = NLA_FLAG },
};

/* Dumps of keys: of which filter. */
static const struct nla_policy list_policy[SEEN_A_KEY_FILTER_ID + 1] = {
	[SEEN_A_KEY_FILTER] = NAME_POLICY,
	[SEEN_A_KEY_FILTER_ID] = { .type = NLA_U32 },
};

static const struct nla_policy guard_policy[SEEN_A_GUARD_MAX + 1] = {
	[SEEN_A_GUARD_ID] = { .type = NLA_U32 },
	[SEEN_A_GUARD_KIND] = { .type = NLA_U32 },
	[SEEN_A_GUARD_DEV] = DEV_POLICY,
	[SEEN_A_GUARD_HOOK] = { .type = NLA_U32 },
	[SEEN_A_GUARD_FILTER] = NAME_POLICY,
	[SEEN_A_GUARD_PROFILE] = { .type = NLA_U32 },
	[SEEN_A_GUARD_MATCH] = { .type = NLA_U32 },
	[SEEN_A_GUARD_VERDICT] = { .type = NLA_U32 },
	[SEEN_A_GUARD_ACTION] = { .type = NLA_U32 },
	[SEEN_A_GUARD_MARK] = { .type = NLA_U32 },
	[SEEN_A_GUARD_PRIORITY] = { .type = NLA_S32 },
	[SEEN_A_GUARD_NO_BLOCK] = { .type = NLA_FLAG },
	[SEEN_A_GUARD_PROTECT] = DEV_POLICY,
	[SEEN_A_GUARD_PAUSED] = { .type = NLA_U8 },
	[SEEN_A_GUARD_ALL] = { .type = NLA_FLAG },
	[SEEN_A_GUARD_UDP] = NLA_POLICY_NESTED(seen_nl_range_policy),
	[SEEN_A_GUARD_SRC] = NLA_POLICY_NESTED(seen_nl_prefix_policy),
	[SEEN_A_GUARD_DST] = NLA_POLICY_NESTED(seen_nl_prefix_policy),
	[SEEN_A_GUARD_STORM] = { .type = NLA_U32 },
	[SEEN_A_GUARD_MARK_VALUE] = { .type = NLA_FLAG },
	[SEEN_A_GUARD_REPEAT] = { .type = NLA_U32 },
	[SEEN_A_GUARD_NO_PROBE] = { .type = NLA_U8 },
	[SEEN_A_GUARD_EXEMPT] = NLA_POLICY_NESTED(seen_nl_group_policy),
	[SEEN_A_GUARD_SUSPECT] = { .type = NLA_U32 },
	[SEEN_A_GUARD_BLOCK_FIRST_NS] = { .type = NLA_U64 },
	[SEEN_A_GUARD_BLOCK_MAX_NS] = { .type = NLA_U64 },
	[SEEN_A_GUARD_RESET] = { .type = NLA_FLAG },
};

/* Of one guard, or of all. */
static const struct nla_policy port_policy[SEEN_A_PORT_MAX + 1] = {
	[SEEN_A_PORT_GUARD_ID] = { .type = NLA_U32 },
	[SEEN_A_PORT_GUARD_KIND] = { .type = NLA_U32 },
	[SEEN_A_PORT_GUARD_DEV] = DEV_POLICY,
	[SEEN_A_PORT_GUARD_HOOK] = { .type = NLA_U32 },
};

/* What a command's handler runs under, outermost first: genl_ops.internal_flags. */
enum {
	OP_CHANGES	= BIT(0),	/* seen_net.changes */
	OP_RTNL		= BIT(1),
	OP_READ		= BIT(2),	/* seen_net.lock */
	OP_WRITE	= BIT(3),	/* the same, for writing */
};

/* No filter comes or goes: guards are paused at once, whatever else goes on. */
#define OP_GUARD	(OP_RTNL | OP_WRITE)

static int pre_doit(const struct seen_genl_ops *ops, struct sk_buff *skb,
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

static void post_doit(const struct seen_genl_ops *ops, struct sk_buff *skb,
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

#define FILTER_OP(_cmd, _doit, _policy, _internal_flags) {	\
	.cmd = SEEN_CMD_FILTER_##_cmd,				\
	.doit = seen_nl_filter_##_doit,				\
	.policy = _policy,					\
	.maxattr = SEEN_A_FILTER_MAX,				\
	.flags = GENL_UNS_ADMIN_PERM,				\
	.internal_flags = _internal_flags,			\
}

#define KEY_OP(_cmd, _doit, _internal_flags) {	\
	.cmd = SEEN_CMD_##_cmd,					\
	.doit = seen_nl_##_doit,				\
	.policy = key_policy,					\
	.maxattr = ARRAY_SIZE(key_policy) - 1,			\
	.flags = GENL_UNS_ADMIN_PERM,				\
	.internal_flags = _internal_flags,			\
}

#define GUARD_OP(_cmd, _doit, _internal_flags) {	\
	.cmd = SEEN_CMD_GUARD_##_cmd,				\
	.doit = seen_nl_guard_##_doit,				\
	.policy = guard_policy,					\
	.maxattr = ARRAY_SIZE(guard_policy) - 1,		\
	.flags = GENL_UNS_ADMIN_PERM,				\
	.internal_flags = _internal_flags,			\
}

/*
 * Counters are the administrator's, too: who sends a packet with some key, and
 * sees which counter moves, has learned whether the key is in the filter.
 */
static const struct genl_ops ops[] = {
	FILTER_OP(ADD, add, add_policy, OP_CHANGES),
	FILTER_OP(DEL, del, filter_policy, OP_CHANGES | OP_WRITE),
	{
		.cmd = SEEN_CMD_FILTER_GET,
		.doit = seen_nl_filter_get,
		.dumpit = seen_nl_filter_dump,
		.policy = filter_policy,
		.maxattr = ARRAY_SIZE(filter_policy) - 1,
		.validate = GENL_DONT_VALIDATE_DUMP,
		.flags = GENL_UNS_ADMIN_PERM,
		.internal_flags = OP_READ,
	},
	FILTER_OP(SET, set, filter_policy, OP_CHANGES | OP_WRITE),
	FILTER_OP(FLUSH, flush, filter_policy, OP_CHANGES),
	FILTER_OP(RENAME, rename, filter_policy, OP_CHANGES | OP_WRITE),
	FILTER_OP(SWAP, swap, filter_policy, OP_CHANGES | OP_WRITE),
	KEY_OP(KEY_ADD, key_add, OP_READ),
	KEY_OP(KEY_TEST, key_test, OP_READ),
	KEY_OP(KEY_DEL, key_del, OP_READ),
	GUARD_OP(ADD, add, OP_CHANGES),
	GUARD_OP(DEL, del, OP_CHANGES | OP_RTNL | OP_WRITE),
	{
		.cmd = SEEN_CMD_GUARD_GET,
		.doit = seen_nl_guard_get,
		.dumpit = seen_nl_guard_dump,
		.policy = guard_policy,
		.maxattr = ARRAY_SIZE(guard_policy) - 1,
		.validate = GENL_DONT_VALIDATE_DUMP,
		.flags = GENL_UNS_ADMIN_PERM,
		.internal_flags = OP_READ,
	},
	GUARD_OP(SET, set, OP_GUARD),
	KEY_OP(ALLOW_ADD, allow_add, OP_CHANGES),
	KEY_OP(ALLOW_DEL, allow_del, OP_CHANGES),
	{
		.cmd = SEEN_CMD_ALLOW_GET,
		.start = seen_nl_allow_start,
		.dumpit = seen_nl_allow_dump,
		.policy = list_policy,
		.maxattr = ARRAY_SIZE(list_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM,
	},
	KEY_OP(KEY_COUNT, key_count, OP_READ),
	{
		.cmd = SEEN_CMD_TOP_GET,
		.start = seen_nl_top_start,
		.dumpit = seen_nl_top_dump,
		.done = seen_nl_top_done,
		.policy = list_policy,
		.maxattr = ARRAY_SIZE(list_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM,
	},
	FILTER_OP(MERGE, merge, transfer_policy, OP_CHANGES),
	FILTER_OP(FOLD, fold, transfer_policy, OP_CHANGES),
	FILTER_OP(EXPORT, export, transfer_policy, OP_CHANGES),
	FILTER_OP(IMPORT, import, import_policy, OP_CHANGES),
	{
		.cmd = SEEN_CMD_PORT_GET,
		.start = seen_nl_port_start,
		.dumpit = seen_nl_port_dump,
		.policy = port_policy,
		.maxattr = ARRAY_SIZE(port_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM,
	},
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
	/* Dumps ignore attributes that they do not know: only "legacy" ones may. */
	.resv_start_op = SEEN_CMD_GUARD_SET + 1,
	.pre_doit = pre_doit,
	.post_doit = post_doit,
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};
