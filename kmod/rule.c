// SPDX-License-Identifier: GPL-2.0
/* Rules: from a packet to its key, the filter and the answer; rule.h. */
#include <linux/export.h>

#include "allow.h"
#include "rule.h"

/*
 * A question for each kind of rules, without @arrival: a filter can answer either every rule
 * of a kind or none. A rule with a count is of the first kind with its @op that has an @over
 * which is not smaller; see seen_set_count_max().
 */
static const struct seen_question rule_kinds[] = {
	{ .op = SEEN_RULE_TEST },
	{ .op = SEEN_RULE_ADD },
	{ .op = SEEN_RULE_TEST_ADD },
	{ .op = SEEN_RULE_DEL },
	{ .op = SEEN_RULE_TEST_OVER, .over = SEEN_CUCKOO_COPIES - 1 },
	{ .op = SEEN_RULE_TEST_OVER, .over = SEEN_COUNTING_MAX - 1 },
	{ .op = SEEN_RULE_TEST_OVER, .over = U32_MAX - 1 },
	{ .op = SEEN_RULE_TEST_OVER, .over = U32_MAX },
	{ .op = SEEN_RULE_ADD_OVER, .over = SEEN_CUCKOO_COPIES - 1 },
	{ .op = SEEN_RULE_ADD_OVER, .over = SEEN_COUNTING_MAX - 1 },
	{ .op = SEEN_RULE_ADD_OVER, .over = U32_MAX - 1 },
	{ .op = SEEN_RULE_ADD_OVER, .over = U32_MAX },
};

static_assert(2 * ARRAY_SIZE(rule_kinds) == SEEN_RULE_KINDS);

static unsigned int rule_kind(const struct seen_question *question)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rule_kinds); i++)
		if (rule_kinds[i].op == question->op &&
		    rule_kinds[i].over >= question->over)
			return 2 * i + question->arrival;
	WARN_ON_ONCE(1);
	return question->arrival;
}

struct seen_binding *seen_rule_pin(struct net *net, const char *name,
				   const struct seen_question *question,
				   struct netlink_ext_ack *extack)
{
	return seen_binding_pin_rule(seen_net(net), name, rule_kind(question),
				     extack);
}
EXPORT_SYMBOL_GPL(seen_rule_pin);

void seen_rule_unpin(struct seen_binding *binding,
		     const struct seen_question *question)
{
	seen_binding_unpin_rule(binding, rule_kind(question));
}
EXPORT_SYMBOL_GPL(seen_rule_unpin);

static bool rule_can(const struct seen_filter *filter,
		     const struct seen_question *question)
{
	const struct seen_geometry *geo = &filter->set.geo;

	/* A packet has an address, not a prefix, so it can only be looked up. */
	if (filter->spec.prefix && question->op != SEEN_RULE_TEST &&
	    question->op != SEEN_RULE_TEST_OVER)
		return false;
	switch (question->op) {
	case SEEN_RULE_TEST_ADD:
		return seen_set_can_test_and_add(geo);
	case SEEN_RULE_DEL:
		return seen_set_can_del(geo);
	case SEEN_RULE_TEST_OVER:
	case SEEN_RULE_ADD_OVER:
		return question->over < seen_set_count_max(geo);
	}
	return true;
}

/* May a packet have such a key? */
static bool rule_has_key(const struct seen_keyspec *spec, bool arrival)
{
	int i;

	for (i = 0; i < spec->count; i++)
		if (spec->field[i].id == SEEN_FIELD_BYTES ||
		    spec->field[i].id == SEEN_FIELD_ID)
			return false;
	return arrival || !spec->link;
}

u32 seen_rule_unfit(const struct seen_binding *binding)
{
	const struct seen_filter *filter = seen_binding_filter(binding);
	unsigned int kind;
	u32 unfit = 0;

	for (kind = 0; kind < SEEN_RULE_KINDS; kind++)
		if (!rule_can(filter, &rule_kinds[kind / 2]) ||
		    !rule_has_key(&filter->spec, kind % 2))
			unfit += binding->rules_of[kind];
	return unfit;
}

static bool rule_build(const struct seen_keyspec *spec, const struct sk_buff *skb,
		       bool arrival, struct seen_key *key)
{
	/* GRO may have merged two copies of a packet with different neighbours. */
	if (skb_is_gso(skb) && spec->single)
		return false;
	return seen_key_build_net(spec, skb, arrival && spec->link, key);
}

static enum seen_rule_answer rule_seen_if(bool seen)
{
	return seen ? SEEN_RULE_SEEN : SEEN_RULE_NEW;
}

static enum seen_rule_answer rule_answer_to(enum seen_result result)
{
	if (result == SEEN_STALE)
		return SEEN_RULE_UNKNOWN;
	return rule_seen_if(result == SEEN_SEEN || result == SEEN_COPIES);
}

/* Store no more copies than are needed to exceed @over, to leave room for other keys. */
static enum seen_rule_answer rule_add_over(struct seen_filter *filter,
					   const struct seen_item *item, u32 over)
{
	enum seen_result result;
	u32 count;

	result = seen_filter_add_count(filter, item,
				       clamp_t(u32, over + 1, 2,
					       SEEN_CUCKOO_COPIES),
				       &count);
	return result == SEEN_STALE ? SEEN_RULE_UNKNOWN : rule_seen_if(count > over);
}

static enum seen_rule_answer rule_test_over(struct seen_filter *filter,
					    const struct seen_item *item, u32 over)
{
	u32 count = seen_item_count(&filter->set, item);

	/*
	 * While the sweep is late the count is 0. If the sweep ends before the second check,
	 * it has emptied the filter, so 0 is right.
	 */
	if (!count && seen_filter_stale(filter))
		return SEEN_RULE_UNKNOWN;
	return rule_seen_if(count > over);
}

static enum seen_rule_answer rule_ask(struct seen_filter *filter,
				      const struct seen_item *item,
				      const struct seen_question *question)
{
	switch (question->op) {
	case SEEN_RULE_TEST:
		return rule_answer_to(seen_filter_test(filter, item));
	case SEEN_RULE_ADD:
		return rule_answer_to(seen_filter_add(filter, item));
	case SEEN_RULE_TEST_ADD:
		return rule_answer_to(seen_filter_test_and_add(filter, item));
	case SEEN_RULE_DEL:
		return rule_answer_to(seen_filter_del(filter, item));
	case SEEN_RULE_TEST_OVER:
		return rule_test_over(filter, item, question->over);
	case SEEN_RULE_ADD_OVER:
		return rule_add_over(filter, item, question->over);
	}
	return SEEN_RULE_UNKNOWN;
}

/* Count the lookup, unless seen_filter_test() or seen_filter_test_and_add() has done so. */
static void rule_count(struct seen_filter *filter, u8 op,
		       enum seen_rule_answer answer)
{
	if (op == SEEN_RULE_TEST || op == SEEN_RULE_TEST_ADD)
		return;
	if (answer == SEEN_RULE_SEEN)
		seen_filter_count(filter, SEEN_STAT_SEEN);
	else if (answer == SEEN_RULE_NEW)
		seen_filter_count(filter, SEEN_STAT_NEW);
	else
		seen_filter_count(filter, SEEN_STAT_LOOKUPS);
}

/* Policy "pass": while the filter is full, no key counts as seen. */
static enum seen_rule_answer rule_settle(struct seen_filter *filter, u8 op,
					 enum seen_rule_answer answer)
{
	if (answer == SEEN_RULE_SEEN && op != SEEN_RULE_DEL &&
	    seen_filter_passes(filter))
		answer = SEEN_RULE_NEW;
	rule_count(filter, op, answer);
	return answer;
}

/* For a key with a prefix of any length. rule_can() allows only lookups of it. */
static enum seen_rule_answer rule_ask_prefix(struct seen_filter *filter,
					     const struct seen_key *key,
					     const struct seen_question *question)
{
	enum seen_result result;
	u32 value;

	if (question->op == SEEN_RULE_TEST)
		return rule_answer_to(seen_filter_test_prefix(filter, key, &value));
	result = seen_filter_match(filter, key, question->over, &value);
	if (result == SEEN_NEW && seen_filter_stale(filter))
		result = SEEN_STALE;
	return rule_settle(filter, question->op, rule_answer_to(result));
}

/*
 * Read the packet's key. Not inlined, so that the key is not on the stack while the filter's
 * functions run.
 * @item: out, if true is returned
 * @answer: out, if false is returned
 *
 * Return: true: look up @item; false: @answer is final.
 */
static noinline bool rule_read_packet(const struct seen_binding *binding, u32 gone_seq,
				      struct seen_filter *filter,
				      const struct sk_buff *skb,
				      const struct seen_question *question,
				      struct seen_item *item,
				      enum seen_rule_answer *answer)
{
	/* Not cleared, because it is large. Only bytes that were written are read. */
	struct seen_key key __uninitialized;

	*answer = SEEN_RULE_UNKNOWN;
	if (!rule_build(&filter->spec, skb, question->arrival, &key) ||
	    (!key.prefix && !seen_filter_item(filter, &key, item))) {
		seen_filter_count(filter, SEEN_STAT_NOKEY);
		return false;
	}
	if (seen_allowed(binding, &key)) {
		seen_filter_count(filter, SEEN_STAT_ALLOWED);
		*answer = SEEN_RULE_ALLOWED;
		return false;
	}
	if (seen_binding_gone(binding, gone_seq)) {
		this_cpu_inc(*binding->unanswered);
		return false;
	}
	if (likely(!key.prefix))
		return true;
	*answer = rule_ask_prefix(filter, &key, question);
	return false;
}

enum seen_rule_answer seen_rule_ask(const struct seen_binding *binding,
				    const struct sk_buff *skb,
				    const struct seen_question *question)
{
	u32 gone_seq = seen_binding_gone_seq(binding);
	struct seen_filter *filter = rcu_dereference(binding->filter);
	enum seen_rule_answer answer;
	struct seen_item item __uninitialized;

	if (!filter) {
		this_cpu_inc(*binding->unanswered);
		return SEEN_RULE_UNKNOWN;
	}
	if (!rule_can(filter, question)) {
		seen_filter_count(filter, SEEN_STAT_UNFIT);
		return SEEN_RULE_UNKNOWN;
	}
	if (!rule_read_packet(binding, gone_seq, filter, skb, question, &item, &answer))
		return answer;
	return rule_settle(filter, question->op, rule_ask(filter, &item, question));
}
EXPORT_SYMBOL_GPL(seen_rule_ask);
