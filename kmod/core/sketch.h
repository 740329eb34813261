/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Layout of a sketch's counters, for code that copies or adds up tables: one column
 * after another, and in a column one row after another. Without a window a counter has
 * 32 bits. With a window it has three 64-bit words, one for each generation that may be
 * alive: the upper 32 bits are the low bits of the epoch, the lower 32 bits are the
 * count. The generation of epoch x is in word x % 3. A zeroed word has counted nothing,
 * whatever its epoch.
 */
#ifndef SEEN_CORE_SKETCH_H
#define SEEN_CORE_SKETCH_H

#include "siphash.h"
#include "table.h"

/* Maximum number of rows: a rate of 10^-12 needs them. */
#define SEEN_SKETCH_ROWS	28

/* seen_sketch_generations() - number of counts in a counter: 3, or 1 without a window */
static inline u32 seen_sketch_generations(const struct seen_geometry *geo)
{
	return geo->tick ? SEEN_GENERATIONS : 1;
}

/* seen_sketch_hash() - one of many independent hashes of a key */
static inline u64 seen_sketch_hash(u64 hash, u32 which)
{
	return seen_remix(hash + which * 0x9e3779b97f4a7c15ULL);
}

/* seen_sketch_epoch() - current epoch; 0 without a window */
u64 seen_sketch_epoch(const struct seen_set *set);

/**
 * seen_sketch_get() - count of one generation in a counter
 * @set: a sketch
 * @column: below geo.blocks
 * @row: below geo.hashes
 * @epoch: epoch of the generation; ignored without a window
 *
 * Return: the count; 0 if the counter counted nothing in that generation.
 */
u32 seen_sketch_get(const struct seen_set *set, u64 column, u32 row,
		    u64 epoch);

/**
 * seen_sketch_put() - add to the count of one generation in a counter
 * @set: a sketch
 * @column: below geo.blocks
 * @row: below geo.hashes
 * @epoch: epoch of the generation: the current one or one of the two before it
 * @count: number to add; the sum sticks at U32_MAX
 *
 * Between seen_sketch_merge_begin() and seen_sketch_merge_end() other CPUs may count at
 * the same time. The caller adds to the total by seen_total_add().
 */
void seen_sketch_put(struct seen_set *set, u64 column, u32 row, u64 epoch,
		     u32 count);

/**
 * seen_sketch_merge_begin() - from now on each add counts in all rows
 * @set: a sketch, which may be in use
 *
 * Lasts until seen_sketch_merge_end(). Without that call, conservative adds stay plain
 * adds for good.
 */
void seen_sketch_merge_begin(struct seen_set *set);
void seen_sketch_merge_end(struct seen_set *set);

#endif
