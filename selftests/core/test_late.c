// SPDX-License-Identifier: GPL-2.0
/*
 * The answers and counters of a sketch while its sweep is late: the module's own files
 * under a fake kernel, because in a guest this would take days.
 */
#include "../../kmod/core/top.h"
#include "../../kmod/rule.h"
#include "../fake/module.h"
#include "test.h"

#define OVER		1
#define TOP		4
#define KEY		1

static struct seen_binding *binding;
static struct seen_filter *filter;
static struct seen_item item;

static void begin(enum seen_set_kind kind)
{
	struct seen_geometry geo = {
		.kind = kind, .capacity = 100, .fpp = FPP_ONE / 100,
		.window = 2 * MIN_TICK, .threshold = 1,
		.top = TOP, .key_bytes = FAKE_KEY_LEN,
	};
	int i;

	clock_set(1000 * SECOND);
	if (seen_plan(&geo, MIN_TICK))
		abort();
	fake_sn_begin();
	filter = fake_filter(&geo);
	binding = seen_binding_add(&fake_sn, "late", filter, false, NULL);
	fake_events = 0;
	item = fake_item(filter, KEY);
	for (i = 0; i < 5; i++)
		seen_item_add(&filter->set, &item);
}

/* As a rule asks for its packet. */
static enum seen_rule_answer rule(enum seen_rule_op op, u32 over)
{
	const struct seen_question question = { .op = op, .over = over };
	const struct sk_buff skb = fake_packet(KEY);

	return seen_rule_ask(binding, &skb, &question);
}

/* The first part of a dump: an error (-ENODATA: no key), or how often its first key came. */
static int top_part(struct netlink_callback *cb)
{
	const struct nlattr *entry, *value;
	int err, rest;

	err = seen_nl_top_dump(nlmsg_new(SEEN_CHUNK_MAX, GFP_KERNEL), cb);
	if (err < 0)
		return err;
	entry = fake_reply(SEEN_A_KEY_ENTRY);
	if (!entry)
		return -ENODATA;
	nla_for_each_nested(value, entry, rest)
		if (nla_type(value) == SEEN_A_ENTRY_VALUE)
			return nla_get_u32(value);
	return 0;
}

/* The command TOP_GET: an error with a text, or how often the heaviest key came. */
static int top(void)
{
	struct {
		struct nlmsghdr header;
		struct genlmsghdr genl;
		struct nlattr filter;
		char name[8];
	} request = {
		.header.nlmsg_len = sizeof(request),
		.filter = {
			.nla_type = SEEN_A_KEY_FILTER,
			.nla_len = NLA_HDRLEN + sizeof(request.name),
		},
		.name = "late",
	};
	struct netlink_ext_ack extack = {};
	struct sk_buff skb = {};
	struct netlink_callback cb = {
		.skb = &skb, .nlh = &request.header, .extack = &extack,
	};
	int err = top_part(&cb);

	if (!cb.args[0])
		return extack._msg ? err : 0;
	seen_nl_top_done(&cb);
	return err;
}

static void counted(enum seen_set_kind kind, const char *name)
{
	u32 value;

	begin(kind);
	ok(seen_filter_value(filter, &item, &value) == SEEN_SEEN && value == 5 &&
	   rule(SEEN_RULE_TEST_OVER, OVER) == SEEN_RULE_SEEN &&
	   rule(SEEN_RULE_TEST_OVER, 5) == SEEN_RULE_NEW &&
	   rule(SEEN_RULE_ADD_OVER, OVER) == SEEN_RULE_SEEN && !filter->events,
	   "%s: in time, a key over the threshold is seen", name);
	ok(top() == 6, "%s: in time, the heaviest keys are listed", name);
	fake_room = 0;
	ok(top() == -EMSGSIZE, "%s: but not in a reply without room", name);
	fake_room = SEEN_CHUNK_MAX;
	clock_add(2 * seen_set_sweep_period(&filter->set.geo));
	ok(seen_filter_value(filter, &item, &value) == SEEN_STALE && !value,
	   "%s: late, the count of a key is unknown", name);
	ok(rule(SEEN_RULE_TEST_OVER, OVER) == SEEN_RULE_UNKNOWN,
	   "%s: late, a rule that tests does not match", name);
	ok(rule(SEEN_RULE_ADD_OVER, OVER) == SEEN_RULE_UNKNOWN,
	   "%s: late, a rule that adds does not match", name);
	ok(top() == -EAGAIN, "%s: late, the heaviest keys are not listed", name);
	fake_run();
	ok(filter->stats->count[SEEN_STAT_STALE] == 3 && fake_events == 1 &&
	   fake_event.cmd == SEEN_CMD_WINDOW_SHORT_NTF && !fake_event.window,
	   "%s: late, the requests are counted, with an event", name);
	seen_binding_del(binding);
	fake_run();
}

int main(void)
{
	test_begin(16);
	counted(SEEN_SET_CMS, "cms");
	counted(SEEN_SET_CMM, "cmm");
	return test_end();
}
