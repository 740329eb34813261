/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the counters of a sketch lie, for those who copy or add up tables: a
 * column after the other, in it a row after the other. Without a window a
 * counter is 32 bits; with one it is three words, one for each generation that
 * may be alive: the upper 32 bits are the low ones of its epoch, the lower are
 * the count. The generation of epoch x is the word x % 3. A zeroed word has
 * counted nothing, whatever its epoch.
 */
#ifndef SEEN_CORE_SKETCH_H
#define SEEN_CORE_SKETCH_H

#include "siphash.h"
#include "table.h"

/* As many as a rate of 10^-12 takes. */
#define SEEN_SKETCH_ROWS	28

/* seen_sketch_generations() - counts of a counter: 3, or 1 without a window */
static inline u32 seen_sketch_generations(const struct seen_geometry *geo)
{
	return geo->tick ? SEEN_GENERATIONS : 1;
}

/* seen_sketch_hash() - one of many independent hashes of a key */
static inline u64 seen_sketch_hash(u64 hash, u32 which)
{
	return seen_remix(hash + which * 0x9e3779b97f4a7c15ULL);
}

/* seen_sketch_epoch() - the present epoch; 0 without a window */
u64 seen_sketch_epoch(const struct seen_set *set);

/**
 * seen_sketch_get() - what a counter has of one generation
 * @set: a sketch
 * @column: below geo.blocks
 * @row: below geo.hashes
 * @epoch: of the generation; not looked at without a window
 *
 * Return: its count, 0 if it has counted nothing then.
 */
u32 seen_sketch_get(const struct seen_set *set, u64 column, u32 row,
		    u64 epoch);

/**
 * seen_sketch_put() - add to what a counter has of one generation
 * @set: a sketch
 * @column: below geo.blocks
 * @row: below geo.hashes
 * @epoch: of the generation, the present one or one of the two before it
 * @count: to add; the sum sticks at U32_MAX
 *
 * Others may count meanwhile, between seen_sketch_merge_begin() and its end. What
 * was counted in all is told by seen_total_add().
 */
void seen_sketch_put(struct seen_set *set, u64 column, u32 row, u64 epoch,
		     u32 count);

/**
 * seen_sketch_merge_begin() - from now on each add counts in all rows
 * @set: a sketch that others use
 *
 * Until seen_sketch_merge_end(). After a merge that is not ended conservative
 * adds are plain ones for good.
 */
void seen_sketch_merge_begin(struct seen_set *set);
void seen_sketch_merge_end(struct seen_set *set);

#endif
