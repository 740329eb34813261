// SPDX-License-Identifier: GPL-2.0
/*
 * A bucket of SEEN_SET_CUCKOO_WINDOW in a snapshot: for each slot one byte, 1 + the age
 * in ticks, or 0 if it is empty; then the fingerprints, each in whole bytes. An import
 * or a merge puts an entry into the same bucket, because its other bucket is unknown
 * without the key.
 */
#include "clock.h"
#include "cuckoo_window.h"
#include "kinds.h"
#include "slots.h"
#include "unit.h"

static u32 stamp_fp_bytes(const struct seen_geometry *geo)
{
	return (geo->fp_bits + 7) / 8;
}

u32 seen_cuckoo_window_unit_bytes(const struct seen_geometry *geo)
{
	return SEEN_CUCKOO_WINDOW_SLOTS * (1 + stamp_fp_bytes(geo));
}

/* The bucket as the place of a key that has no second bucket. */
static struct seen_place stamp_place_of(const struct seen_set *set, u64 bucket)
{
	u64 *at = seen_cuckoo_window_bucket(set, bucket);
	struct seen_stripe *stripe = seen_set_stripe(set, bucket);

	return (struct seen_place) {
		.bucket = { at, at },
		.slots = SEEN_CUCKOO_WINDOW_SLOTS,
		.pair = { stripe, stripe },
	};
}

static const u8 *stamp_fp_at(const struct seen_geometry *geo, const u8 *unit,
			     u32 slot)
{
	return unit + SEEN_CUCKOO_WINDOW_SLOTS + slot * stamp_fp_bytes(geo);
}

void seen_cuckoo_window_export(const struct seen_set *set, u64 bucket, u8 *to)
{
	const struct seen_place place = stamp_place_of(set, bucket);
	u32 bytes = stamp_fp_bytes(&set->geo);
	u8 *fp = to + SEEN_CUCKOO_WINDOW_SLOTS;
	struct seen_time now;
	u32 slot, age;
	bool alive;

	seen_pair_lock(&place.pair);
	now = seen_cuckoo_window_time(set);
	for (slot = 0; slot < SEEN_CUCKOO_WINDOW_SLOTS; slot++, fp += bytes) {
		age = seen_cuckoo_window_age(set, &place, slot, &now);
		alive = age <= set->geo.ticks && !seen_cuckoo_window_stale(set, &now);
		to[slot] = alive ? 1 + age : 0;
		seen_unit_put(fp, bytes,
			      alive ? seen_cuckoo_window_fp(set, &place, slot) : 0);
	}
	seen_pair_unlock(&place.pair);
}

bool seen_cuckoo_window_valid(const struct seen_geometry *geo, const u8 *unit)
{
	u32 slot;
	u64 fp;

	for (slot = 0; slot < SEEN_CUCKOO_WINDOW_SLOTS; slot++) {
		fp = seen_unit_get(stamp_fp_at(geo, unit, slot), stamp_fp_bytes(geo));
		if (unit[slot] > 1 + geo->ticks || fp >> geo->fp_bits ||
		    (fp && !unit[slot]))
			return false;
	}
	return true;
}

/* The time at which an entry of age @ticks was stamped. */
static struct seen_time stamp_unit_before(const struct seen_time *now, u32 ticks)
{
	return (struct seen_time) {
		.tick = now->tick - ticks,
		.stamp = now->stamp > ticks ? now->stamp - ticks :
			 now->stamp + SEEN_STAMPS - ticks,
	};
}

/*
 * Caller holds the pair. An entry that is already present keeps the younger stamp of
 * the two.
 */
static bool stamp_unit_store(struct seen_set *set, const struct seen_place *place,
			     u32 fp, u32 age, const struct seen_time *now)
{
	const struct seen_time then = stamp_unit_before(now, age);
	struct seen_entry entry;
	u32 slot;

	entry = seen_cuckoo_window_find(set, place, fp, now);
	if (seen_entry_alive(entry) && entry.age <= age)
		return true;
	slot = entry.slot;
	if (!seen_entry_alive(entry))
		slot = seen_cuckoo_window_pick(set, place, SEEN_SLOT_NONE, now);
	if (slot == SEEN_SLOT_NONE)
		return false;

	seen_pair_write_begin(&place->pair);
	if (seen_entry_alive(entry))
		seen_cuckoo_window_stamp(place, slot, then.stamp);
	else
		seen_cuckoo_window_put(set, place, slot, fp, then.stamp, now);
	seen_pair_write_end(&place->pair);
	return true;
}

/* @import: the bucket is empty: use the slots of the unit */
static bool stamp_put_all(struct seen_set *set, u64 bucket, const u8 *unit, u64 age,
			  bool import)
{
	const struct seen_place place = stamp_place_of(set, bucket);
	u32 bytes = stamp_fp_bytes(&set->geo);
	struct seen_time now, then;
	bool room = true;
	u64 old, fp;
	u32 slot;

	seen_pair_lock(&place.pair);
	now = seen_cuckoo_window_time(set);
	for (slot = 0; slot < SEEN_CUCKOO_WINDOW_SLOTS; slot++) {
		if (!unit[slot])
			continue;
		old = seen_unit_age(&set->geo, unit[slot] - 1, age, seen_now());
		if (old > set->geo.ticks)
			continue;
		fp = seen_unit_get(stamp_fp_at(&set->geo, unit, slot), bytes);
		then = stamp_unit_before(&now, old);
		if (!import) {
			room &= stamp_unit_store(set, &place, fp, old, &now);
			continue;
		}
		seen_pair_write_begin(&place.pair);
		seen_cuckoo_window_put(set, &place, slot, fp, then.stamp, &now);
		seen_pair_write_end(&place.pair);
	}
	seen_pair_unlock(&place.pair);
	return room;
}

void seen_cuckoo_window_import(struct seen_set *set, u64 bucket, const u8 *unit,
			       u64 age)
{
	stamp_put_all(set, bucket, unit, age, true);
}

bool seen_cuckoo_window_absorb(struct seen_set *set, u64 bucket, const u8 *unit,
			       u64 age)
{
	return stamp_put_all(set, bucket, unit, age, false);
}
