/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every interleaving of a few actors on the real code. Actors are coroutines;
 * core and shim, built with SEEN_SHIM_STEP, stop before each access to shared
 * memory. What may come next is tried from each state that can be reached, once:
 * a state is the shared memory, and each actor's stack and registers. So it is
 * exhaustive as long as what is shared is named to share(). An access that no
 * other actor's can conflict with, in any interleaving, is no stop: its order
 * makes no difference. Memory is sequentially consistent, unless WEAK=1 is in the
 * environment: see weak.h.
 */
#ifndef SEEN_INTERLEAVE_H
#define SEEN_INTERLEAVE_H

#include "test.h"

#define ACTORS_MAX	4

/* Of a case, for its result: ends that were reached, and expectations not met. */
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
 * meet() - a step of its own: leave, or take over, what is known at a point
 * @point: memory that is used for nothing else
 * @order: SEEN_SHIM_RELEASE, _ACQUIRE, _RELAXED: neither, _MB: a barrier
 */
void meet(const volatile void *point, enum seen_shim_order order);

/* share_graves() - of a case in which memory is given back */
void share_graves(void);

/**
 * bury() - give memory back: who touches it from now on has failed
 * @memory: as it was shared
 *
 * Touched by READ_ONCE(), WRITE_ONCE(), atomics and locks; plain accesses are not
 * seen.
 */
void bury(const void *memory);

/**
 * interleave() - run some functions in every interleaving
 * @actors: ending with NULL; no more than ACTORS_MAX
 * @done: called in each state in which all have ended
 *
 * What is shared is afterwards as it was before.
 *
 * Return: states that were reached.
 */
u64 interleave(void (*const *actors)(void), void (*done)(void));

/* play() - the same, and its result: done() was called, and all was expected */
void play(const char *name, void (*const *actors)(void), void (*done)(void));

#endif
