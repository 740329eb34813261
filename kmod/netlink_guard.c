// SPDX-License-Identifier: GPL-2.0
/* Commands of guards. netlink_guard_conf.c parses their attributes. */
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "guard_port.h"
#include "guard_profile.h"
#include "netlink.h"
#include "netlink_guard_conf.h"

/* If the request names no filter, the profile creates it. */
static bool nl_guard_makes_filter(const struct genl_info *info,
				  const struct seen_guard_config *config)
{
	return config->profile && !info->attrs[SEEN_A_GUARD_FILTER] &&
	       !info->attrs[SEEN_A_GUARD_FILTER_ID];
}

static int nl_guard_publish(struct genl_info *info, struct seen_guard_new *new)
{
	struct seen_net *sn = seen_info_net(info);
	int err;

	rtnl_lock();
	down_write(&sn->lock);
	if (!nl_guard_makes_filter(info, new->config))
		new->binding = seen_nl_binding_find(info, &seen_nl_guard_filter);
	err = PTR_ERR_OR_ZERO(new->binding);
	if (!err && info->attrs[SEEN_A_GUARD_REPLACE])
		err = seen_guard_replace(sn, new, info->extack);
	else if (!err)
		err = seen_guard_add(sn, new, info->extack);
	up_write(&sn->lock);
	rtnl_unlock();
	return err;
}

/* Allocate the profile's filter before taking rtnl and seen_net.lock. */
static int nl_guard_add(struct genl_info *info, const struct seen_guard_config *config,
			const struct seen_guard_lists *lists,
			struct seen_exempts *exempts)
{
	struct seen_guard_new new = {
		.config = config, .lists = lists, .exempts = exempts,
	};
	struct seen_net *sn = seen_info_net(info);
	int err;

	if (nl_guard_makes_filter(info, config))
		new.filter = seen_profile_filter(sn, config, info->extack);
	err = PTR_ERR_OR_ZERO(new.filter);
	if (!err) {
		err = nl_guard_publish(info, &new);
		if (new.filter)
			seen_filter_destroy(new.filter);
	}
	kfree(new.exempts);
	return err;
}

int seen_nl_guard_add(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_guard_config config = {};
	struct seen_exempts *exempts = NULL;
	struct seen_guard_lists *lists;
	int err;

	lists = kzalloc(sizeof(*lists), GFP_KERNEL);
	if (!lists) {
		NL_SET_ERR_MSG(info->extack, SEEN_TEXT_MEMORY("dev"));
		return -ENOMEM;
	}
	err = seen_nl_guard_parse(info, &config) ?:
	      seen_nl_guard_parse_lists(info, &config, lists);
	if (!err)
		exempts = seen_nl_guard_parse_exempts(info, &config);
	err = err ?: PTR_ERR_OR_ZERO(exempts);
	if (!err)
		err = nl_guard_add(info, &config, lists, exempts);
	kfree(lists);
	return err;
}

int seen_nl_guard_del(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_guard *guard = seen_info_guard(info);

	if (IS_ERR(guard))
		return PTR_ERR(guard);
	seen_guard_del(guard);
	return 0;
}

static int nl_guard_check_set_all(struct genl_info *info)
{
	static const char only[] =
		"all: needs paused or reset, and no other attribute";
	int attr;

	for (attr = SEEN_A_GUARD_KIND; attr <= SEEN_A_GUARD_MAX; attr++)
		if (info->attrs[attr] && attr != SEEN_A_GUARD_PAUSED &&
		    attr != SEEN_A_GUARD_RESET && attr != SEEN_A_GUARD_ALL)
			return seen_nl_refuse(info, info->attrs[attr], only);
	return info->attrs[SEEN_A_GUARD_PAUSED] ||
	       info->attrs[SEEN_A_GUARD_RESET] ? 0 :
	       seen_nl_refuse(info, info->attrs[SEEN_A_GUARD_ALL], only);
}

static int nl_guard_set_all(struct genl_info *info)
{
	struct seen_guard_config config = {};
	struct seen_guard *guard;
	int err;

	err = nl_guard_check_set_all(info);
	if (err)
		return err;
	seen_nl_guard_parse_paused(info, &config);
	list_for_each_entry(guard, &seen_info_net(info)->guards, list) {
		if (info->attrs[SEEN_A_GUARD_PAUSED])
			seen_guard_set_paused(guard, config.paused);
		if (info->attrs[SEEN_A_GUARD_RESET])
			seen_guard_count_anew(guard);
	}
	return 0;
}

/* Attributes of SEEN_CMD_GUARD_SET. */
static const int live[] = {
	SEEN_A_GUARD_MATCH, SEEN_A_GUARD_ACTION, SEEN_A_GUARD_MARK,
	SEEN_A_GUARD_MARK_VALUE, SEEN_A_GUARD_NO_BLOCK, SEEN_A_GUARD_PROTECT,
	SEEN_A_GUARD_PAUSED, SEEN_A_GUARD_STORM, SEEN_A_GUARD_REPEAT,
	SEEN_A_GUARD_NO_PROBE, SEEN_A_GUARD_EXEMPT, SEEN_A_GUARD_SUSPECT,
	SEEN_A_GUARD_BLOCK_FIRST_NS, SEEN_A_GUARD_BLOCK_MAX_NS,
	SEEN_A_GUARD_RESET,
};

static int nl_guard_check_set(struct genl_info *info)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(live); i++)
		if (info->attrs[live[i]])
			return 0;
	return seen_nl_refuse(info, info->attrs[SEEN_A_GUARD_DEV],
			      "set: nothing to change; give at least one attribute");
}

/* Is anything changed but PAUSED and RESET? These two have their own events. */
static bool nl_guard_changes_more(const struct genl_info *info)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(live); i++)
		if (info->attrs[live[i]] && live[i] != SEEN_A_GUARD_PAUSED &&
		    live[i] != SEEN_A_GUARD_RESET)
			return true;
	return false;
}

static int nl_guard_change(struct genl_info *info, struct seen_guard *guard,
			   const struct seen_guard_config *config)
{
	struct seen_protect *protect = seen_nl_guard_parse_protect(info, config);
	struct seen_exempts *exempts;

	if (IS_ERR(protect))
		return PTR_ERR(protect);
	exempts = seen_nl_guard_parse_exempts(info, config);
	if (IS_ERR(exempts)) {
		kfree(protect);
		return PTR_ERR(exempts);
	}
	seen_guard_change(guard, config);
	if (exempts)
		seen_guard_exempt_change(guard, exempts);
	if (protect)
		seen_guard_protect_change(guard, protect);
	if (nl_guard_changes_more(info))
		seen_guard_changed(guard, SEEN_CHANGE_SET);
	if (info->attrs[SEEN_A_GUARD_RESET])
		seen_guard_count_anew(guard);
	kfree(protect);
	return 0;
}

int seen_nl_guard_set(struct sk_buff *skb, struct genl_info *info)
{
	const struct seen_filter *filter;
	struct seen_guard_config config;
	struct seen_guard *guard;
	int err;

	if (info->attrs[SEEN_A_GUARD_ALL])
		return nl_guard_set_all(info);
	guard = seen_info_guard(info);
	if (IS_ERR(guard))
		return PTR_ERR(guard);
	config = guard->config;
	filter = seen_binding_filter(guard->binding);
	err = nl_guard_check_set(info) ?:
	      seen_nl_guard_parse_changes(info, &config) ?:
	      seen_guard_check_action(&config, config.action, info->extack) ?:
	      seen_guard_check_filter(&config, filter, info->extack) ?:
	      seen_guard_check_match(guard, config.match, info->extack);
	return err ?: nl_guard_change(info, guard, &config);
}
