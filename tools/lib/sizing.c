// SPDX-License-Identifier: GPL-2.0
/* Compiled against core's headers and their shim, unlike its neighbours. */
#include <stdio.h>
#include <time.h>

#include <linux/seen.h>
#include "plan.h"

#include "rate.h"
#include "sizing.h"

/* Below this rate a window is kept by a cuckoo filter unless told otherwise. */
#define WINDOW_BLOOM_FPP	(SEEN_FPP_ONE / 1000)

/* Two jiffies: the coarse clock of the kernel moves once a jiffy. */
static u64 min_tick(void)
{
	struct timespec jiffy;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &jiffy))
		return 20000000;
	return 2 * (jiffy.tv_sec * 1000000000ULL + jiffy.tv_nsec);
}

static enum seen_set_kind kind_of(const struct seen_sizing *sizing)
{
	if (sizing->type == SEEN_TYPE_CUCKOO)
		return sizing->window ? SEEN_SET_STAMPED : SEEN_SET_CUCKOO;
	if (sizing->layout == SEEN_LAYOUT_CLASSIC)
		return SEEN_SET_CLASSIC;
	return sizing->window ? SEEN_SET_BLOOM_WINDOW : SEEN_SET_BLOCKED;
}

static struct seen_geometry to_geometry(const struct seen_sizing *sizing)
{
	return (struct seen_geometry) {
		.kind = kind_of(sizing),
		.fp_bits = sizing->fp_bits,
		.hashes = sizing->hashes,
		.ticks = sizing->ticks,
		.refresh = sizing->refresh,
		.evict = sizing->evict,
		.capacity = sizing->capacity,
		.fpp = sizing->fpp,
		.window = sizing->window,
		.tick = sizing->tick,
		.blocks = sizing->blocks,
	};
}

static void from_geometry(struct seen_sizing *sizing,
			  const struct seen_geometry *geo)
{
	sizing->fp_bits = geo->fp_bits;
	sizing->hashes = geo->hashes;
	sizing->ticks = geo->ticks;
	sizing->fpp = geo->fpp;
	sizing->tick = geo->tick;
	sizing->blocks = geo->blocks;
	sizing->bytes = seen_geometry_bytes(geo);
}

static const char *const kinds[] = {
	[SEEN_SET_BLOCKED]	= "type bloom",
	[SEEN_SET_CLASSIC]	= "type bloom layout classic",
	[SEEN_SET_BLOOM_WINDOW]	= "type bloom",
	[SEEN_SET_CUCKOO]	= "type cuckoo",
	[SEEN_SET_STAMPED]	= "type cuckoo",
};

static void explain(enum seen_plan_error err, const struct seen_geometry *geo,
		    char *error)
{
	static const char *const reason[] = {
		[SEEN_PLAN_CAPACITY] = "capacity: 1 to 16G keys",
		[SEEN_PLAN_FPP] = "fpp: above 0, at most 0.5",
		[SEEN_PLAN_FPP_NONE] = "fpp: no type keeps this rate",
		[SEEN_PLAN_FP_BITS] = "bits: 8, 12, 16, 24 or 32",
		[SEEN_PLAN_FP_BITS_FPP] =
			"bits: too few for this fpp; leave one of them out",
		[SEEN_PLAN_WINDOW_KIND] =
			"window: layout classic has none; use layout blocked",
		[SEEN_PLAN_SIZE] = "capacity: too large a table",
	};
	struct seen_geometry better;

	switch (err) {
	case SEEN_PLAN_FPP_TYPE:
		if (!seen_plan_better(geo, min_tick(), &better))
			better = *geo;
		snprintf(error, SEEN_SIZING_ERROR_LEN,
			 "fpp: %s cannot keep this rate, %s can",
			 kinds[geo->kind], kinds[better.kind]);
		break;
	case SEEN_PLAN_WINDOW:
		snprintf(error, SEEN_SIZING_ERROR_LEN,
			 "window: its tick would be below %llu ms, two jiffies of this kernel",
			 (unsigned long long)min_tick() / 1000000);
		break;
	default:
		snprintf(error, SEEN_SIZING_ERROR_LEN, "%s", reason[err]);
	}
}

/* A bloom filter is the smaller one, unless a window meets a low rate. */
static enum seen_type suited(const struct seen_sizing *sizing)
{
	struct seen_geometry geo;

	if (sizing->fp_bits)
		return SEEN_TYPE_CUCKOO;
	if (sizing->layout == SEEN_LAYOUT_CLASSIC)
		return SEEN_TYPE_BLOOM;
	if (sizing->window && sizing->fpp < WINDOW_BLOOM_FPP)
		return SEEN_TYPE_CUCKOO;
	geo = to_geometry(sizing);
	if (seen_plan(&geo, min_tick()) == SEEN_PLAN_FPP_TYPE)
		return SEEN_TYPE_CUCKOO;
	return SEEN_TYPE_BLOOM;
}

int seen_sizing_plan(struct seen_sizing *sizing, char *error)
{
	enum seen_plan_error err;
	struct seen_geometry geo;

	if (!sizing->type)
		sizing->type = suited(sizing);
	geo = to_geometry(sizing);
	err = seen_plan(&geo, min_tick());
	if (err) {
		explain(err, &geo, error);
		return -1;
	}
	from_geometry(sizing, &geo);
	return 0;
}

double seen_sizing_rate(const struct seen_sizing *sizing, uint64_t keys)
{
	struct seen_geometry geo = to_geometry(sizing);

	return seen_rate(&geo, keys);
}
