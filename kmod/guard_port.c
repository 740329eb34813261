// SPDX-License-Identifier: GPL-2.0
/* Ports of guards: hooks, numbers, budgets, counters. */
#include <linux/if_arp.h>
#include <linux/netfilter_bridge.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "guard_port.h"
#include "guard_trail.h"
#include "limit.h"

static u64 port_bytes(void)
{
	return sizeof(struct seen_port) + sizeof(struct seen_port_hooks) +
	       num_possible_cpus() * sizeof(struct seen_port_stats);
}

static void free_port(struct seen_port *port)
{
	free_percpu(port->stats);
	seen_limit_uncharge(port->sn, port_bytes());
	kfree(port->hooks);
	kfree(port);
}

static void free_port_rcu(struct rcu_head *rcu)
{
	free_port(container_of(rcu, struct seen_port, rcu));
}

static void port_set_trail(struct seen_port *port)
{
	const struct seen_trail_ports *ports = &port->guard->lists.trail;
	u32 i, segment = 0;
	bool edge = false;

	for (i = 0; i < ports->count; i++) {
		if (strcmp(ports->port[i].name, port->name))
			continue;
		segment = ports->port[i].segment;
		edge = !segment;
	}
	WRITE_ONCE(port->segment, segment);
	WRITE_ONCE(port->edge, edge);
}

static bool port_is_protected(const struct seen_protect *protect, const char *name)
{
	u32 i;

	for (i = 0; i < protect->count; i++)
		if (!strcmp(protect->name[i], name))
			return true;
	return false;
}

void seen_port_rename(struct seen_port *port)
{
	lockdep_assert_held_write(&port->sn->lock);
	strscpy(port->name, port->dev->name, sizeof(port->name));
	seen_port_protect(port, port_is_protected(&port->guard->lists.protect,
						  port->name));
	port_set_trail(port);
}

static struct seen_port *port_allocate(struct seen_net *sn)
{
	struct seen_port *port;

	port = kzalloc(sizeof(*port), SEEN_GFP);
	if (!port)
		return NULL;
	port->stats = alloc_percpu_gfp(struct seen_port_stats,
				       SEEN_GFP | __GFP_ZERO);
	port->hooks = kzalloc(sizeof(*port->hooks), SEEN_GFP);
	if (!port->stats || !port->hooks) {
		free_percpu(port->stats);
		kfree(port->hooks);
		kfree(port);
		return NULL;
	}
	RCU_INIT_POINTER(port->hooks->port, port);
	port->sn = sn;
	seen_budget_init(&port->budget);
	port->alarm.state = SEEN_ALARM_CALM;
	spin_lock_init(&port->last_lock);
	return port;
}

static struct seen_port *port_charge(struct seen_net *sn,
				     struct netlink_ext_ack *extack)
{
	struct seen_port *port;
	int err;

	err = seen_limit_charge(sn, port_bytes(), extack);
	if (err)
		return ERR_PTR(err);
	port = port_allocate(sn);
	if (port)
		return port;
	seen_limit_uncharge(sn, port_bytes());
	NL_SET_ERR_MSG(extack, SEEN_TEXT_MEMORY("dev"));
	return ERR_PTR(-ENOMEM);
}

/*
 * Numbers are unique in the namespace, so that guards can swap their filters. They are given
 * cyclically, so that entries of a deleted port in the filter are not taken for entries of
 * the next port.
 */
static int port_give_number(struct seen_port *port, struct netlink_ext_ack *extack)
{
	struct seen_net *sn = port->sn;
	int err;

	err = xa_alloc_cyclic(&sn->ports, &port->number, port,
			      XA_LIMIT(1, SEEN_ARRIVAL_MAX), &sn->next_port, SEEN_GFP);
	if (err == -EBUSY)
		NL_SET_ERR_MSG(extack,
			       "dev: this namespace already has 1023 guarded ports, the maximum; delete a guard");
	else if (err < 0)
		NL_SET_ERR_MSG(extack, SEEN_TEXT_MEMORY("dev"));
	return min(err, 0);
}

/* A port that replaces another one takes over its number and share later. */
static int port_count(struct seen_port *port, struct netlink_ext_ack *extack)
{
	struct seen_binding *binding = port->guard->binding;
	int err;

	if (seen_port_before(port))
		return 0;
	err = port_give_number(port, extack);
	if (err)
		return err;
	WRITE_ONCE(binding->ports, binding->ports + 1);
	port->counted = true;
	return 0;
}

static void port_uncount(struct seen_port *port)
{
	struct seen_binding *binding = port->guard->binding;

	if (!port->counted)
		return;
	xa_erase(&port->sn->ports, port->number);
	WRITE_ONCE(binding->ports, binding->ports - 1);
}

struct seen_port *seen_port_before(const struct seen_port *port)
{
	struct seen_port *old;

	lockdep_assert_held(&port->sn->lock);
	if (!port->guard->replaces)
		return NULL;
	list_for_each_entry(old, &port->guard->replaces->ports, list)
		if (old->dev == port->dev)
			return old;
	return NULL;
}

bool seen_port_keeps_hooks(const struct seen_port *port, const struct seen_port *old)
{
	const struct seen_guard_config *config = &port->guard->config;
	const struct seen_guard_config *before = &old->guard->config;

	return config->priority == before->priority &&
	       !config->trail.mode == !before->trail.mode &&
	       seen_guard_may_block(config) == seen_guard_may_block(before);
}

void seen_port_take_number(struct seen_port *port, struct seen_port *old)
{
	struct seen_binding *from = old->guard->binding, *to = port->guard->binding;

	lockdep_assert_held_write(&port->sn->lock);
	port->number = old->number;
	port->counted = true;
	old->counted = false;
	/* If both guards have the same filter, its number of ports does not change. */
	if (from != to) {
		WRITE_ONCE(to->ports, to->ports + 1);
		WRITE_ONCE(from->ports, from->ports - 1);
	}
	/* Overwrites an entry, so nothing is allocated. */
	xa_store(&port->sn->ports, port->number, port, SEEN_GFP);
}

void seen_port_take_hooks(struct seen_port *port, struct seen_port *old)
{
	ASSERT_RTNL();
	if (seen_port_keeps_hooks(port, old)) {
		swap(port->hooks, old->hooks);
		/* Pairs with rcu_dereference() in the hooks. */
		rcu_assign_pointer(port->hooks->port, port);
	}
	seen_bridge_replace(old, port);
}

static bool port_is_offloaded(struct net_device *dev)
{
	struct netdev_phys_item_id id;

	return !dev_get_port_parent_id(dev, &id, true);
}

struct seen_port *seen_port_add(struct seen_guard *guard,
				struct net_device *dev,
				struct netlink_ext_ack *extack)
{
	struct seen_net *sn = guard->sn;
	struct seen_port *port;
	u32 id;
	int err;

	ASSERT_RTNL();
	err = seen_net_give_id(sn, &id, extack);
	if (err)
		return ERR_PTR(err);
	port = port_charge(sn, extack);
	if (IS_ERR(port))
		return port;
	port->guard = guard;
	port->dev = dev;
	port->id = id;
	err = port_count(port, extack);
	if (err) {
		free_port(port);
		return ERR_PTR(err);
	}
	port->self = guard->config.kind == SEEN_GUARD_KIND_BRIDGE &&
		     dev == guard->device;
	port->ethernet = dev->type == ARPHRD_ETHER;
	port->offloaded = !port->self && port_is_offloaded(dev);
	seen_port_rename(port);
	list_add_tail_rcu(&port->list, &guard->ports);
	if (port->self)
		rcu_assign_pointer(guard->self, port);
	sn->generation++;
	return port;
}

static void port_unhook(struct seen_port *port)
{
	struct seen_port_hooks *hooks = port->hooks;

	seen_bridge_unhook(port);
	while (hooks->ops)
		nf_unregister_net_hook(port->sn->net, &hooks->op[--hooks->ops]);
}

void seen_port_del(struct seen_port *port)
{
	struct seen_net *sn = port->sn;

	ASSERT_RTNL();
	lockdep_assert_held_write(&sn->lock);
	port_unhook(port);
	if (port->self)
		RCU_INIT_POINTER(port->guard->self, NULL);
	seen_port_close(port);
	list_del_rcu(&port->list);
	port_uncount(port);
	sn->generation++;
	call_rcu(&port->rcu, free_port_rcu);
}

static int port_hook(struct seen_port *port, nf_hookfn *fn, unsigned int num)
{
	struct seen_port_hooks *hooks = port->hooks;
	struct nf_hook_ops *op = &hooks->op[hooks->ops];
	int err;

	op->hook = fn;
	op->priv = hooks;
	op->pf = NFPROTO_NETDEV;
	op->hooknum = num;
	op->priority = port->guard->config.priority;
	op->dev = port->dev;
	err = nf_register_net_hook(port->sn->net, op);
	if (!err)
		hooks->ops++;
	return err;
}

static int port_hook_judge(struct seen_port *port)
{
	if (port->guard->config.hook == SEEN_HOOK_EGRESS)
		return port_hook(port, seen_guard_judge, NF_NETDEV_EGRESS);
	return port_hook(port, seen_guard_judge, NF_NETDEV_INGRESS);
}

/* A blocked port drops in both directions. */
static int port_hook_blocks(struct seen_port *port)
{
	return port_hook(port, seen_guard_in, NF_NETDEV_INGRESS) ?:
	       port_hook(port, seen_guard_out, NF_NETDEV_EGRESS);
}

/* A frame that the host itself sends gets its trail once, before the bridge floods it. */
static int port_hook_trail(struct seen_port *port)
{
	return port_hook(port, seen_trail_out, NF_NETDEV_EGRESS);
}

/* Hooks that the port will take over from another port are registered already. */
static int port_hook_all(struct seen_port *port)
{
	const struct seen_guard_config *config = &port->guard->config;
	const struct seen_port *old = seen_port_before(port);
	bool keeps = old && seen_port_keeps_hooks(port, old);
	int err = 0;

	if (config->kind != SEEN_GUARD_KIND_BRIDGE)
		return keeps ? 0 : port_hook_judge(port);
	if (port->self)
		return config->trail.mode && !keeps ? port_hook_trail(port) : 0;
	if (seen_guard_may_block(config) && !keeps)
		err = port_hook_blocks(port);
	return err || old ? err : seen_bridge_hook(port);
}

int seen_port_hook(struct seen_port *port, struct netlink_ext_ack *extack)
{
	int err;

	ASSERT_RTNL();
	/* The port is suspended until its guard replaces the other one; replace_take_hooks(). */
	if (port->guard->replaces)
		WRITE_ONCE(port->suspended, true);
	err = port_hook_all(port);
	if (!err)
		return 0;
	port_unhook(port);
	if (err == -ENOMEM)
		NL_SET_ERR_MSG(extack, SEEN_TEXT_MEMORY("dev"));
	else
		SEEN_SET_ERR_MSG_FMT(port->sn, extack,
				     "dev: cannot add a netfilter hook to %s: error %d",
				     port->dev->name, err);
	return err;
}

u64 seen_port_sum(const struct seen_port *port, enum seen_count count)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(port->stats, cpu)->count[count]);
	/* May be negative for a moment, if the loop has read an uncount without its count. */
	return (s64)sum < 0 ? 0 : sum;
}

u64 seen_port_told(const struct seen_port *port, enum seen_count count)
{
	u64 sum = seen_port_sum(port, count);

	lockdep_assert_held(&port->sn->lock);
	/* For the same reason the sum may be less than at the reset. */
	return sum > port->before[count] ? sum - port->before[count] : 0;
}

void seen_port_count_anew(struct seen_port *port)
{
	enum seen_count count;

	lockdep_assert_held_write(&port->sn->lock);
	for (count = 0; count < SEEN_COUNTS; count++)
		port->before[count] = seen_port_sum(port, count);
	spin_lock_bh(&port->guard->evidence_lock);
	port->blocks = 0;
	port->would_block = 0;
	spin_unlock_bh(&port->guard->evidence_lock);
}

/* Number of new keys per window that the filter of the guard can hold; 0: no limit. */
static u64 port_capacity_of(const struct seen_port *port,
			    const struct seen_geometry *geo)
{
	if (!geo->window ||
	    !seen_verdict_remembers(port->guard->config.verdict))
		return 0;
	return seen_ports_known(geo) ? seen_arrival_capacity(geo) : geo->capacity;
}

/* Limits the keys of a port, which would otherwise evict the keys of other ports. */
static u64 port_share_of(const struct seen_port *port, u64 keys)
{
	return max(1ULL, keys / 2 / max(1U, READ_ONCE(port->guard->binding->ports)));
}

u64 seen_port_share(const struct seen_port *port,
		    const struct seen_geometry *geo)
{
	u64 keys = port_capacity_of(port, geo);

	return keys ? port_share_of(port, keys) : 0;
}

bool seen_port_take(struct seen_port *port, const struct seen_geometry *geo)
{
	u64 keys = port_capacity_of(port, geo), span = geo->window + geo->tick;

	return !keys ||
	       seen_budget_take(&port->budget, span, port_share_of(port, keys)) ||
	       seen_budget_take(&port->guard->binding->common, span,
				keys - keys / 2);
}

/* The key may have been counted in the other budget; the sum of both is correct anyway. */
void seen_port_return(struct seen_port *port)
{
	if (!seen_budget_return(&port->budget))
		seen_budget_return(&port->guard->binding->common);
}
