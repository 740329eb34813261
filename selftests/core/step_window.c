// SPDX-License-Identifier: GPL-2.0
/*
 * Bloom filter with a window: every interleaving of adds that read the clock before a
 * tick, of rotations that clear a line, and of tests, in one line.
 */
#include "interleave.h"
#include "kinds.h"

/* Keys of the one line, none of which the others cover. */
enum { OLD, RECENT, A, B, KEYS };

/* The result of an operation that did not run. */
#define UNTOLD	((enum seen_result)99)

static u64 hash[KEYS];
static u64 ghost;	/* never comes, and has bits of OLD's and B's, one of each */
static struct seen_set *set;
static u64 tick;

/* The results of the actors. Shared, because done() checks them. */
static struct {
	enum seen_result add[2];
	enum seen_result recent;
	enum seen_result old;
	u64 old_asked;		/* the clock before that, */
	u64 old_told;		/* and after, as it really is */
} told;

static u64 start;

static void clear_told(void)
{
	told.add[0] = UNTOLD;
	told.add[1] = UNTOLD;
	told.recent = UNTOLD;
	told.old = UNTOLD;
}

/* Two bits a key: with the planned five there are fifty times the states. */
static void fresh_set(bool refresh)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_BLOOM_WINDOW,
		.capacity = 8,
		.fpp = FPP_ONE / 100,
		.window = SECOND,
		.refresh = refresh,
	};

	if (set)
		set_free(set);
	expect(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK && geo.blocks == 1);
	geo.hashes = 2;
	set = set_new(&geo);
	tick = set->geo.tick;
	clock_set(1000 * tick + tick / 2);
	unshare();
	share_set(set);
	share(&told, sizeof(told));
	clear_told();
}

static bool seen(int key)
{
	return seen_set_test(set, hash[key]) == SEEN_SEEN;
}

/* Four keys such that none is seen when the other three are there. */
static void pick_keys(void)
{
	bool good;
	int i, j;

	do {
		for (i = 0; i < KEYS; i++)
			hash[i] = random64();
		good = true;
		for (i = 0; i < KEYS; i++) {
			fresh_set(false);
			for (j = 0; j < KEYS; j++)
				if (j != i)
					seen_set_test_and_add(set, hash[j]);
			good &= !seen(i);
		}
	} while (!good);
}

static bool seen_with(u64 key, int first, int last)
{
	fresh_set(false);
	for (; first <= last; first++)
		seen_set_test_and_add(set, hash[first]);
	return seen_set_test(set, key) == SEEN_SEEN;
}

/* The ghost is seen only if bits of OLD and of B are combined as if of one generation. */
static void pick_ghost(void)
{
	do {
		ghost = random64();
		fresh_set(false);
		seen_set_test_and_add(set, hash[OLD]);
		seen_set_test_and_add(set, hash[B]);
	} while (seen_set_test(set, ghost) != SEEN_SEEN ||
		 seen_with(ghost, OLD, A) || seen_with(ghost, RECENT, B));
}

/*
 * OLD came in the oldest generation that is alive, RECENT in the middle one.
 * The present epoch is @epoch.
 */
static void two_generations(bool refresh, u64 epoch)
{
	fresh_set(refresh);
	clock_add((epoch - 2 - seen_generation_epoch(set)) * tick);
	while (seen_set_sweep(set, 0, 1))
		;
	seen_set_test_and_add(set, hash[OLD]);
	clock_add(tick);
	seen_set_test_and_add(set, hash[RECENT]);
	clock_add(tick);
	start = test_clock;
}

static void add_a(void)
{
	told.add[0] = seen_set_test_and_add(set, hash[A]);
}

static void add_a_too(void)
{
	told.add[1] = seen_set_test_and_add(set, hash[A]);
}

/* Seen elsewhere, a tick ago. */
static void aged_a(void)
{
	told.add[1] = seen_set_add_aged(set, hash[A], tick);
}

static void aged_old(void)
{
	told.old = seen_set_add_aged(set, hash[OLD], tick);
}

static void tick_and_add_b(void)
{
	clock_add(tick);
	seen_set_test_and_add(set, hash[B]);
}

static void rotate_and_add_b(void)
{
	spin_lock_bh(&set->mover);
	seen_set_rotate(set);
	spin_unlock_bh(&set->mover);
	seen_set_test_and_add(set, hash[B]);
}

static void let_time_pass(void)
{
	clock_add(tick);
}

static void test_recent(void)
{
	told.recent = seen_set_test(set, hash[RECENT]);
}

static void test_old(void)
{
	told.old_asked = READ_ONCE(test_clock);
	told.old = seen_set_test(set, hash[OLD]);
	told.old_told = test_clock;
}

static void test_ghost(void)
{
	told.old = seen_set_test(set, ghost);
}

static void sweep(void)
{
	while (seen_set_sweep(set, 0, 1))
		;
}

static void add_old(void)
{
	told.old = seen_set_test_and_add(set, hash[OLD]);
}

/* OLD was alive at the start, and is not after a tick; RECENT always. */
static void after_stale_add(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW);
	expect(told.recent == SEEN_SEEN || told.recent == UNTOLD);
	expect(told.old == UNTOLD ||
	       told.old == (told.old_asked > start ? SEEN_NEW : SEEN_SEEN) ||
	       told.old_asked != told.old_told);
	expect(seen(A) && seen(B) && seen(RECENT) && !seen(OLD));
	clock_add(2 * tick);
	expect(seen(B) && !seen(RECENT));
	clock_add(tick);
	expect(!seen(A) && !seen(B));
}

static void after_tick(void)
{
	ends++;
	expect(told.recent == SEEN_SEEN || told.recent == UNTOLD);
	expect(told.old == UNTOLD || told.old == SEEN_NEW);
	expect(seen(B) && seen(RECENT) && !seen(OLD));
}

static void after_rotation(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW);
	expect(told.recent == SEEN_SEEN);
	expect(seen(A) && seen(B) && seen(RECENT) && !seen(OLD));
}

static void after_two_adds(void)
{
	ends++;
	expect((told.add[0] == SEEN_NEW) + (told.add[1] == SEEN_NEW) == 1);
	expect((told.add[0] == SEEN_SEEN) + (told.add[1] == SEEN_SEEN) == 1);
	expect(seen(A) && seen(RECENT) && !seen(OLD));
}

/* Refreshed before the tick, or stored as new after it: there in any case. */
static void after_refresh(void)
{
	ends++;
	expect(told.old == SEEN_SEEN || told.old == SEEN_NEW);
	expect(seen(OLD) && seen(B));
	clock_add(tick);
	expect(seen(OLD));
	clock_add(2 * tick);
	expect(!seen(OLD) && !seen(B));
	expect(!seen_set_entries(set));
}

/* All that was there is long over when A comes. */
static void after_sweep(void)
{
	ends++;
	expect(told.add[0] == SEEN_NEW && told.old == SEEN_NEW);
	expect(seen(A) && !seen(OLD) && !seen(RECENT));
	clock_add(2 * tick);
	expect(seen(A));
	clock_add(tick);
	expect(!seen(A));
}

/* Stored in the generation before the one in which the add looked at the clock. */
static void after_aged(void)
{
	ends++;
	expect(told.add[1] == SEEN_NEW);
	expect(told.recent == SEEN_SEEN || told.recent == UNTOLD);
	expect(seen(A) && seen(B) && seen(RECENT) && !seen(OLD));
	clock_add(2 * tick);
	expect(!seen(A) && seen(B));
	clock_add(tick);
	expect(!seen_set_entries(set));
}

/* Exactly one is new, and the key counts once. */
static void after_aged_and_plain(void)
{
	ends++;
	expect((told.add[0] == SEEN_NEW) + (told.add[1] == SEEN_NEW) == 1);
	expect((told.add[0] == SEEN_SEEN) + (told.add[1] == SEEN_SEEN) == 1);
	expect(seen(A) && seen(RECENT));
	expect(seen_set_entries(set) == 2);
	clock_add(3 * tick);
	expect(!seen(A) && !seen_set_entries(set));
}

/* Renewed before the tick, or stored as new after it; counts once. */
static void after_aged_renewal(void)
{
	ends++;
	expect(told.old == SEEN_SEEN || told.old == SEEN_NEW);
	expect(seen(OLD) && seen(B) && seen(RECENT));
	expect(seen_set_entries(set) == 3);
	clock_add(2 * tick);
	expect(!seen(OLD) && seen(B));
}

int main(void)
{
	static const u64 wrap = 1ULL << 32;

	test_begin(14);
	pick_keys();
	pick_ghost();

	two_generations(false, 1000);
	play("stale add, rotate and clear, test of a key that stays",
	     (void (*[])(void)) { add_a, tick_and_add_b, test_recent, NULL },
	     after_stale_add);

	two_generations(false, 1000);
	play("stale add, rotate and clear, test of a key that expires",
	     (void (*[])(void)) { add_a, tick_and_add_b, test_old, NULL },
	     after_stale_add);

	two_generations(false, wrap - 1);
	play("the same where the epoch wraps",
	     (void (*[])(void)) { add_a, tick_and_add_b, test_recent, NULL },
	     after_stale_add);

	two_generations(false, 1000);
	play("add, end a generation early, test",
	     (void (*[])(void)) { add_a, rotate_and_add_b, test_recent, NULL },
	     after_rotation);

	two_generations(false, 1000);
	play("the same key twice, and a tick",
	     (void (*[])(void)) { add_a, add_a_too, let_time_pass, NULL },
	     after_two_adds);

	two_generations(true, 1000);
	play("refresh in the last moment, rotate and clear",
	     (void (*[])(void)) { add_old, tick_and_add_b, NULL },
	     after_refresh);

	two_generations(false, 1000);
	clock_add(1000 * tick);
	play("add, sweep, test, long after",
	     (void (*[])(void)) { add_a, sweep, test_old, NULL },
	     after_sweep);

	two_generations(false, 1000);
	clock_add(seen_set_sweep_period(&set->geo));
	play("the same, when the sweep is due",
	     (void (*[])(void)) { add_a, sweep, test_old, NULL },
	     after_sweep);

	two_generations(false, 1000);
	play("rotate and clear, test of a key that stays",
	     (void (*[])(void)) { tick_and_add_b, test_recent, NULL },
	     after_tick);

	two_generations(false, 1000);
	play("rotate and clear, test of a key that was never added",
	     (void (*[])(void)) { tick_and_add_b, test_ghost, NULL },
	     after_tick);

	two_generations(false, 1000);
	play("aged add, rotate and clear, test of a key that stays",
	     (void (*[])(void)) { aged_a, tick_and_add_b, test_recent, NULL },
	     after_aged);

	two_generations(false, 1000);
	play("the same key aged and plain, and a tick",
	     (void (*[])(void)) { add_a, aged_a, let_time_pass, NULL },
	     after_aged_and_plain);

	two_generations(true, 1000);
	play("the same, refresh",
	     (void (*[])(void)) { add_a, aged_a, let_time_pass, NULL },
	     after_aged_and_plain);

	two_generations(false, 1000);
	play("aged add in the last moment, rotate and clear",
	     (void (*[])(void)) { aged_old, tick_and_add_b, NULL },
	     after_aged_renewal);
	return test_end();
}
