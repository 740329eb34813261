// SPDX-License-Identifier: GPL-2.0
/*
 * Policies of all commands: netlink_policy.h. An attribute that is not listed is refused.
 * Several commands may share a handler, which reads attributes that some of them do not
 * accept. So each table has an entry for every attribute of its set.
 */
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/in6.h>

#include "core/geometry.h"
#include "feed.h"
#include "guard_conf.h"
#include "keyspec.h"
#include "netlink_policy.h"

#define NAME_POLICY	{ .type = NLA_NUL_STRING, .len = SEEN_NAME_MAX - 1 }
#define DEV_POLICY	{ .type = NLA_NUL_STRING, .len = IFNAMSIZ - 1 }
#define FLAG_POLICY	{ .type = NLA_FLAG }
#define ID_POLICY	NLA_POLICY_MIN(NLA_U32, 1)
#define BOOL_POLICY	NLA_POLICY_MAX(NLA_U8, 1)
#define ENUM_POLICY(max) NLA_POLICY_RANGE(NLA_U32, 1, max)

/* More repeats per second than any port can receive. */
#define REPEAT_MAX	100000000

static struct netlink_range_validation capacity_range = {
	.min = 1, .max = SEEN_CAPACITY_MAX,
};

static struct netlink_range_validation fpp_range = {
	.min = 1, .max = SEEN_FPP_MAX,
};

static struct netlink_range_validation window_range = {
	.min = 1, .max = SEEN_WINDOW_MAX,
};

static struct netlink_range_validation blocks_range = {
	.min = 1, .max = SEEN_BLOCKS_MAX,
};

static struct netlink_range_validation repeat_range = {
	.min = 1, .max = REPEAT_MAX,
};

static struct netlink_range_validation block_range = {
	.min = SEEN_BLOCK_SHORTEST, .max = SEEN_BLOCK_LONGEST,
};

const struct nla_policy seen_nl_range_policy[SEEN_A_RANGE_MAX + 1] = {
	[SEEN_A_RANGE_FIRST] = { .type = NLA_U16 },
	[SEEN_A_RANGE_LAST] = { .type = NLA_U16 },
};

const struct nla_policy seen_nl_prefix_policy[SEEN_A_PREFIX_MAX + 1] = {
	[SEEN_A_PREFIX_ADDRESS] = NLA_POLICY_RANGE(NLA_BINARY, sizeof(struct in_addr),
						   sizeof(struct in6_addr)),
	[SEEN_A_PREFIX_LEN] = NLA_POLICY_MAX(NLA_U8, 128),
};

const struct nla_policy seen_nl_group_policy[SEEN_A_PREFIX_MAX + 1] = {
	[SEEN_A_PREFIX_ADDRESS] = NLA_POLICY_EXACT_LEN(ETH_ALEN),
	[SEEN_A_PREFIX_LEN] = NLA_POLICY_MAX(NLA_U8, 48),
};

/* Parameters of a new filter, for FILTER_ADD and FILTER_IMPORT. */
#define FILTER_POLICY								\
	[SEEN_A_FILTER_NAME] = NAME_POLICY,					\
	[SEEN_A_FILTER_TYPE] = ENUM_POLICY(SEEN_TYPE_MAX),			\
	[SEEN_A_FILTER_LAYOUT] = ENUM_POLICY(SEEN_LAYOUT_MAX),			\
	[SEEN_A_FILTER_CAPACITY] = NLA_POLICY_FULL_RANGE(NLA_U64, &capacity_range), \
	[SEEN_A_FILTER_FPP] = NLA_POLICY_FULL_RANGE(NLA_U64, &fpp_range),	\
	[SEEN_A_FILTER_FP_BITS] = NLA_POLICY_RANGE(NLA_U32, 8, 32),		\
	[SEEN_A_FILTER_WINDOW] = NLA_POLICY_FULL_RANGE(NLA_U64, &window_range),	\
	[SEEN_A_FILTER_REFRESH] = FLAG_POLICY,					\
	[SEEN_A_FILTER_ON_FULL] = ENUM_POLICY(SEEN_ON_FULL_MAX),		\
	[SEEN_A_FILTER_SECRET] = NLA_POLICY_EXACT_LEN(SEEN_SECRET_LEN),		\
	[SEEN_A_FILTER_KEY] = NLA_POLICY_NESTED(seen_keyspec_policy),		\
	[SEEN_A_FILTER_PROFILE] = ENUM_POLICY(SEEN_KEY_PROFILE_MAX),		\
	[SEEN_A_FILTER_INNER] = FLAG_POLICY,					\
	[SEEN_A_FILTER_FIRST] = NLA_POLICY_RANGE(NLA_BINARY, 1, 16),		\
	[SEEN_A_FILTER_THRESHOLD] = { .type = NLA_U32 },			\
	[SEEN_A_FILTER_CONSERVATIVE] = FLAG_POLICY,				\
	[SEEN_A_FILTER_TOP] = NLA_POLICY_MAX(NLA_U32, SEEN_TOP_MAX),		\
	[SEEN_A_FILTER_VXLAN_PORT] = NLA_POLICY_MIN(NLA_U16, 1)

/* Serves all attribute sets; the set of filter attributes is the largest. */
const struct nla_policy seen_nl_none_policy[SEEN_A_FILTER_MAX + 1] = {
	[1 ... SEEN_A_FILTER_MAX] = {
		.type = NLA_REJECT,
		.reject_message = SEEN_NL_TAKES_NONE,
	},
};

static_assert(ARRAY_SIZE(seen_nl_none_policy) > SEEN_A_GUARD_MAX);

const struct nla_policy seen_nl_filter_add_policy[SEEN_A_FILTER_MAX + 1] = {
	FILTER_POLICY,
};

/* Only the key; its count comes from the table. */
static const struct nla_policy top_key_policy[SEEN_A_ENTRY_MAX + 1] = {
	[SEEN_A_ENTRY_KEY] = { .type = NLA_BINARY, .len = SEEN_KEY_EXACT_MAX },
};

const struct nla_policy seen_nl_import_policy[SEEN_A_FILTER_MAX + 1] = {
	FILTER_POLICY,
	[SEEN_A_FILTER_ID] = ID_POLICY,
	[SEEN_A_FILTER_HASHES] = NLA_POLICY_RANGE(NLA_U32, 1, SEEN_HASHES_MAX),
	[SEEN_A_FILTER_BLOCKS] = NLA_POLICY_FULL_RANGE(NLA_U64, &blocks_range),
	[SEEN_A_FILTER_TICK] = NLA_POLICY_FULL_RANGE(NLA_U64, &window_range),
	[SEEN_A_FILTER_FOLD] = NLA_POLICY_MIN(NLA_U32, 2),
	[SEEN_A_FILTER_TICKS] = NLA_POLICY_RANGE(NLA_U32, 1, SEEN_CUCKOO_WINDOW_TICKS),
	[SEEN_A_FILTER_COOKIE] = { .type = NLA_U64 },
	[SEEN_A_FILTER_FROM] = { .type = NLA_U64 },
	[SEEN_A_FILTER_DATA] = NLA_POLICY_RANGE(NLA_BINARY, 1, SEEN_CHUNK_MAX),
	[SEEN_A_FILTER_AGE] = { .type = NLA_U64 },
	[SEEN_A_FILTER_SECRET_CHECK] = { .type = NLA_U64 },
	[SEEN_A_FILTER_COMMIT] = FLAG_POLICY,
	[SEEN_A_FILTER_REPLACE] = FLAG_POLICY,
	[SEEN_A_FILTER_SPAN] = NLA_POLICY_FULL_RANGE(NLA_U64, &blocks_range),
	[SEEN_A_FILTER_TOTAL] = { .type = NLA_U64 },
	[SEEN_A_FILTER_TOP_KEY] = NLA_POLICY_NESTED(top_key_policy),
	[SEEN_A_FILTER_LENGTHS4] = NLA_POLICY_RANGE(NLA_BINARY, 1, SEEN_LENGTHS_MAX),
	[SEEN_A_FILTER_LENGTHS6] = NLA_POLICY_RANGE(NLA_BINARY, 1, SEEN_LENGTHS_MAX),
};

/* Attributes that name a filter, and the second filter. */
#define WHICH_POLICY					\
	[SEEN_A_FILTER_NAME] = NAME_POLICY,		\
	[SEEN_A_FILTER_ID] = ID_POLICY
#define OTHER_POLICY					\
	[SEEN_A_FILTER_NEW_NAME] = NAME_POLICY,		\
	[SEEN_A_FILTER_NEW_ID] = ID_POLICY

const struct nla_policy seen_nl_filter_policy[SEEN_A_FILTER_MAX + 1] = {
	WHICH_POLICY,
};

const struct nla_policy seen_nl_filter_set_policy[SEEN_A_FILTER_MAX + 1] = {
	WHICH_POLICY,
	[SEEN_A_FILTER_ON_FULL] = ENUM_POLICY(SEEN_ON_FULL_MAX),
	[SEEN_A_FILTER_ALLOW_MAP] = NAME_POLICY,
	[SEEN_A_FILTER_ALLOW_MAP_ID] = ID_POLICY,
	[SEEN_A_FILTER_RESET] = FLAG_POLICY,
};

const struct nla_policy seen_nl_rename_policy[SEEN_A_FILTER_MAX + 1] = {
	WHICH_POLICY,
	[SEEN_A_FILTER_NEW_NAME] = NAME_POLICY,
};

const struct nla_policy seen_nl_swap_policy[SEEN_A_FILTER_MAX + 1] = {
	WHICH_POLICY,
	OTHER_POLICY,
};

const struct nla_policy seen_nl_merge_policy[SEEN_A_FILTER_MAX + 1] = {
	WHICH_POLICY,
	OTHER_POLICY,
	[SEEN_A_FILTER_FORCE] = FLAG_POLICY,
};

const struct nla_policy seen_nl_fold_policy[SEEN_A_FILTER_MAX + 1] = {
	WHICH_POLICY,
	[SEEN_A_FILTER_CAPACITY] = NLA_POLICY_FULL_RANGE(NLA_U64, &capacity_range),
};

const struct nla_policy seen_nl_export_policy[SEEN_A_FILTER_MAX + 1] = {
	WHICH_POLICY,
	[SEEN_A_FILTER_COOKIE] = { .type = NLA_U64 },
	[SEEN_A_FILTER_FROM] = { .type = NLA_U64 },
	[SEEN_A_FILTER_WITH_SECRET] = FLAG_POLICY,
};

/* Values are accepted only by KEY_ADD. */
static const struct nla_policy entry_policy[SEEN_A_ENTRY_MAX + 1] = {
	[SEEN_A_ENTRY_KEY] = { .type = NLA_BINARY, .len = SEEN_KEY_MAX },
};

static const struct nla_policy entry_add_policy[SEEN_A_ENTRY_MAX + 1] = {
	[SEEN_A_ENTRY_KEY] = { .type = NLA_BINARY, .len = SEEN_KEY_MAX },
	[SEEN_A_ENTRY_VALUE] = { .type = NLA_U32 },
};

#define LIST_POLICY					\
	[SEEN_A_KEY_FILTER] = NAME_POLICY,		\
	[SEEN_A_KEY_FILTER_ID] = ID_POLICY

const struct nla_policy seen_nl_key_policy[SEEN_A_KEY_MAX + 1] = {
	LIST_POLICY,
	[SEEN_A_KEY_ENTRY] = NLA_POLICY_NESTED(entry_policy),
	[SEEN_A_KEY_PACKED] = { .type = NLA_BINARY },
};

const struct nla_policy seen_nl_key_add_policy[SEEN_A_KEY_MAX + 1] = {
	LIST_POLICY,
	[SEEN_A_KEY_ENTRY] = NLA_POLICY_NESTED(entry_add_policy),
	[SEEN_A_KEY_PACKED] = { .type = NLA_BINARY },
	[SEEN_A_KEY_IF_NEW] = FLAG_POLICY,
};

const struct nla_policy seen_nl_list_policy[SEEN_A_KEY_MAX + 1] = {
	LIST_POLICY,
};

static struct netlink_range_validation feed_records_range = {
	.min = SEEN_FEED_RECORDS_MIN, .max = SEEN_FEED_RECORDS_MAX,
};

static struct netlink_range_validation feed_time_range = {
	.max = SEEN_WINDOW_MAX,
};

#define FEED_POLICY					\
	[SEEN_A_FEED_FILTER] = NAME_POLICY,		\
	[SEEN_A_FEED_FILTER_ID] = ID_POLICY
#define RECORDS_POLICY					\
	[SEEN_A_FEED_DATA] = NLA_POLICY_RANGE(NLA_BINARY, SEEN_RECORD_BYTES, \
					      SEEN_RECORDS_MAX * SEEN_RECORD_BYTES)

const struct nla_policy seen_nl_feed_policy[SEEN_A_FEED_MAX + 1] = {
	FEED_POLICY,
};

const struct nla_policy seen_nl_feed_add_policy[SEEN_A_FEED_MAX + 1] = {
	FEED_POLICY,
	[SEEN_A_FEED_RECORDS] = NLA_POLICY_FULL_RANGE(NLA_U32, &feed_records_range),
	[SEEN_A_FEED_STALE] = NLA_POLICY_FULL_RANGE(NLA_U64, &feed_time_range),
};

const struct nla_policy seen_nl_feed_get_policy[SEEN_A_FEED_MAX + 1] = {
	FEED_POLICY,
	[SEEN_A_FEED_DONE] = { .type = NLA_U64 },
};

const struct nla_policy seen_nl_hash_add_policy[SEEN_A_FEED_MAX + 1] = {
	FEED_POLICY,
	RECORDS_POLICY,
	[SEEN_A_FEED_AGE] = NLA_POLICY_FULL_RANGE(NLA_U64, &feed_time_range),
};

const struct nla_policy seen_nl_hash_policy[SEEN_A_FEED_MAX + 1] = {
	FEED_POLICY,
	RECORDS_POLICY,
};

const struct nla_policy seen_nl_role_policy[SEEN_A_ROLE_MAX + 1] = {
	[SEEN_A_ROLE_NAME] = DEV_POLICY,
	[SEEN_A_ROLE_SEGMENT] = NLA_POLICY_MIN(NLA_U32, 1),
};

static struct netlink_range_validation trail_most_range = {
	.min = SEEN_TRAIL_MOST_LEAST, .max = SEEN_TRAIL_MOST_MOST,
};

const struct nla_policy seen_nl_trail_policy[SEEN_A_TRAIL_MAX + 1] = {
	[SEEN_A_TRAIL_MODE] = ENUM_POLICY(SEEN_TRAIL_MODE_MAX),
	[SEEN_A_TRAIL_BITS] = { .type = NLA_U32 },
	[SEEN_A_TRAIL_MOST] = NLA_POLICY_FULL_RANGE(NLA_U32, &trail_most_range),
	[SEEN_A_TRAIL_NODE] = { .type = NLA_U64 },
	[SEEN_A_TRAIL_AUTH] = FLAG_POLICY,
	[SEEN_A_TRAIL_PORT] = NLA_POLICY_NESTED(seen_nl_role_policy),
};

#define PLACE_POLICY							\
	[SEEN_A_GUARD_KIND] = ENUM_POLICY(SEEN_GUARD_KIND_MAX),		\
	[SEEN_A_GUARD_DEV] = DEV_POLICY,				\
	[SEEN_A_GUARD_HOOK] = ENUM_POLICY(SEEN_HOOK_MAX)

/* Parameters of a guard that GUARD_SET can change. */
#define LIVE_POLICY							\
	[SEEN_A_GUARD_MATCH] = ENUM_POLICY(SEEN_MATCH_MAX),		\
	[SEEN_A_GUARD_ACTION] = ENUM_POLICY(SEEN_ACTION_MAX),		\
	[SEEN_A_GUARD_MARK] = { .type = NLA_U32 },			\
	[SEEN_A_GUARD_MARK_VALUE] = FLAG_POLICY,			\
	[SEEN_A_GUARD_NO_BLOCK] = FLAG_POLICY,				\
	[SEEN_A_GUARD_PROTECT] = DEV_POLICY,				\
	[SEEN_A_GUARD_PAUSED] = BOOL_POLICY,				\
	[SEEN_A_GUARD_STORM] = NLA_POLICY_MIN(NLA_U32, 1),		\
	[SEEN_A_GUARD_REPEAT] = NLA_POLICY_FULL_RANGE(NLA_U32, &repeat_range), \
	[SEEN_A_GUARD_NO_PROBE] = BOOL_POLICY,				\
	[SEEN_A_GUARD_EXEMPT] = NLA_POLICY_NESTED(seen_nl_group_policy), \
	[SEEN_A_GUARD_SUSPECT] = NLA_POLICY_RANGE(NLA_U32, 1, SEEN_SUSPECT_MAX), \
	[SEEN_A_GUARD_BLOCK_FIRST_NS] = NLA_POLICY_FULL_RANGE(NLA_U64, &block_range), \
	[SEEN_A_GUARD_BLOCK_MAX_NS] = NLA_POLICY_FULL_RANGE(NLA_U64, &block_range)

const struct nla_policy seen_nl_guard_add_policy[SEEN_A_GUARD_MAX + 1] = {
	PLACE_POLICY,
	LIVE_POLICY,
	[SEEN_A_GUARD_FILTER] = NAME_POLICY,
	[SEEN_A_GUARD_FILTER_ID] = ID_POLICY,
	[SEEN_A_GUARD_PROFILE] = ENUM_POLICY(SEEN_GUARD_PROFILE_MAX),
	[SEEN_A_GUARD_VERDICT] = ENUM_POLICY(SEEN_VERDICT_MAX),
	[SEEN_A_GUARD_PRIORITY] = { .type = NLA_S32 },
	[SEEN_A_GUARD_UDP] = NLA_POLICY_NESTED(seen_nl_range_policy),
	[SEEN_A_GUARD_SRC] = NLA_POLICY_NESTED(seen_nl_prefix_policy),
	[SEEN_A_GUARD_DST] = NLA_POLICY_NESTED(seen_nl_prefix_policy),
	[SEEN_A_GUARD_REPLACE] = FLAG_POLICY,
	[SEEN_A_GUARD_TRAIL] = NLA_POLICY_NESTED(seen_nl_trail_policy),
};

const struct nla_policy seen_nl_guard_policy[SEEN_A_GUARD_MAX + 1] = {
	PLACE_POLICY,
	[SEEN_A_GUARD_ID] = ID_POLICY,
};

const struct nla_policy seen_nl_guard_set_policy[SEEN_A_GUARD_MAX + 1] = {
	PLACE_POLICY,
	LIVE_POLICY,
	[SEEN_A_GUARD_ID] = ID_POLICY,
	[SEEN_A_GUARD_ALL] = FLAG_POLICY,
	[SEEN_A_GUARD_RESET] = FLAG_POLICY,
};

/* All attributes are optional: they select one guard. */
const struct nla_policy seen_nl_port_policy[SEEN_A_PORT_MAX + 1] = {
	[SEEN_A_PORT_GUARD_ID] = ID_POLICY,
	[SEEN_A_PORT_GUARD_KIND] = ENUM_POLICY(SEEN_GUARD_KIND_MAX),
	[SEEN_A_PORT_GUARD_DEV] = DEV_POLICY,
	[SEEN_A_PORT_GUARD_HOOK] = ENUM_POLICY(SEEN_HOOK_MAX),
};
