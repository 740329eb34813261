/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the tests that interleave: a table with stamps that has two buckets, each under a
 * stripe of its own; its keys; and a clock that is just before a tick.
 */
#ifndef SEEN_STEP_CUCKOO_WINDOW_H
#define SEEN_STEP_CUCKOO_WINDOW_H

#include <string.h>

#include "clock.h"
#include "interleave.h"

enum { BUCKETS = 2, SLOTS = 16, STRIPES = 2 };

/* OLD is in its last tick, RECENT in its first, the others are not there. */
enum { OLD, RECENT, A, B, KEYS };

static struct seen_set *set;
static u64 hash[KEYS], filler[SLOTS];
static u64 tick, start;
static void new_set(u32 fp_bits, bool refresh, bool evict)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_CUCKOO_WINDOW,
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
 * To the end of the last tick in which OLD is alive. @base is the tick in which
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
}

static void one_tick(void)
{
	clock_add(tick);
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

#endif
