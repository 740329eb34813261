/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes a geometry from a promise (capacity, false-positive rate, window), in
 * integers, because the kernel runs this on user input. Every geometry comes from
 * seen_plan(), except imported and folded ones.
 */
#ifndef SEEN_CORE_PLAN_H
#define SEEN_CORE_PLAN_H

#include "geometry.h"

/* Why a plan was refused. */
enum seen_plan_error {
	SEEN_PLAN_OK,
	SEEN_PLAN_CAPACITY,	/* 0, or above SEEN_CAPACITY_MAX */
	SEEN_PLAN_FPP,		/* 0 or above one half */
	SEEN_PLAN_FPP_TYPE,	/* needs more than 64 bits per key with this kind */
	SEEN_PLAN_FPP_NONE,	/* needs more than 64 bits per key with every kind */
	SEEN_PLAN_FP_BITS,	/* not 8, 12, 16, 24 or 32 */
	SEEN_PLAN_FP_BITS_FPP,	/* the fingerprint is too short for @fpp */
	SEEN_PLAN_WINDOW,	/* its tick would be below @min_tick */
	SEEN_PLAN_WINDOW_LONG,	/* above SEEN_WINDOW_MAX */
	SEEN_PLAN_WINDOW_KIND,	/* this kind has no window */
	SEEN_PLAN_SIZE,		/* more blocks than SEEN_BLOCKS_MAX */
	SEEN_PLAN_RANGE,	/* bitmap: more than 2^32 numbers */
	SEEN_PLAN_KEY_BYTES,	/* map, @top: length of the longest key invalid */
	SEEN_PLAN_TOP,		/* more than SEEN_TOP_MAX_KEYS, or not a sketch */
	SEEN_PLAN_THRESHOLD,	/* counting: above SEEN_COUNTING_MAX */
};

/**
 * seen_plan() - choose the geometry that keeps a promise
 * @geo: in: the request: kind, capacity, fpp, fp_bits, window and options; out: the
 *       sizes as well. Unchanged if refused.
 * @min_tick: shortest tick in ns: two jiffies of this kernel
 *
 * plan.c has the formulas and their sources; Documentation/design.md has the table of
 * the blocked layouts.
 *
 * Context: any; integers only, bounded.
 * Return: SEEN_PLAN_OK or the reason.
 */
enum seen_plan_error seen_plan(struct seen_geometry *geo, u64 min_tick);

/**
 * seen_plan_better() - find a bloom or cuckoo kind that can keep a promise
 * @geo: a request for which seen_plan() returned SEEN_PLAN_FPP_TYPE
 * @min_tick: as for seen_plan()
 * @better: out: a geometry that keeps the promise
 *
 * Return: false if no such kind exists.
 */
bool seen_plan_better(const struct seen_geometry *geo, u64 min_tick,
		      struct seen_geometry *better);

#endif
