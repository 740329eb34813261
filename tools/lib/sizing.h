/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a filter will cost and how often it will err: the kernel's own sizing
 * (kmod/core/plan.c), compiled here, and predictions in floating point. This
 * header keeps core's types away from the tools.
 */
#ifndef SEEN_SIZING_H
#define SEEN_SIZING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct seen_sizing - a promise, and the sizes that keep it
 * @type: enum seen_type
 * @layout: enum seen_layout; 0: that of the type, which a plan fills in
 * @fp_bits: cuckoo: fingerprint bits; 0 before: the fewest that keep @fpp
 * @refresh: the window counts from the last sighting
 * @evict: the oldest entry makes room in a cuckoo filter with a window
 * @capacity: distinct keys
 * @fpp: 10^-12, at capacity; 0 before: what @fp_bits give
 * @window: ns, 0: for ever
 * @conservative: cms: an add raises only what must be
 * @asks: questions for one of the user, which @fpp is promised for; 0: one
 * @threshold: kinds that count: seen from this count on
 * @top: sketches: heaviest keys kept
 * @key_bytes: map, @top: of the longest key
 * @fold: folded by; 0: not
 * @span: with @fold: blocks before
 * @min_tick: ns, of the clock that is to be; 0: the kernel's two jiffies
 * @hashes: after: bits that a key sets, or slots looked at
 * @ticks: after: of the window
 * @tick: after: ns
 * @blocks: after: lines, buckets or (classic) bits
 * @bytes: after: of the table
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

/* seen_sizing_fn - plan a filter whose type is given; NULL, or why not */
typedef const char *(*seen_sizing_fn)(struct seen_sizing *sizing, uint64_t memory);

/* seen_sizing_better_fn - is @a the better of two plans? */
typedef bool (*seen_sizing_better_fn)(const struct seen_sizing *a,
				      const struct seen_sizing *b);

/**
 * seen_sizing_choose() - plan with each type that may be chosen, and keep the best
 * @sizing: its type is open
 * @memory: bytes, for @plan_one
 * @plan_one: with one type
 * @better: where both plans, or neither, have a tick of W/8 at most; else that one is
 *          better which has
 *
 * Return: NULL, or why the first type cannot be.
 */
const char *seen_sizing_choose(struct seen_sizing *sizing, uint64_t memory,
			       seen_sizing_fn plan_one,
			       seen_sizing_better_fn better);

/**
 * seen_sizing_plan() - fill in what follows from the promise
 * @sizing: the promise; type 0: the smallest that keeps it, with a window the smallest of
 *          those whose tick is W/8 at most
 *
 * Return: NULL, or why not, and what could.
 */
const char *seen_sizing_plan(struct seen_sizing *sizing);

/**
 * seen_sizing_most() - fill in as many keys as some memory has room for
 * @sizing: the promise but for the capacity; type 0: that with room for the most
 * @memory: bytes, as seen_sizing_memory() counts them
 *
 * Return: NULL, or why not even one fits.
 */
const char *seen_sizing_most(struct seen_sizing *sizing, uint64_t memory);

/**
 * seen_sizing_least() - fill in the lowest rate that some memory gives
 * @sizing: the promise but for the rate; type 0: bloom or cuckoo, as is lower
 * @memory: bytes, as seen_sizing_memory() counts them
 *
 * Return: NULL, or why there is none.
 */
const char *seen_sizing_least(struct seen_sizing *sizing, uint64_t memory);

/**
 * seen_sizing_memory() - what the kernel will charge for it
 * @sizing: planned
 *
 * Return: bytes of the table, in whole pages of 4096, of the heaviest keys beside
 * it and of its locks. Left out is what only that kernel knows: the filter's own
 * structure and its counters on each CPU, one or two thousand bytes.
 */
uint64_t seen_sizing_memory(const struct seen_sizing *sizing);

/* A key with a payload, where whole keys are kept. */
extern const char seen_whole_key_text[];
/* Of a fingerprint of another length. */
extern const char seen_bits_text[];

struct seen_geometry;

/* seen_sizing_geometry() - what seen_sizing_plan() has chosen, for core */
void seen_sizing_geometry(const struct seen_sizing *sizing,
			  struct seen_geometry *geo);

/* seen_sizing_rate() - predicted false-positive rate with @keys in it */
double seen_sizing_rate(const struct seen_sizing *sizing, uint64_t keys);

/* seen_sizing_excess() - sketches: seen_excess() in rate.h */
double seen_sizing_excess(const struct seen_sizing *sizing, double part);

/* seen_sizing_exact() - does a type, enum seen_type, never err? */
bool seen_sizing_exact(uint32_t type);

/* seen_sizing_sketch() - does it count, with errors in the counts? */
bool seen_sizing_sketch(uint32_t type);

#endif
