// SPDX-License-Identifier: GPL-2.0
/*
 * Geometries that come from elsewhere. A later plan may choose other sizes for the
 * same promise, so they are not compared with one: what is checked is that each
 * function that reads them stays inside its table and its numbers.
 */
#include "internal.h"
#include "item.h"
#include "sketch.h"
#include "snapshot.h"
#include "top.h"

/* What the functions of each kind can do with a hash: see their files. */
#define BLOCKED_HASHES	12
#define CLASSIC_HASHES	64
#define WINDOW_HASHES	12
#define COUNTING_HASHES	8

static bool is_bloom(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_BLOCKED || geo->kind == SEEN_SET_CLASSIC ||
	       geo->kind == SEEN_SET_BLOOM_WINDOW;
}

static bool is_cuckoo(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_CUCKOO || geo->kind == SEEN_SET_CUCKOO_WINDOW;
}

static bool hashes_valid(const struct seen_geometry *geo)
{
	switch (geo->kind) {
	case SEEN_SET_BLOCKED:
		return geo->hashes && geo->hashes <= BLOCKED_HASHES &&
		       geo->hashes % 3 == 0;
	case SEEN_SET_CLASSIC:
		return geo->hashes && geo->hashes <= CLASSIC_HASHES;
	case SEEN_SET_BLOOM_WINDOW:
		return geo->hashes && geo->hashes <= WINDOW_HASHES;
	case SEEN_SET_CUCKOO:
		return geo->hashes == 2 * SEEN_CUCKOO_SLOTS;
	case SEEN_SET_CUCKOO_WINDOW:
		return geo->hashes == 2 * SEEN_CUCKOO_WINDOW_SLOTS;
	case SEEN_SET_COUNTING:
		return geo->hashes && geo->hashes <= COUNTING_HASHES;
	case SEEN_SET_MAP:
		return geo->hashes == 2 * SEEN_MAP_SLOTS;
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return geo->hashes && geo->hashes <= SEEN_SKETCH_ROWS;
	default:
		return true;
	}
}

static bool geo_fp_bits_valid(const struct seen_geometry *geo)
{
	switch (geo->fp_bits) {
	case 0:
		return !is_cuckoo(geo);
	case 8:
	case 12:
	case 16:
	case 24:
	case 32:
		return is_cuckoo(geo);
	default:
		return false;
	}
}

static bool geo_is_sketch(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_CMS || geo->kind == SEEN_SET_CMM;
}

static bool geo_is_exact(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_BITMAP || geo->kind == SEEN_SET_MAP;
}

static bool window_valid(const struct seen_geometry *geo)
{
	u32 max = geo->kind == SEEN_SET_CUCKOO_WINDOW ? SEEN_CUCKOO_WINDOW_TICKS :
						   SEEN_GENERATIONS - 1;
	u32 least = geo->kind == SEEN_SET_CUCKOO_WINDOW ? 1 : max;
	bool must = geo->kind == SEEN_SET_CUCKOO_WINDOW ||
		    geo->kind == SEEN_SET_BLOOM_WINDOW;

	if (!geo->window && !must)
		return !geo->tick && !geo->ticks;
	return (must || geo_is_sketch(geo)) &&
	       geo->window && geo->window <= SEEN_WINDOW_MAX &&
	       geo->ticks >= least && geo->ticks <= max &&
	       geo->tick == (geo->window + geo->ticks - 1) / geo->ticks;
}

static bool blocks_valid(const struct seen_geometry *geo)
{
	if (!geo->blocks || geo->blocks > SEEN_BLOCKS_MAX)
		return false;
	switch (geo->kind) {
	case SEEN_SET_BITMAP:
		return geo->blocks >= geo->capacity;
	case SEEN_SET_MAP:
		/* Two tables, which are never full before the capacity is. */
		return geo->blocks % 2 == 0 && seen_map_holds(geo);
	case SEEN_SET_CMM:
		return geo->blocks > 1;		/* others, that make the noise */
	default:
		return true;
	}
}

static bool fpp_valid(const struct seen_geometry *geo)
{
	return geo->fpp <= SEEN_FPP_MAX && (geo->fpp || geo_is_exact(geo));
}

static bool geo_key_valid(const struct seen_geometry *geo)
{
	if (!seen_item_needs_key(geo))
		return !geo->key_bytes;
	return geo->key_bytes && geo->key_bytes <= SEEN_ITEM_KEY_MAX;
}

static bool top_valid(const struct seen_geometry *geo)
{
	return !geo->top || (geo_is_sketch(geo) && geo->top <= SEEN_TOP_MAX_KEYS);
}

static bool threshold_valid(const struct seen_geometry *geo)
{
	if (geo->kind == SEEN_SET_COUNTING)
		return geo->threshold <= SEEN_COUNTING_MAX;
	return !geo->threshold || geo_is_sketch(geo);
}

static bool fold_valid(const struct seen_geometry *geo)
{
	if (geo->fold <= 1)
		return true;
	return is_bloom(geo) && geo->span && geo->span <= SEEN_BLOCKS_MAX &&
	       geo->blocks == (geo->span + geo->fold - 1) / geo->fold;
}

const char *seen_geometry_check(const struct seen_geometry *geo)
{
	if (geo->kind > SEEN_SET_CMM)
		return "type";
	if (!geo->capacity || geo->capacity > SEEN_CAPACITY_MAX)
		return "capacity";
	if (!fpp_valid(geo))
		return "fpp";
	if (!blocks_valid(geo))
		return "blocks";
	if (!hashes_valid(geo))
		return "hashes";
	if (!geo_fp_bits_valid(geo))
		return "bits";
	if (!window_valid(geo))
		return "window";
	if (!fold_valid(geo))
		return "fold";
	if (!top_valid(geo))
		return "top";
	if (!threshold_valid(geo))
		return "threshold";
	if (!geo_key_valid(geo))
		return "key";
	return geo->conservative && geo->kind != SEEN_SET_CMS ?
	       "conservative" : NULL;
}
