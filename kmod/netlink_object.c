// SPDX-License-Identifier: GPL-2.0
/* The filter or the guard that a request means: by its id, by its name, or by both. */
#include <net/sock.h>

#include "guard.h"
#include "netlink.h"

const struct seen_nl_which seen_nl_filter = {
	.name = SEEN_A_FILTER_NAME,
	.id = SEEN_A_FILTER_ID,
	.required = "name: required, or id",
};

const struct seen_nl_which seen_nl_other_filter = {
	.name = SEEN_A_FILTER_NEW_NAME,
	.id = SEEN_A_FILTER_NEW_ID,
	.required = "new-name: required, or new-id",
};

const struct seen_nl_which seen_nl_key_filter = {
	.name = SEEN_A_KEY_FILTER,
	.id = SEEN_A_KEY_FILTER_ID,
	.required = "filter: required, or filter-id",
};

/* A name that only rules know has an id, but no filter. */
static struct seen_binding *object_binding(struct seen_net *sn,
					   const struct nlattr *id,
					   struct netlink_ext_ack *extack)
{
	struct seen_binding *binding = seen_binding_by_id(sn, nla_get_u32(id));

	if (binding && seen_binding_filter(binding))
		return binding;
	NL_SET_ERR_MSG_ATTR(extack, id, "id: there is no such filter");
	return ERR_PTR(-ENOENT);
}

/* Either attribute may be NULL. */
static struct seen_binding *object_find(struct seen_net *sn,
					const struct nlattr *name,
					const struct nlattr *id,
					struct netlink_ext_ack *extack)
{
	struct seen_binding *binding;

	if (!id)
		return seen_binding_find(sn, name, extack);
	binding = object_binding(sn, id, extack);
	if (IS_ERR(binding) || !name || !strcmp(binding->name, nla_data(name)))
		return binding;
	NL_SET_ERR_MSG_ATTR(extack, id,
			    "id: the filter of this id has another name");
	return ERR_PTR(-EINVAL);
}

struct seen_binding *seen_nl_binding_find(struct genl_info *info,
					  const struct seen_nl_which *which)
{
	const struct nlattr *name = info->attrs[which->name];
	const struct nlattr *id = info->attrs[which->id];

	if (name || id)
		return object_find(seen_info_net(info), name, id, info->extack);
	info->extack->_msg = which->required;
	return ERR_PTR(-EINVAL);
}

struct seen_binding *
seen_nl_binding_find_to_dump(const struct netlink_callback *cb,
			     const struct seen_nl_which *which)
{
	const struct nlattr *name = seen_nl_dump_attr(cb, which->name);
	const struct nlattr *id = seen_nl_dump_attr(cb, which->id);

	if (name || id)
		return object_find(seen_net(sock_net(cb->skb->sk)), name, id,
				   cb->extack);
	cb->extack->_msg = which->required;
	return ERR_PTR(-EINVAL);
}

struct seen_binding *
seen_nl_binding_find_to_change(struct genl_info *info,
			       const struct seen_nl_which *which)
{
	struct seen_net *sn = seen_info_net(info);
	struct seen_binding *binding;

	lockdep_assert_held(&sn->changes);
	down_read(&sn->lock);
	binding = seen_nl_binding_find(info, which);
	up_read(&sn->lock);
	return binding;
}

static struct seen_guard *object_guard(struct seen_net *sn, u32 id)
{
	struct seen_guard *guard;

	lockdep_assert_held(&sn->lock);
	list_for_each_entry(guard, &sn->guards, list)
		if (guard->id == id)
			return guard;
	return NULL;
}

/* Is what else the request says of the place true? */
static bool object_is_at(struct genl_info *info, const struct seen_guard *guard)
{
	const struct seen_guard_config *config = &guard->config;
	struct nlattr **attrs = info->attrs;

	return (!attrs[SEEN_A_GUARD_KIND] ||
		nla_get_u32(attrs[SEEN_A_GUARD_KIND]) == config->kind) &&
	       (!attrs[SEEN_A_GUARD_HOOK] ||
		nla_get_u32(attrs[SEEN_A_GUARD_HOOK]) == config->hook) &&
	       (!attrs[SEEN_A_GUARD_DEV] ||
		!strcmp(nla_data(attrs[SEEN_A_GUARD_DEV]), config->dev));
}

struct seen_guard *seen_nl_guard_by_id(struct genl_info *info)
{
	const struct nlattr *id = info->attrs[SEEN_A_GUARD_ID];
	struct seen_guard *guard = object_guard(seen_info_net(info),
						nla_get_u32(id));

	if (!guard) {
		NL_SET_ERR_MSG_ATTR(info->extack, id,
				    "id: there is no such guard");
		return ERR_PTR(-ENOENT);
	}
	if (object_is_at(info, guard))
		return guard;
	NL_SET_ERR_MSG_ATTR(info->extack, id,
			    "id: the guard of this id is on another device or hook");
	return ERR_PTR(-EINVAL);
}
