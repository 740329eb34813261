// SPDX-License-Identifier: GPL-2.0
/*
 * A column of a sketch in a snapshot: for each age in ticks, the current one first
 * (without a window the only one), the counts of its rows, 32 bits each.
 */
#include "clock.h"
#include "kinds.h"
#include "sketch.h"
#include "total.h"
#include "unit.h"

#define COUNT_BYTES	4

static u64 sketch_unit_before(const struct seen_set *set, u64 epoch, u64 age)
{
	return set->geo.tick ? epoch - age : 0;
}

u32 seen_sketch_unit_bytes(const struct seen_geometry *geo)
{
	return COUNT_BYTES * geo->hashes * seen_sketch_generations(geo);
}

void seen_sketch_export(const struct seen_set *set, u64 column, u8 *to)
{
	u32 ages = seen_sketch_generations(&set->geo);
	u64 epoch = seen_sketch_epoch(set);
	bool stale = seen_sketch_stale(set);
	u32 age, row, count;

	for (age = 0; age < ages; age++)
		for (row = 0; row < set->geo.hashes; row++) {
			count = seen_sketch_get(set, column, row,
						sketch_unit_before(set, epoch, age));
			seen_unit_put(to, COUNT_BYTES, stale ? 0 : count);
			to += COUNT_BYTES;
		}
}

/*
 * A plain add counts once in each row, so the sum of the first row is the total. With
 * conservative adds the first row gives a lower bound of the total.
 */
void seen_sketch_absorb(struct seen_set *set, u64 column, const u8 *unit,
			u64 age)
{
	u32 ages = seen_sketch_generations(&set->geo);
	u64 epoch = seen_sketch_epoch(set);
	u32 i, row, count;
	u64 old = 0;

	for (i = 0; i < ages; i++) {
		if (set->geo.tick)
			old = seen_unit_age(&set->geo, i, age, seen_now());
		for (row = 0; row < set->geo.hashes; row++) {
			count = seen_unit_get(unit, COUNT_BYTES);
			unit += COUNT_BYTES;
			if (!count || old >= ages)
				continue;
			seen_sketch_put(set, column, row,
					sketch_unit_before(set, epoch, old), count);
			if (!row)
				seen_total_add(set, sketch_unit_before(set, epoch, old),
					       count);
		}
	}
}
