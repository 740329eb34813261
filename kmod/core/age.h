/* SPDX-License-Identifier: GPL-2.0 */
/* Ages of keys that were seen before they are stored here; see seen_set_add_aged(). */
#ifndef SEEN_CORE_AGE_H
#define SEEN_CORE_AGE_H

#include "geometry.h"

/**
 * seen_age_tick() - the tick in which a key was seen
 * @geo: geometry with a tick
 * @age: ns between the sighting and @now
 * @now: seen_now()
 *
 * Exact: a key of this age gets the tick that it would have got at its sighting, so it
 * expires neither earlier nor later than a key that was seen here.
 *
 * Return: ticks since the clock's zero. If the clock was started after the sighting, the
 * number has wrapped below 0; a difference to the current tick is correct nevertheless.
 */
static inline u64 seen_age_tick(const struct seen_geometry *geo, u64 age, u64 now)
{
	u64 phase = now % geo->tick;

	return now / geo->tick -
	       (age > phase ? (age - phase - 1) / geo->tick + 1 : 0);
}

#endif
