// SPDX-License-Identifier: GPL-2.0
/*
 * The promises of profiles loop and relay, at each phase of a tick of 25 ms. A copy on
 * another port within 500 ms is a duplicate, and the first port is reported. On its own
 * port a repeat passes if there is no sign of a loop. With a sign each frame passes once
 * per 100 ms. Under profile relay each copy restarts the 100 ms.
 */
#include "arrival.h"
#include "clock.h"
#include "test.h"

/* As a guard asks: without a lock, and with it only if need be. */
static struct seen_arrival_answer ask(struct seen_set *set, u64 key, u32 port,
				      const struct seen_arrival_rule *rule)
{
	struct seen_arrival_answer answer = seen_arrival_peek(set, key, port, rule);

	return answer.pending ? seen_arrival_commit(set, key, port, rule) : answer;
}

static void sweep(struct seen_set *set)
{
	seen_set_sweep(set, 0, set->geo.blocks);
}

enum rule { NO_SIGN, SIGN, RELAY, RULES };

static const char * const rule_name[] = {
	"loop without a sign", "loop with a sign", "relay",
};

/* The window is 500 ms, so profile relay has the same span for other ports. */
static struct seen_set *loop_set(enum rule which, struct seen_arrival_rule *rule)
{
	struct seen_set *set = set_planned((struct seen_geometry) {
		.kind = SEEN_SET_CUCKOO_WINDOW,
		.fp_bits = 32,
		.capacity = 1000,
		.window = 500 * MS,
	});
	u32 same = seen_arrival_ticks(&set->geo, 100 * MS);

	*rule = (struct seen_arrival_rule) {
		.same = which == NO_SIGN ? 0 : same,
		.other = seen_arrival_ticks(&set->geo, 500 * MS),
		.restamp = true,
		.extend = which == RELAY,
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
	struct seen_arrival_rule rule;
	struct seen_set *set = loop_set(SIGN, &rule);

	ok(set->geo.tick == 25 * MS && rule.same == 4 && rule.other == 20 &&
	   seen_arrival_ticks(&set->geo, 0) == 0 &&
	   seen_arrival_ticks(&set->geo, 1) == 1 &&
	   seen_arrival_ticks(&set->geo, 25 * MS) == 1 &&
	   seen_arrival_ticks(&set->geo, 25 * MS + 1) == 2, "spans as ticks");
	set_free(set);
}

static bool passes(enum seen_arrival_result result)
{
	return result == SEEN_ARRIVAL_NEW || result == SEEN_ARRIVAL_REPEAT;
}

/* A frame comes each millisecond, for a minute. Return: how often it passes. */
static u64 circle(enum rule which, bool *rests)
{
	struct seen_arrival_rule rule;
	struct seen_set *set = loop_set(which, &rule);
	u64 passed = 0;
	int ms;

	for (ms = 0; ms < 60000; ms++) {
		passed += passes(ask(set, hash_of(2, 0), 7, &rule).result);
		clock_add(MS);
		if (ms % 1500 == 0)
			sweep(set);
	}
	clock_add(150 * MS);
	*rests = passes(ask(set, hash_of(2, 0), 7, &rule).result);
	set_free(set);
	return passed;
}

static void circles(void)
{
	u64 passed;
	bool rests;

	passed = circle(RELAY, &rests);
	ok(passed == 1, "relay: a frame that circles passes once");
	ok(rests, "relay: it passes again after 150 ms of silence");
	passed = circle(SIGN, &rests);
	ok(passed >= 60000 / 125 && passed <= 60000 / 100 && rests,
	   "loop with a sign: it passes once in 100 to 125 ms");
	ok(circle(NO_SIGN, &rests) == 60000 && rests,
	   "loop without a sign: it passes each time");
}

/* Repeats every @gap, from each phase of a tick. */
struct chain {
	u64 asked;
	u64 passed;
	u64 early;	/* that passed within 100 ms of one that passed */
	u64 late;	/* that did not pass 125 ms after one that passed */
};

static struct chain repeats(enum rule which, u64 gap)
{
	struct seen_arrival_rule rule;
	struct seen_set *set = loop_set(which, &rule);
	struct chain chain = { };
	u64 phase, last, i;
	bool pass;

	for (phase = 0; phase < set->geo.tick; phase += MS / 2) {
		phase_set(set, phase);
		ask(set, hash_of(3, phase), 1, &rule);
		last = seen_now();
		for (i = 0; i < 150; i++) {
			clock_add(gap);
			sweep(set);
			pass = passes(ask(set, hash_of(3, phase), 1, &rule)
				      .result);
			chain.asked++;
			chain.passed += pass;
			chain.early += pass && seen_now() - last <= 100 * MS;
			chain.late += !pass && seen_now() - last >= 125 * MS;
			if (pass)
				last = seen_now();
		}
	}
	set_free(set);
	return chain;
}

static void slow_repeats(void)
{
	static const u64 gap[] = { 150, 151, 200, 250, 499, 525, 1000 };
	struct chain chain;
	enum rule which;
	u64 passed;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(gap); i++) {
		passed = 0;
		for (which = NO_SIGN; which < RULES; which++) {
			chain = repeats(which, gap[i] * MS);
			passed += chain.asked && chain.passed == chain.asked;
		}
		ok(passed == RULES, "repeats every %llu ms pass by each rule",
		   (unsigned long long)gap[i]);
	}
}

static void fast_repeats(void)
{
	static const u64 gap[] = { 1, 10, 50, 99, 100 };
	struct chain none, sign, relay;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(gap); i++) {
		none = repeats(NO_SIGN, gap[i] * MS);
		sign = repeats(SIGN, gap[i] * MS);
		relay = repeats(RELAY, gap[i] * MS);
		ok(none.passed == none.asked && !relay.passed &&
		   !sign.early && !sign.late && sign.passed,
		   "repeats every %llu ms: all pass, one per 100 ms, none",
		   (unsigned long long)gap[i]);
	}
}

/* A frame arrives on port 1, and comes back on port 2 after @after ns. */
static enum seen_arrival_result come_back(struct seen_set *set,
					  const struct seen_arrival_rule *rule,
					  u64 phase, u64 after)
{
	struct seen_arrival_answer answer;
	static u64 key;
	void *before;

	phase_set(set, phase);
	ask(set, hash_of(4, ++key), 1, rule);
	clock_add(after);
	before = copy_table(set);
	answer = ask(set, hash_of(4, key), 2, rule);
	if (answer.result == SEEN_ARRIVAL_DUP_OTHER &&
	    (answer.first != 1 || !same_table(set, before)))
		answer.result = SEEN_ARRIVAL_STALE;
	free(before);
	return answer.result;
}

static void other_port(enum rule which)
{
	struct seen_arrival_rule rule;
	struct seen_set *set = loop_set(which, &rule);
	u64 passed = 0, dropped = 0;
	u64 phase, after;

	for (phase = 0; phase < set->geo.tick; phase += MS) {
		for (after = 0; after <= 500; after += 5)
			passed += come_back(set, &rule, phase, after * MS) !=
				  SEEN_ARRIVAL_DUP_OTHER;
		for (after = 525; after < 2000; after += 25)
			dropped += come_back(set, &rule, phase, after * MS) !=
				   SEEN_ARRIVAL_NEW;
	}
	ok(!passed,
	   "%s: a copy on another port within 500 ms is dropped, not stored",
	   rule_name[which]);
	ok(!dropped, "%s: from 525 ms on it is new", rule_name[which]);
	set_free(set);
}

/* Copies on a second port do not stop the sender's own repeats. */
static void both(enum rule which)
{
	struct seen_arrival_rule rule;
	struct seen_set *set = loop_set(which, &rule);
	u64 key = hash_of(5, 0);
	bool good = true;
	int i;

	good &= ask(set, key, 1, &rule).result == SEEN_ARRIVAL_NEW;
	for (i = 0; i < 1000; i++) {
		clock_add(MS);
		good &= ask(set, key, 2, &rule).result == SEEN_ARRIVAL_DUP_OTHER;
		if (i % 160 == 159)
			good &= ask(set, key, 1, &rule).result ==
				SEEN_ARRIVAL_REPEAT;
	}
	ok(good, "%s: copies on one port do not affect repeats on another",
	   rule_name[which]);
	set_free(set);
}

/* A host moves from port 1 to port 2. Its frame comes by port 1 again. */
static void writes(enum rule which)
{
	struct seen_arrival_rule rule;
	struct seen_set *set = loop_set(which, &rule);
	u64 key = hash_of(8, 0);
	bool moved, same;
	void *before;

	ask(set, key, 1, &rule);
	clock_add(400 * MS);
	seen_arrival_record(set, key, 2);
	clock_add(2 * set->geo.tick);
	before = copy_table(set);
	moved = ask(set, key, 1, &rule).result == SEEN_ARRIVAL_DUP_OTHER;
	same = same_table(set, before);
	free(before);
	ok(moved && same != rule.extend,
	   "%s: a duplicate on a recorded port is %s", rule_name[which],
	   rule.extend ? "cuckoo-window" : "not written");
	set_free(set);
}

/* The sign begins and ends while a frame repeats every 10 ms. */
static void sign_changes(void)
{
	struct seen_arrival_rule none, sign;
	struct seen_set *set = loop_set(NO_SIGN, &none);
	u64 key = hash_of(9, 0), passed = 0;
	bool good = true;
	int i;

	set_free(set);
	set = loop_set(SIGN, &sign);
	ask(set, key, 1, &none);
	for (i = 0; i < 100; i++) {
		clock_add(10 * MS);
		good &= passes(ask(set, key, 1, &none).result);
	}
	for (i = 0; i < 100; i++) {
		clock_add(10 * MS);
		passed += passes(ask(set, key, 1, &sign).result);
	}
	clock_add(MS);
	good &= passes(ask(set, key, 1, &none).result);
	ok(good && passed >= 1000 / 130 && passed <= 10,
	   "one set serves a sign that begins and ends");
	set_free(set);
}

/* A host moves, its frame is let through on a third port: which was first? */
static void first(void)
{
	struct seen_arrival_rule rule;
	struct seen_set *set = loop_set(SIGN, &rule);
	struct seen_arrival_answer answer;
	u64 key = hash_of(6, 0);
	u64 start;

	ask(set, key, 300, &rule);
	clock_add(510 * MS + set->geo.tick);
	start = seen_now() / set->geo.tick * set->geo.tick;
	ask(set, key, 1023, &rule);
	clock_add(2 * set->geo.tick);
	answer = ask(set, key, 1, &rule);
	ok(answer.result == SEEN_ARRIVAL_DUP_OTHER && answer.first == 1023 &&
	   answer.since == start, "the port and the time of the frame that passed");
	answer = ask(set, key, 1023, &rule);
	ok(answer.result == SEEN_ARRIVAL_DUP_SAME && answer.first == 1023,
	   "its own port is reported, too");
	answer = ask(set, key, 1, &rule);
	ok(answer.first == 1023 && answer.since == start,
	   "later copies change neither");
	set_free(set);
}

static void record(void)
{
	struct seen_arrival_rule rule;
	struct seen_set *set = loop_set(SIGN, &rule);
	struct seen_arrival_answer answer;
	u64 key = hash_of(7, 0);
	bool good = true;
	void *before;
	int i;

	for (i = 0; i < 10; i++) {
		good &= seen_arrival_record(set, key, 900).result ==
			(i ? SEEN_ARRIVAL_REPEAT : SEEN_ARRIVAL_NEW);
		clock_add(150 * MS);
		answer = ask(set, key, 2, &rule);
		good &= answer.result == SEEN_ARRIVAL_DUP_OTHER &&
			answer.first == 900;
	}
	ok(good, "a stored frame is a duplicate on another port, each time");
	seen_arrival_record(set, key, 900);
	before = copy_table(set);
	seen_arrival_record(set, key, 900);
	ok(same_table(set, before), "there is one write per tick");
	free(before);
	set_free(set);
}

static void stale(void)
{
	struct seen_arrival_rule rule;
	struct seen_set *set = loop_set(SIGN, &rule);
	struct seen_arrival_answer answer;
	void *before;

	ask(set, hash_of(10, 0), 1, &rule);
	before = copy_table(set);
	clock_add(255 * set->geo.tick);
	answer = ask(set, hash_of(10, 0), 2, &rule);
	ok(answer.result == SEEN_ARRIVAL_STALE &&
	   seen_arrival_record(set, hash_of(10, 1), 1).result == SEEN_ARRIVAL_STALE &&
	   same_table(set, before),
	   "a late sweep: not judged, nothing stored");
	free(before);
	set_free(set);
}

int main(void)
{
	enum rule which;

	test_begin(1 + 4 + 12 + 4 * RULES + 1 + 3 + 2 + 1);
	spans();
	circles();
	slow_repeats();
	fast_repeats();
	for (which = NO_SIGN; which < RULES; which++) {
		other_port(which);
		both(which);
		writes(which);
	}
	sign_changes();
	first();
	record();
	stale();
	return test_end();
}
