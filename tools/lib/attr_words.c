// SPDX-License-Identifier: GPL-2.0
/*
 * The words for attributes of requests, as in specs/seen.yaml, except for a few attributes that
 * have another name in seenctl. selftests/static/netlink-words.py compares them.
 */
#include <linux/seen.h>

#include "refusal.h"

#define WORDS(set, ...)	{ .count = sizeof(set) / sizeof(*(set)), .attr = set, ##__VA_ARGS__ }

static const struct seen_attr_word ranges[] = {
	[SEEN_A_RANGE_FIRST]	= { "first" },
	[SEEN_A_RANGE_LAST]	= { "last" },
};

static const struct seen_attr_words range_words = WORDS(ranges);

static const struct seen_attr_word prefixes[] = {
	[SEEN_A_PREFIX_ADDRESS]	= { "address" },
	[SEEN_A_PREFIX_LEN]	= { "len" },
};

static const struct seen_attr_words prefix_words = WORDS(prefixes);

static const struct seen_attr_words field_words;

static const struct seen_attr_word fields[] = {
	[SEEN_A_FIELD_ENTRY]	= { "entry", .nest = &field_words },
	[SEEN_A_FIELD_ID]	= { "id" },
	[SEEN_A_FIELD_PARAM]	= { "param" },
	[SEEN_A_FIELD_PARAM6]	= { "param6" },
};

static const struct seen_attr_words field_words = WORDS(fields);

static const struct seen_attr_word entries[] = {
	[SEEN_A_ENTRY_KEY]	= { "key" },
	[SEEN_A_ENTRY_VALUE]	= { "value" },
};

static const struct seen_attr_words entry_words = WORDS(entries);

static const struct seen_attr_word filters[] = {
	[SEEN_A_FILTER_NAME]		= { "name" },
	[SEEN_A_FILTER_NEW_NAME]	= { "new-name" },
	[SEEN_A_FILTER_TYPE]		= { "type" },
	[SEEN_A_FILTER_LAYOUT]		= { "layout" },
	[SEEN_A_FILTER_CAPACITY]	= { "capacity" },
	[SEEN_A_FILTER_FPP]		= { "fpp", SEEN_UNIT_RATE },
	[SEEN_A_FILTER_FP_BITS]		= { "bits" },
	[SEEN_A_FILTER_WINDOW]		= { "window", SEEN_UNIT_NS },
	[SEEN_A_FILTER_REFRESH]		= { "refresh" },
	[SEEN_A_FILTER_ON_FULL]		= { "on-full" },
	[SEEN_A_FILTER_SECRET]		= { "secret" },
	[SEEN_A_FILTER_KEY]		= { "key", .nest = &field_words },
	[SEEN_A_FILTER_PROFILE]		= { "profile" },
	[SEEN_A_FILTER_ID]		= { "id" },
	[SEEN_A_FILTER_HASHES]		= { "hashes" },
	[SEEN_A_FILTER_BLOCKS]		= { "blocks" },
	[SEEN_A_FILTER_TICK]		= { "tick", SEEN_UNIT_NS },
	[SEEN_A_FILTER_INNER]		= { "inner" },
	[SEEN_A_FILTER_FIRST]		= { "range" },
	[SEEN_A_FILTER_THRESHOLD]	= { "threshold" },
	[SEEN_A_FILTER_CONSERVATIVE]	= { "conservative" },
	[SEEN_A_FILTER_TOP]		= { "top" },
	[SEEN_A_FILTER_ALLOW_MAP]	= { "allow-map" },
	[SEEN_A_FILTER_FOLD]		= { "fold" },
	[SEEN_A_FILTER_TOTAL]		= { "total" },
	[SEEN_A_FILTER_TICKS]		= { "ticks" },
	[SEEN_A_FILTER_COOKIE]		= { "cookie" },
	[SEEN_A_FILTER_FROM]		= { "from" },
	[SEEN_A_FILTER_DATA]		= { "data" },
	[SEEN_A_FILTER_AGE]		= { "age", SEEN_UNIT_NS },
	[SEEN_A_FILTER_WITH_SECRET]	= { "with-secret" },
	[SEEN_A_FILTER_SECRET_CHECK]	= { "secret-check" },
	[SEEN_A_FILTER_COMMIT]		= { "commit" },
	[SEEN_A_FILTER_REPLACE]		= { "replace" },
	[SEEN_A_FILTER_FORCE]		= { "force" },
	[SEEN_A_FILTER_SPAN]		= { "span" },
	[SEEN_A_FILTER_VXLAN_PORT]	= { "vxlan-port" },
	[SEEN_A_FILTER_RESET]		= { "reset" },
	[SEEN_A_FILTER_TOP_KEY]		= { "top-key", .nest = &entry_words },
	[SEEN_A_FILTER_LENGTHS4]	= { "lengths4" },
	[SEEN_A_FILTER_LENGTHS6]	= { "lengths6" },
	[SEEN_A_FILTER_NEW_ID]		= { "new-id" },
	[SEEN_A_FILTER_ALLOW_MAP_ID]	= { "allow-map-id" },
};

static const struct seen_attr_word keys[] = {
	[SEEN_A_KEY_FILTER]	= { "filter" },
	[SEEN_A_KEY_ENTRY]	= { "keys", .nest = &entry_words },
	[SEEN_A_KEY_PACKED]	= { "keys" },
	[SEEN_A_KEY_IF_NEW]	= { "new" },
	[SEEN_A_KEY_FILTER_ID]	= { "filter-id" },
};

static const struct seen_attr_word roles[] = {
	[SEEN_A_ROLE_NAME]	= { "name" },
	[SEEN_A_ROLE_SEGMENT]	= { "segment" },
};

static const struct seen_attr_words role_words = WORDS(roles);

static const struct seen_attr_word trails[] = {
	[SEEN_A_TRAIL_MODE]	= { "mode" },
	[SEEN_A_TRAIL_BITS]	= { "bits" },
	[SEEN_A_TRAIL_MOST]	= { "max" },
	[SEEN_A_TRAIL_NODE]	= { "node" },
	[SEEN_A_TRAIL_AUTH]	= { "auth" },
	[SEEN_A_TRAIL_PORT]	= { "port", .nest = &role_words },
};

static const struct seen_attr_words trail_words = WORDS(trails);

static const struct seen_attr_word guards[] = {
	[SEEN_A_GUARD_KIND]		= { "kind" },
	[SEEN_A_GUARD_DEV]		= { "dev" },
	[SEEN_A_GUARD_HOOK]		= { "hook" },
	[SEEN_A_GUARD_FILTER]		= { "filter" },
	[SEEN_A_GUARD_PROFILE]		= { "profile" },
	[SEEN_A_GUARD_MATCH]		= { "match" },
	[SEEN_A_GUARD_VERDICT]		= { "verdict" },
	[SEEN_A_GUARD_ACTION]		= { "action" },
	[SEEN_A_GUARD_MARK]		= { "mark" },
	[SEEN_A_GUARD_PRIORITY]		= { "priority" },
	[SEEN_A_GUARD_NO_BLOCK]		= { "no-block" },
	[SEEN_A_GUARD_PROTECT]		= { "protect" },
	[SEEN_A_GUARD_PAUSED]		= { "paused" },
	[SEEN_A_GUARD_ALL]		= { "all" },
	[SEEN_A_GUARD_UDP]		= { "udp", .nest = &range_words },
	[SEEN_A_GUARD_SRC]		= { "src", .nest = &prefix_words },
	[SEEN_A_GUARD_DST]		= { "dst", .nest = &prefix_words },
	[SEEN_A_GUARD_STORM]		= { "storm" },
	[SEEN_A_GUARD_MARK_VALUE]	= { "mark-value" },
	[SEEN_A_GUARD_REPEAT]		= { "repeat" },
	[SEEN_A_GUARD_NO_PROBE]		= { "no-probe" },
	[SEEN_A_GUARD_EXEMPT]		= { "exempt", .nest = &prefix_words },
	[SEEN_A_GUARD_SUSPECT]		= { "suspect" },
	[SEEN_A_GUARD_BLOCK_FIRST_NS]	= { "block-first", SEEN_UNIT_NS },
	[SEEN_A_GUARD_BLOCK_MAX_NS]	= { "block-max", SEEN_UNIT_NS },
	[SEEN_A_GUARD_RESET]		= { "reset" },
	[SEEN_A_GUARD_REPLACE]		= { "replace" },
	[SEEN_A_GUARD_ID]		= { "id" },
	[SEEN_A_GUARD_FILTER_ID]	= { "filter-id" },
	[SEEN_A_GUARD_TRAIL]		= { "trail", .nest = &trail_words },
};

static const struct seen_attr_word feeds[] = {
	[SEEN_A_FEED_FILTER]	= { "filter" },
	[SEEN_A_FEED_FILTER_ID]	= { "filter-id" },
	[SEEN_A_FEED_RECORDS]	= { "records" },
	[SEEN_A_FEED_STALE]	= { "stale", SEEN_UNIT_NS },
	[SEEN_A_FEED_DONE]	= { "done" },
	[SEEN_A_FEED_DATA]	= { "data" },
	[SEEN_A_FEED_AGE]	= { "age", SEEN_UNIT_NS },
};

static const struct seen_attr_word ports[] = {
	[SEEN_A_PORT_GUARD_ID]		= { "id" },
	[SEEN_A_PORT_GUARD_KIND]	= { "kind" },
	[SEEN_A_PORT_GUARD_DEV]		= { "dev" },
	[SEEN_A_PORT_GUARD_HOOK]	= { "hook" },
};

const struct seen_attr_words *seen_attr_words(int cmd)
{
	static const struct seen_attr_words filter = WORDS(filters, .filter = SEEN_A_FILTER_NAME);
	static const struct seen_attr_words key = WORDS(keys, .filter = SEEN_A_KEY_FILTER);
	static const struct seen_attr_words guard = WORDS(guards, .dev = SEEN_A_GUARD_DEV);
	static const struct seen_attr_words port = WORDS(ports);
	static const struct seen_attr_words feed = WORDS(feeds, .filter = SEEN_A_FEED_FILTER);

	switch (cmd) {
	case SEEN_CMD_KEY_ADD:
	case SEEN_CMD_KEY_TEST:
	case SEEN_CMD_KEY_DEL:
	case SEEN_CMD_KEY_COUNT:
	case SEEN_CMD_ALLOW_ADD:
	case SEEN_CMD_ALLOW_DEL:
	case SEEN_CMD_ALLOW_GET:
	case SEEN_CMD_TOP_GET:
		return &key;
	case SEEN_CMD_GUARD_ADD:
	case SEEN_CMD_GUARD_DEL:
	case SEEN_CMD_GUARD_GET:
	case SEEN_CMD_GUARD_SET:
		return &guard;
	case SEEN_CMD_PORT_GET:
		return &port;
	case SEEN_CMD_FEED_ADD:
	case SEEN_CMD_FEED_DEL:
	case SEEN_CMD_FEED_GET:
	case SEEN_CMD_HASH_ADD:
	case SEEN_CMD_HASH_DEL:
		return &feed;
	default:
		return &filter;
	}
}
