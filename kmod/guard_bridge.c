// SPDX-License-Identifier: GPL-2.0
/*
 * The bridges of a namespace. All bridge guards share six hooks, which find the port of a
 * frame by its device.
 *
 *	NF_BR_PRE_ROUTING	judges, after all other hooks, so that a copy is dropped
 *				before the bridge learns from it; stores no frame, except
 *				outside of softirq. Verdict heavy counts its keys here
 *	NF_BR_FORWARD,		the first of these that a new frame reaches stores it: the
 *	NF_BR_LOCAL_IN		bridge has accepted the frame
 *	NF_BR_LOCAL_OUT		stores frames that a bridge itself sends
 *	NF_BR_POST_ROUTING	removes trails where they must not leave
 *
 * A probe of the guard is examined in PRE_ROUTING. It is dropped when the bridge has decided
 * where to send it: in LOCAL_IN, or in FORWARD after all other hooks, whose rules are part of
 * that decision.
 *
 * So VLANs, port states, locked ports and the rules of other hooks decide first whether the
 * bridge accepts a frame. A frame that the bridge refuses is not stored, and a later copy that
 * it accepts is new.
 *
 * Between two hooks a frame has a note on its CPU. After the first hook the bridge continues
 * at once, in the same context, so task, port and source address identify the note.
 * Direction of error: a frame that has lost its note passes, is not stored, and is counted
 * as unrecorded. A note may outlive its port and its filter, because these pointers are only
 * compared with the present ones.
 */
#include <linux/netfilter_bridge.h>
#include <linux/rtnetlink.h>
#include <net/rtnetlink.h>

#include "guard_trail.h"
#include "guard_verdict.h"

/* Notes per CPU. With PREEMPT_RT from 6.18 on, softirqs of a CPU can preempt each other. */
#define NOTES	4

/**
 * struct note - a frame between two hooks
 * @task: the task in whose context the bridge handles the frame; NULL: unused
 * @port: the port on which it arrived
 * @filter: the filter in which it was new
 * @hash: hash under which it will be stored
 * @shared: hash under which it would be stored if its port were not isolated
 * @vlan: its VLAN
 * @probe: result of seen_probe_came()
 * @link: its link layer; only the source address, unless the frame was new
 * @verdict: verdict for the frame and all its clones, if not @open
 * @open: the frame is new, and must be stored before it has a verdict
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

/* Overwrites the last note of the task. */
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

/* The note of a frame that passes and is not stored. */
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
 * A frame from an isolated port reaches only ports that are not isolated. If it arrives on
 * one of these later, it is new there. A frame from a port that is not isolated has reached
 * all ports, so a copy on an isolated port is a duplicate.
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
 * Can a new frame be stored in a later hook? Not outside of softirq, as after NFQUEUE,
 * because its note may be overwritten. Not if its item is more than a hash.
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
	/* Undone by bridge_store(), when the bridge has accepted the frame. */
	seen_port_count(port, SEEN_COUNT_REFUSED);
	return NF_ACCEPT;
}

/*
 * First the filter, then the trail: a copy that the filter recognizes needs no trail. The trail
 * is read before, because a key may be that of a packet in a tunnel.
 */
static unsigned int bridge_judge_trail(struct seen_port *port, struct sk_buff *skb,
				       struct seen_packet *packet, struct note *note)
{
	const struct seen_link link = packet->link;
	unsigned int verdict = NF_ACCEPT;
	struct seen_passage passage;

	seen_trail_read_frame(port, packet, skb, &passage);
	if (port->guard->config.trail.mode != SEEN_TRAIL_MODE_ONLY)
		verdict = bridge_judge(port, skb, packet, note);
	if (verdict != NF_ACCEPT)
		return verdict;
	verdict = seen_trail_pass(port, skb, &passage, &link,
				  seen_vlan_domain(port, port->dev, skb).vlan);
	/* The trail ends it, not the bridge. */
	if (verdict != NF_ACCEPT && note->open)
		seen_port_uncount(port, SEEN_COUNT_REFUSED);
	return verdict;
}

/* Link-local frames that seen_guard_in() has counted are not counted again. */
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
	/* A probe of an earlier stage, perhaps replayed. It proves nothing. */
	if (note.probe.left && !note.probe.fresh)
		return NF_DROP;
	if (!note.probe.left && bridge_looks_at(port, skb, &packet))
		verdict = seen_guard_trails(port->guard) ?
			  bridge_judge_trail(port, skb, &packet, &note) :
			  bridge_judge(port, skb, &packet, &note);
	if (verdict == NF_ACCEPT)
		bridge_write_note(&note);
	return verdict;
}

/*
 * A promiscuous bridge also receives frames that are addressed to other hosts. It may not
 * forward such a frame, because its destination is behind the port on which it arrived, so
 * the frame must not be stored here.
 */
static bool bridge_is_for_host(const struct seen_port *port, const struct sk_buff *skb)
{
	const struct net_device *master = READ_ONCE(port->guard->device);
	const u8 *dest = eth_hdr(skb)->h_dest;

	return is_multicast_ether_addr(dest) || !master ||
	       !(master->flags & IFF_PROMISC) ||
	       ether_addr_equal(dest, master->dev_addr);
}

/* If another CPU has stored the frame meanwhile, this frame and its clones are duplicates. */
static unsigned int bridge_store(struct seen_port *port, struct sk_buff *skb,
				 const struct note *note)
{
	struct seen_filter *filter =
		rcu_dereference(port->guard->binding->filter);
	struct seen_sought sought __uninitialized;

	seen_port_uncount(port, SEEN_COUNT_REFUSED);
	if (!filter)
		return NF_ACCEPT;
	/* The guard has another filter now; the hash belongs to the secret of the old one. */
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

/* The note was overwritten. If the frame was new, it stays counted as refused, too. */
static void bridge_miss_note(struct seen_port *port, const struct sk_buff *skb)
{
	struct note note = bridge_new_note(port, skb);

	if (port->guard->config.trail.mode != SEEN_TRAIL_MODE_ONLY &&
	    !seen_guard_idle(port) && seen_guard_wants(port, skb))
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

/* Drops every probe, also one that has lost its note. */
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

static unsigned int bridge_forward(void *priv, struct sk_buff *skb,
				   const struct nf_hook_state *state)
{
	struct seen_port *port = bridge_find_port(priv, state->in);
	unsigned int verdict = NF_ACCEPT;

	if (port && in_softirq() && !seen_guard_exempt(port, skb) &&
	    !bridge_is_probe(port, skb))
		verdict = bridge_accept_frame(port, skb);
	if (verdict != NF_ACCEPT)
		return verdict;
	return seen_trail_leave(bridge_find_port(priv, state->out), skb);
}

/* Link-local frames reach LOCAL_IN without passing PRE_ROUTING, so they have no note. */
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
 * A frame that the bridge itself sends passes this hook once for each port by which it
 * leaves, with the tag and the destination that it has on the wire there: VLANs and
 * multicast-to-unicast may have changed them. Packets of the multicast querier pass it, too,
 * but not the egress hook of the bridge device. So only this hook sees all frames. The frame
 * is stored as it would look if it came back on that port.
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
	if (!self || self->guard->config.trail.mode == SEEN_TRAIL_MODE_ONLY ||
	    !seen_verdict_remembers(self->guard->config.verdict) ||
	    seen_guard_idle(self) || !seen_guard_looks_at(self, skb, &packet))
		return NF_ACCEPT;
	domain = seen_vlan_domain(self, state->out, skb);
	if (seen_guard_item(self, &filter, &packet, &domain, &sought))
		seen_guard_record(self, filter, &sought.item);
	return NF_ACCEPT;
}

static unsigned int bridge_post_routing(void *priv, struct sk_buff *skb,
					const struct nf_hook_state *state)
{
	struct seen_port *port = bridge_find_port(priv, state->out);

	if (port)
		seen_trail_strip(port, skb);
	return NF_ACCEPT;
}

/*
 * Last where a copy or probe is dropped, first where a frame is stored, and before br_netfilter,
 * which takes frames away, where a trail is removed.
 */
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
	{ .hook = bridge_post_routing, .pf = NFPROTO_BRIDGE,
	  .hooknum = NF_BR_POST_ROUTING, .priority = INT_MAX - 1 },
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
	/* Mark as unhashed, but keep the next pointer for a reader that is at @old. */
	WRITE_ONCE(old->bridged.pprev, NULL);
}
