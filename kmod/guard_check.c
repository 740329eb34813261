// SPDX-License-Identifier: GPL-2.0
/* Check that the parameters of a guard and its filter are compatible. */
#include "guard_port.h"

int seen_guard_check_action(const struct seen_guard_config *config, u32 action,
			    struct netlink_ext_ack *extack)
{
	if (action == SEEN_ACTION_MARK && config->mark_value &&
	    config->verdict != SEEN_VERDICT_LISTED) {
		NL_SET_ERR_MSG(extack,
			       "mark-value: needs verdict listed");
		return -EINVAL;
	}
	if (action != SEEN_ACTION_BLOCK)
		return 0;
	if (config->verdict != SEEN_VERDICT_LOOP) {
		NL_SET_ERR_MSG(extack,
			       "action: block needs profile loop");
		return -EINVAL;
	}
	if (config->kind != SEEN_GUARD_KIND_BRIDGE) {
		NL_SET_ERR_MSG(extack,
			       "action: block needs a bridge guard; use drop for a single device");
		return -EINVAL;
	}
	if (!IS_ENABLED(CONFIG_NETFILTER_EGRESS)) {
		NL_SET_ERR_MSG(extack,
			       "action: block needs a kernel with CONFIG_NETFILTER_EGRESS");
		return -EOPNOTSUPP;
	}
	return 0;
}

static int check_kind(const struct seen_guard_config *config,
		      struct netlink_ext_ack *extack)
{
	if (config->kind == SEEN_GUARD_KIND_BRIDGE &&
	    config->hook != SEEN_HOOK_INGRESS) {
		NL_SET_ERR_MSG(extack,
			       "hook: must be ingress for a bridge guard");
		return -EINVAL;
	}
	if (config->kind == SEEN_GUARD_KIND_BRIDGE &&
	    !IS_ENABLED(CONFIG_NETFILTER_FAMILY_BRIDGE)) {
		NL_SET_ERR_MSG(extack,
			       "kind: bridge needs a kernel with CONFIG_NETFILTER_FAMILY_BRIDGE");
		return -EOPNOTSUPP;
	}
	if (config->hook == SEEN_HOOK_EGRESS &&
	    !IS_ENABLED(CONFIG_NETFILTER_EGRESS)) {
		NL_SET_ERR_MSG(extack,
			       "hook: egress needs a kernel with CONFIG_NETFILTER_EGRESS");
		return -EOPNOTSUPP;
	}
	return 0;
}

static int check_loop(const struct seen_geometry *geo,
		      struct netlink_ext_ack *extack)
{
	if (geo->window < SEEN_LOOP_OTHER) {
		NL_SET_ERR_MSG(extack,
			       "filter: profile loop needs a window of at least 500ms");
		return -EINVAL;
	}
	if (geo->tick > SEEN_LOOP_TICK) {
		NL_SET_ERR_MSG(extack,
			       "filter: profile loop needs a tick of at most 25ms; use a window of 500ms");
		return -EINVAL;
	}
	return 0;
}

/* Guards do not add to a map, and a sketch cannot test and add in one step. */
static int check_dup(const struct seen_geometry *geo,
		     struct netlink_ext_ack *extack)
{
	if (geo->kind == SEEN_SET_MAP) {
		NL_SET_ERR_MSG(extack,
			       "filter: type map needs verdict listed");
		return -EINVAL;
	}
	if (!seen_set_can_test_and_add(geo)) {
		NL_SET_ERR_MSG(extack,
			       "filter: types cms and cmm need verdict heavy or listed");
		return -EINVAL;
	}
	return 0;
}

static int check_heavy(const struct seen_geometry *geo,
		       struct netlink_ext_ack *extack)
{
	if (geo->kind != SEEN_SET_COUNTING && geo->kind != SEEN_SET_CMS &&
	    geo->kind != SEEN_SET_CMM) {
		NL_SET_ERR_MSG(extack,
			       "filter: verdict heavy needs type counting, cms or cmm");
		return -EINVAL;
	}
	if (geo->threshold < 2) {
		NL_SET_ERR_MSG(extack,
			       "filter: verdict heavy needs a threshold of at least 2");
		return -EINVAL;
	}
	return 0;
}

static int check_ports(const struct seen_guard_config *config,
		       const struct seen_geometry *geo,
		       struct netlink_ext_ack *extack)
{
	if (!seen_ports_known(geo)) {
		NL_SET_ERR_MSG(extack,
			       "filter: this verdict needs type cuckoo with a window and at least 16 bits");
		return -EINVAL;
	}
	return config->verdict == SEEN_VERDICT_LOOP ? check_loop(geo, extack) : 0;
}

static int check_verdict(const struct seen_guard_config *config,
			 const struct seen_geometry *geo,
			 struct netlink_ext_ack *extack)
{
	switch (config->verdict) {
	case SEEN_VERDICT_DUP:
		return check_dup(geo, extack);
	case SEEN_VERDICT_LISTED:
		return 0;
	case SEEN_VERDICT_HEAVY:
		return check_heavy(geo, extack);
	}
	return check_ports(config, geo, extack);
}

int seen_guard_check_filter(const struct seen_guard_config *config,
			    const struct seen_filter *filter,
			    struct netlink_ext_ack *extack)
{
	if (filter->spec.field[0].id == SEEN_FIELD_BYTES) {
		NL_SET_ERR_MSG(extack,
			       "filter: packets have no field bytes; use a filter with another key");
		return -EINVAL;
	}
	if (seen_keyspec_has(&filter->spec, SEEN_FIELD_ID)) {
		NL_SET_ERR_MSG(extack,
			       "filter: packets have no field id; use a filter with another key");
		return -EINVAL;
	}
	if (filter->spec.prefix && config->verdict != SEEN_VERDICT_LISTED) {
		NL_SET_ERR_MSG(extack,
			       "filter: a key with prefixes of any length needs verdict listed");
		return -EINVAL;
	}
	if (config->action == SEEN_ACTION_MARK && config->mark_value &&
	    filter->set.geo.kind != SEEN_SET_MAP) {
		NL_SET_ERR_MSG(extack,
			       "mark-value: needs a filter of type map");
		return -EINVAL;
	}
	return check_verdict(config, &filter->set.geo, extack);
}

static int check_binding(const struct seen_guard_config *config,
			 const struct seen_binding *binding,
			 struct netlink_ext_ack *extack)
{
	if (binding->owned) {
		NL_SET_ERR_MSG(extack,
			       "filter: belongs to another guard; add one of your own");
		return -EBUSY;
	}
	if (binding->feed && seen_verdict_knows_ports(config->verdict)) {
		NL_SET_ERR_MSG(extack,
			       "filter: has a feed, and this verdict stores ports; use a filter without a feed");
		return -EINVAL;
	}
	return seen_guard_check_filter(config, seen_binding_filter(binding),
				       extack);
}

int seen_guard_check_feed(const struct seen_binding *binding,
			  struct netlink_ext_ack *extack)
{
	const struct seen_guard *guard;

	lockdep_assert_held(&binding->sn->lock);
	list_for_each_entry(guard, &binding->pins, pin.list) {
		if (!seen_verdict_knows_ports(guard->config.verdict))
			continue;
		NL_SET_ERR_MSG(extack,
			       "filter: a guard with verdict loop or other-port stores ports in it; use another filter");
		return -EOPNOTSUPP;
	}
	return 0;
}

int seen_guard_check_new(const struct seen_guard_new *new,
			 struct netlink_ext_ack *extack)
{
	const struct seen_guard_config *config = new->config;

	return check_kind(config, extack) ?:
	       seen_guard_check_action(config, config->action, extack) ?:
	       (new->binding ? check_binding(config, new->binding, extack) : 0);
}
