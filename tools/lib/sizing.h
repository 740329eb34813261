/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Predicts the memory and the error rate of a filter: the kernel's own sizing
 * (kmod/core/plan.c), compiled for the library, and predictions in floating point. This header
 * keeps core's types out of the tools.
 */
#ifndef SEEN_SIZING_H
#define SEEN_SIZING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct seen_sizing - the properties of a filter that are promised, and the resulting sizes
 * @type: enum seen_type; 0: to be chosen
 * @layout: enum seen_layout; 0: the default of the type, which a plan fills in
 * @fp_bits: cuckoo: fingerprint bits; in: 0: the fewest that keep @fpp
 * @refresh: the window counts from the last sighting
 * @evict: a full cuckoo filter with a window evicts the oldest entry
 * @capacity: distinct keys
 * @fpp: false-positive rate at capacity, in 10^-12; in: 0: @fp_bits determines it
 * @window: ns; 0: without limit
 * @conservative: cms: an add raises only counters that are below the new count of the key
 * @asks: lookups for one key, which has a prefix of any length; @fpp is promised for all of them
 *        together; 0: one lookup
 * @threshold: counting types: the count from which a key is seen
 * @top: sketches: number of heaviest keys that are kept
 * @key_bytes: map, or with @top: bytes of the longest key
 * @fold: number of blocks that became one when the filter was folded; 0: not folded
 * @span: with @fold: number of blocks before
 * @min_tick: ns, the shortest tick of the clock to be used; 0: the kernel's two jiffies
 * @hashes: out: bits that a key sets, or slots that a lookup reads
 * @ticks: out: ticks of the window
 * @tick: out: ns
 * @blocks: out: lines, buckets or (classic) bits
 * @bytes: out: of the table
 */
struct seen_sizing {
	uint32_t type;
	uint32_t layout;
	uint32_t fp_bits;
	bool refresh;
	bool evict;
	uint64_t capacity;
	uint64_t fpp;
	uint64_t window;
	bool conservative;
	uint32_t asks;
	uint32_t threshold;
	uint32_t top;
	uint32_t key_bytes;
	uint32_t fold;
	uint64_t span;
	uint64_t min_tick;
	uint32_t hashes;
	uint32_t ticks;
	uint64_t tick;
	uint64_t blocks;
	uint64_t bytes;
};

/* seen_sizing_fn - plan a filter of a given type; NULL, or an error text */
typedef const char *(*seen_sizing_fn)(struct seen_sizing *sizing, uint64_t memory);

/* seen_sizing_better_fn - is @a the better of two plans? */
typedef bool (*seen_sizing_better_fn)(const struct seen_sizing *a,
				      const struct seen_sizing *b);

/**
 * seen_sizing_choose() - plan with types bloom and cuckoo, and keep the better plan
 * @sizing: the promise, without a type
 * @memory: bytes, passed to @plan_one
 * @plan_one: plans with one type
 * @better: compares two plans if both have a tick of at most window / 8, or both a longer one;
 *          else the plan with the shorter tick is better
 *
 * Return: NULL; or the error text of the first type.
 */
const char *seen_sizing_choose(struct seen_sizing *sizing, uint64_t memory,
			       seen_sizing_fn plan_one,
			       seen_sizing_better_fn better);

/**
 * seen_sizing_plan() - compute the sizes that keep a promise
 * @sizing: the promise; type 0: the smallest type that keeps it; with a window, the smallest
 *          with a tick of at most window / 8
 *
 * Return: NULL; or an error text, which says what would be possible.
 */
const char *seen_sizing_plan(struct seen_sizing *sizing);

/**
 * seen_sizing_most() - find the largest capacity that fits some memory
 * @sizing: the promise without the capacity; type 0: the type with the larger capacity
 * @memory: bytes, as seen_sizing_memory() counts them
 *
 * Return: NULL; or an error text, if not even one key fits.
 */
const char *seen_sizing_most(struct seen_sizing *sizing, uint64_t memory);

/**
 * seen_sizing_least() - find the lowest false-positive rate that fits some memory
 * @sizing: the promise without the rate; type 0: bloom or cuckoo, whichever has the lower rate
 * @memory: bytes, as seen_sizing_memory() counts them
 *
 * Return: NULL; or an error text, if no rate fits.
 */
const char *seen_sizing_least(struct seen_sizing *sizing, uint64_t memory);

/**
 * seen_sizing_memory() - memory that the kernel will charge for a filter
 * @sizing: planned
 *
 * Return: bytes of the table, in whole pages of 4096, of the list of heaviest keys, and of the
 * locks. Not counted are the filter's own structure and its per-CPU counters, one or two
 * thousand bytes, whose size depends on the running kernel.
 */
uint64_t seen_sizing_memory(const struct seen_sizing *sizing);

/**
 * seen_sizing_bits_fault() - check fingerprint bits that a user gave, the type before the range
 * @type: enum seen_type; 0: not given
 * @bits: the number; of the lengths from 8 to 32, a plan finds those that do not exist
 *
 * Return: NULL; or the text that planning has for them.
 */
const char *seen_sizing_bits_fault(uint32_t type, uint32_t bits);

/* seen_sizing_top_fault() - NULL if @type can list the heaviest keys; or the error text */
const char *seen_sizing_top_fault(uint32_t type);

/* Error text: a type that stores whole keys cannot have a payload in its key. */
extern const char seen_whole_key_text[];
/* Error text: the capacity is out of range. */
extern const char seen_capacity_text[];
/* Error text: the false-positive rate is out of range. */
extern const char seen_fpp_text[];

struct seen_geometry;

/* seen_sizing_geometry() - the result of seen_sizing_plan() as core's structure */
void seen_sizing_geometry(const struct seen_sizing *sizing,
			  struct seen_geometry *geo);

/* seen_sizing_rate() - predicted false-positive rate with @keys keys */
double seen_sizing_rate(const struct seen_sizing *sizing, uint64_t keys);

/* seen_sizing_excess() - for sketches: see seen_excess() in rate.h */
double seen_sizing_excess(const struct seen_sizing *sizing, double part);

/* seen_sizing_exact() - does a type, enum seen_type, have no false positives? */
bool seen_sizing_exact(uint32_t type);

/* seen_sizing_sketch() - does a type count keys, with errors in the counts? */
bool seen_sizing_sketch(uint32_t type);

#endif
