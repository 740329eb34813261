/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Weakly ordered memory for interleave.c: what a load may read.
 *
 * A place (a word of memory about which actors conflict) has a history: the values
 * that it had. Each actor has a view: for each place the oldest value that it may
 * still read. What it reads or writes moves its view; an acquire joins it with
 * what the writer's was at the release. A load may read any value of the history
 * from the view on, so that it may be early or late against any other load and any
 * store, unless an order forbids it. The orders are the kernel's, or weaker:
 *
 * relaxed		a place's own values are never read backwards
 * smp_store_release	who acquires the value knows all that the writer knew
 * smp_load_acquire	takes over what came with the value
 * rcu_dereference	the same, for more than what depends on it; but not with NULL
 * smp_rmb		the same for all values that were read before
 * smp_wmb		who acquires a later value knows the earlier stores of this
 *			actor; not what it has read
 * smp_mb		both, and all of them are in one order
 * locks		acquire and release; stores inside are behind those of the
 *			sections before, as LKMM has it
 * other atomics	the newest value is read and replaced
 *
 * Not there: stores that become visible before an earlier load of the same actor
 * is done ("load buffering"). In the kernel's model a dependency, an acquire or a
 * lock forbids them, and core stores nothing without one.
 *
 * The newest values are those in memory itself, for plain accesses, which locks
 * must protect.
 *
 * Where an order is asked for is a site, named by file and line: "map.c:158". A run
 * with SITE= ignores that one: then a test has to fail.
 */
#ifndef SEEN_WEAK_H
#define SEEN_WEAK_H

#include "interleave.h"

/* PLACES and OLD bound a state's size; more is no result, but an end. */
#define PLACES		40
#define OLD		24
#define NOWHERE		-1

/* Of each place, the index in its history. */
struct view {
	u8 at[PLACES];
};

struct message {
	u64 value;
	struct view view;
};

struct place {
	const volatile void *memory;
	u32 bytes;
	u32 count;		/* of values in @old; @newest is behind them */
	struct message old[OLD];
	struct view newest;
	struct view stores;	/* a lock's: what its sections have stored */
};

/**
 * struct mind - what an actor knows
 * @now: what it cannot read behind
 * @met: what came with values that it has read, for smp_rmb()
 * @wrote: its own stores
 * @told: what goes with its next store
 */
struct mind {
	struct view now;
	struct view met;
	struct view wrote;
	struct view told;
};

struct weak {
	struct mind mind[ACTORS_MAX];
	struct view all;	/* known to whom has met smp_mb() */
	struct place place[PLACES];
};

extern struct weak weak;
extern u32 weak_places;

/* weak_begin() - forget all places */
void weak_begin(void);

/* weak_reset() - forget all histories; places stay */
void weak_reset(void);

/* weak_place() - a new place; returns its index */
int weak_place(const volatile void *memory);

/* weak_order() - @order, unless this site's is ignored */
enum seen_shim_order weak_order(enum seen_shim_order order, const char *file,
				int line);

/* weak_hunts() - one is, and the first failure will do */
bool weak_hunts(void);

/* weak_word() - a place, of so many bytes */
struct place *weak_word(int place, u32 bytes);

/* weak_values() - how many different values an actor may read */
u32 weak_values(int actor, int place);

/* weak_load() - the @choice-th of them, the oldest is 0 */
u64 weak_load(int actor, int place, u32 bytes, u32 choice,
	      enum seen_shim_order order);

/* weak_store() - before the store to memory */
void weak_store(int actor, int place, u32 bytes, enum seen_shim_order order);

void weak_lock(int actor, int place, enum seen_shim_order order);
void weak_fence(int actor, enum seen_shim_order order);

/* weak_prune() - forget what none of @actors, a bit for each, can read any more */
void weak_prune(u32 actors);

u64 weak_hash(u64 hash, u32 actors);

/* What is saved of it, and that in one piece. */
static inline size_t weak_bytes(void)
{
	return offsetof(struct weak, place) +
	       weak_places * sizeof(struct place);
}

#endif
