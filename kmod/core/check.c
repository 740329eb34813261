// SPDX-License-Identifier: GPL-2.0
/*
 * Checks geometries from imports. A later version may plan other sizes for the same
 * promise, so the sizes are not compared with a plan. The checks ensure that each function
 * that uses a geometry stays inside its table and inside the range of its numbers.
 */
#include "item.h"
#include "sketch.h"
#include "snapshot.h"

/* Maximum number of hashes that the code of each kind can use; see its file. */
#define BLOCKED_HASHES	12
#define CLASSIC_HASHES	SEEN_HASHES_MAX
#define WINDOW_HASHES	12
#define COUNTING_HASHES	8

static bool check_is_bloom(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_BLOCKED || geo->kind == SEEN_SET_CLASSIC ||
	       geo->kind == SEEN_SET_BLOOM_WINDOW;
}

static bool check_is_cuckoo(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_CUCKOO || geo->kind == SEEN_SET_CUCKOO_WINDOW;
}

static bool check_hashes(const struct seen_geometry *geo)
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

static bool check_fp_bits(const struct seen_geometry *geo)
{
	switch (geo->fp_bits) {
	case 0:
		return !check_is_cuckoo(geo);
	case 8:
	case 12:
	case 16:
	case 24:
	case 32:
		return check_is_cuckoo(geo);
	default:
		return false;
	}
}

static bool check_is_sketch(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_CMS || geo->kind == SEEN_SET_CMM;
}

static bool check_is_exact(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_BITMAP || geo->kind == SEEN_SET_MAP;
}

static bool check_window(const struct seen_geometry *geo)
{
	u32 max = geo->kind == SEEN_SET_CUCKOO_WINDOW ? SEEN_CUCKOO_WINDOW_TICKS :
							SEEN_GENERATIONS - 1;
	u32 least = geo->kind == SEEN_SET_CUCKOO_WINDOW ? 1 : max;
	bool must = geo->kind == SEEN_SET_CUCKOO_WINDOW ||
		    geo->kind == SEEN_SET_BLOOM_WINDOW;

	if (!geo->window && !must)
		return !geo->tick && !geo->ticks;
	return (must || check_is_sketch(geo)) &&
	       geo->window && geo->window <= SEEN_WINDOW_MAX &&
	       geo->ticks >= least && geo->ticks <= max &&
	       geo->tick == (geo->window + geo->ticks - 1) / geo->ticks;
}

static bool check_map_holds(const struct seen_geometry *geo)
{
	return geo->capacity * 100 <=
	       geo->blocks * SEEN_MAP_SLOTS * SEEN_MAP_LOAD;
}

static bool check_blocks(const struct seen_geometry *geo)
{
	if (!geo->blocks || geo->blocks > SEEN_BLOCKS_MAX)
		return false;
	switch (geo->kind) {
	case SEEN_SET_BITMAP:
		return geo->blocks >= geo->capacity;
	case SEEN_SET_MAP:
		/* Two tables, which reach the capacity before they are full. */
		return geo->blocks % 2 == 0 && check_map_holds(geo);
	case SEEN_SET_CMM:
		return geo->blocks > 1;		/* noise is divided by blocks - 1 */
	default:
		return true;
	}
}

static bool check_fpp(const struct seen_geometry *geo)
{
	return geo->fpp <= SEEN_FPP_MAX && (geo->fpp || check_is_exact(geo));
}

static bool check_key_bytes(const struct seen_geometry *geo)
{
	if (!seen_item_needs_key(geo))
		return !geo->key_bytes;
	return geo->key_bytes && geo->key_bytes <= SEEN_ITEM_KEY_MAX;
}

static bool check_top(const struct seen_geometry *geo)
{
	return !geo->top || (check_is_sketch(geo) && geo->top <= SEEN_TOP_MAX_KEYS);
}

static bool check_threshold(const struct seen_geometry *geo)
{
	if (geo->kind == SEEN_SET_COUNTING)
		return geo->threshold <= SEEN_COUNTING_MAX;
	return !geo->threshold || check_is_sketch(geo);
}

static bool check_fold(const struct seen_geometry *geo)
{
	if (geo->fold <= 1)
		return true;
	return check_is_bloom(geo) && geo->span && geo->span <= SEEN_BLOCKS_MAX &&
	       geo->blocks == (geo->span + geo->fold - 1) / geo->fold;
}

const char *seen_geometry_check(const struct seen_geometry *geo)
{
	if (geo->kind > SEEN_SET_CMM)
		return "type";
	if (!geo->capacity || geo->capacity > SEEN_CAPACITY_MAX)
		return "capacity";
	if (!check_fpp(geo))
		return "fpp";
	if (!check_blocks(geo))
		return "blocks";
	if (!check_hashes(geo))
		return "hashes";
	if (!check_fp_bits(geo))
		return "bits";
	if (!check_window(geo))
		return "window";
	if (!check_fold(geo))
		return "fold";
	if (!check_top(geo))
		return "top";
	if (!check_threshold(geo))
		return "threshold";
	if (!check_key_bytes(geo))
		return "key";
	return geo->conservative && geo->kind != SEEN_SET_CMS ?
	       "conservative" : NULL;
}
