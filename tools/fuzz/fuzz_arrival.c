// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: verdicts that depend on the port, compared with a map from key and port to the tick
 * of the last stamp. All five rules use the same set. Keys are also recorded without a
 * verdict, the clock jumps, and sweeps are late. The verdict without a lock must equal the one
 * under the lock. A key that finds no room changes nothing, and is refused only if every slot is
 * occupied. After an eviction a duplicate may be missed, but must never be reported wrongly.
 */
#include <string.h>

#include "arrival.h"
#include "clock.h"
#include "cuckoo_window.h"
#include "model.h"

#define OPS_MAX		400
#define PORTS		4
#define CLOCK_MAX	0x4000000000000000ULL
/* The clock starts at 1000 s, so that no tick is 0. */
#define NEVER		0

/**
 * struct entry - the stamps of a key
 * @key: tick in which the key was let through or recorded
 * @here: for each port, tick in which it was let through or recorded there
 * @last: tick of the latest of all stamps
 */
struct entry {
	u64 key;
	u64 here[PORTS];
	u64 last;
};

static struct seen_set *set;
static struct entry entries[KEYS];
static u64 swept, sweeping, sweep_at;
/* A late sweep has cleared entries that it could not distinguish from old ones. */
static bool late;

struct input {
	const u8 *at;
	const u8 *end;
};

static u8 next(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

/* The fingerprints of two keys differ by more than a port's number. */
static u64 hash_at(u32 key)
{
	return hash_of(3, key);
}

static u64 tick_now(void)
{
	return seen_now() / set->geo.tick;
}

static bool within(u64 then, u64 ticks)
{
	return then != NEVER && tick_now() - then <= ticks;
}

static bool lives(u64 then)
{
	return within(then, set->geo.ticks);
}

static void stamp(struct entry *e, u32 port, bool key, bool here)
{
	if (key)
		e->key = tick_now();
	if (here)
		e->here[port] = tick_now();
	e->last = tick_now();
}

/* --- the rules, as arrival.h has them ------------------------------------------------ */

/**
 * struct verdict - the expected verdict, and the stamps that it writes
 * @result: the result, unless there is no room
 * @key: the key's own entry is stamped
 * @here: the port's entry is stamped
 */
struct verdict {
	enum seen_arrival_result result;
	bool key;
	bool here;
};

static struct verdict let_through(const struct entry *e)
{
	return (struct verdict) {
		lives(e->key) ? SEEN_ARRIVAL_REPEAT : SEEN_ARRIVAL_NEW, true, true,
	};
}

/*
 * A frame that is let through stamps key and port. With rule->extend a duplicate stamps its port
 * again, if the port has a stamp.
 */
static struct verdict judge_loop(const struct entry *e, u32 port,
				 const struct seen_arrival_rule *rule)
{
	u64 here = e->here[port];

	if (rule->same && within(here, rule->same))
		return (struct verdict) {
			SEEN_ARRIVAL_DUP_SAME, .here = rule->extend,
		};
	if (within(e->key, rule->other) && !(lives(here) && here >= e->key))
		return (struct verdict) {
			SEEN_ARRIVAL_DUP_OTHER,
			.here = rule->extend && lives(here),
		};
	return let_through(e);
}

/* The first sighting is kept; with refresh, the last one. */
static struct verdict judge_window(const struct entry *e, u32 port,
				   const struct seen_arrival_rule *rule)
{
	bool known = lives(e->here[port]), refresh = set->geo.refresh;
	struct verdict v = { SEEN_ARRIVAL_REPEAT, refresh, refresh && known };

	if (!lives(e->key))
		return let_through(e);
	if (!known && within(e->key, rule->other))
		v.result = SEEN_ARRIVAL_DUP_OTHER;
	else if (known && rule->same && within(e->here[port], rule->same))
		v.result = SEEN_ARRIVAL_DUP_SAME;
	return v;
}

static struct verdict judge(const struct entry *e, u32 port,
			    const struct seen_arrival_rule *rule)
{
	if (!rule)
		return let_through(e);
	return rule->restamp ? judge_loop(e, port, rule) :
			       judge_window(e, port, rule);
}

/* The port that was stamped first since the key was let through, plus 1; 0: none. */
static u32 first_port(const struct entry *e)
{
	u32 first = 0, port;

	for (port = 0; port < PORTS; port++)
		if (lives(e->here[port]) && e->here[port] >= e->key &&
		    (!first || e->here[port] < e->here[first - 1]))
			first = port + 1;
	return first;
}

/* --- the checks ------------------------------------------------------------------- */

static u32 room_for(u32 key)
{
	struct seen_place place = seen_cuckoo_window_place(set, hash_at(key));
	struct seen_time now = seen_cuckoo_window_time(set);
	u32 slot, room = 0;

	for (slot = 0; slot < place.slots; slot++)
		room += seen_cuckoo_window_age(set, &place, slot, &now) >
			set->geo.ticks;
	return room;
}

/* Number of slots that a verdict needs in addition to the key's present ones. */
static u32 wanted_slots(const struct entry *e, u32 port, struct verdict v)
{
	return (v.key && !lives(e->key)) + (v.here && !lives(e->here[port]));
}

static void check_evidence(const struct seen_arrival_answer *answer,
			   const struct entry *e, u32 port)
{
	u64 since = lives(e->key) ? e->key * set->geo.tick : 0;
	u32 first = lives(e->here[port]) ? port + 1 : 0;

	if (answer->result == SEEN_ARRIVAL_DUP_OTHER)
		first = first_port(e);
	else if (answer->result == SEEN_ARRIVAL_NEW)
		first = 0;
	require(answer->since == since, "a key was let through at another time");
	require(answer->first == first, "a key was first seen on another port");
}

static bool is_duplicate(enum seen_arrival_result result)
{
	return result == SEEN_ARRIVAL_DUP_SAME || result == SEEN_ARRIVAL_DUP_OTHER;
}

static bool is_stale(void)
{
	return seen_now() - swept >= seen_set_sweep_period(&set->geo);
}

/* May the set have lost entries that the map has? */
static bool is_lossy(void)
{
	return late || seen_set_evicted(set);
}

static void check_result(enum seen_arrival_result result, u32 key,
			 struct verdict want)
{
	if (!is_lossy())
		require(result == want.result, "another verdict");
	else
		require(!is_duplicate(result) || lives(entries[key].last),
			"a duplicate of a frame that never arrived or has expired");
}

static void check_full(u32 key, u32 room, u32 port, struct verdict want,
		       const void *before)
{
	require(!set->geo.evict, "full, and others could go");
	require(room < (is_lossy() ? 2 : wanted_slots(&entries[key], port, want)),
		"full, and there is room");
	require(same_table(set, before),
		"what found no room has changed the table");
}

/* @peeked: the verdict without the lock */
static void settle(u32 key, u32 port, struct seen_arrival_answer answer,
		   const struct seen_arrival_answer *peeked, struct verdict want,
		   const void *before, u32 room)
{
	struct entry *e = &entries[key];
	bool same = same_table(set, before);

	require(!answer.pending, "a final verdict is pending");
	if (answer.result == SEEN_ARRIVAL_STALE) {
		require(is_stale(), "stale, and swept in time");
		require(same, "what was not judged has changed the table");
		return;
	}
	if (answer.result == SEEN_ARRIVAL_FULL) {
		check_full(key, room, port, want, before);
		return;
	}
	check_result(answer.result, key, want);
	if (peeked) {
		require(peeked->result == answer.result,
			"under the lock another verdict than without");
		require(peeked->pending == !same,
			"pending, and nothing to write, or the reverse");
	}
	if (peeked && !is_lossy())
		check_evidence(&answer, e, port);
	stamp(e, port, want.key, want.here);
}

static const struct seen_arrival_rule *rule_of(u8 which)
{
	static struct seen_arrival_rule rules[5];
	u32 same = seen_arrival_ticks(&set->geo, 100 * MS);
	u32 other = seen_arrival_ticks(&set->geo, 500 * MS);
	u32 ticks = set->geo.ticks;

	rules[0] = (struct seen_arrival_rule) { ticks, ticks, false, false };
	rules[1] = (struct seen_arrival_rule) { 0, ticks, false, false };
	rules[2] = (struct seen_arrival_rule) { same, ticks, true, true };
	rules[3] = (struct seen_arrival_rule) { 0, other, true, false };
	rules[4] = (struct seen_arrival_rule) { same, other, true, false };
	return &rules[which % ARRAY_SIZE(rules)];
}

static void ask(u32 key, u32 port, const struct seen_arrival_rule *rule)
{
	struct verdict want = judge(&entries[key], port, rule);
	struct seen_arrival_answer peeked, answer;
	void *before = copy_table(set);
	u32 room = room_for(key);

	peeked = seen_arrival_peek(set, hash_at(key), port + 1, rule);
	require(same_table(set, before), "a question has changed the table");
	answer = seen_arrival_commit(set, hash_at(key), port + 1, rule);
	settle(key, port, answer, &peeked, want, before, room);
	free(before);
}

static void record(u32 key, u32 port)
{
	struct verdict want = judge(&entries[key], port, NULL);
	void *before = copy_table(set);
	struct seen_arrival_answer answer;
	u32 room = room_for(key);

	answer = seen_arrival_record(set, hash_at(key), port + 1);
	settle(key, port, answer, NULL, want, before, room);
	free(before);
}

/* --- the sequence ----------------------------------------------------------------- */

static void sweep(u64 count)
{
	struct seen_time now = seen_cuckoo_window_time(set);

	late |= seen_cuckoo_window_stale(set, &now);
	if (!sweep_at)
		sweeping = seen_now();
	sweep_at = seen_set_sweep(set, sweep_at, count);
	if (!sweep_at)
		swept = sweeping;
}

static void pass_time(struct input *in)
{
	u64 tick = set->geo.tick;
	u8 what = next(in), by = next(in);
	u64 ns;

	switch (what % 4) {
	case 0:
		ns = tick / 16 * (by % 16);
		break;
	case 1:		/* the last ns of a tick, or the first */
		ns = tick - test_clock % tick - by % 2;
		break;
	case 2:		/* just before or after a window ends */
		ns = set->geo.window + tick * (by / 2 % 3) - by % 2;
		break;
	default:
		ns = tick * by;
	}
	if (ns < CLOCK_MAX - test_clock)
		clock_add(ns);
}

static void step(struct input *in)
{
	u8 op = next(in), arg;

	switch (op % 8) {
	case 0:
	case 1:
	case 2:
		arg = next(in);
		ask(arg % KEYS, op / 8 % PORTS, rule_of(op / 32));
		break;
	case 3:
		record(next(in) % KEYS, op / 8 % PORTS);
		break;
	case 4:
		pass_time(in);
		break;
	case 5:
		sweep(op & 64 ? ~0ULL : 1 + next(in) % 16);
		break;
	default:	/* several keys, so that buckets fill */
		arg = next(in);
		for (op = next(in) % 64; op; op--, arg++)
			ask(arg % KEYS, arg / 2 % PORTS, rule_of(arg / 8));
	}
}

static bool plan(struct input *in, struct seen_geometry *geo)
{
	static const u64 windows[] = { 500 * MS, SECOND, 200 * MS, 7 * SECOND };
	u8 flags = next(in);

	*geo = (struct seen_geometry) {
		.kind = SEEN_SET_CUCKOO_WINDOW,
		.fp_bits = 32,
		.capacity = 1 + next(in),
		.window = windows[flags % ARRAY_SIZE(windows)],
		.refresh = flags & 4,
		.evict = flags & 8,
	};
	if (seen_plan(geo, MIN_TICK))
		return false;
	/* Two buckets are soon full. */
	if (flags & 16)
		geo->blocks = 2;
	return true;
}

/* The map is exact only if no key matches the entries of another one. */
static void check_keys(void)
{
	u32 i, j, a, b;

	for (i = 0; i < KEYS; i++)
		for (j = 0; j < i; j++) {
			a = seen_cuckoo_window_place(set, hash_at(i)).fp;
			b = seen_cuckoo_window_place(set, hash_at(j)).fp;
			require((a ^ b) > SEEN_ARRIVAL_MAX, "two keys are alike");
		}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	test_seed();
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, data + size };
	static bool checked;
	struct seen_geometry geo;
	u32 i;

	clock_set(1000 * SECOND);
	if (!plan(&in, &geo))
		return 0;
	set = set_new(&geo);
	if (!checked)
		check_keys();
	checked = true;
	memset(entries, 0, sizeof(entries));
	swept = seen_now();
	sweep_at = 0;
	late = false;
	for (i = 0; i < OPS_MAX && in.at < in.end; i++)
		step(&in);
	set_free(set);
	return 0;
}
