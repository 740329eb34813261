/* SPDX-License-Identifier: GPL-2.0 */
/* One unit of a set: shared by snapshot.c, merge.c, fold.c and fill.c. */
#ifndef SEEN_CORE_UNIT_SET_H
#define SEEN_CORE_UNIT_SET_H

#include "set.h"

/* Bytes of the longest unit: a column of a sketch with a window. */
#define SEEN_UNIT_MAX	512

/* seen_unit_count() - units of a snapshot: slots of a map, otherwise seen_geometry_units() */
u64 seen_unit_count(const struct seen_geometry *geo);

/*
 * seen_unit_read() - read a unit as in a snapshot; takes stripes; map: caller holds the
 * mover
 */
void seen_unit_read(struct seen_set *set, u64 unit, u8 *to);

/*
 * seen_unit_absorb() - merge a unit of a set of the same geometry, @age ns after the
 * start of the tick of its export; returns false if there is no room
 */
bool seen_unit_absorb(struct seen_set *set, u64 unit, const u8 *bytes, u64 age);

/* seen_unit_settle() - call after all units were absorbed: counts the keys of the set */
void seen_unit_settle(struct seen_set *set);

/* seen_unit_now() - @age of a unit that is read and absorbed at once */
u64 seen_unit_now(const struct seen_geometry *geo);

/* seen_fill_known() - can the keys of this kind be estimated from its fill ratio? */
bool seen_fill_known(const struct seen_geometry *geo);

/**
 * seen_fill_keys() - estimate the number of keys in a Bloom filter from its fill ratio
 * @set: a set for which seen_fill_known() is true
 * @other: set of the same geometry whose bits are included, or NULL
 * @age: with a window: age of the generation in ticks; otherwise 0
 *
 * Reads a sample of the lines; correct to about 1 %.
 *
 * Return: keys.
 */
u64 seen_fill_keys(struct seen_set *set, struct seen_set *other, u32 age);

/*
 * seen_fill_count() - set the key count of a Bloom filter to the estimate from its fill
 * ratio
 */
void seen_fill_count(struct seen_set *set);

#endif
