// SPDX-License-Identifier: GPL-2.0
/* Unlike its neighbours, this file is compiled against core's headers and their shim. */
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include <linux/seen.h>
#include "plan_text.h"

#include "rate.h"
#include "sizing.h"
#include "top.h"

#define PAGE_BYTES		4096

/* Two jiffies: the kernel's coarse clock advances once a jiffy. */
static u64 sizing_min_tick(const struct seen_sizing *sizing)
{
	struct timespec jiffy;

	if (sizing->min_tick)
		return sizing->min_tick;
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &jiffy))
		return 20000000;
	return 2 * (jiffy.tv_sec * 1000000000ULL + jiffy.tv_nsec);
}

static enum seen_set_kind kind_of(const struct seen_sizing *sizing)
{
	switch (sizing->type) {
	case SEEN_TYPE_CUCKOO:
		return sizing->window ? SEEN_SET_CUCKOO_WINDOW : SEEN_SET_CUCKOO;
	case SEEN_TYPE_BITMAP:
		return SEEN_SET_BITMAP;
	case SEEN_TYPE_COUNTING:
		return SEEN_SET_COUNTING;
	case SEEN_TYPE_MAP:
		return SEEN_SET_MAP;
	case SEEN_TYPE_CMS:
		return SEEN_SET_CMS;
	case SEEN_TYPE_CMM:
		return SEEN_SET_CMM;
	}
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
		.conservative = sizing->conservative,
		.evict = sizing->evict,
		.asks = sizing->asks,
		.threshold = sizing->threshold,
		.top = sizing->top,
		.key_bytes = sizing->key_bytes,
		.fold = sizing->fold,
		.span = sizing->span,
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

const char seen_whole_key_text[] = SEEN_TEXT_WHOLE_KEY;
const char seen_capacity_text[] = SEEN_TEXT_CAPACITY;
const char seen_fpp_text[] = SEEN_TEXT_FPP;

static const char *explain(const struct seen_sizing *sizing,
			   enum seen_plan_error err,
			   const struct seen_geometry *geo)
{
	static __thread char text[128];
	u64 min_tick = sizing_min_tick(sizing);
	bool prefixes = sizing->asks && sizing->type == SEEN_TYPE_COUNTING;
	char rate[SEEN_PLAN_RATE_LEN], use[64];
	const char *plain;

	if (err != SEEN_PLAN_FPP_TYPE)
		return seen_plan_text(err);
	plain = prefixes ? NULL : seen_plan_type_text(geo, min_tick);
	if (plain)
		return plain;
	/* Prefixes of any length do not meet the default rate, so the text has the rate. */
	snprintf(use, sizeof(use), "%s%s", prefixes ? "at least 0.2, or " : "",
		 seen_plan_use(geo, min_tick));
	snprintf(text, sizeof(text), SEEN_PLAN_FPP_TYPE_TEXT,
		 seen_plan_rate_text(geo->fpp, rate), use);
	return text;
}

static bool has_window(uint32_t type)
{
	return type != SEEN_TYPE_BITMAP && type != SEEN_TYPE_COUNTING &&
	       type != SEEN_TYPE_MAP;
}

static bool has_refresh(uint32_t type)
{
	return type == SEEN_TYPE_BLOOM || type == SEEN_TYPE_CUCKOO;
}

/* Combinations that the kernel refuses before planning (kmod/netlink_filter_type.c). */
static const char *mismatch(const struct seen_sizing *sizing)
{
	uint32_t type = sizing->type;

	if (sizing->layout && type != SEEN_TYPE_BLOOM)
		return SEEN_TEXT_LAYOUT;
	if (sizing->fp_bits && type != SEEN_TYPE_CUCKOO)
		return SEEN_TEXT_BITS;
	if (sizing->window && !has_window(type))
		return SEEN_TEXT_WINDOW;
	if (sizing->refresh && !has_refresh(type))
		return SEEN_TEXT_REFRESH;
	if (sizing->top && !seen_sizing_sketch(type))
		return SEEN_TEXT_TOP;
	if (sizing->refresh && !sizing->window)
		return SEEN_TEXT_NO_WINDOW;
	return NULL;
}

const char *seen_sizing_bits_fault(uint32_t type, uint32_t bits)
{
	if (type && type != SEEN_TYPE_CUCKOO)
		return SEEN_TEXT_BITS;
	return bits < 8 || bits > 32 ? SEEN_TEXT_FP_BITS : NULL;
}

const char *seen_sizing_top_fault(uint32_t type)
{
	return seen_sizing_sketch(type) ? NULL : SEEN_TEXT_TOP;
}

static const char *sizing_plan(struct seen_sizing *sizing)
{
	const char *error = mismatch(sizing);
	enum seen_plan_error err;
	struct seen_geometry geo;

	if (error)
		return error;
	geo = to_geometry(sizing);
	err = seen_plan(&geo, sizing_min_tick(sizing));
	if (err)
		return explain(sizing, err, &geo);
	from_geometry(sizing, &geo);
	if (sizing->type == SEEN_TYPE_BLOOM && !sizing->layout)
		sizing->layout = SEEN_LAYOUT_BLOCKED;
	return NULL;
}

/* A window should have at least this many ticks. */
#define TICKS	8

static bool is_fine(const struct seen_sizing *sizing)
{
	return sizing->tick <= sizing->window / TICKS;
}

static bool may_be(const struct seen_sizing *sizing, uint32_t type)
{
	if (sizing->fp_bits)
		return type == SEEN_TYPE_CUCKOO;
	if (sizing->layout)
		return type == SEEN_TYPE_BLOOM;
	return true;
}

const char *seen_sizing_choose(struct seen_sizing *sizing, uint64_t memory,
			       seen_sizing_fn plan_one,
			       seen_sizing_better_fn better)
{
	static const uint32_t choice[] = { SEEN_TYPE_BLOOM, SEEN_TYPE_CUCKOO };
	struct seen_sizing best = {}, try;
	const char *first = NULL, *error;

	for (int i = 0; i < 2; i++) {
		if (!may_be(sizing, choice[i]))
			continue;
		try = *sizing;
		try.type = choice[i];
		error = plan_one(&try, memory);
		if (!first)
			first = error;
		if (error)
			continue;
		if (!best.type || (is_fine(&try) != is_fine(&best) ?
				   is_fine(&try) : better(&try, &best)))
			best = try;
	}
	if (!best.type)
		return first;
	*sizing = best;
	return NULL;
}

static const char *plan_type(struct seen_sizing *sizing, uint64_t memory)
{
	(void)memory;
	return sizing_plan(sizing);
}

static bool is_smaller(const struct seen_sizing *a, const struct seen_sizing *b)
{
	return seen_sizing_memory(a) < seen_sizing_memory(b);
}

const char *seen_sizing_plan(struct seen_sizing *sizing)
{
	return sizing->type ? sizing_plan(sizing) :
	       seen_sizing_choose(sizing, 0, plan_type, is_smaller);
}

void seen_sizing_geometry(const struct seen_sizing *sizing,
			  struct seen_geometry *geo)
{
	*geo = to_geometry(sizing);
}

double seen_sizing_rate(const struct seen_sizing *sizing, uint64_t keys)
{
	struct seen_geometry geo = to_geometry(sizing);

	return seen_rate(&geo, keys);
}

double seen_sizing_excess(const struct seen_sizing *sizing, double part)
{
	struct seen_geometry geo = to_geometry(sizing);

	return seen_excess(&geo, part);
}

/* As kmod/filter.c allocates the memory; a stripe is a line. */
uint64_t seen_sizing_memory(const struct seen_sizing *sizing)
{
	struct seen_geometry geo = to_geometry(sizing);
	u64 pages = (seen_geometry_bytes(&geo) + PAGE_BYTES - 1) / PAGE_BYTES;

	return pages * PAGE_BYTES + seen_top_bytes(&geo) +
	       seen_geometry_stripes(&geo) * (u64)SEEN_LINE_BYTES;
}

bool seen_sizing_exact(uint32_t type)
{
	return type == SEEN_TYPE_BITMAP || type == SEEN_TYPE_MAP;
}

bool seen_sizing_sketch(uint32_t type)
{
	return type == SEEN_TYPE_CMS || type == SEEN_TYPE_CMM;
}
