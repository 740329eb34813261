// SPDX-License-Identifier: GPL-2.0
/*
 * Fingerprints with stamps, with threads: a new key is new to exactly one thread, on one
 * port or on two. No key is lost or lasts too long while other keys are added, deleted
 * and expire, and the clock and the sweep run.
 */
#include <string.h>

#include "arrival.h"
#include "clock.h"
#include "test.h"

enum { THREADS = 4 };

enum family { SHARED, OWN };

static struct seen_set *planned(u32 fp_bits, u64 capacity, bool refresh)
{
	return set_planned((struct seen_geometry) {
		.kind = SEEN_SET_CUCKOO_WINDOW,
		.fp_bits = fp_bits,
		.capacity = capacity,
		.window = 500 * MS,
		.refresh = refresh,
	});
}

static void add_up(u64 *sum, u64 n)
{
	__atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
}

struct once {
	struct seen_set *set;
	struct seen_arrival_rule rule;
	u64 keys;
	u8 *new;		/* times that a key was new */
	u64 wrong;
};

static void same_keys(int id, void *arg)
{
	struct once *once = arg;
	enum seen_result result;
	u64 i;

	(void)id;
	for (i = 0; i < once->keys; i++) {
		result = seen_set_test_and_add(once->set, hash_of(SHARED, i));
		if (result == SEEN_NEW)
			__atomic_fetch_add(&once->new[i], 1, __ATOMIC_RELAXED);
		else if (result != SEEN_SEEN)
			add_up(&once->wrong, 1);
	}
}

static struct seen_arrival_answer ask(struct seen_set *set, u64 key, u32 port,
				      const struct seen_arrival_rule *rule)
{
	struct seen_arrival_answer answer = seen_arrival_peek(set, key, port, rule);

	return answer.pending ? seen_arrival_commit(set, key, port, rule) : answer;
}

static void one_port(int id, void *arg)
{
	struct once *once = arg;
	struct seen_arrival_answer answer;
	u64 i;

	(void)id;
	for (i = 0; i < once->keys; i++) {
		answer = ask(once->set, hash_of(SHARED, i), 9, &once->rule);
		if (answer.result == SEEN_ARRIVAL_NEW)
			__atomic_fetch_add(&once->new[i], 1, __ATOMIC_RELAXED);
		else
			add_up(&once->wrong, answer.first != 9 ||
			       answer.result != (once->rule.same ?
						 SEEN_ARRIVAL_DUP_SAME :
						 SEEN_ARRIVAL_REPEAT));
	}
}

/* Threads 0 and 2 stand for port 1, 1 and 3 for port 2. */
static void two_ports(int id, void *arg)
{
	struct once *once = arg;
	struct seen_arrival_answer answer;
	u32 port = 1 + id % 2;
	u64 i;

	for (i = 0; i < once->keys; i++) {
		answer = ask(once->set, hash_of(SHARED, i), port, &once->rule);
		if (answer.result == SEEN_ARRIVAL_NEW)
			__atomic_fetch_add(&once->new[i], 1, __ATOMIC_RELAXED);
		else if (answer.result == SEEN_ARRIVAL_DUP_OTHER)
			add_up(&once->wrong, answer.first != 3 - port);
		else
			add_up(&once->wrong, answer.first != port);
	}
}

static void exactly_once(const char *name, u32 fp_bits, u64 keys,
			 struct seen_arrival_rule rule,
			 void (*fn)(int id, void *arg))
{
	struct once once = { .keys = keys, .rule = rule };
	u64 total = 0, twice = 0;
	u64 i;

	once.set = planned(fp_bits, once.keys * 10 / 3 + 1, false);
	once.new = calloc(once.keys, 1);
	in_threads(THREADS, fn, &once);
	for (i = 0; i < once.keys; i++) {
		total += once.new[i];
		twice += once.new[i] > 1;
	}
	/* A key and its port may each look like another one, and be new to none. */
	ok(!twice && !once.wrong &&
	   rate_kept(once.keys - total, 2 * once.keys, once.set->geo.fpp),
	   "%s: %llu keys, each new to one thread", name,
	   (unsigned long long)once.keys);
	free(once.new);
	set_free(once.set);
}

/*
 * Each thread knows when it noted keys of its own; all move the clock, and the
 * first one sweeps.
 */
enum { OWN_KEYS = 500 };

struct churn {
	struct seen_set *set;
	struct seen_arrival_rule rule;
	u64 end;		/* of go_on() */
	u64 steps;
	u64 wrong;
	u64 stale;
};

static u64 draw(u64 *state)
{
	*state += 0x9e3779b97f4a7c15ULL;
	return seen_remix(*state);
}

static u64 own_hash(int id, u32 k)
{
	return hash_of(OWN, id * OWN_KEYS + k);
}

static void advance(struct churn *churn, int id, u64 *at)
{
	clock_add(churn->set->geo.tick / 1000);
	if (id == 0)
		*at = seen_set_sweep(churn->set, *at, 8);
}

/*
 * When a key was noted lies between two readings of the clock, and so does each
 * question: what may be answered follows from the four.
 */
struct noted {
	u64 from;		/* 0: never, or deleted */
	u64 to;
};

static bool wrong(const struct seen_set *set, const struct noted *noted,
		  u64 before, u64 after, enum seen_result result)
{
	u64 window = set->geo.window;

	if (noted->from && after - noted->from <= window)
		return result == SEEN_NEW;
	if (!noted->from || before > noted->to + window + set->geo.tick)
		return result == SEEN_SEEN;
	return false;
}

static void come_and_go(int id, void *arg)
{
	struct churn *churn = arg;
	struct seen_set *set = churn->set;
	struct noted noted[OWN_KEYS] = { };
	u64 state = id + 1, at = 0;
	enum seen_result result;
	u64 i, r, before;
	u32 k;

	for (i = 0; go_on(i, churn->end); i++) {
		advance(churn, id, &at);
		r = draw(&state);
		k = r % OWN_KEYS;
		before = seen_now();
		if (r >> 60 == 0)
			result = seen_set_del(set, own_hash(id, k));
		else if (r >> 60 < 8)
			result = seen_set_test_and_add(set, own_hash(id, k));
		else
			result = seen_set_test(set, own_hash(id, k));
		if (result == SEEN_STALE) {
			add_up(&churn->stale, 1);
			continue;
		}
		if (r >> 60 == 0) {
			noted[k].from = 0;
			continue;
		}
		add_up(&churn->wrong, result == SEEN_FULL ||
		       wrong(set, &noted[k], before, seen_now(), result));
		if (r >> 60 < 8 && (result == SEEN_NEW || set->geo.refresh))
			noted[k] = (struct noted) { before, seen_now() };
	}
	add_up(&churn->steps, i);
}

static void never_wrong(bool refresh)
{
	struct churn churn = { .end = deadline(10) };

	churn.set = planned(32, THREADS * OWN_KEYS, refresh);
	in_threads(THREADS, come_and_go, &churn);
	note("%llu ticks, stale %llu times",
	     (unsigned long long)(seen_now() / churn.set->geo.tick),
	     (unsigned long long)churn.stale);
	ok(!churn.wrong && churn.stale < churn.steps / THREADS,
	   "%s sighting: right in %llu steps",
	   refresh ? "last" : "first", (unsigned long long)churn.steps);
	set_free(churn.set);
}

/* All threads are one port; the table is at capacity with keys that expire. */
static void repeat_on_a_port(int id, void *arg)
{
	struct churn *churn = arg;
	struct seen_set *set = churn->set;
	u64 state = id + 1, at = 0;
	struct seen_arrival_answer answer;
	u64 i;

	for (i = 0; go_on(i, churn->end); i++) {
		advance(churn, id, &at);
		answer = ask(set, hash_of(SHARED, draw(&state) % OWN_KEYS), 5,
			     &churn->rule);
		add_up(&churn->wrong, answer.result == SEEN_ARRIVAL_DUP_OTHER ||
		       answer.result == SEEN_ARRIVAL_FULL);
		add_up(&churn->stale, answer.result == SEEN_ARRIVAL_STALE);
	}
	add_up(&churn->steps, i);
}

static void never_another_port(const char *name, bool refresh,
			       struct seen_arrival_rule rule)
{
	struct churn churn = {
		.end = deadline(1),
		.rule = rule,
	};

	churn.set = planned(32, OWN_KEYS * 10 / 3 + 1, refresh);
	in_threads(THREADS, repeat_on_a_port, &churn);
	note("stale %llu times", (unsigned long long)churn.stale);
	ok(!churn.wrong && churn.stale < churn.steps / THREADS,
	   "%s%s: threads on one port are never another port in %llu steps",
	   name, refresh ? ", refresh" : "", (unsigned long long)churn.steps);
	set_free(churn.set);
}

int main(void)
{
	static const struct seen_arrival_rule none,
		dup = { 20, 20, false, false }, other = { 0, 20, false, false },
		relay = { 4, 20, true, true }, loop = { 0, 20, true, false },
		sign = { 4, 20, true, false };
	u64 few = scale(500000);

	test_begin(3 + 8 + 2 + 7);
	exactly_once("8 bits", 8, few, none, same_keys);
	exactly_once("24 bits", 24, few, none, same_keys);
	exactly_once("32 bits", 32, much(1000000), none, same_keys);
	exactly_once("dup on a port", 32, few, dup, one_port);
	exactly_once("other-port on a port", 32, few, other, one_port);
	exactly_once("relay on a port", 32, few, relay, one_port);
	exactly_once("relay on two ports", 32, few, relay, two_ports);
	exactly_once("loop on a port", 32, few, loop, one_port);
	exactly_once("loop on two ports", 32, few, loop, two_ports);
	exactly_once("loop with a sign on a port", 32, few, sign, one_port);
	exactly_once("loop with a sign on two ports", 32, few, sign, two_ports);
	never_wrong(false);
	never_wrong(true);
	never_another_port("dup", false, dup);
	never_another_port("dup", true, dup);
	never_another_port("other-port", false, other);
	never_another_port("other-port", true, other);
	never_another_port("relay", false, relay);
	never_another_port("loop", false, loop);
	never_another_port("loop with a sign", false, sign);
	return test_end();
}
