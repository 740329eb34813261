// SPDX-License-Identifier: GPL-2.0
/*
 * A packet's first steps in a guard: hooks, match and key.
 *
 * Netfilter holds rcu_read_lock() around every hook.
 */
#include <linux/etherdevice.h>
#include <linux/netfilter_bridge.h>

#include "allow.h"
#include "guard_verdict.h"
#include "packet.h"

/*
 * What comes to an Ethernet device without an Ethernet header is the host's own:
 * what it sent to a group that it is in, looped back to it. That copy came by no
 * wire, so it circles nowhere, and no port can be blamed for it: it passes, and is
 * neither counted nor remembered. A copy that does come back by the wire is a
 * frame, and judged.
 */
static bool is_frame(const struct seen_port *port, const struct sk_buff *skb)
{
	return !port->ethernet || seen_packet_has_eth(skb);
}

/*
 * STP, LACP, LLDP and their kin (01:80:c2:00:00:0x) never leave a link, so they
 * cannot loop, and they must pass where they end loops themselves.
 */
static bool exempt(const struct seen_port *port, const struct sk_buff *skb)
{
	return port->ethernet && is_link_local_ether_addr(eth_hdr(skb)->h_dest);
}

/* By the address, never by pkt_type, which is not set on the way out. */
static bool matches(const struct seen_guard *guard, const struct sk_buff *skb)
{
	const struct seen_conditions *conditions = &guard->lists.conditions;

	if (guard->config.match == SEEN_MATCH_BUM &&
	    !is_multicast_ether_addr(eth_hdr(skb)->h_dest))
		return false;
	return !seen_conditions_given(conditions) ||
	       seen_conditions_hold(conditions, skb);
}

/* False: the packet passes; if that says something of it, it is counted. */
static bool looks_at(struct seen_port *port, const struct sk_buff *skb)
{
	if (exempt(port, skb)) {
		seen_port_count(port, SEEN_COUNT_EXEMPT);
		return false;
	}
	if (!matches(port->guard, skb))
		return false;
	/* Two copies may be merged in two ways: what is merged has no key. */
	if (skb_is_gso(skb)) {
		seen_port_count(port, SEEN_COUNT_GRO_SKIPPED);
		return false;
	}
	return true;
}

static bool idle(const struct seen_port *port)
{
	return READ_ONCE(port->guard->config.paused) ||
	       READ_ONCE(port->suspended) || READ_ONCE(port->closed);
}

/* The key shares no stack frame with the filter's functions. */
static noinline bool read_packet(struct seen_port *port, u32 life,
				 const struct seen_filter *filter,
				 const struct sk_buff *skb,
				 struct seen_item *item)
{
	/* Not cleared, since it is long: what is read of it was written. */
	struct seen_key key __uninitialized;

	if (!seen_key_build(&filter->spec, skb, &key) ||
	    !seen_filter_item(filter, &key, item)) {
		seen_port_count(port, SEEN_COUNT_NOKEY);
		seen_filter_count(filter, SEEN_STAT_NOKEY);
		return false;
	}
	if (seen_allowed(port->guard->slot, &key)) {
		seen_port_count(port, SEEN_COUNT_ALLOWED);
		seen_filter_count(filter, SEEN_STAT_ALLOWED);
		return false;
	}
	/* The guard is being deleted, and its lists may have gone before this packet. */
	return !seen_slot_gone(port->guard->slot, life);
}

unsigned int seen_guard_judge(void *priv, struct sk_buff *skb,
			      const struct nf_hook_state *state)
{
	struct seen_port *port = priv;
	struct seen_filter *filter;
	struct seen_item item __uninitialized;
	u32 life;

	if (idle(port) || !is_frame(port, skb))
		return NF_ACCEPT;
	if (seen_port_blocked(port) && !exempt(port, skb)) {
		seen_port_count(port, SEEN_COUNT_BLOCKED_IN);
		return NF_DROP;
	}
	if (!looks_at(port, skb))
		return NF_ACCEPT;
	life = seen_slot_life(port->guard->slot);
	filter = rcu_dereference(port->guard->slot->filter);
	/* The guard is being deleted, and its filter has gone before this packet. */
	if (!filter || !read_packet(port, life, filter, skb, &item))
		return NF_ACCEPT;
	return seen_guard_decide(port, filter, skb, &item);
}

unsigned int seen_guard_out(void *priv, struct sk_buff *skb,
			    const struct nf_hook_state *state)
{
	struct seen_port *port = priv;

	if (!seen_port_blocked(port) || idle(port) || exempt(port, skb))
		return NF_ACCEPT;
	seen_port_count(port, SEEN_COUNT_BLOCKED_OUT);
	return NF_DROP;
}

/*
 * The bridge sends here, once for each port that the frame leaves by: with the
 * tag and the address that it has on the wire there, which a bridge with VLANs
 * or multicast-to-unicast may have changed; and its querier's packets too, which
 * do not pass the bridge's own egress. So this is the one hook that sees all.
 */
unsigned int seen_guard_self(void *priv, struct sk_buff *skb,
			     const struct nf_hook_state *state)
{
	struct seen_port *port = priv;
	struct seen_filter *filter;
	struct seen_item item __uninitialized;
	u32 life;

	if (netdev_master_upper_dev_get_rcu(state->out) != port->dev ||
	    !seen_verdict_remembers(port->guard->config.verdict) ||
	    idle(port) || !looks_at(port, skb))
		return NF_ACCEPT;
	life = seen_slot_life(port->guard->slot);
	filter = rcu_dereference(port->guard->slot->filter);
	if (filter && read_packet(port, life, filter, skb, &item))
		seen_guard_record(port, filter, &item);
	return NF_ACCEPT;
}
