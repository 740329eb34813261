// SPDX-License-Identifier: GPL-2.0
/*
 * The bridges of a namespace: five hooks for all bridge guards, which find a frame's
 * port by its device.
 *
 *	NF_BR_PRE_ROUTING	judges, behind all others, so that a copy is dropped
 *				before the bridge learns from it; stores nothing
 *	NF_BR_FORWARD,		store a new frame, at the first of them: the bridge
 *	NF_BR_LOCAL_IN		has accepted it
 *	NF_BR_LOCAL_OUT		stores what a bridge itself sends
 *
 * A probe of the guard's own is looked at in PRE_ROUTING, and dropped at the end of its
 * way, where the bridge has decided where it would go: in FORWARD, behind all others,
 * whose rules decide, too, and in LOCAL_IN.
 *
 * So VLANs, port states, locked ports and filters of others are the bridge's business:
 * what it refuses was never recorded, and the copy that it accepts is new.
 *
 * Between two hooks a frame is noted on its CPU. From the return of the first hook the
 * bridge goes on at once, in the same context, so task, port and source address say
 * whose a note is. Direction of error: a frame that has lost its note passes, is not
 * recorded, and is counted so. A note never outlives the port and the filter that it
 * names in a way that matters: both are only compared with those of now.
 */
#include <linux/netfilter_bridge.h>
#include <linux/rtnetlink.h>
#include <net/rtnetlink.h>

#include "guard_verdict.h"

/* Softirqs of one CPU run one at a time, but with PREEMPT_RT from 6.18 on. */
#define NOTES	4

/**
 * struct note - a frame between two hooks
 * @task: in whose context it is; NULL: never used
 * @port: where it came in
 * @filter: that it was new to
 * @hash: what it shall be stored by
 * @shared: what it were stored by if it came by a port that is not isolated
 * @vlan: the VLAN that it is in
 * @probe: what is known of it, if it is a probe
 * @link: its link layer; before the verdict only its source
 * @verdict: of all its clones, once it is settled
 * @open: it is not settled yet
 */
struct note {
	const struct task_struct *task;
	const struct seen_port *port;
	const struct seen_filter *filter;
	u64 hash;
	u64 shared;
	struct seen_vlan vlan;
	struct seen_probe_frame probe;
	struct seen_link link;
	u16 verdict;
	bool open;
};

struct notes {
	struct note note[NOTES];
	u32 next;
};

static DEFINE_PER_CPU(struct notes, notes);

/* --- notes ----------------------------------------------------------------- */

static struct note *bridge_find_note(struct notes *these)
{
	int i;

	for (i = 0; i < NOTES; i++)
		if (these->note[i].task == current)
			return &these->note[i];
	return NULL;
}

/* In the place of the task's last one. */
static void bridge_write_note(const struct note *new)
{
	struct notes *these;
	struct note *note;

	preempt_disable();
	these = this_cpu_ptr(&notes);
	note = bridge_find_note(these);
	if (!note)
		note = &these->note[these->next++ % NOTES];
	*note = *new;
	preempt_enable();
}

static bool bridge_read_note(const struct seen_port *port, const struct sk_buff *skb,
			     struct note *copy)
{
	const struct note *note;
	bool found;

	preempt_disable();
	note = bridge_find_note(this_cpu_ptr(&notes));
	found = note && note->port == port &&
		ether_addr_equal(note->link.eth.h_source, eth_hdr(skb)->h_source);
	if (found)
		*copy = *note;
	preempt_enable();
	return found;
}

/* A frame that passes without being recorded, until it is said otherwise. */
static struct note bridge_new_note(const struct seen_port *port,
				   const struct sk_buff *skb)
{
	struct note note = {
		.task = current, .port = port, .verdict = NF_ACCEPT,
	};

	ether_addr_copy(note.link.eth.h_source, eth_hdr(skb)->h_source);
	return note;
}

/* --- hooks ----------------------------------------------------------------- */

static struct hlist_head *bridge_bucket(struct seen_net *sn,
					const struct net_device *dev)
{
	return &sn->bridged[hash_ptr(dev, SEEN_BRIDGED_BITS)];
}

static struct seen_port *bridge_find_port(struct seen_net *sn,
					  const struct net_device *dev)
{
	struct seen_port *port;

	hlist_for_each_entry_rcu(port, bridge_bucket(sn, dev), bridged)
		if (port->dev == dev)
			return port;
	return NULL;
}

/*
 * A port that is isolated reaches only ports that are not. So what came by it may come
 * again by another one, but what came by another one has reached all.
 */
static void bridge_settle_hash(struct seen_port *port, struct seen_filter *filter,
			       struct seen_item *item, u64 shared,
			       struct seen_vlan vlan)
{
	u64 own = item->hash;

	if (own == shared)
		return;
	item->hash = shared;
	if (seen_guard_is_new(port, filter, item, vlan))
		item->hash = own;
}

/*
 * From a queue (NFQUEUE) a frame comes with bottom halves enabled. Its note may get lost,
 * so it is stored at once.
 */
static bool bridge_can_wait(const struct seen_port *port, const struct seen_item *item)
{
	return in_softirq() && !item->len &&
	       seen_verdict_remembers(port->guard->config.verdict);
}

static unsigned int bridge_judge(struct seen_port *port, struct sk_buff *skb,
				 struct seen_packet *packet, struct note *note)
{
	struct seen_domain domain = seen_vlan_domain(port, port->dev, skb);
	struct seen_sought sought __uninitialized;
	struct seen_item *item = &sought.item;
	struct seen_filter *filter;

	if (!seen_guard_item(port, &filter, packet, &domain, &sought))
		return NF_ACCEPT;
	note->shared = item->hash;
	note->vlan = domain.vlan;
	seen_guard_salt(port, filter, item, seen_vlan_isolated(port->dev));
	bridge_settle_hash(port, filter, item, note->shared, domain.vlan);
	if (!bridge_can_wait(port, item) ||
	    !seen_guard_is_new(port, filter, item, domain.vlan))
		return seen_guard_decide(port, filter, skb, &sought,
					 domain.vlan);
	note->filter = filter;
	note->hash = item->hash;
	note->link = packet->link;
	note->open = true;
	/* Until it comes to the next hook. */
	seen_port_count(port, SEEN_COUNT_REFUSED);
	return NF_ACCEPT;
}

/* What seen_guard_in() has counted is not counted again. */
static bool bridge_looks_at(struct seen_port *port, const struct sk_buff *skb,
			    struct seen_packet *packet)
{
	return !seen_guard_idle(port) &&
	       !(seen_guard_may_block(&port->guard->config) &&
		 seen_guard_exempt(port, skb)) &&
	       seen_guard_looks_at(port, skb, packet);
}

static unsigned int bridge_pre_routing(void *priv, struct sk_buff *skb,
				       const struct nf_hook_state *state)
{
	struct seen_port *port = bridge_find_port(priv, state->in);
	struct seen_packet packet __uninitialized;
	unsigned int verdict = NF_ACCEPT;
	struct note note;

	if (!port)
		return NF_ACCEPT;
	note = bridge_new_note(port, skb);
	if (seen_probe_is_one(skb))
		note.probe = seen_probe_came(port, skb);
	/* It can prove nothing any more, and somebody may replay it. */
	if (note.probe.left && !note.probe.fresh)
		return NF_DROP;
	if (!note.probe.left && bridge_looks_at(port, skb, &packet))
		verdict = bridge_judge(port, skb, &packet, &note);
	if (verdict == NF_ACCEPT)
		bridge_write_note(&note);
	return verdict;
}

/*
 * A bridge in promiscuous mode takes in what is addressed to others, also what it does
 * not forward, since it would go out where it came from.
 */
static bool bridge_is_for_host(const struct seen_port *port, const struct sk_buff *skb)
{
	const struct net_device *master = READ_ONCE(port->guard->device);
	const u8 *dest = eth_hdr(skb)->h_dest;

	return is_multicast_ether_addr(dest) || !master ||
	       !(master->flags & IFF_PROMISC) ||
	       ether_addr_equal(dest, master->dev_addr);
}

/* If another CPU has stored the frame since, this one and all its clones are copies. */
static unsigned int bridge_store(struct seen_port *port, struct sk_buff *skb,
				 const struct note *note)
{
	struct seen_filter *filter =
		rcu_dereference(port->guard->binding->filter);
	struct seen_sought sought __uninitialized;

	seen_port_uncount(port, SEEN_COUNT_REFUSED);
	if (!filter)
		return NF_ACCEPT;
	/* The guard has got another filter, with another secret. */
	if (filter != note->filter) {
		seen_port_count(port, SEEN_COUNT_UNRECORDED);
		return NF_ACCEPT;
	}
	sought.link = &note->link;
	sought.item.hash = note->hash;
	sought.item.len = 0;
	sought.answered = false;
	bridge_settle_hash(port, filter, &sought.item, note->shared, note->vlan);
	return seen_guard_decide(port, filter, skb, &sought, note->vlan);
}

/* Its note is that of a frame which came in between. If it is new, it stays refused. */
static void bridge_miss_note(struct seen_port *port, const struct sk_buff *skb)
{
	struct note note = bridge_new_note(port, skb);

	if (!seen_guard_idle(port) && seen_guard_wants(port, skb))
		seen_port_count(port, SEEN_COUNT_UNRECORDED);
	bridge_write_note(&note);
}

static unsigned int bridge_accept_frame(struct seen_port *port, struct sk_buff *skb)
{
	struct note note;

	if (!bridge_read_note(port, skb, &note)) {
		bridge_miss_note(port, skb);
		return NF_ACCEPT;
	}
	if (note.open) {
		note.open = false;
		note.verdict = bridge_store(port, skb, &note);
		bridge_write_note(&note);
	}
	return note.verdict;
}

static bool bridge_is_probe(struct seen_port *port, const struct sk_buff *skb)
{
	return seen_probe_is_one(skb) && seen_probe_mine(port, skb);
}

/* Whatever became of its note, a probe goes no further. */
static unsigned int bridge_forward_probe(void *priv, struct sk_buff *skb,
					 const struct nf_hook_state *state)
{
	struct seen_port *port;
	struct note note;

	if (!seen_probe_is_one(skb))
		return NF_ACCEPT;
	port = bridge_find_port(priv, state->in);
	if (!port || !bridge_is_probe(port, skb))
		return NF_ACCEPT;
	if (in_softirq() && bridge_read_note(port, skb, &note) && note.probe.left)
		seen_probe_forward(port, bridge_find_port(priv, state->out),
				   &note.probe);
	return NF_DROP;
}

/* Link-local groups come to LOCAL_IN without having been at PRE_ROUTING. */
static unsigned int bridge_forward(void *priv, struct sk_buff *skb,
				   const struct nf_hook_state *state)
{
	struct seen_port *port = bridge_find_port(priv, state->in);

	if (!port || !in_softirq() || seen_guard_exempt(port, skb) ||
	    bridge_is_probe(port, skb))
		return NF_ACCEPT;
	return bridge_accept_frame(port, skb);
}

static unsigned int bridge_local_in(void *priv, struct sk_buff *skb,
				    const struct nf_hook_state *state)
{
	struct seen_port *port = bridge_find_port(priv, state->in);

	if (!port)
		return NF_ACCEPT;
	if (bridge_is_probe(port, skb))
		return NF_DROP;
	if (!in_softirq() || seen_guard_exempt(port, skb) ||
	    !bridge_is_for_host(port, skb))
		return NF_ACCEPT;
	return bridge_accept_frame(port, skb);
}

/*
 * The bridge sends here, once for each port that the frame leaves by: with the
 * tag and the address that it has on the wire there, which a bridge with VLANs
 * or multicast-to-unicast may have changed; and its querier's packets too, which
 * do not pass the bridge's own egress. So this is the one hook that sees all.
 * It is stored as what it would be if it came back by that port.
 */
static unsigned int bridge_local_out(void *priv, struct sk_buff *skb,
				     const struct nf_hook_state *state)
{
	struct seen_port *self, *port = bridge_find_port(priv, state->out);
	struct seen_packet packet __uninitialized;
	struct seen_sought sought __uninitialized;
	struct seen_filter *filter;
	struct seen_domain domain;

	self = port ? rcu_dereference(port->guard->self) : NULL;
	if (!self || !seen_verdict_remembers(self->guard->config.verdict) ||
	    seen_guard_idle(self) || !seen_guard_looks_at(self, skb, &packet))
		return NF_ACCEPT;
	domain = seen_vlan_domain(self, state->out, skb);
	if (seen_guard_item(self, &filter, &packet, &domain, &sought))
		seen_guard_record(self, filter, &sought.item);
	return NF_ACCEPT;
}

/* Behind all others where a copy is dropped or a frame leaves, before them where it is stored. */
static const struct nf_hook_ops hooks[SEEN_BRIDGE_HOOKS] = {
	{ .hook = bridge_pre_routing, .pf = NFPROTO_BRIDGE,
	  .hooknum = NF_BR_PRE_ROUTING, .priority = INT_MAX },
	{ .hook = bridge_forward, .pf = NFPROTO_BRIDGE,
	  .hooknum = NF_BR_FORWARD, .priority = INT_MIN },
	{ .hook = bridge_forward_probe, .pf = NFPROTO_BRIDGE,
	  .hooknum = NF_BR_FORWARD, .priority = INT_MAX },
	{ .hook = bridge_local_in, .pf = NFPROTO_BRIDGE,
	  .hooknum = NF_BR_LOCAL_IN, .priority = INT_MIN },
	{ .hook = bridge_local_out, .pf = NFPROTO_BRIDGE,
	  .hooknum = NF_BR_LOCAL_OUT, .priority = INT_MAX },
};

void seen_bridge_forget(const struct seen_port *port)
{
	struct net_device *bridge = port->guard->device;
	struct nlattr flush = {
		.nla_len = NLA_HDRLEN, .nla_type = IFLA_BRPORT_FLUSH,
	};
	struct nlattr *attrs[IFLA_BRPORT_MAX + 1] = {
		[IFLA_BRPORT_FLUSH] = &flush,
	};

	ASSERT_RTNL();
	if (bridge && netdev_master_upper_dev_get(port->dev) == bridge)
		bridge->rtnl_link_ops->slave_changelink(bridge, port->dev, NULL,
							attrs, NULL);
}

static int bridge_hook_all(struct seen_net *sn)
{
	int i;

	for (i = 0; i < SEEN_BRIDGE_HOOKS; i++) {
		sn->bridge_hooks[i] = hooks[i];
		sn->bridge_hooks[i].priv = sn;
	}
	return nf_register_net_hooks(sn->net, sn->bridge_hooks,
				     SEEN_BRIDGE_HOOKS);
}

int seen_bridge_hook(struct seen_port *port)
{
	struct seen_net *sn = port->sn;
	int err;

	ASSERT_RTNL();
	seen_vlan_get();
	err = sn->bridge_ports ? 0 : bridge_hook_all(sn);
	if (err) {
		seen_vlan_put();
		return err;
	}
	sn->bridge_ports++;
	hlist_add_head_rcu(&port->bridged, bridge_bucket(sn, port->dev));
	return 0;
}

void seen_bridge_unhook(struct seen_port *port)
{
	struct seen_net *sn = port->sn;

	ASSERT_RTNL();
	if (hlist_unhashed(&port->bridged))
		return;
	hlist_del_init_rcu(&port->bridged);
	if (!--sn->bridge_ports)
		nf_unregister_net_hooks(sn->net, sn->bridge_hooks,
					SEEN_BRIDGE_HOOKS);
	seen_vlan_put();
}

void seen_bridge_replace(struct seen_port *old, struct seen_port *port)
{
	ASSERT_RTNL();
	if (hlist_unhashed(&old->bridged))
		return;
	hlist_replace_rcu(&old->bridged, &port->bridged);
	/* Unhashed. A reader that is there goes on from it, as from one that was deleted. */
	WRITE_ONCE(old->bridged.pprev, NULL);
}
