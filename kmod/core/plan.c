// SPDX-License-Identifier: GPL-2.0
/*
 * Computes a geometry from a promise, in integers. Rates are whole numbers of 10^-12.
 *
 * Every product is bounded by SEEN_CAPACITY_MAX, SEEN_FPP_MAX and the 64 bits per key
 * that a table may take; comments state the bounds.
 */
#include <linux/build_bug.h>

#include "log.h"
#include "plan.h"
#include "plan_table.h"

#define ARRAY_LENGTH(a)		(sizeof(a) / sizeof((a)[0]))
#define FPP_ONE			(2 * SEEN_FPP_MAX)
/* Maximum bits per key for a rate; stamps and slack are not included. */
#define KEY_BITS_MAX		64
#define CLASSIC_BITS_MIN	SEEN_LINE_BITS
#define CLASSIC_BITS_FEW	65536
/* Maximum percentage of slots in use, and extra buckets against chance. */
#define CUCKOO_LOAD		94
#define CUCKOO_SLACK		24
#define CUCKOO_WINDOW_LOAD		55
#define CUCKOO_WINDOW_SLACK		8
#define MAP_SLACK		24
/* e, with 62 bits of fraction. */
#define E			0xadf85458a2bb4a9aULL
#define E_SHIFT			62
/* A median needs at least this many rows. */
#define CMM_ROWS_MIN		3
/* Fraction bits of a number of buckets per key. */
#define RATIO_SHIFT		20

/* Words of tables, counters and clocks must be loaded and stored whole. */
static_assert(__alignof__(u64) == sizeof(u64));

static u64 plan_div_up(u64 n, u64 by)
{
	return n / by + !!(n % by);
}

/*
 * m = -n ln p / (ln 2)^2 bits, rounded down, and k = log2(1/p), as in Guava: 9,585,058
 * and 7 for a million keys at 1 %.
 *
 * In a small table the number of bits set varies, so the rate is above the rate at the
 * average number: by half at 10^-12. A quarter of a bit for each of the k hashes, and
 * at least 512 bits in all, make up for that (checked with the exact distribution, for
 * n from 1 on).
 */
static enum seen_plan_error plan_classic(struct seen_geometry *geo)
{
	u64 log = seen_log2(FPP_ONE) - seen_log2(geo->fpp);
	/* at most 57.6 bits, with 57 bits of fraction */
	u64 bits = seen_multiply_high(log, SEEN_LOG2_E);
	u64 half = 1ULL << (SEEN_LOG_SHIFT - 1);

	geo->hashes = (log + half) >> SEEN_LOG_SHIFT;
	geo->blocks = seen_multiply_shift(geo->capacity, bits,
					  SEEN_LOG_SHIFT - 1);
	if (geo->blocks < CLASSIC_BITS_FEW)
		geo->blocks += geo->hashes / 4 + 1;
	if (geo->blocks < CLASSIC_BITS_MIN)
		geo->blocks = CLASSIC_BITS_MIN;
	return SEEN_PLAN_OK;
}

/* One bit for each number. */
static enum seen_plan_error plan_bits(struct seen_geometry *geo)
{
	geo->fpp = 0;
	geo->hashes = 1;
	geo->blocks = geo->capacity;
	return SEEN_PLAN_OK;
}

/*
 * Lines of the first step that keeps @fpp. The rates of the steps are for infinitely
 * many lines, with a Poisson distribution of keys; with few lines the rate is lower.
 */
static enum seen_plan_error plan_lines(struct seen_geometry *geo, u64 fpp,
				       const struct seen_plan_step *steps,
				       u32 count)
{
	u32 i = 0;

	while (i < count && steps[i].fpp > fpp)
		i++;
	if (i == count)
		return SEEN_PLAN_FPP_TYPE;
	geo->hashes = steps[i].hashes;
	/* at most 2^34 keys of 2^8 quarters */
	geo->blocks = plan_div_up(geo->capacity * steps[i].quarters,
				  4 * SEEN_LINE_BITS);
	return SEEN_PLAN_OK;
}

/*
 * All keys may arrive in one tick: then one generation holds all of them and must keep
 * the rate. With refresh each of the three generations may hold all keys.
 */
static enum seen_plan_error plan_generations(struct seen_geometry *geo)
{
	u64 share = geo->refresh ? SEEN_GENERATIONS : 1;

	return plan_lines(geo, geo->fpp / share, generation_steps,
			  ARRAY_LENGTH(generation_steps));
}

/*
 * Buckets in which any @capacity keys find room.
 *
 * Cuckoo: on average the first add fails at 96 % of the slots; with 10^7 keys at
 * 95.8 %. In a small table, a group of two, three, ... buckets may be the only buckets
 * of more keys than the group can hold. By the union bound over all such groups, the
 * slack limits the probability of that to 10^-10. The number is even, see cuckoo.c.
 *
 * With stamps: a table that is filled for the first time reaches 65 %. If new keys
 * replace expired keys for ever, the buckets are filled less evenly: at full capacity,
 * of 10^8 keys 400 found no room at 62.5 %, 26 at 60 %, 1 at 57.5 %.
 */
static u64 plan_buckets_for_capacity(const struct seen_geometry *geo)
{
	u64 keys = geo->capacity * 100;

	if (geo->kind == SEEN_SET_CUCKOO_WINDOW)
		return plan_div_up(keys, CUCKOO_WINDOW_LOAD * SEEN_CUCKOO_WINDOW_SLOTS) +
		       CUCKOO_WINDOW_SLACK;
	return 2 * plan_div_up(keys, 2 * CUCKOO_LOAD * SEEN_CUCKOO_SLOTS) +
	       CUCKOO_SLACK;
}

/*
 * The rate at one bucket per key, with RATIO_SHIFT bits of fraction.
 *
 * A key that is not in the set is compared with the fingerprints of two buckets, on
 * average 2 n / blocks of them. Each is equal to the key's own with a probability of
 * 1 / (2^f - 1).
 */
static u64 plan_rate_of_one(const struct seen_geometry *geo)
{
	u64 values = (1ULL << geo->fp_bits) - 1;

	/* 2 * 10^12 * 2^20 is below 2^61 */
	return plan_div_up(2 * FPP_ONE << RATIO_SHIFT, values);
}

/* Buckets of a table, as buckets per key; rounded down. Blocks are below 2^34. */
static u64 plan_ratio(const struct seen_geometry *geo, u64 blocks)
{
	return (blocks << RATIO_SHIFT) / geo->capacity;
}

/*
 * Sizes a table of geo->fp_bits; returns false if its rate needs too many bits per key. Buckets
 * that the capacity needs anyway are not too many.
 */
static bool plan_size_buckets(struct seen_geometry *geo)
{
	u64 limit = ((u64)KEY_BITS_MAX << RATIO_SHIFT) / (8 * seen_geometry_bucket_bytes(geo));
	u64 ratio = plan_div_up(plan_rate_of_one(geo), geo->fpp);
	u64 blocks;

	geo->blocks = plan_buckets_for_capacity(geo);
	if (ratio > limit && ratio > plan_ratio(geo, geo->blocks))
		return false;
	/* at most 2^34 keys of 2 buckets, or geo->blocks: 2^55 */
	blocks = plan_div_up(geo->capacity * ratio, 1ULL << RATIO_SHIFT);
	if (geo->blocks < blocks)
		geo->blocks = blocks + (blocks & 1);
	return true;
}

/*
 * The rate that the fingerprint gives: the lowest one for which plan_size_buckets() makes no larger
 * table. So a saved filter, which has this rate, is restored with the same size.
 */
static u64 plan_bucket_rate(const struct seen_geometry *geo)
{
	return plan_div_up(plan_rate_of_one(geo), plan_ratio(geo, geo->blocks));
}

/*
 * The smallest table that keeps both promises; of two equally large ones, the one with
 * the longer fingerprint. A shorter fingerprint in more buckets may need less memory
 * than a longer one.
 */
static enum seen_plan_error plan_buckets(struct seen_geometry *geo)
{
	static const u8 sizes[] = { 8, 12, 16, 24, 32 };
	struct seen_geometry best = { };
	struct seen_geometry try = *geo;
	u32 i;

	for (i = 0; i < ARRAY_LENGTH(sizes); i++) {
		try.fp_bits = sizes[i];
		if (geo->fp_bits && geo->fp_bits != sizes[i])
			continue;
		if (!geo->fpp)
			try.fpp = SEEN_FPP_MAX;
		if (!plan_size_buckets(&try))
			continue;
		if (!best.blocks ||
		    try.blocks * seen_geometry_bucket_bytes(&try) <=
		    best.blocks * seen_geometry_bucket_bytes(&best))
			best = try;
	}
	if (!best.blocks)
		return geo->fp_bits ? SEEN_PLAN_FP_BITS_FPP :
				      SEEN_PLAN_FPP_TYPE;
	if (!geo->fpp)
		best.fpp = plan_bucket_rate(&best);
	*geo = best;
	geo->hashes = geo->kind == SEEN_SET_CUCKOO ? 2 * SEEN_CUCKOO_SLOTS :
						     2 * SEEN_CUCKOO_WINDOW_SLOTS;
	return SEEN_PLAN_OK;
}

static bool plan_is_sketch(enum seen_set_kind kind)
{
	return kind == SEEN_SET_CMS || kind == SEEN_SET_CMM;
}

static bool plan_is_exact(enum seen_set_kind kind)
{
	return kind == SEEN_SET_BITMAP || kind == SEEN_SET_MAP;
}

/* False for kinds that work with and without a window. */
static bool plan_needs_window(enum seen_set_kind kind)
{
	return !plan_is_sketch(kind);
}

static bool plan_has_window(enum seen_set_kind kind)
{
	return kind == SEEN_SET_BLOOM_WINDOW || kind == SEEN_SET_CUCKOO_WINDOW ||
	       plan_is_sketch(kind);
}

static bool plan_has_fingerprints(enum seen_set_kind kind)
{
	return kind == SEEN_SET_CUCKOO || kind == SEEN_SET_CUCKOO_WINDOW;
}

static enum seen_plan_error plan_window(struct seen_geometry *geo,
					u64 min_tick)
{
	u64 ticks = SEEN_GENERATIONS - 1;

	geo->ticks = 0;
	geo->tick = 0;
	if (!plan_has_window(geo->kind))
		return geo->window ? SEEN_PLAN_WINDOW_KIND : SEEN_PLAN_OK;
	if (!geo->window && !plan_needs_window(geo->kind))
		return SEEN_PLAN_OK;
	if (geo->window > SEEN_WINDOW_MAX)
		return SEEN_PLAN_WINDOW_LONG;
	if (geo->kind == SEEN_SET_CUCKOO_WINDOW) {
		ticks = geo->window / (min_tick ? min_tick : 1);
		if (ticks > SEEN_CUCKOO_WINDOW_TICKS)
			ticks = SEEN_CUCKOO_WINDOW_TICKS;
	}
	if (!geo->window || !ticks || plan_div_up(geo->window, ticks) < min_tick)
		return SEEN_PLAN_WINDOW;
	geo->ticks = ticks;
	geo->tick = plan_div_up(geo->window, ticks);
	return SEEN_PLAN_OK;
}

static bool plan_fp_bits_valid(const struct seen_geometry *geo)
{
	switch (geo->fp_bits) {
	case 0:
		return true;
	case 8:
	case 12:
	case 16:
	case 24:
	case 32:
		return plan_has_fingerprints(geo->kind);
	default:
		return false;
	}
}

static enum seen_plan_error plan_check(const struct seen_geometry *geo)
{
	if (geo->kind == SEEN_SET_BITMAP && geo->capacity > SEEN_BLOCKS_MAX)
		return SEEN_PLAN_RANGE;
	if (!geo->capacity || geo->capacity > SEEN_CAPACITY_MAX)
		return SEEN_PLAN_CAPACITY;
	if (geo->kind == SEEN_SET_COUNTING &&
	    geo->threshold > SEEN_COUNTING_MAX)
		return SEEN_PLAN_THRESHOLD;
	if (!plan_fp_bits_valid(geo))
		return SEEN_PLAN_FP_BITS;
	if (geo->top && !plan_is_sketch(geo->kind))
		return SEEN_PLAN_TOP;
	if (plan_is_exact(geo->kind))
		return SEEN_PLAN_OK;
	if (geo->fpp > SEEN_FPP_MAX || (!geo->fpp && !geo->fp_bits))
		return SEEN_PLAN_FPP;
	return SEEN_PLAN_OK;
}

/*
 * Buckets in which any @capacity keys find room. On average the first add fails at
 * 96.1 % of the slots (5 * 2^20 buckets), in smaller tables at more. In a small table,
 * a group of two, three, ... buckets may be the only buckets of more keys than the group
 * can hold. By the union bound over all such groups, the slack keeps the probability of
 * that below 10^-10 for up to 1000 keys; for more keys test_map_room.c shows it.
 */
static enum seen_plan_error plan_map(struct seen_geometry *geo)
{
	/* 2^34 * 100 at most */
	u64 keys = geo->capacity * 100;
	u64 share = 2 * SEEN_MAP_LOAD * SEEN_MAP_SLOTS;

	if (!geo->key_bytes || geo->key_bytes > SEEN_ITEM_KEY_MAX)
		return SEEN_PLAN_KEY_BYTES;
	geo->fpp = 0;
	geo->hashes = 2 * SEEN_MAP_SLOTS;
	geo->blocks = 2 * (keys / share + 1) + MAP_SLACK;
	return SEEN_PLAN_OK;
}

/* w = e * capacity and d = ln(1/fpp), both rounded up; see sketch.c. */
static enum seen_plan_error plan_sketch(struct seen_geometry *geo)
{
	u64 rows = seen_ln_ratio(2 * SEEN_FPP_MAX, geo->fpp);

	if (geo->top > SEEN_TOP_MAX_KEYS)
		return SEEN_PLAN_TOP;
	if (geo->top && (!geo->key_bytes ||
			 geo->key_bytes > SEEN_ITEM_KEY_MAX))
		return SEEN_PLAN_KEY_BYTES;
	geo->blocks = seen_multiply_shift(geo->capacity, E, E_SHIFT) + 1;
	geo->hashes = (rows >> SEEN_LOG_SHIFT) + 1;
	if (geo->kind == SEEN_SET_CMM) {
		geo->conservative = false;
		if (geo->hashes < CMM_ROWS_MIN)
			geo->hashes = CMM_ROWS_MIN;
	}
	return SEEN_PLAN_OK;
}

static enum seen_plan_error plan_blocks(struct seen_geometry *geo)
{
	switch (geo->kind) {
	case SEEN_SET_BLOCKED:
		return plan_lines(geo, geo->fpp, blocked_steps,
				  ARRAY_LENGTH(blocked_steps));
	case SEEN_SET_CLASSIC:
		return plan_classic(geo);
	case SEEN_SET_BLOOM_WINDOW:
		return plan_generations(geo);
	case SEEN_SET_CUCKOO:
	case SEEN_SET_CUCKOO_WINDOW:
		return plan_buckets(geo);
	case SEEN_SET_BITMAP:
		return plan_bits(geo);
	case SEEN_SET_COUNTING:
		return plan_lines(geo, geo->fpp, counting_steps,
				  ARRAY_LENGTH(counting_steps));
	case SEEN_SET_MAP:
		return plan_map(geo);
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return plan_sketch(geo);
	}
	return SEEN_PLAN_FPP_NONE;
}

/* Each of several lookups may err, so each gets an equal share of the rate. */
static enum seen_plan_error plan_rate(struct seen_geometry *geo)
{
	u64 promised = geo->fpp, asks = geo->asks ? geo->asks : 1;
	enum seen_plan_error error;

	if (promised && promised < asks)
		return SEEN_PLAN_FPP_TYPE;
	geo->fpp = promised / asks;
	error = plan_blocks(geo);
	if (promised)
		geo->fpp = promised;
	else if (geo->fpp > SEEN_FPP_MAX / asks)
		geo->fpp = SEEN_FPP_MAX;
	else
		geo->fpp *= asks;
	return error;
}

static enum seen_plan_error plan_kind(struct seen_geometry *geo, u64 min_tick)
{
	enum seen_plan_error error = plan_check(geo);

	if (!error)
		error = plan_window(geo, min_tick);
	if (!error)
		error = plan_is_exact(geo->kind) || plan_is_sketch(geo->kind) ?
			plan_blocks(geo) : plan_rate(geo);
	if (!error && geo->blocks > SEEN_BLOCKS_MAX)
		error = SEEN_PLAN_SIZE;
	return error;
}

enum seen_plan_error seen_plan(struct seen_geometry *geo, u64 min_tick)
{
	struct seen_geometry planned = *geo;
	struct seen_geometry better;
	enum seen_plan_error error;

	error = plan_kind(&planned, min_tick);
	if (error == SEEN_PLAN_FPP_TYPE &&
	    !seen_plan_better(geo, min_tick, &better))
		error = SEEN_PLAN_FPP_NONE;
	if (!error)
		*geo = planned;
	return error;
}

bool seen_plan_better(const struct seen_geometry *geo, u64 min_tick,
		      struct seen_geometry *better)
{
	static const enum seen_set_kind plain[] = {
		SEEN_SET_CUCKOO, SEEN_SET_CLASSIC,
	};
	static const enum seen_set_kind windowed[] = {
		SEEN_SET_CUCKOO_WINDOW,
	};
	const enum seen_set_kind *kinds = geo->window ? windowed : plain;
	u32 count = geo->window ? ARRAY_LENGTH(windowed) : ARRAY_LENGTH(plain);
	u32 i;

	for (i = 0; i < count; i++) {
		*better = *geo;
		better->kind = kinds[i];
		better->fp_bits = 0;
		if (!plan_kind(better, min_tick))
			return true;
	}
	return false;
}
