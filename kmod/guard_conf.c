// SPDX-License-Identifier: GPL-2.0
/* Guards that are added, changed and deleted: what fits together, and what not. */
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "guard_port.h"
#include "guard_profile.h"
#include "limit.h"

struct seen_guard *seen_guard_find(struct seen_net *sn, u32 kind,
				   const char *dev, u32 hook)
{
	struct seen_guard *guard;

	lockdep_assert_held(&sn->lock);
	list_for_each_entry(guard, &sn->guards, list)
		if (guard->config.kind == kind && guard->config.hook == hook &&
		    !strcmp(guard->config.dev, dev))
			return guard;
	return NULL;
}

int seen_guard_check_action(const struct seen_guard_config *config, u32 action,
			    struct netlink_ext_ack *extack)
{
	if (action == SEEN_ACTION_MARK && config->mark_value &&
	    config->verdict != SEEN_VERDICT_LISTED) {
		NL_SET_ERR_MSG(extack,
			       "mark-value: only verdict listed finds a map's value");
		return -EINVAL;
	}
	if (action != SEEN_ACTION_BLOCK)
		return 0;
	if (config->verdict != SEEN_VERDICT_LOOP) {
		NL_SET_ERR_MSG(extack,
			       "action: only profile loop has the evidence to block a port");
		return -EINVAL;
	}
	if (config->kind != SEEN_GUARD_BRIDGE) {
		NL_SET_ERR_MSG(extack,
			       "action: block is for bridge guards; a single device would be the last open port");
		return -EINVAL;
	}
	if (!IS_ENABLED(CONFIG_NETFILTER_EGRESS)) {
		NL_SET_ERR_MSG(extack,
			       "action: block needs a kernel with CONFIG_NETFILTER_EGRESS");
		return -EOPNOTSUPP;
	}
	return 0;
}

static int conf_check_kind(const struct seen_guard_config *config,
			   struct netlink_ext_ack *extack)
{
	if (config->kind == SEEN_GUARD_BRIDGE &&
	    config->hook != SEEN_HOOK_INGRESS) {
		NL_SET_ERR_MSG(extack,
			       "hook: a bridge guard looks at what comes in by its ports");
		return -EINVAL;
	}
	if (config->kind == SEEN_GUARD_BRIDGE &&
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

static int conf_check_loop(const struct seen_geometry *geo,
			   struct netlink_ext_ack *extack)
{
	if (geo->window < SEEN_LOOP_OTHER) {
		NL_SET_ERR_MSG(extack,
			       "filter: profile loop needs a window of at least 500ms");
		return -EINVAL;
	}
	if (geo->tick > SEEN_LOOP_TICK) {
		NL_SET_ERR_MSG(extack,
			       "filter: profile loop needs a tick of at most 25ms, so a window of at most 500ms");
		return -EINVAL;
	}
	return 0;
}

/* Guards never add to a map, and a sketch cannot tell a new key before it counts. */
static int conf_check_dup(const struct seen_geometry *geo,
			  struct netlink_ext_ack *extack)
{
	if (geo->kind == SEEN_SET_MAP) {
		NL_SET_ERR_MSG(extack,
			       "filter: packets are not stored in type map; use verdict listed");
		return -EINVAL;
	}
	if (!seen_set_can_test_and_add(geo)) {
		NL_SET_ERR_MSG(extack,
			       "filter: types cms and cmm only count; use verdict heavy or listed");
		return -EINVAL;
	}
	return 0;
}

static int conf_check_heavy(const struct seen_geometry *geo,
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
			       "filter: verdict heavy needs a filter with a threshold above 1");
		return -EINVAL;
	}
	return 0;
}

static int conf_check_ports(const struct seen_guard_config *config,
			    const struct seen_geometry *geo,
			    struct netlink_ext_ack *extack)
{
	if (!seen_ports_known(geo)) {
		NL_SET_ERR_MSG(extack,
			       "filter: this verdict knows ports: it needs type cuckoo with a window and at least 16 bits");
		return -EINVAL;
	}
	return config->verdict == SEEN_VERDICT_LOOP ? conf_check_loop(geo, extack)
						    : 0;
}

static int conf_check_verdict(const struct seen_guard_config *config,
			      const struct seen_geometry *geo,
			      struct netlink_ext_ack *extack)
{
	switch (config->verdict) {
	case SEEN_VERDICT_DUP:
		return conf_check_dup(geo, extack);
	case SEEN_VERDICT_LISTED:
		return 0;
	case SEEN_VERDICT_HEAVY:
		return conf_check_heavy(geo, extack);
	}
	return conf_check_ports(config, geo, extack);
}

int seen_guard_check_filter(const struct seen_guard_config *config,
			    const struct seen_filter *filter,
			    struct netlink_ext_ack *extack)
{
	if (filter->spec.field[0].id == SEEN_FIELD_BYTES) {
		NL_SET_ERR_MSG(extack,
			       "filter: its key is bytes, which no packet has");
		return -EINVAL;
	}
	if (seen_keyspec_has(&filter->spec, SEEN_FIELD_ID)) {
		NL_SET_ERR_MSG(extack,
			       "filter: its key has the field id, which no packet has");
		return -EINVAL;
	}
	if (filter->spec.prefix && config->verdict != SEEN_VERDICT_LISTED) {
		NL_SET_ERR_MSG(extack,
			       "filter: packets have no prefixes to store; use verdict listed");
		return -EINVAL;
	}
	if (config->action == SEEN_ACTION_MARK && config->mark_value &&
	    filter->set.geo.kind != SEEN_SET_MAP) {
		NL_SET_ERR_MSG(extack,
			       "mark-value: only a filter of type map has values");
		return -EINVAL;
	}
	return conf_check_verdict(config, &filter->set.geo, extack);
}

/* A guard whose verdict knows ports was checked against its filter's geometry. */
static bool conf_same_ports(const struct seen_geometry *now,
			    const struct seen_geometry *then)
{
	return now->kind == then->kind && now->fp_bits == then->fp_bits &&
	       now->window == then->window && now->tick == then->tick;
}

static int conf_check_pin(const struct seen_pin *pin, const struct seen_filter *filter,
			  struct netlink_ext_ack *extack)
{
	const struct seen_guard *guard = container_of(pin, struct seen_guard, pin);
	const struct seen_filter *now = seen_binding_filter(guard->binding);

	if (seen_verdict_knows_ports(guard->config.verdict) &&
	    !conf_same_ports(&now->set.geo, &filter->set.geo)) {
		NL_SET_ERR_MSG(extack,
			       "type: a guard that knows ports needs the same type, bits and window");
		return -EINVAL;
	}
	return seen_guard_check_filter(&guard->config, filter, extack);
}

static int conf_check_binding(const struct seen_guard_config *config,
			      const struct seen_binding *binding,
			      struct netlink_ext_ack *extack)
{
	if (binding->owned) {
		NL_SET_ERR_MSG(extack,
			       "filter: it belongs to another guard");
		return -EBUSY;
	}
	return seen_guard_check_filter(config, seen_binding_filter(binding),
				       extack);
}

static int guard_conf_check(struct seen_net *sn, const struct seen_guard_config *config,
			    const struct seen_binding *binding,
			    struct netlink_ext_ack *extack)
{
	int err;

	if (seen_guard_find(sn, config->kind, config->dev, config->hook)) {
		SEEN_SET_ERR_MSG_FMT(sn, extack, "guard %s %s%s already exists",
				     config->kind == SEEN_GUARD_BRIDGE ? "bridge"
								       : "dev",
				     config->dev,
				     config->hook == SEEN_HOOK_EGRESS ?
				     " hook egress" : "");
		return -EEXIST;
	}
	err = conf_check_kind(config, extack) ?:
	      seen_guard_check_action(config, config->action, extack);
	if (!err && binding)
		err = conf_check_binding(config, binding, extack);
	return err;
}

static int guard_conf_pin(struct seen_guard *guard, struct seen_binding *binding,
			  struct seen_filter **filter, struct netlink_ext_ack *extack)
{
	if (!binding)
		binding = seen_profile_binding(guard->sn, &guard->config,
					       filter, extack);
	if (IS_ERR(binding))
		return PTR_ERR(binding);
	guard->binding = binding;
	guard->pin.check = conf_check_pin;
	seen_binding_pin(binding, &guard->pin);
	return 0;
}

static void guard_conf_unpin(struct seen_guard *guard)
{
	struct seen_binding *binding = guard->binding;
	bool owned = binding->owned;

	seen_binding_unpin(binding, &guard->pin);
	if (owned && !binding->guards)
		seen_binding_del(binding);
}

/* With the control groups that it may have. */
static u64 guard_bytes(void)
{
	return sizeof(struct seen_guard) + sizeof(struct seen_exempts) +
	       SEEN_EXEMPT_MAX * sizeof(struct seen_group);
}

static void free_guard(struct seen_guard *guard)
{
	/* No packet is in it any more, or none has been. */
	kfree(rcu_dereference_protected(guard->exempts, true));
	seen_limit_uncharge(guard->sn, guard_bytes());
	kfree(guard);
}

/* A grace period after the last packet could have queued the guard's work. */
static void guard_conf_free_work(struct work_struct *work)
{
	struct seen_guard *guard = container_of(to_rcu_work(work),
						struct seen_guard, free_work);

	cancel_delayed_work_sync(&guard->work);
	free_guard(guard);
}

static struct seen_guard *guard_conf_allocate(struct seen_net *sn,
					      const struct seen_guard_config *config,
					      const struct seen_guard_lists *lists,
					      struct netlink_ext_ack *extack)
{
	struct seen_guard *guard;
	int err;

	err = seen_limit_charge(sn, guard_bytes(), extack);
	if (err)
		return ERR_PTR(err);
	guard = kzalloc(sizeof(*guard), SEEN_GFP);
	if (!guard) {
		seen_limit_uncharge(sn, guard_bytes());
		NL_SET_ERR_MSG(extack, "dev: not enough memory for the guard");
		return ERR_PTR(-ENOMEM);
	}
	guard->sn = sn;
	guard->config = *config;
	guard->lists = *lists;
	INIT_LIST_HEAD(&guard->ports);
	seen_probe_init(&guard->probe);
	spin_lock_init(&guard->evidence_lock);
	INIT_DELAYED_WORK(&guard->work, seen_guard_work);
	INIT_RCU_WORK(&guard->free_work, guard_conf_free_work);
	return guard;
}

/* Off the list: packets and work may still be in it, but nothing finds it. */
static void guard_conf_retire(struct seen_guard *guard)
{
	seen_guard_disarm(guard);
	list_del(&guard->list);
	guard->sn->generation++;
	guard_conf_unpin(guard);
	queue_rcu_work(seen_wq, &guard->free_work);
}

static int guard_conf_start(struct seen_guard *guard, struct netlink_ext_ack *extack)
{
	struct net_device *dev = __dev_get_by_name(guard->sn->net,
						   guard->config.dev);

	return dev ? seen_guard_arm(guard, dev, extack) : 0;
}

int seen_guard_add(struct seen_net *sn, const struct seen_guard_config *config,
		   const struct seen_guard_lists *lists,
		   struct seen_exempts **exempts, struct seen_binding *binding,
		   struct seen_filter **filter,
		   struct netlink_ext_ack *extack)
{
	struct seen_guard *guard;
	u32 id;
	int err;

	ASSERT_RTNL();
	err = guard_conf_check(sn, config, binding, extack) ?:
	      seen_net_give_id(sn, &id, extack);
	if (err)
		return err;
	guard = guard_conf_allocate(sn, config, lists, extack);
	if (IS_ERR(guard))
		return PTR_ERR(guard);
	err = guard_conf_pin(guard, binding, filter, extack);
	if (err) {
		free_guard(guard);
		return err;
	}
	RCU_INIT_POINTER(guard->exempts, *exempts);
	*exempts = NULL;
	guard->id = id;
	list_add_tail(&guard->list, &sn->guards);
	sn->generation++;
	err = guard_conf_start(guard, extack);
	if (err) {
		guard_conf_retire(guard);
		return err;
	}
	seen_guard_tell(guard, SEEN_CMD_GUARD_ADD_NTF);
	if (!guard->device)
		seen_guard_tell(guard, SEEN_CMD_WAITING_NTF);
	return 0;
}

/* Packets pass at once; the work tells. What would be blocked is not, either. */
static void guard_conf_release(struct seen_guard *guard)
{
	struct seen_port *port;

	list_for_each_entry(port, &guard->ports, list)
		seen_port_unblock(port);
	mod_delayed_work(seen_wq, &guard->work, 0);
}

void seen_guard_set_paused(struct seen_guard *guard, bool paused)
{
	bool was = guard->config.paused;

	lockdep_assert_held_write(&guard->sn->lock);
	WRITE_ONCE(guard->config.paused, paused);
	if (paused && !was)
		guard_conf_release(guard);
	if (paused != was)
		seen_guard_changed(guard, paused ? SEEN_CHANGE_PAUSE :
						   SEEN_CHANGE_RESUME);
}

void seen_guard_change(struct seen_guard *guard,
		       const struct seen_guard_config *config)
{
	bool other = guard->config.action != config->action;

	lockdep_assert_held_write(&guard->sn->lock);
	seen_guard_set_paused(guard, config->paused);
	WRITE_ONCE(guard->config.mark, config->mark);
	WRITE_ONCE(guard->config.no_probe, config->no_probe);
	WRITE_ONCE(guard->config.match, config->match);
	WRITE_ONCE(guard->config.storm, config->storm);
	WRITE_ONCE(guard->config.repeat, config->repeat);
	WRITE_ONCE(guard->config.suspect, config->suspect);
	WRITE_ONCE(guard->config.block_first, config->block_first);
	WRITE_ONCE(guard->config.block_max, config->block_max);
	/* Both pair with verdict_act(): who marks has the mark that goes with it. */
	smp_store_release(&guard->config.mark_value, config->mark_value);
	/* Its mark, one of before or of now, is there before the action is. */
	smp_store_release(&guard->config.action, config->action);
	if (other)
		guard_conf_release(guard);
}

void seen_guard_exempt_change(struct seen_guard *guard,
			      struct seen_exempts *exempts)
{
	lockdep_assert_held_write(&guard->sn->lock);
	exempts = rcu_replace_pointer(guard->exempts, exempts,
				      lockdep_is_held(&guard->sn->lock));
	if (exempts)
		kfree_rcu(exempts, rcu);
}

void seen_guard_protect_change(struct seen_guard *guard,
			       const struct seen_protect *protect)
{
	struct seen_port *port;

	lockdep_assert_held_write(&guard->sn->lock);
	guard->lists.protect = *protect;
	list_for_each_entry(port, &guard->ports, list)
		seen_port_rename(port);
}

void seen_guard_count_anew(struct seen_guard *guard)
{
	struct seen_port *port;

	lockdep_assert_held_write(&guard->sn->lock);
	list_for_each_entry(port, &guard->ports, list)
		seen_port_count_anew(port);
	seen_guard_changed(guard, SEEN_CHANGE_RESET);
}

void seen_guard_del(struct seen_guard *guard)
{
	u32 ifindex = guard->ifindex;

	ASSERT_RTNL();
	lockdep_assert_held_write(&guard->sn->lock);
	/* Its ports' last events come before its own, which reports it as it was. */
	seen_guard_disarm(guard);
	guard->ifindex = ifindex;
	seen_guard_tell(guard, SEEN_CMD_GUARD_DEL_NTF);
	guard_conf_retire(guard);
}

void seen_guard_net_exit(struct seen_net *sn)
{
	struct seen_guard *guard, *next;

	list_for_each_entry_safe(guard, next, &sn->guards, list)
		seen_guard_del(guard);
}
