/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a promise (capacity, false-positive rate, window) to a geometry, in
 * integers: the kernel runs this on user input. seen_plan() is the only place
 * where a geometry is made or checked.
 */
#ifndef SEEN_CORE_PLAN_H
#define SEEN_CORE_PLAN_H

#include <linux/types.h>

/* A type, its layout, and whether it has a window, in one. */
enum seen_set_kind {
	SEEN_SET_BLOCKED,	/* bloom, a 64-byte line a key */
	SEEN_SET_CLASSIC,	/* bloom, the textbook's m and k */
	SEEN_SET_BLOOM_WINDOW,	/* bloom, three generations in a line */
	SEEN_SET_CUCKOO,	/* four-slot buckets of fingerprints */
	SEEN_SET_CUCKOO_WINDOW,	/* cuckoo with a window: fingerprints and stamps */
	SEEN_SET_BITMAP,	/* a bit for each number of a range; exact */
	SEEN_SET_COUNTING,	/* bloom of 4-bit counters, blocked */
	SEEN_SET_MAP,		/* exact cuckoo hash table: keys and values */
	SEEN_SET_CMS,		/* count-min sketch */
	SEEN_SET_CMM,		/* count-mean-min sketch */
};

#define SEEN_LINE_BYTES		64
#define SEEN_LINE_BITS		512
/* Generations of a windowed Bloom filter; W spans all but one of them. */
#define SEEN_GENERATIONS	3
/* Bits of one generation in a line: the line less its 32-bit epoch, in thirds. */
#define SEEN_GENERATION_BITS	160
#define SEEN_CUCKOO_SLOTS	4
#define SEEN_CUCKOO_WINDOW_SLOTS	8
/* Counters in a line of a counting Bloom filter, and where they stick. */
#define SEEN_COUNTERS		128
#define SEEN_COUNTING_MAX	15
/* Entries in a bucket of a map. */
#define SEEN_MAP_SLOTS		4
/* Most copies of one key in a cuckoo filter: its two buckets full. */
#define SEEN_CUCKOO_COPIES	8
/* A window of stamps has at most this many ticks, of the stamps' 255. */
#define SEEN_CUCKOO_WINDOW_TICKS	20
/* Least and most that a filter may be asked for. */
#define SEEN_CAPACITY_MAX	0x400000000ULL	/* 2^34 */
#define SEEN_FPP_MAX		500000000000ULL	/* one half, in 10^-12 */
#define SEEN_BLOCKS_MAX		0x100000000ULL	/* 2^32 */
#define SEEN_WINDOW_MAX		0x1000000000000000ULL	/* 2^60 ns, 36 years */

/**
 * struct seen_geometry - the promise, and the sizes that keep it
 * @kind: which structure
 * @fp_bits: cuckoo kinds: 8, 12, 16, 24 or 32; 0 in a request: the smallest
 *           that keeps @fpp
 * @hashes: bloom kinds: bits or counters that a key sets; cuckoo kinds and map:
 *          slots looked at; sketches: rows
 * @ticks: window in ticks, rounded up; 0 without a window
 * @refresh: W counts from the last sighting, not the first
 * @conservative: SEEN_SET_CMS: an add raises only the counters that must be
 * @evict: SEEN_SET_CUCKOO_WINDOW: a full pair of buckets gives its oldest entry away;
 *         not set: it refuses
 * @fold: bloom kinds: that many neighbouring blocks have become one; 0 or 1: not
 *        folded
 * @blocks: lines, buckets, columns (sketches) or bits (classic, bitmap): whole
 *          64-bit words of them are allocated, but only this many are used
 * @tick: ns
 * @window: ns, 0: for ever
 * @span: with @fold above 1: blocks before, over which the hash is spread
 * @asks: questions to the set for one of its user, which @fpp is promised for; 0: one
 * @threshold: kinds that count: a key is seen from this count on; 0: from 1
 * @top: sketches: heaviest keys that are kept beside it; see top.h
 * @key_bytes: SEEN_SET_MAP, and with @top: bytes of the longest key, at most
 *             SEEN_ITEM_KEY_MAX
 * @capacity: distinct keys promised (in any span of @window and one tick);
 *            bitmap: numbers in the range; sketches: a count errs by at most all
 *            that was counted (in the window) divided by this
 * @fpp: promised false-positive rate at capacity, in 10^-12; 0 in a request with
 *       @fp_bits: what the fingerprint gives; sketches: how often a count may err
 *       by more
 */
struct seen_geometry {
	enum seen_set_kind kind;
	u32 fp_bits;
	u32 hashes;
	u32 ticks;
	bool refresh;
	bool conservative;
	bool evict;
	u32 fold;
	u64 blocks;
	u64 tick;
	u64 window;
	u64 span;
	u32 asks;
	u32 threshold;
	u32 top;
	u32 key_bytes;
	u64 capacity;
	u64 fpp;
};

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

/**
 * seen_geometry_bytes() - memory of the table alone
 * @geo: as seen_plan() left it
 *
 * Return: bytes, a multiple of 64; never overflows for a planned geometry.
 */
u64 seen_geometry_bytes(const struct seen_geometry *geo);

/**
 * seen_geometry_units() - what seen_set_used() counts in
 * @geo: as seen_plan() left it
 *
 * Return: lines, buckets, or (classic, bitmap) begun runs of 512 bits.
 */
u64 seen_geometry_units(const struct seen_geometry *geo);

/**
 * seen_geometry_stripes() - how many lock stripes suit a table
 * @geo: as seen_plan() left it
 *
 * Return: a power of two from 1 to 1024.
 */
u32 seen_geometry_stripes(const struct seen_geometry *geo);

#endif
