/* SPDX-License-Identifier: GPL-2.0 */
/* The sets that are attacked, and a counter of their accesses to shared memory ("steps"). */
#ifndef SEEN_ATTACK_SETS_H
#define SEEN_ATTACK_SETS_H

#include "item.h"
#include "keys.h"

/* All kinds that use a hash. (A bitmap does not: keys are positions.) */
struct victim {
	const char *name;
	struct seen_geometry geo;
};

#define VICTIMS		17
extern const struct victim victims[VICTIMS];

/* Accesses to shared memory since the counter was last cleared. */
extern u64 steps;

/* victim_new() - an empty set for @capacity keys; a map may store more, up to its last slot */
struct seen_set *victim_new(const struct victim *victim, u64 capacity);

bool is_sketch(const struct seen_set *set);

/* bring() - store a key if it is new; a sketch counts it */
enum seen_result bring(struct seen_set *set, const struct key *key,
		       const struct seen_secret *secret);

/* ask() - 1 if a key is seen, 0 if not; for a sketch its count */
u64 ask(struct seen_set *set, const struct key *key,
	const struct seen_secret *secret);

#endif
