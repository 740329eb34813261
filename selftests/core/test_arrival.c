// SPDX-License-Identifier: GPL-2.0
/*
 * Verdicts per port: compared with a model of the rules, in full tables, and with as many
 * keys as the capacity.
 */
#include "arrival.h"
#include "clock.h"
#include "test.h"

enum verdict { DUP, OTHER_PORT, RELAY, LOOP, LOOP_SIGN, VERDICTS };

static const char * const verdict_name[] = {
	"dup", "other-port", "profile relay", "loop", "loop with a sign",
};

static struct seen_geometry request(u64 capacity)
{
	return (struct seen_geometry) {
		.kind = SEEN_SET_CUCKOO_WINDOW,
		.fp_bits = 32,
		.capacity = capacity,
		.window = 500 * MS,
	};
}

static struct seen_arrival_rule rule_of(enum verdict verdict,
					const struct seen_geometry *geo)
{
	struct seen_arrival_rule rule = {
		.same = geo->ticks, .other = geo->ticks,
	};

	if (verdict == DUP)
		return rule;
	rule.same = 0;
	if (verdict == OTHER_PORT)
		return rule;
	rule.restamp = true;
	rule.extend = verdict == RELAY;
	if (verdict != LOOP)
		rule.same = seen_arrival_ticks(geo, 100 * MS);
	if (verdict != RELAY)
		rule.other = seen_arrival_ticks(geo, 500 * MS);
	return rule;
}

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

/* The rules once more, by the book, with a clock of ticks for each entry. */
enum { MODEL_KEYS = 40, MODEL_PORTS = 4 };

struct model {
	struct seen_arrival_rule rule;
	bool refresh;
	u64 window;				/* ticks */
	u64 key[MODEL_KEYS];			/* ticks, 0: never */
	u64 here[MODEL_KEYS][MODEL_PORTS];
};

static bool within(u64 now, u64 then, u64 ticks)
{
	return then && now - then <= ticks;
}

static enum seen_arrival_result model_loop(struct model *m, u64 now, u64 *key,
					   u64 *here)
{
	bool repeat = within(now, *key, m->window);

	if (m->rule.same && within(now, *here, m->rule.same)) {
		if (m->rule.extend)
			*here = now;
		return SEEN_ARRIVAL_DUP_SAME;
	}
	if (within(now, *key, m->rule.other) &&
	    !(within(now, *here, m->window) && *here >= *key)) {
		if (m->rule.extend && within(now, *here, m->window))
			*here = now;
		return SEEN_ARRIVAL_DUP_OTHER;
	}
	*key = now;
	*here = now;
	return repeat ? SEEN_ARRIVAL_REPEAT : SEEN_ARRIVAL_NEW;
}

static enum seen_arrival_result model_window(struct model *m, u64 now, u64 *key,
					     u64 *here)
{
	bool known = within(now, *here, m->window);

	if (!within(now, *key, m->window)) {
		*key = now;
		*here = now;
		return SEEN_ARRIVAL_NEW;
	}
	if (m->refresh) {
		*key = now;
		if (known)
			*here = now;
	}
	if (!known)
		return SEEN_ARRIVAL_DUP_OTHER;
	return m->rule.same ? SEEN_ARRIVAL_DUP_SAME : SEEN_ARRIVAL_REPEAT;
}

static enum seen_arrival_result model_ask(struct model *m, u64 now, u32 key,
					  u32 port)
{
	u64 *d = &m->key[key];
	u64 *dp = &m->here[key][port];

	return m->rule.restamp ? model_loop(m, now, d, dp)
			       : model_window(m, now, d, dp);
}

static u64 step(struct seen_set *set, struct model *m)
{
	u32 key = random_below(MODEL_KEYS);
	u32 port = random_below(MODEL_PORTS);
	u64 hash = hash_of(1, key);
	struct seen_arrival_answer peek = seen_arrival_peek(set, hash, 1 + port,
							    &m->rule);
	u64 now = seen_now() / set->geo.tick;
	u64 since = within(now, m->key[key], m->window) ? m->key[key] : 0;
	void *before = copy_table(set);
	struct seen_arrival_answer answer;
	u64 errors = 0;

	answer = seen_arrival_commit(set, hash, 1 + port, &m->rule);
	errors += answer.result != model_ask(m, now, key, port);
	errors += answer.result != peek.result;
	errors += answer.since != since * set->geo.tick;
	errors += peek.pending == same_table(set, before);
	errors += answer.pending;
	free(before);
	return errors;
}

/* Times from a tick to more than the window. */
static void model(enum verdict verdict, bool refresh)
{
	struct seen_geometry geo = request(1000);
	u64 steps = scale(200000);
	u64 errors = 0, swept = 0;
	struct seen_set *set;
	struct model m = { };

	geo.refresh = refresh;
	set = set_planned(geo);
	m.rule = rule_of(verdict, &set->geo);
	m.refresh = refresh;
	m.window = set->geo.ticks;
	while (steps--) {
		clock_add(random_below(8) ? random_below(2 * MS)
					  : random_below(50 * MS));
		if (seen_now() - swept > seen_set_sweep_period(&set->geo)) {
			swept = seen_now();
			sweep(set);
		}
		errors += step(set, &m);
	}
	ok(!errors, "%s%s: as in the model", verdict_name[verdict],
	   refresh ? ", refresh" : "");
	set_free(set);
}

/* Two buckets. @taken slots hold other keys. */
static struct seen_set *tiny(bool evict, int taken)
{
	struct seen_geometry geo = request(16);
	struct seen_set *set;

	geo.evict = evict;
	if (seen_plan(&geo, MIN_TICK))
		abort();
	geo.blocks = 2;
	set = set_new(&geo);
	while (taken--)
		seen_set_add(set, hash_of(8, taken));
	clock_add(geo.tick);
	return set;
}

static void full(void)
{
	struct seen_arrival_rule rule;
	enum verdict verdict;
	struct seen_set *set;
	void *before;
	bool good;

	for (verdict = DUP; verdict < VERDICTS; verdict++) {
		set = tiny(false, 15);
		rule = rule_of(verdict, &set->geo);
		before = copy_table(set);
		good = ask(set, hash_of(9, 0), 1, &rule).result ==
		       SEEN_ARRIVAL_FULL;
		good &= seen_arrival_record(set, hash_of(9, 0), 2).result ==
			SEEN_ARRIVAL_FULL;
		ok(good && same_table(set, before),
		   "%s: room for one entry is not enough", verdict_name[verdict]);
		free(before);
		set_free(set);

		set = tiny(true, 16);
		good = ask(set, hash_of(9, 0), 1, &rule).result ==
		       SEEN_ARRIVAL_NEW;
		clock_add(150 * MS);
		good &= ask(set, hash_of(9, 0), 2, &rule).result ==
			SEEN_ARRIVAL_DUP_OTHER;
		ok(good && seen_set_evicted(set) == 2,
		   "%s: or two other entries are evicted", verdict_name[verdict]);
		set_free(set);
	}
}

/* A repeat that passes may lack room for its port: then nothing changes. */
static void full_repeat(void)
{
	struct seen_set *set = tiny(false, 14);
	struct seen_arrival_rule rule = { 4, 10, true, true };
	void *before;
	bool good;
	int i;

	good = ask(set, hash_of(9, 0), 1, &rule).result == SEEN_ARRIVAL_NEW;
	for (i = 0; i < 14; i++)
		seen_set_add(set, hash_of(8, i));
	clock_add(11 * set->geo.tick);
	before = copy_table(set);
	good &= ask(set, hash_of(9, 0), 2, &rule).result == SEEN_ARRIVAL_FULL;
	ok(good && same_table(set, before), "a repeat on another port without room is not stored");
	free(before);
	set_free(set);
}

/*
 * For ever as many keys with their ports as the set is good for: 7 keys of 10^9 find no
 * room, see arrival.h. Each looks up two entries, itself and its port, which may look like
 * another key's.
 */
static void capacity(u64 n)
{
	struct seen_set *set = set_planned(request(n));
	struct seen_arrival_rule rule = rule_of(LOOP, &set->geo);
	u64 keys = seen_arrival_capacity(&set->geo);
	u64 ticks = scale(2000000) / keys + 64;
	u64 refused = 0, mistaken = 0, i = 0;
	enum seen_arrival_result result;
	u64 tick;

	for (tick = 0; tick < ticks; tick++) {
		for (; i < keys * (tick + 1) / (set->geo.ticks + 1); i++) {
			result = ask(set, hash_of(11, i), 1 + i % 4, &rule)
				 .result;
			refused += result == SEEN_ARRIVAL_FULL;
			mistaken += result != SEEN_ARRIVAL_FULL &&
				    result != SEEN_ARRIVAL_NEW;
		}
		if (tick % 60 == 0)
			sweep(set);
		clock_add(set->geo.tick);
	}
	ok(by_chance(refused, 7 * i / 1e9) &&
	   rate_kept(mistaken, 2 * i, set->geo.fpp),
	   "%llu keys with their ports in a set of %llu",
	   (unsigned long long)keys, (unsigned long long)n);
	set_free(set);
}

int main(void)
{
	static const u64 capacities[] = { 10, 100, 1000, 50000 };
	enum verdict verdict;
	u32 i;

	test_begin(4 * VERDICTS + 1 + ARRAY_SIZE(capacities));
	for (verdict = DUP; verdict < VERDICTS; verdict++) {
		model(verdict, false);
		model(verdict, true);
	}
	full();
	full_repeat();
	for (i = 0; i < ARRAY_SIZE(capacities); i++)
		capacity(capacities[i]);
	return test_end();
}
