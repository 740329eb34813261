// SPDX-License-Identifier: GPL-2.0
/*
 * Verdicts per port: every interleaving of frames with the same digest, on one port
 * and on two ports, and of a tick.
 */
#include "arrival.h"
#include "step_cuckoo_window.h"

static struct seen_arrival_rule rule;
static struct seen_arrival_answer told[2];

static void prepare_ports(u32 fp_bits, u64 base)
{
	prepare(fp_bits, base, 0, false, false);
	memset(told, 0, sizeof(told));
	share(told, sizeof(told));
}

static void ask(int actor, u32 port)
{
	struct seen_arrival_answer answer;

	answer = seen_arrival_peek(set, hash[A], port, &rule);
	if (answer.pending)
		answer = seen_arrival_commit(set, hash[A], port, &rule);
	told[actor] = answer;
}

static void ask_on_7(void)
{
	ask(0, 7);
}

static void ask_on_7_too(void)
{
	ask(1, 7);
}

static void ask_on_9(void)
{
	ask(1, 9);
}

static void record_on_9(void)
{
	seen_arrival_record(set, hash[A], 9);
}

static int told_ports(enum seen_arrival_result result)
{
	return (told[0].result == result) +
	       (told[1].result == result);
}

/* On one port nobody is another port's duplicate. */
static void after_same_port(void)
{
	ends++;
	expect(told_ports(SEEN_ARRIVAL_NEW) >= 1);
	expect(told_ports(SEEN_ARRIVAL_NEW) + told_ports(SEEN_ARRIVAL_REPEAT) +
	       told_ports(SEEN_ARRIVAL_DUP_SAME) == 2);
	expect(told_ports(SEEN_ARRIVAL_NEW) == 1);
}

static void after_two_ports(void)
{
	int i = told[1].result == SEEN_ARRIVAL_DUP_OTHER;

	ends++;
	expect(told_ports(SEEN_ARRIVAL_NEW) == 1);
	expect(told_ports(SEEN_ARRIVAL_DUP_OTHER) == 1);
	expect(told[i].first == (i ? 7 : 9));
}

/* The bridge has sent the frame after it arrived by a port, or before it came back there. */
static void after_record(void)
{
	ends++;
	expect(told[0].result == SEEN_ARRIVAL_NEW ||
	       (told[0].result == SEEN_ARRIVAL_DUP_OTHER &&
		told[0].first == 9));
	told[1] = seen_arrival_commit(set, hash[A], 11, &rule);
	expect(told[1].result == SEEN_ARRIVAL_DUP_OTHER);
}

static void after_repeat(void)
{
	ends++;
	expect(told[0].result == SEEN_ARRIVAL_NEW ||
	       told[0].result == SEEN_ARRIVAL_REPEAT ||
	       told[0].result == SEEN_ARRIVAL_DUP_SAME);
	expect(told[1].result == SEEN_ARRIVAL_NEW ||
	       told[1].result == SEEN_ARRIVAL_REPEAT ||
	       told[1].result == SEEN_ARRIVAL_DUP_SAME);
	expect(told_ports(SEEN_ARRIVAL_NEW) <= 1);
}

static void ports(u32 bits, u64 base, struct seen_arrival_rule by)
{
	rule = by;
	prepare_ports(bits, base);
	run("a new key on one port, by two",
	    (void (*[])(void)) { ask_on_7, ask_on_7_too, NULL },
	    after_same_port);

	prepare_ports(bits, base);
	run("a new key on one port, by two, and a tick",
	    (void (*[])(void)) { ask_on_7, ask_on_7_too, one_tick, NULL },
	    after_same_port);

	prepare_ports(bits, base);
	run("a new key on two ports",
	    (void (*[])(void)) { ask_on_7, ask_on_9, NULL }, after_two_ports);

	prepare_ports(bits, base);
	run("a new key on a port, recorded on another",
	    (void (*[])(void)) { ask_on_7, record_on_9, NULL }, after_record);

	prepare_ports(bits, base);
	seen_arrival_commit(set, hash[A], 7, &rule);
	clock_add(set->geo.ticks * tick);
	run("a key in its last tick on one port, and a tick",
	    (void (*[])(void)) { ask_on_7, ask_on_7_too, one_tick, NULL },
	    after_repeat);
}

int main(void)
{
	static const struct seen_arrival_rule rules[] = {
		{ 20, 20, false, false }, { 0, 20, false, false },
		{ 4, 20, true, true }, { 0, 20, true, false },
		{ 4, 20, true, false },
	};
	u32 i;

	/* From where the stamps come round. */
	test_begin(ARRAY_SIZE(rules) * 5);
	for (i = 0; i < ARRAY_SIZE(rules); i++)
		ports(24, 4 * 255 - 21, rules[i]);
	return test_end();
}
