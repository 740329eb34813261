// SPDX-License-Identifier: GPL-2.0
/*
 * The first steps of a packet in a guard: match and key; and the hooks of devices. A bridge
 * guard uses the hooks of devices only for blocks; it looks at frames in guard_bridge.c.
 *
 * Netfilter holds rcu_read_lock() around every hook.
 */
#include "allow.h"
#include "guard_verdict.h"

/*
 * A packet that an Ethernet device receives without an Ethernet header is the host's own:
 * a packet to a multicast group, looped back because the host is a member. It was never on a
 * wire, so it cannot circle in a loop. It passes, and is neither counted nor stored. A copy
 * that returns by the wire has a header and is judged.
 */
static bool guard_is_frame(const struct seen_port *port, const struct sk_buff *skb)
{
	return !port->ethernet || seen_packet_has_eth(skb);
}

/* Looks at the address, because pkt_type is not set on egress. */
static bool guard_matches(const struct seen_guard *guard, const struct sk_buff *skb)
{
	return READ_ONCE(guard->config.match) != SEEN_MATCH_BUM ||
	       is_multicast_ether_addr(eth_hdr(skb)->h_dest);
}

/* Of a packet without an Ethernet header, events report only the protocol. */
static bool guard_parse(struct seen_packet *packet, const struct sk_buff *skb)
{
	bool whole = seen_packet_parse(packet, skb);

	if (!whole || !packet->has_eth)
		packet->link = (struct seen_link) {
			.eth.h_proto = skb->protocol, .vlan = SEEN_VLAN_NONE,
		};
	return whole;
}

bool seen_guard_wants(const struct seen_port *port, const struct sk_buff *skb)
{
	const struct seen_conditions *conditions = &port->guard->lists.conditions;
	struct seen_packet packet __uninitialized;

	if (seen_guard_exempt(port, skb) || !guard_matches(port->guard, skb) ||
	    skb_is_gso(skb))
		return false;
	return !seen_conditions_given(conditions) ||
	       (guard_parse(&packet, skb) &&
		seen_conditions_hold(conditions, &packet));
}

bool seen_guard_looks_at(struct seen_port *port, const struct sk_buff *skb,
			 struct seen_packet *packet)
{
	const struct seen_conditions *conditions = &port->guard->lists.conditions;
	bool given = seen_conditions_given(conditions);

	if (seen_guard_exempt(port, skb)) {
		seen_port_count(port, SEEN_COUNT_EXEMPT);
		return false;
	}
	if (!guard_matches(port->guard, skb))
		return false;
	if (given && (!guard_parse(packet, skb) ||
		      !seen_conditions_hold(conditions, packet)))
		return false;
	/* GRO may merge two copies differently, so a merged packet has no key. */
	if (skb_is_gso(skb)) {
		seen_port_count(port, SEEN_COUNT_GRO_SKIPPED);
		return false;
	}
	if (!given && !guard_parse(packet, skb))
		packet->skb = NULL;
	return true;
}

/* noinline: the large key must not be on the stack during the filter's functions. */
static noinline bool guard_read_packet(struct seen_port *port, u32 gone_seq,
				       struct seen_filter *filter,
				       struct seen_packet *packet,
				       const struct seen_domain *domain,
				       struct seen_sought *sought)
{
	/* Not cleared, because it is large; only bytes that were written are read. */
	struct seen_key key __uninitialized;

	if (!packet->skb ||
	    !seen_key_build_parsed(&filter->spec, packet, domain->key, &key) ||
	    (!key.prefix && !seen_filter_item(filter, &key, &sought->item))) {
		seen_port_count(port, SEEN_COUNT_NOKEY);
		seen_filter_count(filter, SEEN_STAT_NOKEY);
		return false;
	}
	seen_guard_salt(port, filter, &sought->item, domain->salt);
	if (seen_allowed(port->guard->binding, &key)) {
		seen_port_count(port, SEEN_COUNT_ALLOWED);
		seen_filter_count(filter, SEEN_STAT_ALLOWED);
		return false;
	}
	/* The guard is being deleted; seen_allowed() may have found no lists any more. */
	if (seen_binding_gone(port->guard->binding, gone_seq))
		return false;
	sought->answered = key.prefix;
	if (likely(!key.prefix))
		return true;
	sought->result = seen_filter_test_prefix(filter, &key, &sought->value);
	/* The caller reads the item, but does not look it up. */
	sought->item.hash = 0;
	sought->item.len = 0;
	return true;
}

bool seen_guard_item(struct seen_port *port, struct seen_filter **filter,
		     struct seen_packet *packet,
		     const struct seen_domain *domain, struct seen_sought *sought)
{
	u32 gone_seq = seen_binding_gone_seq(port->guard->binding);

	*filter = rcu_dereference(port->guard->binding->filter);
	/* NULL: the guard is being deleted, and its filter has already been removed. */
	if (!*filter)
		return false;
	sought->link = &packet->link;
	return guard_read_packet(port, gone_seq, *filter, packet, domain, sought);
}

/* The port that a device's hooks serve now. Read once for each packet, since it may change. */
static struct seen_port *guard_hooked(void *priv)
{
	const struct seen_port_hooks *hooks = priv;

	return rcu_dereference(hooks->port);
}

unsigned int seen_guard_judge(void *priv, struct sk_buff *skb,
			      const struct nf_hook_state *state)
{
	const struct seen_domain domain = seen_vlan_frame(skb);
	struct seen_port *port = guard_hooked(priv);
	struct seen_packet packet __uninitialized;
	struct seen_sought sought __uninitialized;
	struct seen_filter *filter;

	if (seen_guard_idle(port) || !guard_is_frame(port, skb) ||
	    !seen_guard_looks_at(port, skb, &packet) ||
	    !seen_guard_item(port, &filter, &packet, &domain, &sought))
		return NF_ACCEPT;
	return seen_guard_decide(port, filter, skb, &sought, domain.vlan);
}

static bool guard_is_stopped(const struct seen_port *port)
{
	return seen_port_blocked(port) && !seen_guard_idle(port);
}

/* Link-local frames are counted here, because not all of them reach the bridge's hooks. */
unsigned int seen_guard_in(void *priv, struct sk_buff *skb,
			   const struct nf_hook_state *state)
{
	struct seen_port *port = guard_hooked(priv);

	if (!guard_is_frame(port, skb))
		return NF_ACCEPT;
	if (seen_guard_exempt(port, skb)) {
		if (!seen_guard_idle(port))
			seen_port_count(port, SEEN_COUNT_EXEMPT);
		return NF_ACCEPT;
	}
	if (!guard_is_stopped(port) || seen_guard_controls(port, eth_hdr(skb)->h_dest))
		return NF_ACCEPT;
	seen_port_count(port, SEEN_COUNT_BLOCKED_IN);
	return NF_DROP;
}

unsigned int seen_guard_out(void *priv, struct sk_buff *skb,
			    const struct nf_hook_state *state)
{
	struct seen_port *port = guard_hooked(priv);

	if (!guard_is_stopped(port) || seen_guard_exempt(port, skb) ||
	    seen_guard_controls(port, eth_hdr(skb)->h_dest))
		return NF_ACCEPT;
	seen_port_count(port, SEEN_COUNT_BLOCKED_OUT);
	return NF_DROP;
}
