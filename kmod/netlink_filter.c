// SPDX-License-Identifier: GPL-2.0
/* Commands of filters. */
#include <linux/random.h>

#include "allow.h"
#include "core/plan_text.h"
#include "guard_profile.h"
#include "netlink.h"

static u64 nl_filter_get_u64(struct genl_info *info, int attr)
{
	return info->attrs[attr] ? nla_get_u64(info->attrs[attr]) : 0;
}

static int nl_filter_parse_geometry(struct genl_info *info, struct seen_geometry *geo)
{
	struct nlattr **attrs = info->attrs;
	int err;

	geo->capacity = nl_filter_get_u64(info, SEEN_A_FILTER_CAPACITY);
	geo->fpp = nl_filter_get_u64(info, SEEN_A_FILTER_FPP);
	geo->window = nl_filter_get_u64(info, SEEN_A_FILTER_WINDOW);
	geo->refresh = attrs[SEEN_A_FILTER_REFRESH];
	if (attrs[SEEN_A_FILTER_FP_BITS])
		geo->fp_bits = nla_get_u32(attrs[SEEN_A_FILTER_FP_BITS]);
	if (geo->refresh && !geo->window) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[SEEN_A_FILTER_REFRESH],
				    SEEN_TEXT_NO_WINDOW);
		return -EINVAL;
	}
	err = seen_nl_type_parse(info, geo);
	if (err)
		return err;
	if (!attrs[SEEN_A_FILTER_FPP] && !geo->fp_bits &&
	    !seen_nl_type_is_exact(geo)) {
		NL_SET_ERR_MSG(info->extack,
			       "fpp: required, or bits");
		return -EINVAL;
	}
	return 0;
}

static int nl_filter_check_on_full(const struct seen_geometry *geo, u32 on_full,
				   struct netlink_ext_ack *extack)
{
	if (!seen_filter_can_fill(geo)) {
		NL_SET_ERR_MSG(extack,
			       "on-full: types bitmap, cms and cmm are never full; omit it");
		return -EINVAL;
	}
	if (on_full == SEEN_ON_FULL_EVICT && geo->kind != SEEN_SET_CUCKOO_WINDOW) {
		NL_SET_ERR_MSG(extack,
			       "on-full: evict needs type cuckoo with a window");
		return -EINVAL;
	}
	if (on_full == SEEN_ON_FULL_ROTATE && geo->kind != SEEN_SET_BLOOM_WINDOW) {
		NL_SET_ERR_MSG(extack,
			       "on-full: rotate needs type bloom with a window");
		return -EINVAL;
	}
	return 0;
}

static int nl_filter_parse_on_full(struct genl_info *info,
				   struct seen_filter_config *config)
{
	struct nlattr *attr = info->attrs[SEEN_A_FILTER_ON_FULL];

	config->on_full = config->geo.kind == SEEN_SET_CUCKOO_WINDOW ?
			  SEEN_ON_FULL_EVICT : SEEN_ON_FULL_REJECT;
	if (!attr)
		return 0;
	config->on_full = nla_get_u32(attr);
	return nl_filter_check_on_full(&config->geo, config->on_full, info->extack);
}

static void nl_filter_parse_secret(struct genl_info *info, struct seen_secret *secret)
{
	const struct nlattr *attr = info->attrs[SEEN_A_FILTER_SECRET];

	if (attr)
		seen_secret_set(secret, nla_data(attr));
	else
		get_random_bytes(secret, sizeof(*secret));
}

/* Check the name before a large table is allocated. */
static int nl_filter_check_name(struct genl_info *info)
{
	struct seen_net *sn = seen_info_net(info);
	int err;

	down_read(&sn->lock);
	err = seen_binding_check_name(sn,
				      nla_data(info->attrs[SEEN_A_FILTER_NAME]),
				      info->extack);
	up_read(&sn->lock);
	return err;
}

static int nl_filter_publish(struct genl_info *info, struct seen_filter *filter)
{
	const char *name = nla_data(info->attrs[SEEN_A_FILTER_NAME]);
	struct seen_net *sn = seen_info_net(info);
	struct seen_binding *binding;

	down_write(&sn->lock);
	binding = seen_binding_add(sn, name, filter, false, info->extack);
	if (IS_ERR(binding))
		seen_filter_destroy(filter);
	up_write(&sn->lock);
	return PTR_ERR_OR_ZERO(binding);
}

int seen_nl_filter_parse(struct genl_info *info,
			 struct seen_filter_config *config)
{
	if (GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_NAME) ||
	    GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_TYPE) ||
	    GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_CAPACITY))
		return -EINVAL;
	return nl_filter_parse_geometry(info, &config->geo) ?:
	       seen_keyspec_parse(&config->spec,
				  info->attrs[SEEN_A_FILTER_PROFILE],
				  info->attrs[SEEN_A_FILTER_KEY],
				  info->attrs[SEEN_A_FILTER_INNER],
				  info->nlhdr,
				  info->extack) ?:
	       seen_nl_type_parse_rest(info, config) ?:
	       nl_filter_parse_on_full(info, config);
}

int seen_nl_filter_add(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_filter_config config = {};
	struct seen_filter *filter;
	int err;

	err = seen_nl_filter_parse(info, &config);
	if (err)
		return err;
	err = nl_filter_check_name(info);
	if (err)
		return err;
	nl_filter_parse_secret(info, &config.secret);
	filter = seen_filter_create(seen_info_net(info), &config, false,
				    info->extack);
	memzero_explicit(&config.secret, sizeof(config.secret));
	return IS_ERR(filter) ? PTR_ERR(filter) : nl_filter_publish(info, filter);
}

/*
 * nftables frees rules from a work item, so this request may arrive before the last deleted
 * rule is freed. Then it fails with -EAGAIN, and SEEN_CMD_UNUSED_NTF reports when to try
 * again. Do not wait here: all of generic netlink may have to wait as well.
 */
int seen_nl_filter_del(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_binding *binding = seen_nl_binding_find(info, &seen_nl_filter);
	int err;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	err = seen_profile_check_owned(binding, "name",
				       binding->guards > 1 ? "; delete them instead" :
				       "; delete that guard", info->extack);
	if (err)
		return err;
	if (binding->allow_maps) {
		SEEN_SET_ERR_MSG_FMT(binding->sn, info->extack,
				     "name: is an allow map (filters: %u); remove it there first",
				     binding->allow_maps);
		return -EBUSY;
	}
	if (seen_binding_used(binding)) {
		SEEN_SET_ERR_MSG_FMT(binding->sn, info->extack,
				     "name: is in use (guards: %u, rules: %u); delete them first",
				     binding->guards, binding->rules);
		return binding->guards ? -EBUSY : -EAGAIN;
	}
	seen_binding_del(binding);
	return 0;
}

static int nl_filter_check_set(struct genl_info *info)
{
	if (info->attrs[SEEN_A_FILTER_ON_FULL] ||
	    info->attrs[SEEN_A_FILTER_ALLOW_MAP] ||
	    info->attrs[SEEN_A_FILTER_ALLOW_MAP_ID] ||
	    info->attrs[SEEN_A_FILTER_RESET])
		return 0;
	NL_SET_ERR_MSG(info->extack,
		       "set: nothing to change; give on-full, allow-map or reset");
	return -EINVAL;
}

static int nl_filter_check_set_on_full(struct genl_info *info,
				       const struct seen_filter *filter)
{
	const struct nlattr *attr = info->attrs[SEEN_A_FILTER_ON_FULL];

	return attr ? nl_filter_check_on_full(&filter->set.geo, nla_get_u32(attr),
					      info->extack) : 0;
}

static void nl_filter_set_on_full(struct seen_filter *filter, u32 on_full)
{
	WRITE_ONCE(filter->on_full, on_full);
	WRITE_ONCE(filter->set.geo.evict, on_full == SEEN_ON_FULL_EVICT);
}

/* An empty name without an id removes the allow map. */
static int nl_filter_set_allow_map(struct genl_info *info, struct seen_binding *binding)
{
	const struct nlattr *name = info->attrs[SEEN_A_FILTER_ALLOW_MAP];
	struct seen_binding *map;

	if (name && !*(const char *)nla_data(name) &&
	    !info->attrs[SEEN_A_FILTER_ALLOW_MAP_ID]) {
		seen_allow_map_drop(binding);
		return 0;
	}
	map = seen_nl_binding_find(info, &seen_nl_allow_map);
	return IS_ERR(map) ? PTR_ERR(map)
			   : seen_binding_set_allow_map(binding, map, info->extack);
}

int seen_nl_filter_set(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *on_full = info->attrs[SEEN_A_FILTER_ON_FULL];
	bool map = info->attrs[SEEN_A_FILTER_ALLOW_MAP] ||
		   info->attrs[SEEN_A_FILTER_ALLOW_MAP_ID];
	struct seen_binding *binding = seen_nl_binding_find(info, &seen_nl_filter);
	int err;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	err = nl_filter_check_set(info) ?:
	      nl_filter_check_set_on_full(info, seen_binding_filter(binding));
	if (!err && map)
		err = nl_filter_set_allow_map(info, binding);
	if (!err && on_full)
		nl_filter_set_on_full(seen_binding_filter(binding), nla_get_u32(on_full));
	if (!err && info->attrs[SEEN_A_FILTER_RESET])
		seen_binding_count_anew(binding);
	if (!err && (map || on_full))
		seen_binding_changed(binding, SEEN_CHANGE_SET, NULL);
	if (!err && info->attrs[SEEN_A_FILTER_RESET])
		seen_binding_changed(binding, SEEN_CHANGE_RESET, NULL);
	return err;
}

int seen_nl_filter_flush(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_binding *binding =
		seen_nl_binding_find_to_change(info, &seen_nl_filter);

	return IS_ERR(binding) ? PTR_ERR(binding)
			    : seen_binding_flush(binding, info->extack);
}

int seen_nl_filter_rename(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_binding *binding = seen_nl_binding_find(info, &seen_nl_filter);
	int err;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	if (GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_NEW_NAME))
		return -EINVAL;
	err = seen_profile_check_owned(binding, "name", " and cannot be renamed",
				       info->extack);
	if (err)
		return err;
	return seen_binding_rename(binding, info->attrs[SEEN_A_FILTER_NEW_NAME],
				   info->extack);
}

int seen_nl_filter_swap(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_binding *binding = seen_nl_binding_find(info, &seen_nl_filter);
	struct seen_binding *other;
	int err;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	other = seen_nl_binding_find(info, &seen_nl_other_filter);
	if (IS_ERR(other))
		return PTR_ERR(other);
	err = seen_profile_check_owned(binding, "name", "; use another filter",
				       info->extack) ?:
	      seen_profile_check_owned(other, "new-name", "; use another filter",
				       info->extack);
	return err ?: seen_binding_swap(binding, other, info->extack);
}
