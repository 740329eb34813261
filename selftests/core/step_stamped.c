// SPDX-License-Identifier: GPL-2.0
/*
 * Fingerprints with stamps: every interleaving of adds whose clock has gone
 * stale, of a tick at which keys expire and the sweep that clears them, and of
 * tests, in two buckets, each under a stripe of its own. The same for verdicts
 * that know ports.
 */
#include <string.h>

#include "clock.h"
#include "interleave.h"
#include "port.h"

enum { BUCKETS = 2, SLOTS = 16, STRIPES = 2 };

/* OLD is in its last tick, RECENT in its first, the others are not there. */
enum { OLD, RECENT, A, B, KEYS };

/* Results of what did not run. */
#define UNTOLD	((enum seen_result)-1)

static struct seen_set *set;
static struct seen_port_rule rule;
static u64 hash[KEYS], filler[SLOTS];
static u64 tick, start;

static struct {
	enum seen_result add[2];
	enum seen_result old;
	enum seen_result recent;
	enum seen_result a;
	u64 asked, told;	/* the clock before and after asking for OLD */
	u64 added;		/* the clock after add[0] */
	struct seen_port_answer port[3];
} told;

static u64 bad, ends;

static void new_set(u32 fp_bits, bool refresh, bool evict)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_STAMPED,
		.fp_bits = fp_bits,
		.capacity = SLOTS,
		.window = SECOND,
		.refresh = refresh,
		.evict = evict,
	};
	u32 i;

	if (seen_plan(&geo, MIN_TICK))
		abort();
	geo.blocks = BUCKETS;
	if (set)
		set_free(set);
	set = set_new(&geo);
	free(set->stripes);
	set->stripes = aligned_alloc(64, STRIPES * sizeof(*set->stripes));
	memset(set->stripes, 0, STRIPES * sizeof(*set->stripes));
	set->stripe_mask = STRIPES - 1;
	for (i = 0; i < STRIPES; i++) {
		spin_lock_init(&set->stripes[i].lock);
		seqcount_init(&set->stripes[i].seq);
	}
}

static bool seen(u64 key)
{
	return seen_set_test(set, key) == SEEN_SEEN;
}

/* Keys of which none looks like another; fingerprints differ in 8 bits too. */
static void pick_keys(u32 fp_bits)
{
	u32 i;

	for (;;) {
		new_set(fp_bits, false, false);
		for (i = 0; i < SLOTS; i++) {
			u64 *key = i < KEYS ? &hash[i] : &filler[i];

			*key = random64();
			if (seen_set_test_and_add(set, *key) != SEEN_NEW)
				break;
		}
		if (i == SLOTS)
			return;
	}
}

/*
 * At the end of the last tick in which OLD is alive. @base is the tick in which
 * it came; @others more keys are of its age.
 */
static void prepare(u32 fp_bits, u64 base, u32 others, bool refresh,
		    bool evict)
{
	u32 i;

	pick_keys(fp_bits);
	tick = set->geo.tick;
	clock_set(base * tick);
	new_set(fp_bits, refresh, evict);
	seen_set_test_and_add(set, hash[OLD]);
	for (i = 0; i < others; i++)
		seen_set_test_and_add(set, filler[KEYS + i]);
	clock_add(set->geo.ticks * tick);
	seen_set_test_and_add(set, hash[RECENT]);
	start = seen_now();

	unshare();
	share_set(set);
	share(set->stripes, STRIPES * sizeof(*set->stripes));
	memset(&told, 0xff, sizeof(told));
	share(&told, sizeof(told));
}

static void add_old(void)
{
	told.add[0] = seen_set_test_and_add(set, hash[OLD]);
	told.added = seen_now();
}

static void add_old_too(void)
{
	told.add[1] = seen_set_test_and_add(set, hash[OLD]);
}

static void add_a(void)
{
	told.add[0] = seen_set_test_and_add(set, hash[A]);
}

static void add_a_too(void)
{
	told.add[1] = seen_set_test_and_add(set, hash[A]);
}

static void add_b(void)
{
	told.add[1] = seen_set_test_and_add(set, hash[B]);
}

static void tick_and_sweep(void)
{
	clock_add(tick);
	seen_set_sweep(set, 0, BUCKETS);
}

static void one_tick(void)
{
	clock_add(tick);
}

static void test_old(void)
{
	told.asked = seen_now();
	told.old = seen_set_test(set, hash[OLD]);
	told.told = seen_now();
}

static void test_recent(void)
{
	told.recent = seen_set_test(set, hash[RECENT]);
}

static void test_a(void)
{
	told.a = seen_set_test(set, hash[A]);
}

static void del_old(void)
{
	told.add[1] = seen_set_del(set, hash[OLD]);
}

static void expect(bool good)
{
	bad += !good;
}

static void expect_recent(void)
{
	expect(told.recent == SEEN_SEEN || told.recent == UNTOLD);
	expect(seen(hash[RECENT]));
}

/* After one tick. New only if it had expired; then it is there anew. */
static void after_expiry(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW || told.add[0] == SEEN_SEEN);
	expect(told.add[0] == SEEN_SEEN || told.added > start);
	expect(told.old == UNTOLD || told.old == SEEN_SEEN ||
	       (told.old == SEEN_NEW && told.told > start));
	expect(told.old != SEEN_SEEN || told.asked == start ||
	       told.add[0] == SEEN_NEW);
	expect(seen(hash[OLD]) == (told.add[0] == SEEN_NEW));
	expect_recent();
}

static void after_two(void)
{
	int new = (told.add[0] == SEEN_NEW) + (told.add[1] == SEEN_NEW);

	ends++;
	expect(new <= 1 && seen(hash[OLD]) == new);
	expect_recent();
}

/* What was seen was noted: in the tick before or after. */
static void after_refresh(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW || told.add[0] == SEEN_SEEN);
	expect(told.old == UNTOLD || told.old == SEEN_SEEN ||
	       (told.old == SEEN_NEW && told.told > start));
	expect(seen(hash[OLD]));
	clock_add((set->geo.ticks - 1) * tick);
	expect(seen(hash[OLD]));
	clock_add(2 * tick);
	expect(!seen(hash[OLD]));
}

static void after_new(void)
{
	ends++;
	expect((told.add[0] == SEEN_NEW) + (told.add[1] == SEEN_NEW) == 1);
	expect((told.add[0] == SEEN_SEEN) + (told.add[1] == SEEN_SEEN) == 1);
	expect(told.a == SEEN_NEW || told.a == SEEN_SEEN || told.a == UNTOLD);
	expect(seen(hash[A]));
	expect_recent();
}

/* Where OLD and its like lay, which have expired. */
static void after_reuse(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW && told.add[1] == SEEN_NEW);
	expect(told.old == SEEN_NEW || told.old == UNTOLD);
	expect(seen(hash[A]) && seen(hash[B]) && !seen(hash[OLD]));
	expect_recent();
}

/* No matter when: of those who had to go none was RECENT. */
static void after_evict(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW && told.add[1] == SEEN_NEW);
	expect(seen(hash[A]) && seen(hash[B]));
	expect(atomic64_read(&set->evicted) == 2);
	expect_recent();
}

static void after_del(void)
{
	ends++;
	expect(told.add[1] == SEEN_SEEN);
	expect(told.add[0] == SEEN_SEEN || told.add[0] == SEEN_NEW);
	expect(told.old == SEEN_SEEN || told.old == SEEN_NEW ||
	       told.old == UNTOLD);
	expect(seen(hash[OLD]) == (told.add[0] == SEEN_NEW));
	expect_recent();
}

static void ask(int actor, u32 port)
{
	struct seen_port_answer answer;

	answer = seen_port_peek(set, hash[A], port, &rule);
	if (answer.pending)
		answer = seen_port_commit(set, hash[A], port, &rule);
	told.port[actor] = answer;
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
	seen_port_record(set, hash[A], 9);
}

static int told_ports(enum seen_port_result result)
{
	return (told.port[0].result == result) +
	       (told.port[1].result == result);
}

/* On one port nobody is another port's duplicate. */
static void after_same_port(void)
{
	ends++;
	expect(told_ports(SEEN_PORT_NEW) >= 1);
	expect(told_ports(SEEN_PORT_NEW) + told_ports(SEEN_PORT_REPEAT) +
	       told_ports(SEEN_PORT_DUP_SAME) == 2);
	expect(told_ports(SEEN_PORT_NEW) == 1);
}

static void after_two_ports(void)
{
	int i = told.port[1].result == SEEN_PORT_DUP_OTHER;

	ends++;
	expect(told_ports(SEEN_PORT_NEW) == 1);
	expect(told_ports(SEEN_PORT_DUP_OTHER) == 1);
	expect(told.port[i].first == (i ? 7 : 9));
}

/* The bridge sends what came in by a port, or before it came back there. */
static void after_record(void)
{
	ends++;
	expect(told.port[0].result == SEEN_PORT_NEW ||
	       (told.port[0].result == SEEN_PORT_DUP_OTHER &&
		told.port[0].first == 9));
	told.port[1] = seen_port_commit(set, hash[A], 11, &rule);
	expect(told.port[1].result == SEEN_PORT_DUP_OTHER);
}

static void after_repeat(void)
{
	ends++;
	expect(told.port[0].result == SEEN_PORT_NEW ||
	       told.port[0].result == SEEN_PORT_REPEAT ||
	       told.port[0].result == SEEN_PORT_DUP_SAME);
	expect(told.port[1].result == SEEN_PORT_NEW ||
	       told.port[1].result == SEEN_PORT_REPEAT ||
	       told.port[1].result == SEEN_PORT_DUP_SAME);
	expect(told_ports(SEEN_PORT_NEW) <= 1);
}

static void run(const char *name, void (*const *actors)(void),
		void (*done)(void))
{
	u64 states;

	bad = 0;
	ends = 0;
	states = interleave(actors, done);
	ok(ends && !bad, "%u bits, tick %llu, %s: %llu states, %llu ends",
	   set->geo.fp_bits, (unsigned long long)(start / tick), name,
	   (unsigned long long)states, (unsigned long long)ends);
}

static void windows(u32 bits, u64 base)
{
	prepare(bits, base, 0, false, false);
	run("stale add, expire and sweep, test",
	    (void (*[])(void)) { add_old, tick_and_sweep, test_old, NULL },
	    after_expiry);

	prepare(bits, base, 0, false, false);
	run("the same with one that stays",
	    (void (*[])(void)) { add_old, tick_and_sweep, test_recent, NULL },
	    after_expiry);

	prepare(bits, base, 0, false, false);
	run("two stale adds, expire",
	    (void (*[])(void)) { add_old, add_old_too, one_tick, NULL },
	    after_two);

	prepare(bits, base, 0, true, false);
	run("refresh, expire and sweep, test",
	    (void (*[])(void)) { add_old, tick_and_sweep, test_old, NULL },
	    after_refresh);

	prepare(bits, base, 0, false, false);
	run("a new key twice, and a test",
	    (void (*[])(void)) { add_a, add_a_too, test_a, NULL }, after_new);

	prepare(bits, base, SLOTS - KEYS, false, false);
	clock_add(tick);
	run("two new keys for what has expired, test",
	    (void (*[])(void)) { add_a, add_b, test_old, NULL }, after_reuse);

	prepare(bits, base, SLOTS - KEYS, false, false);
	clock_add(tick);
	run("two new keys for what has expired, the sweep",
	    (void (*[])(void)) { add_a, add_b, tick_and_sweep, NULL },
	    after_reuse);

	prepare(bits, base, 0, false, false);
	run("delete, add, test",
	    (void (*[])(void)) { add_old, del_old, test_old, NULL }, after_del);
}

/* 16 keys: OLD and its like, A and B must make them go. */
static void evictions(u32 bits, u64 base)
{
	u32 i;

	prepare(bits, base, SLOTS - KEYS, false, true);
	for (i = 0; seen_set_entries(set) < SLOTS; i++)
		seen_set_add(set, random64());
	atomic64_set(&set->evicted, 0);
	run("two new keys evict, test",
	    (void (*[])(void)) { add_a, add_b, test_recent, NULL },
	    after_evict);
}

static void ports(u32 bits, u64 base, struct seen_port_rule by)
{
	rule = by;
	prepare(bits, base, 0, false, false);
	run("a new key on one port, by two",
	    (void (*[])(void)) { ask_on_7, ask_on_7_too, NULL },
	    after_same_port);

	prepare(bits, base, 0, false, false);
	run("the same, and a tick",
	    (void (*[])(void)) { ask_on_7, ask_on_7_too, one_tick, NULL },
	    after_same_port);

	prepare(bits, base, 0, false, false);
	run("a new key on two ports",
	    (void (*[])(void)) { ask_on_7, ask_on_9, NULL }, after_two_ports);

	prepare(bits, base, 0, false, false);
	run("a new key on a port, recorded on another",
	    (void (*[])(void)) { ask_on_7, record_on_9, NULL }, after_record);

	prepare(bits, base, 0, false, false);
	seen_port_commit(set, hash[A], 7, &rule);
	clock_add(set->geo.ticks * tick);
	run("a key in its last tick on one port, and a tick",
	    (void (*[])(void)) { ask_on_7, ask_on_7_too, one_tick, NULL },
	    after_repeat);
}

/* In the midst of the stamps, where they wrap, where 32 bits of ticks do. */
#define MIDST	1000
#define WRAP	(4 * 255 - 21)
#define WRAP_32	((1ULL << 32) - 21)

static const struct {
	u32 fp_bits;
	u64 base;
} cases[] = {
	{ 16, WRAP },
	/* and in a full run */
	{ 8, MIDST }, { 16, MIDST }, { 24, MIDST }, { 32, MIDST },
	{ 8, WRAP }, { 24, WRAP }, { 32, WRAP },
	{ 8, WRAP_32 }, { 16, WRAP_32 }, { 24, WRAP_32 }, { 32, WRAP_32 },
};

int main(void)
{
	static const struct seen_port_rule dup = { 20, 20, false },
		other = { 0, 20, false }, loop = { 4, 20, true };
	u64 count = scale(1, ARRAY_SIZE(cases));
	u32 i;

	test_begin(count * 9 + 3 * 5);
	for (i = 0; i < count; i++) {
		windows(cases[i].fp_bits, cases[i].base);
		evictions(cases[i].fp_bits, cases[i].base);
	}
	ports(24, WRAP, dup);
	ports(24, WRAP, other);
	ports(24, WRAP, loop);
	return test_end();
}
