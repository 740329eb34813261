// SPDX-License-Identifier: GPL-2.0
/* Size of a table, by kind. No computation overflows for a planned geometry. */
#include <linux/log2.h>

#include "geometry.h"

#define STRIPES_MAX		1024

u32 seen_geometry_bucket_bytes(const struct seen_geometry *geo)
{
	/* 4 * f bits; or a word of 8 stamps, and 8 * f bits in whole words */
	if (geo->kind == SEEN_SET_CUCKOO)
		return SEEN_CUCKOO_SLOTS * geo->fp_bits / 8;
	return seen_slots_words(geo->fp_bits) * sizeof(u64);
}

static u64 geometry_map_bytes(const struct seen_geometry *geo)
{
	u64 words = geo->blocks * SEEN_MAP_SLOTS * seen_map_words(geo);

	return (SEEN_MAP_HEADER + words) * sizeof(u64);
}

static u64 geometry_sketch_bytes(const struct seen_geometry *geo)
{
	u64 counter = geo->tick ? SEEN_GENERATIONS * sizeof(u64) : sizeof(u32);

	return geo->blocks * geo->hashes * counter;
}

/* Bytes in use; they may end within a line. */
static u64 geometry_used_bytes(const struct seen_geometry *geo)
{
	switch (geo->kind) {
	case SEEN_SET_CLASSIC:
	case SEEN_SET_BITMAP:
		return (geo->blocks + 7) / 8;
	case SEEN_SET_CUCKOO:
	case SEEN_SET_CUCKOO_WINDOW:
		return geo->blocks * seen_geometry_bucket_bytes(geo);
	case SEEN_SET_MAP:
		return geometry_map_bytes(geo);
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return geometry_sketch_bytes(geo);
	default:
		return geo->blocks * SEEN_LINE_BYTES;
	}
}

u64 seen_geometry_bytes(const struct seen_geometry *geo)
{
	u64 bytes = geometry_used_bytes(geo);

	return (bytes + SEEN_LINE_BYTES - 1) & ~(SEEN_LINE_BYTES - 1ULL);
}

u64 seen_geometry_units(const struct seen_geometry *geo)
{
	switch (geo->kind) {
	case SEEN_SET_CLASSIC:
	case SEEN_SET_BITMAP:
		return (geo->blocks + SEEN_LINE_BITS - 1) / SEEN_LINE_BITS;
	default:
		return geo->blocks;
	}
}

/* A stripe takes a line of memory: all stripes need at most 1/8 of the table's memory. */
u32 seen_geometry_stripes(const struct seen_geometry *geo)
{
	u64 lines = seen_geometry_bytes(geo) / SEEN_LINE_BYTES / 8;

	if (lines >= STRIPES_MAX)
		return STRIPES_MAX;
	return lines ? 1U << ilog2(lines) : 1;
}
