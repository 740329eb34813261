// SPDX-License-Identifier: GPL-2.0
/*
 * From the item of a packet to verdict and action. Each packet that a guard looks at is
 * counted once: as new, repeat, duplicate (of this port or another), hit (listed or heavy),
 * exempt, without a key, merged by GRO, over budget, full, stale, allowed, refused,
 * unrecorded, blocked in or blocked out. With trail-only, a frame is counted only if its trail
 * appears, ends, or is absent. A frame that has lost its note (guard_bridge.c) is
 * counted as unrecorded in addition. While the guard is being deleted, some packets are
 * not counted.
 */
#include "guard_verdict.h"

static u32 verdict_ticks(const struct seen_geometry *geo, u64 ns)
{
	return seen_arrival_ticks(geo, min(ns, geo->window));
}

/*
 * Direction of error: a false positive calls a new frame a duplicate, at the filter's
 * false-positive rate, and the action is applied to it. "drop" loses this frame; "count" and
 * "mark" only count or mark it wrongly; "block" needs "suspect" such frames within a second,
 * and probes that prove the loop. Under "other-port", and under "loop" without a sign of a
 * loop, a repeat on its own port passes (with profile relay after 100 ms), so only a false
 * positive with an entry of another port matters.
 *
 * Within window and capacity a duplicate is never called new. A packet that cannot be judged
 * (filter full, over budget, sweep late) passes.
 *
 * "listed" errs as its filter does; a bitmap and a map never err. "heavy" may hit a key below
 * the threshold, at the false-positive rate of a counting filter or within the error of a
 * sketch. It misses a key above the threshold only with a cmm.
 */
static struct seen_arrival_rule verdict_rule_of(const struct seen_port *port,
						const struct seen_geometry *geo,
						struct seen_vlan vlan)
{
	const struct seen_guard *guard = port->guard;
	struct seen_arrival_rule rule = {
		.same = geo->ticks,
		.other = geo->ticks,
	};

	switch (guard->config.verdict) {
	case SEEN_VERDICT_OTHER_PORT:
		rule.same = 0;
		/* A circling packet enters some relay again and again by the same device. */
		if (guard->config.profile == SEEN_GUARD_PROFILE_RELAY) {
			rule.same = verdict_ticks(geo, SEEN_LOOP_SAME);
			rule.restamp = true;
			rule.extend = true;
		}
		break;
	case SEEN_VERDICT_LOOP:
		rule.same = seen_repeat_signed(port, vlan.id) ?
			    verdict_ticks(geo, SEEN_LOOP_SAME) : 0;
		rule.other = verdict_ticks(geo, SEEN_LOOP_OTHER);
		rule.restamp = true;
		break;
	}
	return rule;
}

/* A new key exceeds the port's share and the common budget: it passes, and is not stored. */
static void verdict_pass_unrecorded(struct seen_port *port,
				    const struct seen_filter *filter)
{
	seen_port_count(port, SEEN_COUNT_OVER_BUDGET);
	seen_filter_count(filter, SEEN_STAT_NEW);
	seen_port_tell(port, SEEN_TELL_SATURATED);
}

/* Look up without storing. Returns false if a new key is over budget, which is counted. */
static bool verdict_peek_ports(struct seen_port *port, struct seen_filter *filter,
			       u64 hash, const struct seen_arrival_rule *rule,
			       struct seen_arrival_answer *answer)
{
	*answer = seen_arrival_peek(&filter->set, hash, port->number, rule);
	if (answer->result != SEEN_ARRIVAL_NEW ||
	    seen_port_take(port, &filter->set.geo))
		return true;
	verdict_pass_unrecorded(port, filter);
	return false;
}

/* Returns false if a new key is over budget, which is counted. */
static bool verdict_ask_ports(struct seen_port *port, struct seen_filter *filter,
			      u64 hash, struct seen_vlan vlan,
			      struct seen_arrival_answer *answer)
{
	struct seen_arrival_rule rule = verdict_rule_of(port, &filter->set.geo, vlan);
	bool taken;

	if (!verdict_peek_ports(port, filter, hash, &rule, answer))
		return false;
	taken = answer->result == SEEN_ARRIVAL_NEW;
	if (answer->pending)
		*answer = seen_filter_port(filter, hash, port->number, &rule);
	else
		seen_filter_port_count(filter, answer);
	if (taken && answer->result != SEEN_ARRIVAL_NEW)
		seen_port_return(port);
	return true;
}

/*
 * A filter without stamps, or with short fingerprints, does not store ports, so only verdict
 * "dup" can use it. Its duplicates count as duplicates of the same port, and their first
 * port is not known.
 */
static bool verdict_ask_plain(struct seen_port *port, struct seen_filter *filter,
			      const struct seen_item *item,
			      struct seen_arrival_answer *answer)
{
	static const enum seen_arrival_result results[] = {
		[SEEN_NEW] = SEEN_ARRIVAL_NEW,
		[SEEN_SEEN] = SEEN_ARRIVAL_DUP_SAME,
		[SEEN_FULL] = SEEN_ARRIVAL_FULL,
		[SEEN_STALE] = SEEN_ARRIVAL_STALE,
	};
	bool taken = seen_port_share(port, &filter->set.geo) &&
		     seen_item_test(&filter->set, item) == SEEN_NEW;

	if (taken && !seen_port_take(port, &filter->set.geo)) {
		verdict_pass_unrecorded(port, filter);
		return false;
	}
	*answer = (struct seen_arrival_answer) {
		.result = results[seen_filter_test_and_add(filter, item)],
	};
	if (taken && answer->result != SEEN_ARRIVAL_NEW)
		seen_port_return(port);
	return true;
}

static bool verdict_ask(struct seen_port *port, struct seen_filter *filter,
			const struct seen_item *item, struct seen_vlan vlan,
			struct seen_arrival_answer *answer)
{
	if (seen_ports_known(&filter->set.geo))
		return verdict_ask_ports(port, filter, item->hash, vlan, answer);
	return verdict_ask_plain(port, filter, item, answer);
}

/*
 * @value: value of the packet; NULL: the packet was not looked up in a map. If mark_value was
 * set after the lookup, the packet gets the guard's mark, unless that mark is 0.
 */
static void verdict_mark(struct sk_buff *skb, const struct seen_guard_config *config,
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

/* @value: as for verdict_mark() */
static unsigned int verdict_act(struct seen_port *port, struct sk_buff *skb,
				const u32 *value)
{
	const struct seen_guard_config *config = &port->guard->config;

	/* Pairs with seen_guard_change(). */
	switch (smp_load_acquire(&config->action)) {
	case SEEN_ACTION_COUNT:
		seen_port_count(port, SEEN_COUNT_WOULD_DROP);
		return NF_ACCEPT;
	case SEEN_ACTION_MARK:
		verdict_mark(skb, config, value);
		seen_port_count(port, SEEN_COUNT_MARKED);
		return NF_ACCEPT;
	case SEEN_ACTION_DROP:
	case SEEN_ACTION_BLOCK:
		seen_port_count(port, SEEN_COUNT_DROPPED);
		return NF_DROP;
	}
	return NF_ACCEPT;
}

unsigned int seen_guard_act(struct seen_port *port, struct sk_buff *skb)
{
	return verdict_act(port, skb, NULL);
}

static const enum seen_count counts[] = {
	[SEEN_ARRIVAL_NEW] = SEEN_COUNT_NEW,
	[SEEN_ARRIVAL_REPEAT] = SEEN_COUNT_REPEAT,
	[SEEN_ARRIVAL_DUP_SAME] = SEEN_COUNT_DUP_SAME,
	[SEEN_ARRIVAL_DUP_OTHER] = SEEN_COUNT_DUP_OTHER,
	[SEEN_ARRIVAL_FULL] = SEEN_COUNT_FULL,
	[SEEN_ARRIVAL_STALE] = SEEN_COUNT_STALE,
};

/* Verdict "loop": decide whether a repeat on its own port passes. */
static enum seen_arrival_result
verdict_settle_repeat(struct seen_port *port, const struct seen_link *link,
		      struct seen_vlan vlan,
		      const struct seen_arrival_answer *answer)
{
	bool again = answer->result == SEEN_ARRIVAL_DUP_SAME;

	if (!again && (answer->result != SEEN_ARRIVAL_REPEAT ||
		       answer->first != port->number))
		return answer->result;
	return seen_repeat_passes(port, link, vlan, again) ? SEEN_ARRIVAL_REPEAT
							   : SEEN_ARRIVAL_DUP_SAME;
}

static unsigned int verdict_judge(struct seen_port *port, struct seen_filter *filter,
				  struct sk_buff *skb, const struct seen_sought *sought,
				  struct seen_vlan vlan)
{
	bool loop = port->guard->config.verdict == SEEN_VERDICT_LOOP;
	struct seen_arrival_answer answer;

	if (!verdict_ask(port, filter, &sought->item, vlan, &answer))
		return NF_ACCEPT;
	if (loop)
		answer.result = verdict_settle_repeat(port, sought->link, vlan, &answer);
	seen_port_count(port, counts[answer.result]);
	if (answer.result != SEEN_ARRIVAL_DUP_SAME &&
	    answer.result != SEEN_ARRIVAL_DUP_OTHER)
		return NF_ACCEPT;
	seen_port_saw(port, sought->link, answer.first);
	if (loop && answer.result == SEEN_ARRIVAL_DUP_OTHER)
		seen_guard_evidence(port, sought->link, vlan, sought->item.hash, &answer);
	return verdict_act(port, skb, NULL);
}

/* "listed": look the key up. Stores nothing. */
static enum seen_result verdict_look_up(struct seen_filter *filter,
					const struct seen_sought *sought, u32 *value)
{
	if (sought->answered) {
		*value = sought->value;
		return sought->result;
	}
	if (filter->set.geo.kind == SEEN_SET_MAP)
		return seen_filter_value(filter, &sought->item, value);
	return seen_filter_test(filter, &sought->item);
}

static enum seen_count verdict_count_of(enum seen_result result)
{
	switch (result) {
	case SEEN_SEEN:
		return SEEN_COUNT_HIT;
	case SEEN_STALE:
		return SEEN_COUNT_STALE;
	default:
		return SEEN_COUNT_NEW;
	}
}

/* "heavy": count the key, and compare its count, including this packet, with the threshold. */
static enum seen_count verdict_weigh(struct seen_filter *filter,
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

static unsigned int verdict_hit(struct seen_port *port, struct seen_filter *filter,
				struct sk_buff *skb, const struct seen_sought *sought)
{
	enum seen_count count;
	u32 value = 0;

	count = port->guard->config.verdict == SEEN_VERDICT_LISTED ?
		verdict_count_of(verdict_look_up(filter, sought, &value)) :
		verdict_weigh(filter, &sought->item);
	seen_port_count(port, count);
	if (count != SEEN_COUNT_HIT)
		return NF_ACCEPT;
	seen_port_saw(port, sought->link, 0);
	return verdict_act(port, skb,
			   filter->set.geo.kind == SEEN_SET_MAP ? &value : NULL);
}

unsigned int seen_guard_decide(struct seen_port *port,
			       struct seen_filter *filter, struct sk_buff *skb,
			       const struct seen_sought *sought,
			       struct seen_vlan vlan)
{
	return seen_verdict_remembers(port->guard->config.verdict) ?
	       verdict_judge(port, filter, skb, sought, vlan) :
	       verdict_hit(port, filter, skb, sought);
}

bool seen_guard_is_new(const struct seen_port *port, struct seen_filter *filter,
		       const struct seen_item *item, struct seen_vlan vlan)
{
	struct seen_arrival_rule rule;
	struct seen_arrival_answer answer;

	if (!seen_ports_known(&filter->set.geo))
		return seen_item_test(&filter->set, item) == SEEN_NEW;
	rule = verdict_rule_of(port, &filter->set.geo, vlan);
	answer = seen_arrival_peek(&filter->set, item->hash, port->number, &rule);
	return answer.result == SEEN_ARRIVAL_NEW ||
	       answer.result == SEEN_ARRIVAL_REPEAT;
}

/* Returns false if a new key is over budget, which is counted. */
static bool verdict_record_ports(struct seen_port *port, struct seen_filter *filter,
				 u64 hash, struct seen_arrival_answer *answer)
{
	struct seen_arrival_rule rule = verdict_rule_of(port, &filter->set.geo,
							(struct seen_vlan) {});
	bool taken;

	if (!verdict_peek_ports(port, filter, hash, &rule, answer))
		return false;
	taken = answer->result == SEEN_ARRIVAL_NEW;
	*answer = seen_arrival_record(&filter->set, hash, port->number);
	if (taken && answer->result != SEEN_ARRIVAL_NEW)
		seen_port_return(port);
	seen_filter_port_count(filter, answer);
	seen_filter_port_feed(filter, hash, answer);
	return true;
}

/*
 * Stored as an arrival on this port, so that a copy that comes back is a duplicate. A frame
 * that the bridge sends again is not judged; it counts as a repeat.
 */
void seen_guard_record(struct seen_port *port, struct seen_filter *filter,
		       const struct seen_item *item)
{
	struct seen_arrival_answer answer;
	bool asked = seen_ports_known(&filter->set.geo) ?
		     verdict_record_ports(port, filter, item->hash, &answer) :
		     verdict_ask_plain(port, filter, item, &answer);

	if (!asked)
		return;
	if (answer.result == SEEN_ARRIVAL_DUP_SAME)
		answer.result = SEEN_ARRIVAL_REPEAT;
	seen_port_count(port, counts[answer.result]);
}
