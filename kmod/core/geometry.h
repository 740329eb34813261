/* SPDX-License-Identifier: GPL-2.0 */
/* The geometry of a set: its kind, its false-positive rate and window, and its sizes. */
#ifndef SEEN_CORE_GEOMETRY_H
#define SEEN_CORE_GEOMETRY_H

#include <linux/types.h>

/* A kind combines a type, a layout, and whether there is a window. */
enum seen_set_kind {
	SEEN_SET_BLOCKED,	/* bloom, all bits of a key in one 64-byte line */
	SEEN_SET_CLASSIC,	/* bloom, k bits anywhere in m */
	SEEN_SET_BLOOM_WINDOW,	/* bloom with a window: three generations in a line */
	SEEN_SET_CUCKOO,	/* four-slot buckets of fingerprints */
	SEEN_SET_CUCKOO_WINDOW,	/* cuckoo with a window: fingerprints and stamps */
	SEEN_SET_BITMAP,	/* one bit for each number of a range; exact */
	SEEN_SET_COUNTING,	/* bloom of 4-bit counters, all of a key in one line */
	SEEN_SET_MAP,		/* exact cuckoo hash table: keys and values */
	SEEN_SET_CMS,		/* count-min sketch */
	SEEN_SET_CMM,		/* count-mean-min sketch */
};

#define SEEN_LINE_BYTES		64
#define SEEN_LINE_BITS		512
/* Generations of a windowed Bloom filter; all but one together are as long as the window. */
#define SEEN_GENERATIONS	3
/* Bits of one generation in a line: a third of the line without its 32-bit epoch. */
#define SEEN_GENERATION_BITS	160
#define SEEN_CUCKOO_SLOTS	4
#define SEEN_CUCKOO_WINDOW_SLOTS	8
/* Counters in a line of a counting Bloom filter, and the value at which they stick. */
#define SEEN_COUNTERS		128
#define SEEN_COUNTING_MAX	15
/* Entries in a bucket of a map. */
#define SEEN_MAP_SLOTS		4
/* Maximum copies of one key in a cuckoo filter: all slots of its two buckets. */
#define SEEN_CUCKOO_COPIES	8
/* Maximum ticks of a window with stamps; there are 255 stamps. */
#define SEEN_CUCKOO_WINDOW_TICKS	20
/* Limits of a request. */
#define SEEN_CAPACITY_MAX	0x400000000ULL	/* 2^34 */
#define SEEN_FPP_MAX		500000000000ULL	/* one half, in 10^-12 */
#define SEEN_HASHES_MAX		64	/* bits per key in layout classic */
#define SEEN_BLOCKS_MAX		0x100000000ULL	/* 2^32 */
#define SEEN_WINDOW_MAX		0x1000000000000000ULL	/* 2^60 ns, 36 years */
/* Bytes of the longest key that an item carries. */
#define SEEN_ITEM_KEY_MAX	48
/* Maximum length of a sketch's list of heaviest keys. */
#define SEEN_TOP_MAX_KEYS	1024
/* Maximum percentage of a map's slots in use; see plan_map(). */
#define SEEN_MAP_LOAD		94
/* 64-bit words of a map before its first bucket. */
#define SEEN_MAP_HEADER		(SEEN_LINE_BYTES / sizeof(u64))

/**
 * struct seen_geometry - what a set promises, and the sizes that keep the promise
 * @kind: which structure
 * @fp_bits: cuckoo kinds: bits of a fingerprint: 8, 12, 16, 24 or 32; 0 in a request:
 *           seen_plan() chooses the size that needs the smallest table
 * @hashes: bloom kinds: bits or counters that a key sets; cuckoo kinds and map: slots
 *          that a lookup compares; sketches: rows
 * @ticks: length of the window in ticks; 0 without a window
 * @refresh: the window counts from the last sighting, not from the first
 * @conservative: SEEN_SET_CMS: conservative update, see sketch.c
 * @evict: SEEN_SET_CUCKOO_WINDOW: if both buckets of a new key are full, their oldest
 *         entry is evicted; not set: the key is refused
 * @fold: bloom kinds: number of neighbouring blocks that were folded into one; 0 or 1:
 *        not folded
 * @blocks: lines, buckets, columns (sketches) or bits (classic, bitmap) in use; the
 *          table is allocated in whole 64-byte lines
 * @tick: length of a tick in ns; 0 without a window
 * @window: ns; 0: keys do not expire
 * @span: with @fold above 1: number of blocks before folding, over which hashes are
 *        spread
 * @asks: number of lookups for one question of the user; @fpp holds for all of them
 *        together; 0: one
 * @threshold: kinds that count: a key is seen from this count on; 0: from 1
 * @top: sketches: length of the list of heaviest keys, see top.h; 0: no list
 * @key_bytes: SEEN_SET_MAP, and with @top: bytes of the longest key, at most
 *             SEEN_ITEM_KEY_MAX
 * @capacity: number of distinct keys for which @fpp is promised (with a window: in any
 *            span of @window and one tick); bitmap: numbers in the range; sketches: a
 *            count errs by at most the sum of all counts (in the window) divided by
 *            this
 * @fpp: promised false-positive rate at capacity, in 10^-12; 0 in a request with
 *       @fp_bits: the rate that this fingerprint gives; sketches: probability that a
 *       count errs by more than the bound in @capacity
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
	/* the head, then value and key, rounded up */
	return 1 + (sizeof(u32) + geo->key_bytes + 7) / sizeof(u64);
}

/* seen_geometry_bucket_bytes() - bytes of a bucket of the two cuckoo kinds */
u32 seen_geometry_bucket_bytes(const struct seen_geometry *geo);

/**
 * seen_geometry_bytes() - memory of the table, without its stripes
 * @geo: geometry from seen_plan()
 *
 * Return: bytes, a multiple of 64; never overflows for a planned geometry.
 */
u64 seen_geometry_bytes(const struct seen_geometry *geo);

/**
 * seen_geometry_units() - number of units that seen_set_used() counts in
 * @geo: geometry from seen_plan()
 *
 * Return: lines, buckets, columns, or (classic, bitmap) runs of 512 bits, the last of
 * which may be partial.
 */
u64 seen_geometry_units(const struct seen_geometry *geo);

/**
 * seen_geometry_stripes() - number of lock stripes for a table
 * @geo: geometry from seen_plan()
 *
 * Return: a power of two from 1 to 1024.
 */
u32 seen_geometry_stripes(const struct seen_geometry *geo);

#endif
