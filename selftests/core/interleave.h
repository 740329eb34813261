/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs every interleaving of a few actors on the real code. Actors are coroutines; core
 * and shim, built with SEEN_SHIM_STEP, stop before each access to shared memory. From each
 * reachable state every next step is tried once. A state is the shared memory, and the
 * stack and registers of each actor. So the search is exhaustive if all shared memory is
 * registered by share(). An access that conflicts with no access of another actor, in any
 * interleaving, is no stop, because its order makes no difference. Memory is sequentially
 * consistent, unless WEAK=1 is in the environment: see weak.h.
 */
#ifndef SEEN_INTERLEAVE_H
#define SEEN_INTERLEAVE_H

#include "test.h"

#define ACTORS_MAX	4

/* For the result of a case: failed expectations, and final states that were reached. */
extern u64 bad, ends;
void expect(bool good);

/* share() - @bytes that actors share, at an address that stays */
void share(void *memory, size_t bytes);
/* share_set() - a set and the clock */
void share_set(struct seen_set *set);
/* unshare() - forget all that */
void unshare(void);

/* self() - the actor that runs */
int self(void);

/**
 * meet() - a separate step that passes on, or takes over, the view of memory
 * @point: memory that is used for nothing else
 * @order: SEEN_SHIM_RELEASE, _ACQUIRE, _RELAXED: neither, _MB: a barrier
 */
void meet(const volatile void *point, enum seen_shim_order order);

/* share_graves() - call it in cases that use bury() */
void share_graves(void);

/**
 * bury() - mark memory as freed: any later access to it is a failure
 * @memory: the address that was given to share()
 *
 * Detects accesses by READ_ONCE(), WRITE_ONCE(), atomics and locks, but no plain accesses.
 */
void bury(const void *memory);

/**
 * interleave() - run some functions in every interleaving
 * @actors: the functions, at most ACTORS_MAX, ending with NULL
 * @done: called in each state in which all actors have ended
 *
 * Restores the shared memory at the end.
 *
 * Return: number of states that were reached.
 */
u64 interleave(void (*const *actors)(void), void (*done)(void));

/* play() - interleave(), with a result: done() was called, and no expectation failed */
void play(const char *name, void (*const *actors)(void), void (*done)(void));

#endif
