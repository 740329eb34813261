// SPDX-License-Identifier: GPL-2.0
/*
 * What profile loop promises, at each phase of a tick of 25 ms: a copy within
 * 100 ms on its own port or 500 ms on another one is a duplicate, a repeat
 * after 150 ms is none, and what comes back names the port that was first.
 */
#include "clock.h"
#include "port.h"
#include "test.h"

/* As a guard asks: without a lock, and with it only if need be. */
static struct seen_port_answer ask(struct seen_set *set, u64 key, u32 port,
				   const struct seen_port_rule *rule)
{
	struct seen_port_answer answer = seen_port_peek(set, key, port, rule);

	return answer.pending ? seen_port_commit(set, key, port, rule) : answer;
}

static void sweep(struct seen_set *set)
{
	seen_set_sweep(set, 0, set->geo.blocks);
}

static struct seen_set *loop_set(struct seen_port_rule *rule)
{
	struct seen_set *set = set_planned((struct seen_geometry) {
		.kind = SEEN_SET_STAMPED,
		.fp_bits = 32,
		.capacity = 1000,
		.window = 500 * MS,
	});

	*rule = (struct seen_port_rule) {
		seen_port_ticks(&set->geo, 100 * MS),
		seen_port_ticks(&set->geo, 500 * MS), true
	};
	return set;
}

static void phase_set(struct seen_set *set, u64 phase)
{
	u64 tick = set->geo.tick;

	clock_add(10 * SECOND);
	clock_set(seen_now() / tick * tick + phase);
	sweep(set);
}

static void spans(void)
{
	struct seen_port_rule rule;
	struct seen_set *set = loop_set(&rule);

	ok(set->geo.tick == 25 * MS && rule.same == 4 && rule.other == 20 &&
	   seen_port_ticks(&set->geo, 0) == 0 &&
	   seen_port_ticks(&set->geo, 1) == 1 &&
	   seen_port_ticks(&set->geo, 25 * MS) == 1 &&
	   seen_port_ticks(&set->geo, 25 * MS + 1) == 2, "spans as ticks");
	set_free(set);
}

/* Each millisecond, for a minute. */
static void circle(void)
{
	struct seen_port_rule rule;
	struct seen_set *set = loop_set(&rule);
	u64 count[SEEN_PORT_STALE + 1] = { };
	int ms;

	for (ms = 0; ms < 60000; ms++) {
		count[ask(set, hash_of(2, 0), 7, &rule).result]++;
		clock_add(MS);
		if (ms % 1500 == 0)
			sweep(set);
	}
	ok(count[SEEN_PORT_NEW] == 1 && count[SEEN_PORT_DUP_SAME] == 59999,
	   "a frame that circles behind a port for a minute comes once");
	clock_add(150 * MS);
	ok(ask(set, hash_of(2, 0), 7, &rule).result == SEEN_PORT_NEW,
	   "and again after 150 ms of silence");
	set_free(set);
}

/* A chain of repeats with @gap between them, from each phase of a tick. */
static u64 repeats_passed(u64 gap, u64 *asked)
{
	struct seen_port_rule rule;
	struct seen_set *set = loop_set(&rule);
	enum seen_port_result result;
	u64 passed = 0, phase, i;

	*asked = 0;
	for (phase = 0; phase < set->geo.tick; phase += MS / 2) {
		phase_set(set, phase);
		ask(set, hash_of(3, phase), 1, &rule);
		for (i = 0; i < 50; i++) {
			clock_add(gap);
			sweep(set);
			result = ask(set, hash_of(3, phase), 1, &rule).result;
			passed += result == SEEN_PORT_REPEAT ||
				  result == SEEN_PORT_NEW;
			++*asked;
		}
	}
	set_free(set);
	return passed;
}

static void repeats(void)
{
	static const u64 pass[] = { 150, 151, 200, 250, 499, 525, 1000 };
	static const u64 drop[] = { 1, 10, 50, 99, 100 };
	u64 asked;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(pass); i++)
		ok(repeats_passed(pass[i] * MS, &asked) == asked,
		   "repeats every %llu ms pass at each phase of a tick",
		   (unsigned long long)pass[i]);
	for (i = 0; i < ARRAY_SIZE(drop); i++)
		ok(repeats_passed(drop[i] * MS, &asked) == 0,
		   "repeats every %llu ms are duplicates",
		   (unsigned long long)drop[i]);
}

/* What came in by port 1 comes back by port 2 @after that. */
static enum seen_port_result come_back(struct seen_set *set,
				       const struct seen_port_rule *rule,
				       u64 phase, u64 after)
{
	struct seen_port_answer answer;
	static u64 key;
	void *before;

	phase_set(set, phase);
	ask(set, hash_of(4, ++key), 1, rule);
	clock_add(after);
	before = copy_table(set);
	answer = ask(set, hash_of(4, key), 2, rule);
	if (answer.result == SEEN_PORT_DUP_OTHER &&
	    (answer.first != 1 || !same_table(set, before)))
		answer.result = SEEN_PORT_STALE;
	free(before);
	return answer.result;
}

static void other_port(void)
{
	struct seen_port_rule rule;
	struct seen_set *set = loop_set(&rule);
	u64 passed = 0, dropped = 0;
	u64 phase, after;

	for (phase = 0; phase < set->geo.tick; phase += MS) {
		for (after = 0; after <= 500; after += 5)
			passed += come_back(set, &rule, phase, after * MS) !=
				  SEEN_PORT_DUP_OTHER;
		for (after = 525; after < 2000; after += 25)
			dropped += come_back(set, &rule, phase, after * MS) !=
				   SEEN_PORT_NEW;
	}
	ok(!passed, "a copy on another port within 500 ms is one, stored nowhere");
	ok(!dropped, "from 525 ms on it is new");
	set_free(set);
}

/* A copy on a second port, dropped, does not stop the sender's own repeats. */
static void both(void)
{
	struct seen_port_rule rule;
	struct seen_set *set = loop_set(&rule);
	u64 key = hash_of(5, 0);
	bool good = true;
	int i;

	good &= ask(set, key, 1, &rule).result == SEEN_PORT_NEW;
	for (i = 0; i < 1000; i++) {
		clock_add(MS);
		good &= ask(set, key, 2, &rule).result == SEEN_PORT_DUP_OTHER;
		if (i % 160 == 159)
			good &= ask(set, key, 1, &rule).result ==
				SEEN_PORT_REPEAT;
	}
	ok(good, "copies on one port leave the repeats on the other alone");
	set_free(set);
}

/* A host moves, its frame is let through on a third port: which was first? */
static void first(void)
{
	struct seen_port_rule rule;
	struct seen_set *set = loop_set(&rule);
	struct seen_port_answer answer;
	u64 key = hash_of(6, 0);
	u64 start;

	ask(set, key, 300, &rule);
	clock_add(510 * MS + set->geo.tick);
	start = seen_now() / set->geo.tick * set->geo.tick;
	ask(set, key, 1023, &rule);
	clock_add(2 * set->geo.tick);
	answer = ask(set, key, 1, &rule);
	ok(answer.result == SEEN_PORT_DUP_OTHER && answer.first == 1023 &&
	   answer.since == start, "the port and the time that it was let through");
	answer = ask(set, key, 1023, &rule);
	ok(answer.result == SEEN_PORT_DUP_SAME && answer.first == 1023,
	   "its own port is named too");
	answer = ask(set, key, 1, &rule);
	ok(answer.first == 1023 && answer.since == start,
	   "later copies change neither");
	set_free(set);
}

static void record(void)
{
	struct seen_port_rule rule;
	struct seen_set *set = loop_set(&rule);
	struct seen_port_answer answer;
	u64 key = hash_of(7, 0);
	bool good = true;
	void *before;
	int i;

	for (i = 0; i < 10; i++) {
		good &= seen_port_record(set, key, 900) ==
			(i ? SEEN_PORT_REPEAT : SEEN_PORT_NEW);
		clock_add(150 * MS);
		answer = ask(set, key, 2, &rule);
		good &= answer.result == SEEN_PORT_DUP_OTHER &&
			answer.first == 900;
	}
	ok(good, "what was recorded is a duplicate elsewhere, each time anew");
	seen_port_record(set, key, 900);
	before = copy_table(set);
	seen_port_record(set, key, 900);
	ok(same_table(set, before), "it is written once a tick");
	free(before);
	set_free(set);
}

static void stale(void)
{
	struct seen_port_rule rule;
	struct seen_set *set = loop_set(&rule);
	struct seen_port_answer answer;
	void *before;

	ask(set, hash_of(10, 0), 1, &rule);
	before = copy_table(set);
	clock_add(255 * set->geo.tick);
	answer = ask(set, hash_of(10, 0), 2, &rule);
	ok(answer.result == SEEN_PORT_STALE &&
	   seen_port_record(set, hash_of(10, 1), 1) == SEEN_PORT_STALE &&
	   same_table(set, before),
	   "a late sweep: not judged, nothing stored");
	free(before);
	set_free(set);
}

int main(void)
{
	test_begin(1 + 2 + 12 + 2 + 1 + 3 + 2 + 1);
	spans();
	circle();
	repeats();
	other_port();
	both();
	first();
	record();
	stale();
	return test_end();
}
