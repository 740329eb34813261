// SPDX-License-Identifier: GPL-2.0
/* Find the filter or the guard that a request names by id, by name, or by both. */
#include <net/sock.h>

#include "guard.h"
#include "netlink.h"

const struct seen_nl_which seen_nl_filter = {
	.name = SEEN_A_FILTER_NAME,
	.id = SEEN_A_FILTER_ID,
	.word = "id",
	.required = "name: required, or id",
};

const struct seen_nl_which seen_nl_other_filter = {
	.name = SEEN_A_FILTER_NEW_NAME,
	.id = SEEN_A_FILTER_NEW_ID,
	.word = "new-id",
	.required = "new-name: required, or new-id",
};

const struct seen_nl_which seen_nl_key_filter = {
	.name = SEEN_A_KEY_FILTER,
	.id = SEEN_A_KEY_FILTER_ID,
	.word = "filter-id",
	.required = "filter: required, or filter-id",
};

const struct seen_nl_which seen_nl_allow_map = {
	.name = SEEN_A_FILTER_ALLOW_MAP,
	.id = SEEN_A_FILTER_ALLOW_MAP_ID,
	.word = "allow-map-id",
	.required = "allow-map: required, or allow-map-id",
};

const struct seen_nl_which seen_nl_guard_filter = {
	.name = SEEN_A_GUARD_FILTER,
	.id = SEEN_A_GUARD_FILTER_ID,
	.word = "filter-id",
	.required = "filter: required, or profile",
};

const struct seen_nl_which seen_nl_feed_filter = {
	.name = SEEN_A_FEED_FILTER,
	.id = SEEN_A_FEED_FILTER_ID,
	.word = "filter-id",
	.required = "filter: required, or filter-id",
};

/* A binding that only rules use has no filter, so a request cannot name it. */
static struct seen_binding *object_binding(struct seen_net *sn,
					   const struct nlattr *id,
					   struct netlink_ext_ack *extack)
{
	struct seen_binding *binding = seen_binding_by_id(sn, nla_get_u32(id));

	if (binding && seen_binding_filter(binding))
		return binding;
	NL_SET_BAD_ATTR(extack, id);
	SEEN_SET_ERR_MSG_FMT(sn, extack, "filter with id %u does not exist", nla_get_u32(id));
	return ERR_PTR(-ENOENT);
}

/* One of @name and @id may be NULL. */
static struct seen_binding *object_find(struct seen_net *sn,
					const struct nlattr *name,
					const struct nlattr *id, const char *word,
					struct netlink_ext_ack *extack)
{
	struct seen_binding *binding;

	if (!id)
		return seen_binding_find(sn, name, extack);
	binding = object_binding(sn, id, extack);
	if (IS_ERR(binding) || !name || !strcmp(binding->name, nla_data(name)))
		return binding;
	NL_SET_BAD_ATTR(extack, id);
	SEEN_SET_ERR_MSG_FMT(sn, extack, "%s: the filter with this id has another name",
			     word);
	return ERR_PTR(-EINVAL);
}

struct seen_binding *seen_nl_binding_find(struct genl_info *info,
					  const struct seen_nl_which *which)
{
	const struct nlattr *name = info->attrs[which->name];
	const struct nlattr *id = info->attrs[which->id];

	if (name || id)
		return object_find(seen_info_net(info), name, id, which->word,
				   info->extack);
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
				   which->word, cb->extack);
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

/* Do the other attributes of the request match the guard? */
static bool object_is_at(const struct seen_guard_config *config,
			 const struct nlattr *kind, const struct nlattr *dev,
			 const struct nlattr *hook)
{
	return (!kind || nla_get_u32(kind) == config->kind) &&
	       (!hook || nla_get_u32(hook) == config->hook) &&
	       (!dev || !strcmp(nla_data(dev), config->dev));
}

static struct seen_guard *object_guard_at(struct seen_net *sn,
					  const struct nlattr *kind,
					  const struct nlattr *dev,
					  const struct nlattr *hook,
					  struct netlink_ext_ack *extack)
{
	u32 on = SEEN_HOOK_INGRESS;
	struct seen_guard *guard;

	if (!kind) {
		NL_SET_ERR_MSG(extack, "kind: required, or id");
		return ERR_PTR(-EINVAL);
	}
	if (!dev) {
		NL_SET_ERR_MSG(extack, "dev: required, or id");
		return ERR_PTR(-EINVAL);
	}
	if (!dev_valid_name(nla_data(dev))) {
		NL_SET_ERR_MSG_ATTR(extack, dev, SEEN_TEXT_DEV("dev"));
		return ERR_PTR(-EINVAL);
	}
	if (hook)
		on = nla_get_u32(hook);
	guard = seen_guard_find(sn, nla_get_u32(kind), nla_data(dev), on);
	if (guard)
		return guard;
	NL_SET_BAD_ATTR(extack, dev);
	SEEN_SET_ERR_MSG_FMT(sn, extack, "guard %s %s%s does not exist",
			     nla_get_u32(kind) == SEEN_GUARD_KIND_BRIDGE ? "bridge" : "dev",
			     (const char *)nla_data(dev),
			     on == SEEN_HOOK_EGRESS ? " hook egress" : "");
	return ERR_PTR(-ENOENT);
}

struct seen_guard *seen_nl_guard_find(struct seen_net *sn,
				      struct nlattr *const attrs[],
				      const struct seen_nl_place *place,
				      struct netlink_ext_ack *extack)
{
	const struct nlattr *kind = attrs[place->kind];
	const struct nlattr *hook = attrs[place->hook];
	const struct nlattr *dev = attrs[place->dev];
	const struct nlattr *id = attrs[place->id];
	struct seen_guard *guard;

	if (!id)
		return object_guard_at(sn, kind, dev, hook, extack);
	guard = object_guard(sn, nla_get_u32(id));
	if (!guard) {
		NL_SET_BAD_ATTR(extack, id);
		SEEN_SET_ERR_MSG_FMT(sn, extack, "guard with id %u does not exist",
				     nla_get_u32(id));
		return ERR_PTR(-ENOENT);
	}
	if (object_is_at(&guard->config, kind, dev, hook))
		return guard;
	NL_SET_ERR_MSG_ATTR(extack, id,
			    "id: the guard with this id has another kind, dev or hook; omit them or the id");
	return ERR_PTR(-EINVAL);
}

struct seen_guard *seen_info_guard(struct genl_info *info)
{
	static const struct seen_nl_place place = {
		.id = SEEN_A_GUARD_ID,
		.kind = SEEN_A_GUARD_KIND,
		.dev = SEEN_A_GUARD_DEV,
		.hook = SEEN_A_GUARD_HOOK,
	};

	return seen_nl_guard_find(seen_info_net(info), info->attrs, &place,
				  info->extack);
}
