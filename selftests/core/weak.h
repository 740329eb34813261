/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Weakly ordered memory for interleave.c: what a load may read.
 *
 * A place (a word of memory on which actors conflict) has a history, which is the list of
 * its values. Each actor has a view, which is the oldest value that it may still read, for
 * each place. Reads and writes advance the actor's view. An acquire joins the view with the
 * view that the writer had at the release. A load may return any value of the history from
 * the view on. So it may be reordered with any other load and any store, unless an ordering
 * forbids that. The orderings are those of the kernel, or weaker:
 *
 * relaxed		the values of one place are never read in reverse order
 * smp_store_release	the value carries the view of the writer
 * smp_load_acquire	joins the view that the value carries
 * rcu_dereference	as smp_load_acquire, so for more than dependent loads; but not
 *			if the value is NULL
 * smp_rmb		joins the views of all values that were read before
 * smp_wmb		later values carry the earlier stores of this actor, but not
 *			its reads
 * smp_mb		smp_rmb and smp_wmb, and all smp_mb are in one total order
 * locks		acquire and release; stores in a section are ordered after those
 *			of earlier sections, as in LKMM
 * other atomics	the newest value is read and replaced
 *
 * Not modelled: stores that become visible before an earlier load of the same actor
 * completes ("load buffering"). In LKMM a dependency, an acquire or a lock forbids that,
 * and every store of core has one of these.
 *
 * The newest values are in the memory itself, for plain accesses, which locks must
 * protect.
 *
 * A site is a place in the code that requests an ordering, named by file and line:
 * "map.c:158". A run with SITE= ignores the ordering of that site: then a test must fail.
 */
#ifndef SEEN_WEAK_H
#define SEEN_WEAK_H

#include "interleave.h"

/* PLACES and OLD limit the size of a state; a run that exceeds them aborts. */
#define PLACES		40
#define OLD		24
#define NOWHERE		-1

/* For each place an index into its history. */
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
	struct view stores;	/* of a lock: the stores of its sections */
};

/* The views of an actor. */
struct mind {
	struct view now;	/* the oldest values that it may read */
	struct view met;	/* carried by values that it has read, for smp_rmb() */
	struct view wrote;	/* its own stores */
	struct view told;	/* carried by its next store */
};

struct weak {
	struct mind mind[ACTORS_MAX];
	struct view all;	/* joined by each smp_mb() */
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

/* weak_hunts() - an ordering is ignored, so the run may stop at the first failure */
bool weak_hunts(void);

/* weak_word() - a place of @bytes bytes */
struct place *weak_word(int place, u32 bytes);

/* weak_values() - how many different values an actor may read */
u32 weak_values(int actor, int place);

/* weak_load() - the @choice-th of the different values; the oldest is 0 */
u64 weak_load(int actor, int place, u32 bytes, u32 choice,
	      enum seen_shim_order order);

/* weak_store() - call it before the store to memory */
void weak_store(int actor, int place, u32 bytes, enum seen_shim_order order);

void weak_lock(int actor, int place, enum seen_shim_order order);
void weak_fence(int actor, enum seen_shim_order order);

/* weak_prune() - forget values that none of @actors, one bit for each, can still read */
void weak_prune(u32 actors);

u64 weak_hash(u64 hash, u32 actors);

/* Bytes of struct weak that are in use, which are saved in one piece. */
static inline size_t weak_bytes(void)
{
	return offsetof(struct weak, place) +
	       weak_places * sizeof(struct place);
}

#endif
