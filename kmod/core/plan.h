/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a promise (capacity, false-positive rate, window) to a geometry, in
 * integers: the kernel runs this on user input. seen_plan() is the only place
 * where a geometry is made.
 */
#ifndef SEEN_CORE_PLAN_H
#define SEEN_CORE_PLAN_H

#include "geometry.h"

/* What a plan was refused for. */
enum seen_plan_error {
	SEEN_PLAN_OK,
	SEEN_PLAN_CAPACITY,	/* 0, or beyond SEEN_CAPACITY_MAX */
	SEEN_PLAN_FPP,		/* 0 or above one half */
	SEEN_PLAN_FPP_TYPE,	/* not within 64 bits a key by this kind */
	SEEN_PLAN_FPP_NONE,	/* by no kind (at this window) */
	SEEN_PLAN_FP_BITS,	/* not one of the five sizes */
	SEEN_PLAN_FP_BITS_FPP,	/* that fingerprint is too short for @fpp */
	SEEN_PLAN_WINDOW,	/* its tick would be below @min_tick */
	SEEN_PLAN_WINDOW_LONG,	/* beyond SEEN_WINDOW_MAX */
	SEEN_PLAN_WINDOW_KIND,	/* this kind has no window */
	SEEN_PLAN_SIZE,		/* more blocks than SEEN_BLOCKS_MAX */
	SEEN_PLAN_RANGE,	/* bitmap: more than 2^32 numbers */
	SEEN_PLAN_KEY_BYTES,	/* map, @top: a key longer than that, or of no length */
	SEEN_PLAN_TOP,		/* more than SEEN_TOP_MAX, or not a sketch */
	SEEN_PLAN_THRESHOLD,	/* counting: above SEEN_COUNTING_MAX */
};

/**
 * seen_plan() - choose the geometry that keeps a promise
 * @geo: in: kind, capacity, fpp, fp_bits, window, refresh, evict; out: the rest.
 *       Unchanged when refused.
 * @min_tick: ns, two jiffies of this kernel
 *
 * Formulas and their sources stand beside the code; Documentation/design.md
 * has the table of the blocked layouts.
 *
 * Context: any; integers only, bounded.
 * Return: SEEN_PLAN_OK or the reason.
 */
enum seen_plan_error seen_plan(struct seen_geometry *geo, u64 min_tick);

/**
 * seen_plan_better() - the bloom or cuckoo kind that can keep what one cannot
 * @geo: a request that seen_plan() answered with SEEN_PLAN_FPP_TYPE
 * @min_tick: as there
 * @better: out: a geometry that keeps it
 *
 * Return: true if there is one.
 */
bool seen_plan_better(const struct seen_geometry *geo, u64 min_tick,
		      struct seen_geometry *better);

#endif
