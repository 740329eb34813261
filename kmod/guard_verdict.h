/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A packet in a guard, step by step: does the guard look at it, what does the filter
 * know it by, what is the verdict, what is the action. guard.c calls these from a
 * device's hooks, guard_bridge.c from a bridge's.
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
 * seen_guard_exempt() - STP, LACP, LLDP and their kin (01:80:c2:00:00:0x) never leave a
 * link, so they cannot loop, and they must pass where they end loops themselves.
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
 * seen_guard_salt() - one frame in two domains is two items, where a guard stores frames;
 * a bitmap's item is a number. Lists, and counts, are of all domains, as whoever adds to
 * them, or asks, by command has no domain.
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
 * struct seen_sought - what a guard's filter is asked, or has answered
 * @link: the packet's link layer; where it has none, its protocol alone
 * @item: the packet's key, where nothing is answered yet
 * @answered: prefixes of any length were asked for: @result is the answer
 * @result: SEEN_SEEN, SEEN_NEW or SEEN_STALE, counted
 * @value: of a map
 */
struct seen_sought {
	const struct seen_link *link;
	struct seen_item item;
	bool answered;
	enum seen_result result;
	u32 value;
};

/**
 * seen_guard_looks_at() - does a guard look at a packet? It is taken apart then
 * @port: where the packet is
 * @skb: the packet
 * @packet: out: the packet; its skb is NULL if it ends within its link layer
 *
 * Return: false: the packet passes, and is counted if it was looked at.
 */
bool seen_guard_looks_at(struct seen_port *port, const struct sk_buff *skb,
			 struct seen_packet *packet);

/* seen_guard_wants() - would it? Nothing is counted */
bool seen_guard_wants(const struct seen_port *port, const struct sk_buff *skb);

/**
 * seen_guard_item() - what a guard's filter knows a packet by
 * @port: where the packet is
 * @filter: out: the filter, if there is an item
 * @packet: of seen_guard_looks_at(); @sought refers to it
 * @domain: of the packet
 * @sought: to fill
 *
 * Return: false: the packet passes: it has no key, or its key is allowed, which is
 * counted, or the guard is being deleted.
 */
bool seen_guard_item(struct seen_port *port, struct seen_filter **filter,
		     struct seen_packet *packet,
		     const struct seen_domain *domain, struct seen_sought *sought);

/**
 * seen_guard_decide() - verdict and action; a new packet is stored
 * @port: where the packet is
 * @filter: of its guard
 * @skb: the packet
 * @sought: of seen_guard_item()
 * @vlan: of the packet
 *
 * Return: NF_ACCEPT or NF_DROP.
 */
unsigned int seen_guard_decide(struct seen_port *port,
			       struct seen_filter *filter, struct sk_buff *skb,
			       const struct seen_sought *sought,
			       struct seen_vlan vlan);

/* seen_guard_is_new() - would seen_guard_decide() store it now? Nothing is written */
bool seen_guard_is_new(const struct seen_port *port, struct seen_filter *filter,
		       const struct seen_item *item, struct seen_vlan vlan);

/* seen_guard_record() - store what the bridge itself sends, without a verdict */
void seen_guard_record(struct seen_port *port, struct seen_filter *filter,
		       const struct seen_item *item);

#endif
