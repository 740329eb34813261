// SPDX-License-Identifier: GPL-2.0
/*
 * Check the attributes of each step of an export or an import. The policy of the command
 * accepts the attributes of all its steps. An attribute that the present step would ignore
 * is refused here.
 */
#include <net/genetlink.h>
#include <linux/seen.h>

#include "netlink_mode.h"

#define IN(mode)	BIT(SEEN_NL_##mode)

/* struct nl_mode_attr - steps that accept an attribute, and the error text of other steps */
struct nl_mode_attr {
	u32 modes;
	const char *why;
};

static const struct nl_mode_attr export_attrs[SEEN_A_FILTER_MAX + 1] = {
	[SEEN_A_FILTER_NAME] = { IN(BEGIN) | IN(CHUNK) },
	[SEEN_A_FILTER_ID] = { IN(BEGIN) | IN(CHUNK) },
	[SEEN_A_FILTER_WITH_SECRET] = { IN(BEGIN),
		"with-secret: only to begin an export, without cookie" },
	[SEEN_A_FILTER_COOKIE] = { IN(CHUNK) },
	[SEEN_A_FILTER_FROM] = { IN(CHUNK), "from: only with cookie" },
};

#define BEGINS(attr, word)						\
	[SEEN_A_FILTER_##attr] = { IN(BEGIN),				\
		word ": only to begin an import, without cookie" }

static const struct nl_mode_attr import_attrs[SEEN_A_FILTER_MAX + 1] = {
	BEGINS(NAME, "name"),
	BEGINS(ID, "id"),
	BEGINS(TYPE, "type"),
	BEGINS(LAYOUT, "layout"),
	BEGINS(CAPACITY, "capacity"),
	BEGINS(FPP, "fpp"),
	BEGINS(FP_BITS, "bits"),
	BEGINS(WINDOW, "window"),
	BEGINS(REFRESH, "refresh"),
	BEGINS(ON_FULL, "on-full"),
	BEGINS(SECRET, "secret"),
	BEGINS(KEY, "key"),
	BEGINS(PROFILE, "profile"),
	BEGINS(INNER, "inner"),
	BEGINS(FIRST, "range"),
	BEGINS(THRESHOLD, "threshold"),
	BEGINS(CONSERVATIVE, "conservative"),
	BEGINS(TOP, "top"),
	BEGINS(VXLAN_PORT, "vxlan-port"),
	BEGINS(HASHES, "hashes"),
	BEGINS(BLOCKS, "blocks"),
	BEGINS(TICK, "tick"),
	BEGINS(TICKS, "ticks"),
	BEGINS(FOLD, "fold"),
	BEGINS(SPAN, "span"),
	BEGINS(AGE, "age"),
	BEGINS(SECRET_CHECK, "secret-check"),
	BEGINS(REPLACE, "replace"),
	BEGINS(LENGTHS4, "lengths4"),
	BEGINS(LENGTHS6, "lengths6"),
	[SEEN_A_FILTER_COOKIE] = { IN(CHUNK) | IN(TOP) | IN(COMMIT) | IN(ABORT) },
	[SEEN_A_FILTER_FROM] = { IN(CHUNK), "from: only with cookie and data" },
	[SEEN_A_FILTER_DATA] = { IN(CHUNK), "data: only with cookie and from" },
	[SEEN_A_FILTER_TOP_KEY] = { IN(TOP), "top-key: only with cookie alone" },
	[SEEN_A_FILTER_COMMIT] = { IN(COMMIT), "commit: only with cookie" },
	[SEEN_A_FILTER_TOTAL] = { IN(COMMIT), "total: only with commit" },
};

static int nl_mode_check(struct genl_info *info, const struct nl_mode_attr *attrs,
			 enum seen_nl_mode mode)
{
	int i;

	for (i = 1; i <= SEEN_A_FILTER_MAX; i++) {
		if (!info->attrs[i] || attrs[i].modes & BIT(mode))
			continue;
		NL_SET_BAD_ATTR(info->extack, info->attrs[i]);
		info->extack->_msg = attrs[i].why;
		return -EINVAL;
	}
	return mode;
}

int seen_nl_export_mode(struct genl_info *info)
{
	if (!info->attrs[SEEN_A_FILTER_COOKIE])
		return nl_mode_check(info, export_attrs, SEEN_NL_BEGIN);
	if (GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_FROM))
		return -EINVAL;
	return nl_mode_check(info, export_attrs, SEEN_NL_CHUNK);
}

static enum seen_nl_mode nl_mode_of_import(const struct genl_info *info)
{
	if (!info->attrs[SEEN_A_FILTER_COOKIE])
		return SEEN_NL_BEGIN;
	if (info->attrs[SEEN_A_FILTER_COMMIT])
		return SEEN_NL_COMMIT;
	if (info->attrs[SEEN_A_FILTER_DATA] || info->attrs[SEEN_A_FILTER_FROM])
		return SEEN_NL_CHUNK;
	return info->attrs[SEEN_A_FILTER_TOP_KEY] ? SEEN_NL_TOP : SEEN_NL_ABORT;
}

int seen_nl_import_mode(struct genl_info *info)
{
	enum seen_nl_mode mode = nl_mode_of_import(info);

	if (mode == SEEN_NL_CHUNK &&
	    (GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_FROM) ||
	     GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_DATA)))
		return -EINVAL;
	return nl_mode_check(info, import_attrs, mode);
}
