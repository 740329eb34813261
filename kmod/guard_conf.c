// SPDX-License-Identifier: GPL-2.0
/* Adding, changing and deleting guards. */
#include <linux/random.h>
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

/* A guard whose verdict depends on ports was checked with these members of the geometry. */
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
			       "type: a guard of the filter needs the same type, bits and window");
		return -EINVAL;
	}
	return seen_guard_check_filter(&guard->config, filter, extack);
}

static int guard_conf_check_place(struct seen_net *sn,
				  const struct seen_guard_config *config,
				  struct netlink_ext_ack *extack)
{
	if (!seen_guard_find(sn, config->kind, config->dev, config->hook))
		return 0;
	SEEN_SET_ERR_MSG_FMT(sn, extack, "guard %s %s%s already exists",
			     config->kind == SEEN_GUARD_KIND_BRIDGE ? "bridge" : "dev",
			     config->dev,
			     config->hook == SEEN_HOOK_EGRESS ? " hook egress" : "");
	return -EEXIST;
}

struct seen_binding *seen_guard_inherits(const struct seen_guard *old,
					 const struct seen_guard_config *config)
{
	return old->binding->owned && old->config.profile == config->profile ?
	       old->binding : NULL;
}

static struct seen_binding *guard_conf_binding(const struct seen_guard *guard,
					       struct seen_guard_new *new,
					       struct netlink_ext_ack *extack)
{
	struct seen_binding *binding = new->binding;

	if (!binding && guard->replaces)
		binding = seen_guard_inherits(guard->replaces, &guard->config);
	return binding ?: seen_profile_binding(guard->sn, &guard->config,
					       &new->filter, extack);
}

static int guard_conf_pin(struct seen_guard *guard, struct seen_guard_new *new,
			  struct netlink_ext_ack *extack)
{
	struct seen_binding *binding = guard_conf_binding(guard, new, extack);

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

/* Includes the maximum number of control groups. */
static u64 guard_bytes(void)
{
	return sizeof(struct seen_guard) + sizeof(struct seen_exempts) +
	       SEEN_EXEMPT_MAX * sizeof(struct seen_group);
}

static void free_guard(struct seen_guard *guard)
{
	/* No packet can be in the guard. */
	kfree(rcu_dereference_protected(guard->exempts, true));
	seen_limit_uncharge(guard->sn, guard_bytes());
	kfree(guard);
}

/* Runs a grace period after the last packet could have queued the guard's work. */
static void guard_conf_free_work(struct work_struct *work)
{
	struct seen_guard *guard = container_of(to_rcu_work(work),
						struct seen_guard, free_work);

	cancel_delayed_work_sync(&guard->work);
	free_guard(guard);
}

static struct seen_guard *guard_conf_allocate(struct seen_net *sn,
					      const struct seen_guard_new *new,
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
		NL_SET_ERR_MSG(extack, SEEN_TEXT_MEMORY("dev"));
		return ERR_PTR(-ENOMEM);
	}
	guard->sn = sn;
	guard->config = *new->config;
	guard->lists = *new->lists;
	INIT_LIST_HEAD(&guard->ports);
	seen_probe_init(&guard->probe);
	spin_lock_init(&guard->evidence_lock);
	INIT_DELAYED_WORK(&guard->work, seen_guard_work);
	INIT_RCU_WORK(&guard->free_work, guard_conf_free_work);
	return guard;
}

/*
 * Remove a guard from the list. Packets and its work may still use it. The binding may be
 * freed after a grace period, when no packet is in the guard any more. The guard's work may
 * run later: it reads the binding only for a port, and the guard has no ports.
 */
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

	return dev ? seen_guard_arm(guard, dev, true, extack) : 0;
}

/* Bridges around know a guard by its number, so a guard that replaces it keeps the number. */
static void guard_conf_set_node(struct seen_guard *guard)
{
	struct seen_trail_config *trail = &guard->config.trail;

	if (!trail->mode)
		return;
	if (!trail->node && guard->replaces)
		trail->node = guard->replaces->config.trail.node;
	if (!trail->node)
		trail->node = get_random_u64();
}

struct seen_guard *seen_guard_make(struct seen_net *sn, struct seen_guard_new *new,
				   struct seen_guard *old,
				   struct netlink_ext_ack *extack)
{
	struct seen_guard *guard;
	u32 id;
	int err;

	ASSERT_RTNL();
	err = seen_guard_check_new(new, extack) ?: seen_net_give_id(sn, &id, extack);
	if (err)
		return ERR_PTR(err);
	guard = guard_conf_allocate(sn, new, extack);
	if (IS_ERR(guard))
		return guard;
	guard->replaces = old;
	guard_conf_set_node(guard);
	if (old)
		seen_probe_follow(&guard->probe, &old->probe);
	err = guard_conf_pin(guard, new, extack);
	if (err) {
		free_guard(guard);
		return ERR_PTR(err);
	}
	RCU_INIT_POINTER(guard->exempts, new->exempts);
	new->exempts = NULL;
	guard->id = id;
	list_add_tail(&guard->list, &sn->guards);
	sn->generation++;
	err = guard_conf_start(guard, extack);
	if (err) {
		guard_conf_retire(guard);
		return ERR_PTR(err);
	}
	/* Only now, because a refused request must not send an event. */
	seen_binding_announce(guard->binding);
	return guard;
}

void seen_guard_announce(struct seen_guard *guard)
{
	seen_guard_tell(guard, SEEN_CMD_GUARD_ADD_NTF);
	if (!guard->device)
		seen_guard_tell(guard, SEEN_CMD_WAITING_NTF);
}

int seen_guard_add(struct seen_net *sn, struct seen_guard_new *new,
		   struct netlink_ext_ack *extack)
{
	struct seen_guard *guard;
	int err;

	err = guard_conf_check_place(sn, new->config, extack);
	if (err)
		return err;
	guard = seen_guard_make(sn, new, NULL, extack);
	if (IS_ERR(guard))
		return PTR_ERR(guard);
	seen_guard_announce(guard);
	return 0;
}

/* End all blocks, also those of a dry run. Packets pass at once; the work reports the end. */
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
	/* Pairs with verdict_mark(): a packet that reads the new value reads the new mark. */
	smp_store_release(&guard->config.mark_value, config->mark_value);
	/* Pairs with verdict_act(): a packet that reads the new action reads no older mark. */
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
	/* The last events of the ports come before the event of the guard, with its ifindex. */
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
