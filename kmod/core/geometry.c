// SPDX-License-Identifier: GPL-2.0
/*
 * Geometries that come from elsewhere. A later plan may choose other sizes for the
 * same promise, so they are not compared with one: what is checked is that each
 * function that reads them stays inside its table and its numbers.
 */
#include "snapshot.h"

/* What the functions of each kind can do with a hash: see their files. */
#define BLOCKED_HASHES	12
#define CLASSIC_HASHES	64
#define WINDOW_HASHES	12

static bool is_bloom(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_BLOCKED || geo->kind == SEEN_SET_CLASSIC ||
	       geo->kind == SEEN_SET_BLOOM_WINDOW;
}

static bool is_cuckoo(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_CUCKOO || geo->kind == SEEN_SET_STAMPED;
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
	case SEEN_SET_STAMPED:
		return geo->hashes == 2 * SEEN_STAMPED_SLOTS;
	default:
		return false;
	}
}

static bool fp_bits_valid(const struct seen_geometry *geo)
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

static bool window_valid(const struct seen_geometry *geo)
{
	u32 most = geo->kind == SEEN_SET_STAMPED ? SEEN_STAMPED_TICKS :
						   SEEN_GENERATIONS - 1;
	u32 least = geo->kind == SEEN_SET_STAMPED ? 1 : most;

	if (geo->kind != SEEN_SET_STAMPED && geo->kind != SEEN_SET_BLOOM_WINDOW)
		return !geo->window && !geo->tick && !geo->ticks;
	return geo->window && geo->window <= SEEN_WINDOW_MAX &&
	       geo->ticks >= least && geo->ticks <= most &&
	       geo->tick == (geo->window + geo->ticks - 1) / geo->ticks;
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
	if (!is_bloom(geo) && !is_cuckoo(geo))
		return "type";
	if (!geo->capacity || geo->capacity > SEEN_CAPACITY_MAX)
		return "capacity";
	if (!geo->fpp || geo->fpp > SEEN_FPP_MAX)
		return "fpp";
	if (!geo->blocks || geo->blocks > SEEN_BLOCKS_MAX)
		return "blocks";
	if (!hashes_valid(geo))
		return "hashes";
	if (!fp_bits_valid(geo))
		return "bits";
	if (!window_valid(geo))
		return "window";
	if (!fold_valid(geo))
		return "fold";
	if (geo->threshold || geo->top || geo->key_bytes || geo->conservative)
		return "top";
	return NULL;
}
