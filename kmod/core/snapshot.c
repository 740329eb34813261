// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots, a unit at a time; see snapshot.h. Units of independent words, in which no
 * entry moves, are read without a lock. Units whose words belong together are read
 * under their stripe. Units whose entries move are also read under the mover lock.
 * Before this lock is released, the front is set to the unit after them.
 */
#include "clock.h"
#include "cuckoo.h"
#include "keycount.h"
#include "kinds.h"
#include "snapshot.h"
#include "unit.h"
#include "unit_set.h"

#define LINE_WORDS	(SEEN_LINE_BYTES / sizeof(u64))
/* Units read during one hold of the mover lock; adds may have to wait that long. */
#define RUN		32
#define COUNTER_BITS	4
#define GENERATIONS_BYTES (SEEN_GENERATIONS * SEEN_GENERATION_BITS / 8)

u64 seen_unit_count(const struct seen_geometry *geo)
{
	u64 units = seen_geometry_units(geo);

	return geo->kind == SEEN_SET_MAP ? SEEN_MAP_SLOTS * units : units;
}

u32 seen_snapshot_unit_bytes(const struct seen_geometry *geo)
{
	switch (geo->kind) {
	case SEEN_SET_BLOOM_WINDOW:
		return GENERATIONS_BYTES;
	case SEEN_SET_CUCKOO:
		return seen_geometry_bucket_bytes(geo);
	case SEEN_SET_CUCKOO_WINDOW:
		return seen_cuckoo_window_unit_bytes(geo);
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return seen_sketch_unit_bytes(geo);
	case SEEN_SET_MAP:
		return seen_map_unit_bytes(geo);
	default:
		return SEEN_LINE_BYTES;
	}
}

static u64 *snapshot_line_of(const struct seen_set *set, u64 line)
{
	return (u64 *)set->table + line * LINE_WORDS;
}

static void snapshot_read_line(const struct seen_set *set, u64 line, u8 *to)
{
	const u64 *word = snapshot_line_of(set, line);
	u32 i;

	for (i = 0; i < LINE_WORDS; i++)
		seen_unit_put(to + i * sizeof(u64), sizeof(u64),
			      READ_ONCE(word[i]));
}

static u32 snapshot_bucket_words(const struct seen_geometry *geo)
{
	return geo->fp_bits > 16 ? 2 : 1;
}

/* A bucket that is one word is loaded at once and needs no lock. */
static struct seen_bucket snapshot_load_bucket(const struct seen_set *set, u64 bucket)
{
	struct seen_stripe *stripe = seen_set_stripe(set, bucket);
	u32 bits = set->geo.fp_bits;
	struct seen_bucket b;

	if (bits == 8 || bits == 16)
		return seen_bucket_load(set->table, bits, bucket);
	seen_stripe_lock(stripe);
	b = seen_bucket_load(set->table, bits, bucket);
	seen_stripe_unlock(stripe);
	return b;
}

/* The slots of a word follow each other without a gap. */
static void snapshot_read_bucket(const struct seen_set *set, u64 bucket, u8 *to)
{
	struct seen_bucket b = snapshot_load_bucket(set, bucket);
	u32 words = snapshot_bucket_words(&set->geo);
	u32 bytes = seen_geometry_bucket_bytes(&set->geo) / words;
	u32 i;

	for (i = 0; i < words; i++)
		seen_unit_put(to + i * bytes, bytes, b.word[i]);
}

void seen_unit_read(struct seen_set *set, u64 unit, u8 *to)
{
	switch (set->geo.kind) {
	case SEEN_SET_BLOOM_WINDOW:
		seen_generation_export(set, unit, to);
		break;
	case SEEN_SET_CUCKOO:
		snapshot_read_bucket(set, unit, to);
		break;
	case SEEN_SET_CUCKOO_WINDOW:
		seen_cuckoo_window_export(set, unit, to);
		break;
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		seen_sketch_export(set, unit, to);
		break;
	case SEEN_SET_MAP:
		seen_map_export(set, unit, to);
		break;
	default:
		snapshot_read_line(set, unit, to);
	}
}

u64 seen_set_export_begin(struct seen_set *set)
{
	u64 cookie;

	spin_lock_bh(&set->mover);
	cookie = ++set->exports;
	set->front = 0;
	WRITE_ONCE(set->exported, cookie);
	spin_unlock_bh(&set->mover);
	return cookie;
}

static void snapshot_export_run(struct seen_set *set, u64 from, u64 end, u8 *to)
{
	u32 bytes = seen_snapshot_unit_bytes(&set->geo);

	for (; from < end; from++, to += bytes)
		seen_unit_read(set, from, to);
}

/* Set the front to the unit after those that were read; after the last unit, end the export. */
static bool snapshot_export_moving(struct seen_set *set, u64 cookie, u64 from, u64 end,
				   u8 *to)
{
	bool whole;

	spin_lock_bh(&set->mover);
	whole = set->exported == cookie;
	if (whole) {
		snapshot_export_run(set, from, end, to);
		set->front = end < seen_unit_count(&set->geo) ? end : 0;
	}
	spin_unlock_bh(&set->mover);
	return whole;
}

static bool snapshot_units_moves(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_CUCKOO || geo->kind == SEEN_SET_MAP;
}

bool seen_set_export(struct seen_set *set, u64 cookie, u64 from, u64 count,
		     u8 *to, u64 *next)
{
	u32 bytes = seen_snapshot_unit_bytes(&set->geo);
	u64 units = seen_unit_count(&set->geo);
	u64 left = units - from;
	u64 end = from + (count < left ? count : left);
	u64 till;

	for (; from < end; to += (till - from) * bytes, from = till) {
		till = end - from < RUN ? end : from + RUN;
		if (!snapshot_units_moves(&set->geo))
			snapshot_export_run(set, from, till, to);
		else if (!snapshot_export_moving(set, cookie, from, till, to))
			return false;
	}
	*next = from < units ? from : 0;
	return !snapshot_units_moves(&set->geo) || READ_ONCE(set->exported) == cookie;
}

u64 seen_unit_now(const struct seen_geometry *geo)
{
	return geo->tick ? seen_now() % geo->tick : 0;
}

/* An export has no bits after the last one. */
static bool snapshot_line_valid(const struct seen_geometry *geo, u64 line,
				const u8 *bytes)
{
	u64 bits = geo->blocks - line * SEEN_LINE_BITS;
	u32 i;

	if (bits > SEEN_LINE_BITS)
		bits = SEEN_LINE_BITS;
	for (i = bits; i < SEEN_LINE_BITS; i++)
		if (bytes[i / 8] >> i % 8 & 1)
			return false;
	return true;
}

static bool snapshot_unit_valid(const struct seen_geometry *geo, u64 unit,
				const u8 *bytes)
{
	switch (geo->kind) {
	case SEEN_SET_CUCKOO_WINDOW:
		return seen_cuckoo_window_valid(geo, bytes);
	case SEEN_SET_CLASSIC:
	case SEEN_SET_BITMAP:
		return snapshot_line_valid(geo, unit, bytes);
	default:
		return true;	/* any bytes are valid; map: see seen_map_absorb() */
	}
}

/* Sums of counters; a sum sticks at the maximum. */
static u64 snapshot_add_counters(u64 a, u64 b)
{
	u64 sum = 0;
	u64 n;
	u32 i;

	for (i = 0; i < 64; i += COUNTER_BITS) {
		n = (a >> i & SEEN_COUNTING_MAX) + (b >> i & SEEN_COUNTING_MAX);
		if (n > SEEN_COUNTING_MAX)
			n = SEEN_COUNTING_MAX;
		sum |= n << i;
	}
	return sum;
}

/* Kinds that count the bits or counters in use exactly: a changed line changes the count. */
static bool snapshot_is_counted(const struct seen_set *set)
{
	return set->geo.kind == SEEN_SET_BITMAP ||
	       set->geo.kind == SEEN_SET_COUNTING;
}

static void snapshot_absorb_line(struct seen_set *set, u64 line, const u8 *bytes)
{
	struct seen_stripe *stripe = seen_set_stripe(set, line);
	u64 *word = snapshot_line_of(set, line);
	u64 more, before = 0, after = 0, room = 0;
	u32 i;

	seen_stripe_lock(stripe);
	if (snapshot_is_counted(set))
		seen_set_used(set, line, 1, &before, &room);
	for (i = 0; i < LINE_WORDS; i++) {
		more = seen_unit_get(bytes + i * sizeof(u64), sizeof(u64));
		if (set->geo.kind == SEEN_SET_CLASSIC)
			atomic64_or(more, (atomic64_t *)&word[i]);
		else if (set->geo.kind == SEEN_SET_COUNTING)
			WRITE_ONCE(word[i], snapshot_add_counters(word[i], more));
		else
			WRITE_ONCE(word[i], word[i] | more);
	}
	if (snapshot_is_counted(set)) {
		seen_set_used(set, line, 1, &after, &room);
		seen_keycount_change(set, stripe, after - before);
	}
	seen_stripe_unlock(stripe);
}

bool seen_unit_absorb(struct seen_set *set, u64 unit, const u8 *bytes, u64 age)
{
	switch (set->geo.kind) {
	case SEEN_SET_BLOOM_WINDOW:
		seen_generation_absorb(set, unit, bytes, age);
		return true;
	case SEEN_SET_CUCKOO_WINDOW:
		return seen_cuckoo_window_absorb(set, unit, bytes, age);
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		seen_sketch_absorb(set, unit, bytes, age);
		return true;
	case SEEN_SET_MAP:
		return seen_map_absorb(set, bytes, true);
	default:
		snapshot_absorb_line(set, unit, bytes);
		return true;
	}
}

/* The set is not yet in use, so this and snapshot_import_bucket() hold no lock. */
static void snapshot_import_line(struct seen_set *set, u64 line, const u8 *from)
{
	u64 *word = snapshot_line_of(set, line);
	u64 used = 0, room = 0;
	u32 i;

	for (i = 0; i < LINE_WORDS; i++)
		WRITE_ONCE(word[i], seen_unit_get(from + i * sizeof(u64),
						  sizeof(u64)));
	if (!snapshot_is_counted(set))
		return;
	seen_set_used(set, line, 1, &used, &room);
	seen_keycount_change(set, seen_set_stripe(set, line), used);
}

/* Each entry keeps its slot, all copies included. */
static void snapshot_import_bucket(struct seen_set *set, u64 bucket, const u8 *from)
{
	u32 words = snapshot_bucket_words(&set->geo);
	u32 bytes = seen_geometry_bucket_bytes(&set->geo) / words;
	struct seen_bucket b = { };
	u32 i;

	for (i = 0; i < words; i++)
		b.word[i] = seen_unit_get(from + i * bytes, bytes);
	seen_bucket_store(set->table, set->geo.fp_bits, bucket, b);
	seen_keycount_change(set, seen_set_stripe(set, bucket),
			     seen_cuckoo_used(set, bucket));
}

static bool snapshot_import_unit(struct seen_set *set, u64 unit, const u8 *bytes, u64 age)
{
	switch (set->geo.kind) {
	case SEEN_SET_BLOCKED:
	case SEEN_SET_CLASSIC:
	case SEEN_SET_COUNTING:
	case SEEN_SET_BITMAP:
		snapshot_import_line(set, unit, bytes);
		return true;
	case SEEN_SET_CUCKOO:
		snapshot_import_bucket(set, unit, bytes);
		return true;
	case SEEN_SET_CUCKOO_WINDOW:
		seen_cuckoo_window_import(set, unit, bytes, age);
		return true;
	default:
		return seen_unit_absorb(set, unit, bytes, age);
	}
}

/* Bloom kinds estimate their keys from the fill ratio; the others have counted them already. */
void seen_unit_settle(struct seen_set *set)
{
	if (seen_fill_known(&set->geo))
		seen_fill_count(set);
}

bool seen_set_import(struct seen_set *set, u64 from, u64 count,
		     const u8 *bytes, u64 age)
{
	u32 size = seen_snapshot_unit_bytes(&set->geo);
	u64 units = seen_unit_count(&set->geo);

	if (from > units || count > units - from)
		return false;
	for (; count; count--, from++, bytes += size)
		if (!snapshot_unit_valid(&set->geo, from, bytes) ||
		    !snapshot_import_unit(set, from, bytes, age))
			return false;
	return true;
}

bool seen_snapshot_keys_valid(const struct seen_geometry *geo,
			      const struct seen_secret *secret, u64 count,
			      const u8 *bytes)
{
	return geo->kind != SEEN_SET_MAP ||
	       seen_map_keys_valid(geo, secret, count, bytes);
}

void seen_set_import_end(struct seen_set *set)
{
	seen_unit_settle(set);
}
