/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The steps of a packet in a guard: whether the guard looks at it, its item in the filter,
 * the verdict, and the action. guard.c calls these functions from the hooks of devices,
 * guard_bridge.c from the hooks of bridges.
 *
 * Context: a netfilter hook, which holds rcu_read_lock().
 */
#ifndef SEEN_GUARD_VERDICT_H
#define SEEN_GUARD_VERDICT_H

#include <linux/etherdevice.h>

#include "guard_port.h"
#include "guard_vlan.h"
#include "packet.h"

/*
 * seen_guard_exempt() - is a frame link-local (01:80:c2:00:00:0x), as of STP, LACP or LLDP?
 * Such frames never leave a link, so they cannot loop. They must pass, because STP itself
 * ends loops.
 */
static inline bool seen_guard_exempt(const struct seen_port *port,
				     const struct sk_buff *skb)
{
	return port->ethernet && is_link_local_ether_addr(eth_hdr(skb)->h_dest);
}

static inline bool seen_guard_idle(const struct seen_port *port)
{
	return READ_ONCE(port->guard->config.paused) ||
	       READ_ONCE(port->suspended);
}

/*
 * seen_guard_salt() - give equal frames in different domains different items. Only for guards
 * that store frames, and not in a bitmap, whose item is a number. Verdicts listed and heavy
 * ignore domains, because commands that add or look up keys have no domain.
 */
static inline void seen_guard_salt(const struct seen_port *port,
				   const struct seen_filter *filter,
				   struct seen_item *item, u32 salt)
{
	if (salt && seen_verdict_remembers(port->guard->config.verdict) &&
	    filter->set.geo.kind != SEEN_SET_BITMAP)
		item->hash = seen_remix(item->hash ^ salt);
}

/**
 * struct seen_sought - the item that is looked up for a packet, or the result
 * @link: link layer of the packet; of a packet without one, only the protocol
 * @item: item of the packet's key, unless @answered
 * @answered: the key has a prefix of any length and was looked up; @result is valid
 * @result: SEEN_SEEN, SEEN_NEW or SEEN_STALE; already counted
 * @value: value in a map, if @answered
 */
struct seen_sought {
	const struct seen_link *link;
	struct seen_item item;
	bool answered;
	enum seen_result result;
	u32 value;
};

/**
 * seen_guard_looks_at() - does a guard look at a packet? If so, parse it
 * @port: the port of the packet
 * @skb: the packet
 * @packet: out: the parsed packet; its skb is NULL if it ends within its link layer
 *
 * Return: true; false: the packet passes. It is counted if it is exempt or merged by GRO.
 */
bool seen_guard_looks_at(struct seen_port *port, const struct sk_buff *skb,
			 struct seen_packet *packet);

/* seen_guard_wants() - would seen_guard_looks_at() return true? Counts nothing. */
bool seen_guard_wants(const struct seen_port *port, const struct sk_buff *skb);

/**
 * seen_guard_item() - make the item of a packet for the guard's filter
 * @port: the port of the packet
 * @filter: out: the filter of the guard
 * @packet: from seen_guard_looks_at(); @sought refers to it
 * @domain: domain of the packet
 * @sought: to fill
 *
 * Return: true; false: the packet passes, because it has no key or its key is allowed (both
 * are counted), or because the guard is being deleted.
 */
bool seen_guard_item(struct seen_port *port, struct seen_filter **filter,
		     struct seen_packet *packet,
		     const struct seen_domain *domain, struct seen_sought *sought);

/**
 * seen_guard_decide() - judge a packet, store it if it is new, and apply the action
 * @port: the port of the packet
 * @filter: from seen_guard_item()
 * @skb: the packet
 * @sought: from seen_guard_item()
 * @vlan: VLAN of the packet
 *
 * Return: NF_ACCEPT or NF_DROP.
 */
unsigned int seen_guard_decide(struct seen_port *port,
			       struct seen_filter *filter, struct sk_buff *skb,
			       const struct seen_sought *sought,
			       struct seen_vlan vlan);

/* seen_guard_act() - apply the guard's action to a frame in a loop; NF_ACCEPT or NF_DROP */
unsigned int seen_guard_act(struct seen_port *port, struct sk_buff *skb);

/*
 * seen_guard_is_new() - would the verdict now be new, or (if the filter distinguishes ports)
 * repeat? Writes nothing.
 */
bool seen_guard_is_new(const struct seen_port *port, struct seen_filter *filter,
		       const struct seen_item *item, struct seen_vlan vlan);

/* seen_guard_record() - store a frame that the bridge itself sends, without a verdict */
void seen_guard_record(struct seen_port *port, struct seen_filter *filter,
		       const struct seen_item *item);

#endif
