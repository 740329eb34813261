/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules: what another module asks of a binding for its packet, one question a
 * packet. The netfilter match xt_seen is one.
 */
#ifndef SEEN_RULE_H
#define SEEN_RULE_H

#include <linux/skbuff.h>
#include <net/net_namespace.h>

struct netlink_ext_ack;
struct seen_binding;

/* What to do with the packet's key, and what that calls seen. */
enum seen_rule_op {
	SEEN_RULE_TEST,		/* look only; seen: it is there */
	SEEN_RULE_ADD,		/* store it, once more; seen: it was there */
	SEEN_RULE_TEST_ADD,	/* store it if it is new; seen: it was there */
	SEEN_RULE_DEL,		/* remove it, once; seen: it was there */
	SEEN_RULE_TEST_OVER,	/* look only; seen: more than N copies are there */
	SEEN_RULE_ADD_OVER,	/* store it; seen: more than N copies are there now */
	SEEN_RULE_OPS
};

enum seen_rule_answer {
	SEEN_RULE_NEW,
	SEEN_RULE_SEEN,
	/*
	 * There is no filter, or no such key in the packet, or the filter's
	 * type cannot do this, or its sweep is late. All of it is counted.
	 */
	SEEN_RULE_UNKNOWN,
	SEEN_RULE_ALLOWED,	/* on the allow list: the rule is not for it */
};

/**
 * struct seen_question - what a rule asks for each packet
 * @op: enum seen_rule_op
 * @arrival: the link-layer header that is there, if any, is what it came by
 * @over: N of the two that count
 */
struct seen_question {
	u8 op;
	bool arrival;
	u32 over;
};

/**
 * seen_rule_pin() - a rule begins to use a name, with a filter or not as yet
 * @net: its namespace
 * @name: of the filter, within SEEN_NAME_MAX bytes
 * @extack: receives the text of an error
 *
 * Context: process; netfilter's locks may be held, and rtnl outside of them.
 * Return: the binding, or ERR_PTR: -EINVAL (the name), -ENOSPC (a cap), -ENOMEM.
 */
struct seen_binding *seen_rule_pin(struct net *net, const char *name,
				   struct netlink_ext_ack *extack);

/* seen_rule_unpin() - no packet is in the rule any more */
void seen_rule_unpin(struct seen_binding *binding);

/**
 * seen_rule_ask() - a packet's question
 * @binding: pinned
 * @skb: the packet, its data at the network header or before it
 * @question: see above
 *
 * Direction of error: a false positive answers SEEN_RULE_SEEN for a new key, at
 * the filter's rate. What that does to the packet is the rule's: "seen, so drop"
 * loses it, "not seen, so drop" lets it pass. Never the other way within window
 * and capacity; a key that found no room is new again.
 *
 * Context: softirq, or process with bottom halves on (netfilter's LOCAL_OUT);
 * in an RCU read section.
 */
enum seen_rule_answer seen_rule_ask(const struct seen_binding *binding,
				    const struct sk_buff *skb,
				    const struct seen_question *question);

#endif
