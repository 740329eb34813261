// SPDX-License-Identifier: GPL-2.0
/*
 * A packet's way through a guard: match, filter, verdict, action. Each packet
 * that the guard looks at is counted as exactly one of new, repeat, duplicate
 * (of this port or another), hit (listed or heavy), exempt, without a key,
 * merged by GRO, over budget, full, stale, allowed, blocked in or blocked out;
 * as none of these while the guard is being deleted.
 *
 * Netfilter holds rcu_read_lock() around every hook.
 */
#include <linux/etherdevice.h>
#include <linux/netfilter_bridge.h>

#include "allow.h"
#include "guard.h"
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

static u32 ticks(const struct seen_geometry *geo, u64 ns)
{
	return seen_port_ticks(geo, min(ns, geo->window));
}

/*
 * Direction of error: a false positive of the filter calls a new frame a
 * duplicate, at the filter's rate, and the action falls on it: "drop" loses a
 * frame that nobody has seen, "count" and "mark" only miscount or mismark one,
 * and "block" needs three of them within a second. Under "other-port" a repeat
 * on its own port passes (with profile relay 100 ms later), so there only a false
 * positive of another port's frame counts. Never the other way within window and
 * capacity; and what is not known (no room, over budget, a late sweep) passes.
 * "listed" errs as its filter does: a bitmap or a map never. "heavy" takes a key
 * that has come less often for one that reached the threshold, at the rate of a
 * counting filter and within the error of a sketch; of these only cmm errs the
 * other way, too.
 */
static struct seen_port_rule rule_of(const struct seen_guard *guard,
				     const struct seen_geometry *geo)
{
	struct seen_port_rule rule = {
		.same = geo->ticks,
		.other = geo->ticks,
	};

	switch (guard->config.verdict) {
	case SEEN_VERDICT_OTHER_PORT:
		rule.same = 0;
		/* What circles enters some relay by one device, ever again. */
		if (guard->config.profile == SEEN_PROFILE_RELAY) {
			rule.same = ticks(geo, SEEN_LOOP_SAME);
			rule.restamp = true;
		}
		break;
	case SEEN_VERDICT_LOOP:
		rule.same = ticks(geo, SEEN_LOOP_SAME);
		rule.other = ticks(geo, SEEN_LOOP_OTHER);
		rule.restamp = true;
		break;
	}
	return rule;
}

/* A new key beyond the port's share: it passes, and is not stored. */
static void pass_unrecorded(struct seen_port *port,
			    const struct seen_filter *filter)
{
	seen_port_count(port, SEEN_COUNT_OVER_BUDGET);
	seen_filter_count(filter, SEEN_STAT_NEW);
	seen_port_tell(port, SEEN_TELL_SATURATED);
}

/* False: over budget, and counted so. */
static bool ask_ports(struct seen_port *port, struct seen_filter *filter,
		      u64 hash, struct seen_port_answer *answer)
{
	struct seen_port_rule rule = rule_of(port->guard, &filter->set.geo);
	bool taken;

	*answer = seen_port_peek(&filter->set, hash, port->number, &rule);
	taken = answer->result == SEEN_PORT_NEW;
	if (taken && !seen_budget_take(port, &filter->set.geo)) {
		pass_unrecorded(port, filter);
		return false;
	}
	if (answer->pending)
		*answer = seen_filter_port(filter, hash, port->number, &rule);
	else
		seen_filter_port_count(filter, answer);
	if (taken && answer->result != SEEN_PORT_NEW)
		seen_budget_return(port);
	return true;
}

/*
 * A filter without stamps, or with short fingerprints, serves verdict "dup"
 * alone. It cannot say which port was first: its duplicates count as ones of
 * the same port, and name no first port.
 */
static bool ask_plain(struct seen_port *port, struct seen_filter *filter,
		      const struct seen_item *item,
		      struct seen_port_answer *answer)
{
	static const enum seen_port_result results[] = {
		[SEEN_NEW] = SEEN_PORT_NEW,
		[SEEN_SEEN] = SEEN_PORT_DUP_SAME,
		[SEEN_FULL] = SEEN_PORT_FULL,
		[SEEN_STALE] = SEEN_PORT_STALE,
	};
	bool taken = seen_port_limit(port, &filter->set.geo) &&
		     seen_item_test(&filter->set, item) == SEEN_NEW;

	if (taken && !seen_budget_take(port, &filter->set.geo)) {
		pass_unrecorded(port, filter);
		return false;
	}
	*answer = (struct seen_port_answer) {
		.result = results[seen_filter_test_and_add(filter, item)],
	};
	if (taken && answer->result != SEEN_PORT_NEW)
		seen_budget_return(port);
	return true;
}

static bool ask(struct seen_port *port, struct seen_filter *filter,
		const struct seen_item *item, struct seen_port_answer *answer)
{
	if (seen_ports_known(&filter->set.geo))
		return ask_ports(port, filter, item->hash, answer);
	return ask_plain(port, filter, item, answer);
}

/*
 * @value: the mark, where that is a map's value; NULL: no map was asked, or not yet. Such
 * a packet gets the mark that was there for all, if there was one.
 */
static void mark(struct sk_buff *skb, const struct seen_guard_config *config,
		 const u32 *value)
{
	/* Pairs with seen_guard_change(). */
	bool by_value = smp_load_acquire(&config->mark_value);
	u32 all = READ_ONCE(config->mark);

	if (by_value && value)
		skb->mark = *value;
	else if (!by_value || all)
		skb->mark = all;
}

/* @value: as above */
static unsigned int act(struct seen_port *port, struct sk_buff *skb,
			const u32 *value)
{
	const struct seen_guard_config *config = &port->guard->config;

	/* Pairs with seen_guard_change(). */
	switch (smp_load_acquire(&config->action)) {
	case SEEN_ACTION_COUNT:
		seen_port_count(port, SEEN_COUNT_WOULD_DROP);
		return NF_ACCEPT;
	case SEEN_ACTION_MARK:
		mark(skb, config, value);
		seen_port_count(port, SEEN_COUNT_MARKED);
		return NF_ACCEPT;
	case SEEN_ACTION_DROP:
	case SEEN_ACTION_BLOCK:
		seen_port_count(port, SEEN_COUNT_DROPPED);
		return NF_DROP;
	}
	return NF_ACCEPT;
}

static const enum seen_count counts[] = {
	[SEEN_PORT_NEW] = SEEN_COUNT_NEW,
	[SEEN_PORT_REPEAT] = SEEN_COUNT_REPEAT,
	[SEEN_PORT_DUP_SAME] = SEEN_COUNT_DUP_SAME,
	[SEEN_PORT_DUP_OTHER] = SEEN_COUNT_DUP_OTHER,
	[SEEN_PORT_FULL] = SEEN_COUNT_FULL,
	[SEEN_PORT_STALE] = SEEN_COUNT_STALE,
};

static unsigned int judge(struct seen_port *port, struct seen_filter *filter,
			  struct sk_buff *skb, const struct seen_item *item)
{
	struct seen_port_answer answer;

	if (!ask(port, filter, item, &answer))
		return NF_ACCEPT;
	seen_port_count(port, counts[answer.result]);
	if (answer.result != SEEN_PORT_DUP_SAME &&
	    answer.result != SEEN_PORT_DUP_OTHER)
		return NF_ACCEPT;
	seen_port_saw(port, skb, answer.first);
	if (answer.result == SEEN_PORT_DUP_OTHER)
		seen_guard_evidence(port, skb, item->hash, &answer);
	return act(port, skb, NULL);
}

/* "listed": is it there? Nothing is stored. */
static enum seen_count look_up(struct seen_filter *filter,
			       const struct seen_item *item, u32 *value)
{
	enum seen_result result;

	if (filter->set.geo.kind == SEEN_SET_MAP)
		result = seen_filter_value(filter, item, value);
	else
		result = seen_filter_test(filter, item);
	switch (result) {
	case SEEN_SEEN:
		return SEEN_COUNT_HIT;
	case SEEN_STALE:
		return SEEN_COUNT_STALE;
	default:
		return SEEN_COUNT_NEW;
	}
}

/* "heavy": how often has it come, with this time? */
static enum seen_count weigh(struct seen_filter *filter,
			     const struct seen_item *item)
{
	u32 count;

	switch (seen_filter_add_count(filter, item, 0, &count)) {
	case SEEN_FULL:
		return SEEN_COUNT_FULL;
	case SEEN_STALE:
		return SEEN_COUNT_STALE;
	default:
		break;
	}
	if (count >= filter->set.geo.threshold && !seen_filter_passes(filter))
		return SEEN_COUNT_HIT;
	return count > 1 ? SEEN_COUNT_REPEAT : SEEN_COUNT_NEW;
}

static unsigned int hit(struct seen_port *port, struct seen_filter *filter,
			struct sk_buff *skb, const struct seen_item *item)
{
	enum seen_count count;
	u32 value = 0;

	count = port->guard->config.verdict == SEEN_VERDICT_LISTED ?
		look_up(filter, item, &value) : weigh(filter, item);
	seen_port_count(port, count);
	if (count != SEEN_COUNT_HIT)
		return NF_ACCEPT;
	seen_port_saw(port, skb, 0);
	return act(port, skb,
		   filter->set.geo.kind == SEEN_SET_MAP ? &value : NULL);
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
	return seen_verdict_remembers(port->guard->config.verdict) ?
	       judge(port, filter, skb, &item) : hit(port, filter, skb, &item);
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

/* False: over budget, and counted so. */
static bool record_ports(struct seen_port *port, struct seen_filter *filter,
			 u64 hash, struct seen_port_answer *answer)
{
	struct seen_port_rule rule = rule_of(port->guard, &filter->set.geo);
	bool taken;

	*answer = seen_port_peek(&filter->set, hash, port->number, &rule);
	taken = answer->result == SEEN_PORT_NEW;
	if (taken && !seen_budget_take(port, &filter->set.geo)) {
		pass_unrecorded(port, filter);
		return false;
	}
	answer->result = seen_port_record(&filter->set, hash, port->number);
	if (taken && answer->result != SEEN_PORT_NEW)
		seen_budget_return(port);
	seen_filter_port_count(filter, answer);
	return true;
}

/*
 * Stored as of this port, so that a copy that comes back is known as one. What
 * the bridge repeats is not judged, and counts as a repeat.
 */
static void record(struct seen_port *port, struct seen_filter *filter,
		   const struct seen_item *item)
{
	struct seen_port_answer answer;
	bool asked = seen_ports_known(&filter->set.geo) ?
		     record_ports(port, filter, item->hash, &answer) :
		     ask_plain(port, filter, item, &answer);

	if (!asked)
		return;
	if (answer.result == SEEN_PORT_DUP_SAME)
		answer.result = SEEN_PORT_REPEAT;
	seen_port_count(port, counts[answer.result]);
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
		record(port, filter, &item);
	return NF_ACCEPT;
}
