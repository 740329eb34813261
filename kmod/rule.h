/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules: how another module looks up packets in a filter. The netfilter match xt_seen
 * is such a module.
 */
#ifndef SEEN_RULE_H
#define SEEN_RULE_H

#include <linux/skbuff.h>
#include <net/net_namespace.h>

struct netlink_ext_ack;
struct seen_binding;

/* Operation on the packet's key, and when the answer is SEEN_RULE_SEEN. */
enum seen_rule_op {
	SEEN_RULE_TEST,		/* look up; seen: it is stored */
	SEEN_RULE_ADD,		/* store it, or one more copy; seen: it was stored before */
	SEEN_RULE_TEST_ADD,	/* store it if it is new; seen: it was stored before */
	SEEN_RULE_DEL,		/* remove one copy; seen: it was stored before */
	SEEN_RULE_TEST_OVER,	/* look up; seen: its count is greater than N */
	SEEN_RULE_ADD_OVER,	/* store it; seen: its count is then greater than N */
	SEEN_RULE_OPS
};

enum seen_rule_answer {
	SEEN_RULE_NEW,
	SEEN_RULE_SEEN,
	/*
	 * There is no filter, the packet has no such key, the filter's type
	 * does not support the operation, or its sweep is late. Each case has
	 * a counter.
	 */
	SEEN_RULE_UNKNOWN,
	SEEN_RULE_ALLOWED,	/* the key is allowed: the rule must not match */
};

/**
 * struct seen_question - what a rule does with each packet
 * @op: enum seen_rule_op
 * @arrival: true: the packet was received with the link-layer header that is in front of it.
 *           For a rule without a packet: packets of the rule may have such a header
 * @over: N of SEEN_RULE_TEST_OVER and SEEN_RULE_ADD_OVER; 0 for the other operations
 */
struct seen_question {
	u8 op;
	bool arrival;
	u32 over;
};

/**
 * seen_rule_pin() - start to use a filter's name in a rule; the filter may not exist yet
 * @net: network namespace of the rule
 * @name: name of the filter, at most SEEN_NAME_MAX bytes with its NUL
 * @question: of the rule, for seen_rule_unfit()
 * @extack: receives the text of an error
 *
 * Context: process; netfilter's locks may be held, and rtnl outside of them.
 * Return: the binding, or ERR_PTR: -EINVAL (the name), -ENOSPC (a cap), -ENOMEM.
 */
struct seen_binding *seen_rule_pin(struct net *net, const char *name,
				   const struct seen_question *question,
				   struct netlink_ext_ack *extack);

/*
 * seen_rule_unpin() - stop using the name; no packet may be in the rule any more.
 * @question: as for seen_rule_pin()
 */
void seen_rule_unpin(struct seen_binding *binding,
		     const struct seen_question *question);

/**
 * seen_rule_unfit() - count the rules that the filter can never answer
 * @binding: has a filter; its namespace's lock held
 *
 * Such a rule needs an operation that the type does not support, or its packets never have
 * a key of the filter.
 *
 * Return: the number of rules that pin the binding and get no answer.
 */
u32 seen_rule_unfit(const struct seen_binding *binding);

/**
 * seen_rule_ask() - apply a rule to a packet
 * @binding: from seen_rule_pin()
 * @skb: the packet, skb->data at the network header or before it
 * @question: what to do with its key
 *
 * Direction of error: a false positive answers SEEN_RULE_SEEN for a new key, at the
 * filter's false-positive rate. A rule that drops seen packets then drops a new packet; a
 * rule that drops new packets then accepts one. Within window and capacity there are no
 * false negatives. A key that was not stored for lack of room is new the next time, too.
 *
 * Context: softirq, or process with bottom halves enabled (netfilter's LOCAL_OUT); in an
 * RCU read section.
 * Return: the answer.
 */
enum seen_rule_answer seen_rule_ask(const struct seen_binding *binding,
				    const struct sk_buff *skb,
				    const struct seen_question *question);

#endif
