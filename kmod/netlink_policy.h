/* SPDX-License-Identifier: GPL-2.0 */
/* The policies of commands and nests: accepted attributes, and the ranges of their values. */
#ifndef SEEN_NETLINK_POLICY_H
#define SEEN_NETLINK_POLICY_H

#include <net/netlink.h>
#include <linux/seen.h>

/* Nests. */
extern const struct nla_policy seen_nl_range_policy[SEEN_A_RANGE_MAX + 1];
extern const struct nla_policy seen_nl_prefix_policy[SEEN_A_PREFIX_MAX + 1];
extern const struct nla_policy seen_nl_group_policy[SEEN_A_PREFIX_MAX + 1];
extern const struct nla_policy seen_nl_trail_policy[SEEN_A_TRAIL_MAX + 1];
extern const struct nla_policy seen_nl_role_policy[SEEN_A_ROLE_MAX + 1];

/* Commands of filters. The first policy is for FILTER_DEL, FILTER_GET and FILTER_FLUSH. */
extern const struct nla_policy seen_nl_filter_policy[SEEN_A_FILTER_MAX + 1];
extern const struct nla_policy seen_nl_filter_add_policy[SEEN_A_FILTER_MAX + 1];
extern const struct nla_policy seen_nl_filter_set_policy[SEEN_A_FILTER_MAX + 1];
extern const struct nla_policy seen_nl_rename_policy[SEEN_A_FILTER_MAX + 1];
extern const struct nla_policy seen_nl_swap_policy[SEEN_A_FILTER_MAX + 1];
extern const struct nla_policy seen_nl_merge_policy[SEEN_A_FILTER_MAX + 1];
extern const struct nla_policy seen_nl_fold_policy[SEEN_A_FILTER_MAX + 1];
extern const struct nla_policy seen_nl_export_policy[SEEN_A_FILTER_MAX + 1];
extern const struct nla_policy seen_nl_import_policy[SEEN_A_FILTER_MAX + 1];

/* Dumps of all filters, or of all guards, accept no attribute; the error text says so. */
#define SEEN_NL_TAKES_NONE	"dump: takes no attributes; omit them"
extern const struct nla_policy seen_nl_none_policy[SEEN_A_FILTER_MAX + 1];

/* In this order: commands of keys except KEY_ADD, KEY_ADD, and dumps of keys. */
extern const struct nla_policy seen_nl_key_policy[SEEN_A_KEY_MAX + 1];
extern const struct nla_policy seen_nl_key_add_policy[SEEN_A_KEY_MAX + 1];
extern const struct nla_policy seen_nl_list_policy[SEEN_A_KEY_MAX + 1];

/*
 * Commands of feeds and hashes. The first policy is for FEED_DEL, the second for FEED_ADD; the
 * last two are for HASH_ADD and HASH_DEL.
 */
extern const struct nla_policy seen_nl_feed_policy[SEEN_A_FEED_MAX + 1];
extern const struct nla_policy seen_nl_feed_add_policy[SEEN_A_FEED_MAX + 1];
extern const struct nla_policy seen_nl_feed_get_policy[SEEN_A_FEED_MAX + 1];
extern const struct nla_policy seen_nl_hash_add_policy[SEEN_A_FEED_MAX + 1];
extern const struct nla_policy seen_nl_hash_policy[SEEN_A_FEED_MAX + 1];

/* Commands of guards (the first policy: GUARD_DEL and GUARD_GET), and the dump of ports. */
extern const struct nla_policy seen_nl_guard_policy[SEEN_A_GUARD_MAX + 1];
extern const struct nla_policy seen_nl_guard_add_policy[SEEN_A_GUARD_MAX + 1];
extern const struct nla_policy seen_nl_guard_set_policy[SEEN_A_GUARD_MAX + 1];
extern const struct nla_policy seen_nl_port_policy[SEEN_A_PORT_MAX + 1];

#endif
