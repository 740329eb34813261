/* SPDX-License-Identifier: GPL-2.0 */
/* What snapshot.c, merge.c, fold.c and fill.c share: one unit of a set. */
#ifndef SEEN_CORE_UNIT_SET_H
#define SEEN_CORE_UNIT_SET_H

#include "set.h"

/* Bytes of the longest unit: a column of a sketch with a window. */
#define SEEN_UNIT_MAX	512

/* seen_unit_count() - units of a snapshot: of a map its slots, else what is used */
u64 seen_unit_count(const struct seen_geometry *geo);

/* seen_unit_read() - as it is in a snapshot; takes the locks that this needs */
void seen_unit_read(struct seen_set *set, u64 unit, u8 *to);

/*
 * seen_unit_absorb() - add what is in a unit of a set of the same geometry, @age ns
 * after the tick of its export began; false: no room
 */
bool seen_unit_absorb(struct seen_set *set, u64 unit, const u8 *bytes, u64 age);

/* seen_unit_settle() - all units were absorbed: count what is in the set */
void seen_unit_settle(struct seen_set *set);

/* seen_unit_now() - the @age of what is read and absorbed at once */
u64 seen_unit_now(const struct seen_geometry *geo);

/* seen_fill_known() - Bloom kinds: what they hold is estimated by their fill */
bool seen_fill_known(const struct seen_geometry *geo);

/**
 * seen_fill_keys() - how many keys fill a Bloom filter as it is
 * @set: of such a kind
 * @other: of the same geometry, whose bits count as well, or NULL
 * @age: with a window: of which generation; else 0
 *
 * A sample of the lines is looked at: right to about 1 %.
 */
u64 seen_fill_keys(struct seen_set *set, struct seen_set *other, u32 age);

/* seen_fill_count() - let a Bloom filter's load be what its fill says */
void seen_fill_count(struct seen_set *set);

#endif
