/* SPDX-License-Identifier: GPL-2.0 */
/* The geometry of a set: its kind, its false-positive rate and window, and its sizes. */
#ifndef SEEN_CORE_GEOMETRY_H
#define SEEN_CORE_GEOMETRY_H

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
#define SEEN_HASHES_MAX		64	/* bits that a key sets in classic */
#define SEEN_BLOCKS_MAX		0x100000000ULL	/* 2^32 */
#define SEEN_WINDOW_MAX		0x1000000000000000ULL	/* 2^60 ns, 36 years */
/* Bytes of the longest key that an item carries. */
#define SEEN_ITEM_KEY_MAX	48
/* Heaviest keys that a sketch keeps. */
#define SEEN_TOP_MAX_KEYS	1024
/* Percent of a map's slots that may be taken; see plan_map(). */
#define SEEN_MAP_LOAD		94
/* Words of a map before its first bucket. */
#define SEEN_MAP_HEADER		(SEEN_LINE_BYTES / sizeof(u64))

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
 * @top: sketches: number of heaviest keys in the list; see top.h
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

/* seen_slots_words() - 64-bit words of a bucket of SEEN_SET_CUCKOO_WINDOW */
static __always_inline u32 seen_slots_words(u32 fp_bits)
{
	return 1 + (fp_bits + 7) / 8;
}

/* seen_map_words() - 64-bit words of an entry of SEEN_SET_MAP */
static inline u32 seen_map_words(const struct seen_geometry *geo)
{
	/* the head, and value and key rounded up */
	return 1 + (sizeof(u32) + geo->key_bytes + 7) / sizeof(u64);
}

/* seen_geometry_bucket_bytes() - of the two cuckoo kinds */
u32 seen_geometry_bucket_bytes(const struct seen_geometry *geo);

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
