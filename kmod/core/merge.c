// SPDX-License-Identifier: GPL-2.0
/*
 * Merging: the content of each unit of one set is added to another set, which then
 * reports as seen every key that either set reported as seen. Both sets may be in use.
 */
#include "cuckoo.h"
#include "fetch.h"
#include "kinds.h"
#include "prefetch.h"
#include "sketch.h"
#include "snapshot.h"
#include "unit_set.h"

const char *seen_set_can_merge(const struct seen_geometry *to,
			       const struct seen_geometry *from)
{
	u32 fold = to->fold > 1 ? to->fold : 1;

	if (to->kind != from->kind)
		return "type";
	if (to->fp_bits != from->fp_bits)
		return "bits";
	if (to->blocks != from->blocks)
		return "capacity";
	if (to->hashes != from->hashes)
		return "fpp";
	if (to->tick != from->tick || to->ticks != from->ticks)
		return "window";
	if (fold != (from->fold > 1 ? from->fold : 1) ||
	    (fold > 1 && to->span != from->span))
		return "fold";
	if (to->key_bytes != from->key_bytes)
		return "key";
	return NULL;
}

/*
 * Gives @to the larger number of copies of both sets, not the sum, so that merging the
 * same set again changes nothing.
 */
static bool merge_entry(struct seen_set *to, struct seen_set *from, u64 bucket,
			u32 fp)
{
	u32 copies = seen_cuckoo_count_entry(from, bucket, fp);
	u32 i;

	for (i = 0; i < copies; i++)
		if (seen_cuckoo_add_entry(to, bucket, fp, copies) == SEEN_FULL)
			return false;
	return true;
}

/*
 * Entries lie in their two buckets of both tables. Buckets are merged in order, so that only the
 * second ones miss the caches. A hint: a concurrent move does no harm.
 */
static void merge_prefetch(const struct seen_set *to, const struct seen_set *from, u64 bucket)
{
	u32 bits = from->geo.fp_bits, slot, fp;
	struct seen_bucket b;
	u64 at;

	if (bucket >= from->geo.blocks)
		return;
	b = seen_bucket_load(from->table, bits, bucket);
	for (slot = 0; slot < SEEN_CUCKOO_SLOTS; slot++) {
		fp = seen_bucket_get(b, bits, slot);
		if (!fp)
			continue;
		at = seen_cuckoo_other(from, bucket, fp) * SEEN_CUCKOO_SLOTS * bits / 8;
		seen_fetch((const char *)from->table + at);
		seen_fetch((const char *)to->table + at);
	}
}

/* Reads like an export: no move crosses the front unnoticed. */
static bool merge_bucket(struct seen_set *to, struct seen_set *from, u64 bucket)
{
	u32 bits = from->geo.fp_bits;
	struct seen_bucket b;
	u32 slot, fp;

	merge_prefetch(to, from, bucket + SEEN_AHEAD / SEEN_CUCKOO_SLOTS);
	spin_lock_bh(&from->mover);
	b = seen_bucket_load(from->table, bits, bucket);
	from->front = bucket + 1 < from->geo.blocks ? bucket + 1 : 0;
	spin_unlock_bh(&from->mover);
	for (slot = 0; slot < SEEN_CUCKOO_SLOTS; slot++) {
		fp = seen_bucket_get(b, bits, slot);
		if (fp && !merge_entry(to, from, bucket, fp))
			return false;
	}
	return true;
}

/* A key in both sets keeps its value in @to. */
static bool merge_slot(struct seen_set *to, struct seen_set *from, u64 slot)
{
	u64 slots = seen_unit_count(&from->geo);
	u8 bytes[SEEN_UNIT_MAX];

	spin_lock_bh(&from->mover);
	seen_map_export(from, slot, bytes);
	from->front = slot + 1 < slots ? slot + 1 : 0;
	spin_unlock_bh(&from->mover);
	return seen_map_absorb(to, bytes, false);
}

static bool merge_unit(struct seen_set *to, struct seen_set *from, u64 unit)
{
	u8 bytes[SEEN_UNIT_MAX];

	if (from->geo.kind == SEEN_SET_CUCKOO)
		return merge_bucket(to, from, unit);
	if (from->geo.kind == SEEN_SET_MAP)
		return merge_slot(to, from, unit);
	seen_unit_read(from, unit, bytes);
	return seen_unit_absorb(to, unit, bytes, seen_unit_now(&to->geo));
}

void seen_set_merge_begin(struct seen_set *to)
{
	seen_sketch_merge_begin(to);
}

enum seen_merge seen_set_merge(struct seen_set *to, struct seen_set *from,
			       u64 at, u64 count, u64 *next)
{
	u64 units = seen_unit_count(&from->geo);
	u64 left = units - at;
	u64 end = at + (count < left ? count : left);

	if (!at)
		seen_set_export_begin(from);
	*next = 0;
	for (; at < end; at++) {
		if (!merge_unit(to, from, at))
			return SEEN_MERGE_FULL;
		/* A move has crossed the front: entries may have been missed. */
		if (!READ_ONCE(from->exported))
			return SEEN_MERGE_TORN;
	}
	*next = at < units ? at : 0;
	return SEEN_MERGE_OK;
}

void seen_set_merge_end(struct seen_set *to)
{
	seen_unit_settle(to);
	seen_sketch_merge_end(to);
}

static u64 merge_fill_of_both(struct seen_set *to, struct seen_set *from)
{
	u64 keys = 0;
	u32 age;

	if (to->geo.kind != SEEN_SET_BLOOM_WINDOW)
		return seen_fill_keys(to, from, 0);
	for (age = 0; age < SEEN_GENERATIONS; age++)
		keys += seen_fill_keys(to, from, age);
	return keys;
}

/*
 * Number of fingerprints in a bucket of @from that are missing from @to; because of
 * concurrent moves one may count twice.
 */
static u32 merge_missing(struct seen_set *to, struct seen_set *from, u64 bucket)
{
	u32 bits = to->geo.fp_bits;
	struct seen_bucket b = seen_bucket_load(from->table, bits, bucket);
	u32 slot, fp, count = 0;

	for (slot = 0; slot < SEEN_CUCKOO_SLOTS; slot++) {
		fp = seen_bucket_get(b, bits, slot);
		if (!fp || seen_cuckoo_has(to, bucket, fp))
			continue;
		count += !seen_cuckoo_has(to, seen_cuckoo_other(to, bucket, fp),
					  fp);
	}
	return count;
}

static u64 merge_room_of_cuckoo(struct seen_set *to, struct seen_set *from, u64 at,
				u64 count, u64 *keys)
{
	u64 left = from->geo.blocks - at;
	u64 end = at + (count < left ? count : left);

	if (!at)
		*keys = seen_set_entries(to);
	for (; at < end; at++)
		*keys += merge_missing(to, from, at);
	return at < from->geo.blocks ? at : 0;
}

u64 seen_set_merge_room(struct seen_set *to, struct seen_set *from, u64 at,
			u64 count, u64 *keys)
{
	if (to->geo.kind == SEEN_SET_CUCKOO)
		return merge_room_of_cuckoo(to, from, at, count, keys);
	switch (to->geo.kind) {
	case SEEN_SET_BLOCKED:
	case SEEN_SET_CLASSIC:
	case SEEN_SET_BLOOM_WINDOW:
		*keys = merge_fill_of_both(to, from);
		break;
	case SEEN_SET_BITMAP:
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		*keys = 0;	/* never full */
		break;
	default:
		*keys = seen_set_entries(to) + seen_set_entries(from);
	}
	return 0;
}
