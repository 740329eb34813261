// SPDX-License-Identifier: GPL-2.0
/*
 * Rules that a filter can never answer are reported before a packet comes: of each type and
 * each question, the report agrees with the counter of the packets without an answer.
 */
#include "../../kmod/rule.h"
#include "../fake/module.h"
#include "test.h"

static const u32 overs[] = { 0, 6, 7, 8, 13, 14, 15, U32_MAX - 1, U32_MAX };

static struct seen_binding *binding;
static struct seen_filter *filter;

static void begin(enum seen_set_kind kind)
{
	struct seen_geometry geo = {
		.kind = kind, .capacity = 100, .fpp = FPP_ONE / 100,
		.threshold = 1, .key_bytes = FAKE_KEY_LEN,
	};

	if (seen_plan(&geo, MIN_TICK))
		abort();
	fake_sn_begin();
	filter = fake_filter(&geo);
	binding = seen_binding_add(&fake_sn, "unfit", filter, false, NULL);
}

static void end(void)
{
	seen_binding_del(binding);
	fake_run();
}

static u64 unfit_packets(void)
{
	return seen_binding_count(binding, SEEN_STAT_UNFIT);
}

/* Is the rule reported, exactly while it exists, if it has no answer for a packet? */
static bool agrees(const struct seen_question *question)
{
	const struct sk_buff skb = fake_packet(1);
	u64 before = unfit_packets();
	bool unfit;

	if (seen_rule_unfit(binding) ||
	    seen_rule_pin(fake_sn.net, "unfit", question, NULL) != binding)
		return false;
	seen_rule_ask(binding, &skb, question);
	unfit = unfit_packets() > before;
	if (seen_rule_unfit(binding) != unfit)
		return false;
	seen_rule_unpin(binding, question);
	return !seen_rule_unfit(binding);
}

static bool all_agree(void)
{
	struct seen_question question = { .arrival = true };
	size_t i;

	for (question.op = 0; question.op < SEEN_RULE_OPS; question.op++)
		for (i = 0; i < ARRAY_SIZE(overs); i++) {
			question.over = question.op < SEEN_RULE_TEST_OVER ? 0 : overs[i];
			if (!agrees(&question))
				return false;
		}
	return true;
}

static void every_question(enum seen_set_kind kind, const char *name)
{
	begin(kind);
	ok(all_agree(), "%s: exactly the rules without an answer are reported", name);
	end();
}

static bool only_lookups(void)
{
	struct seen_question question = { .arrival = true };
	bool right = true;

	filter->spec.prefix = 1;
	for (question.op = 0; question.op < SEEN_RULE_TEST_OVER; question.op++) {
		seen_rule_pin(fake_sn.net, "unfit", &question, NULL);
		right &= seen_rule_unfit(binding) == (question.op != SEEN_RULE_TEST);
		seen_rule_unpin(binding, &question);
	}
	filter->spec.prefix = 0;
	return right;
}

/* Number of rules that are reported, of one whose packets may be arrivals and one other. */
static u32 unfit_of(u8 field, bool link)
{
	const struct seen_question arrival = { .arrival = true }, other = {};
	u32 unfit;

	filter->spec.field[0].id = field;
	filter->spec.link = link;
	seen_rule_pin(fake_sn.net, "unfit", &arrival, NULL);
	seen_rule_pin(fake_sn.net, "unfit", &other, NULL);
	unfit = seen_rule_unfit(binding);
	seen_rule_unpin(binding, &arrival);
	seen_rule_unpin(binding, &other);
	return unfit;
}

int main(void)
{
	test_begin(11);
	every_question(SEEN_SET_BLOCKED, "bloom");
	every_question(SEEN_SET_CUCKOO, "cuckoo");
	every_question(SEEN_SET_COUNTING, "counting");
	every_question(SEEN_SET_MAP, "map");
	every_question(SEEN_SET_CMS, "cms");
	every_question(SEEN_SET_CMM, "cmm");
	begin(SEEN_SET_MAP);
	ok(only_lookups(), "a prefix of any length: only lookups have an answer");
	ok(!unfit_of(SEEN_FIELD_SPORT, false), "a key of ports: both rules have an answer");
	ok(unfit_of(SEEN_FIELD_SMAC, true) == 1,
	   "a key of MAC addresses: no answer for packets without a link-layer header");
	ok(unfit_of(SEEN_FIELD_BYTES, false) == 2, "a key of bytes: no packet has such a key");
	ok(unfit_of(SEEN_FIELD_ID, false) == 2, "a key of numbers: no packet has such a key");
	end();
	return test_end();
}
