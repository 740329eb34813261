/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers and times in the units of a snapshot; see snapshot.h. */
#ifndef SEEN_CORE_UNIT_H
#define SEEN_CORE_UNIT_H

#include "geometry.h"
#include "le.h"

/* Write @count bytes, the lowest first on every machine. */
static inline void seen_unit_put(u8 *to, u32 count, u64 value)
{
	u32 i;

	if (count == sizeof(value)) {
		seen_le64_put(value, to);
		return;
	}
	for (i = 0; i < count; i++)
		to[i] = value >> 8 * i;
}

static inline u64 seen_unit_get(const u8 *from, u32 count)
{
	u64 value = 0;

	if (count == sizeof(value))
		return seen_le64_get(from);
	while (count--)
		value = value << 8 | from[count];
	return value;
}

/**
 * seen_unit_age() - age that an entry of a snapshot has now
 * @geo: geometry with a tick
 * @ticks: age at the export
 * @age: ns since the start of the tick of the export
 * @now: time in ns
 *
 * Rounded down by the set's own clock, so that no key expires early.
 *
 * Return: ticks; a huge number if @age is longer than any window.
 */
static inline u64 seen_unit_age(const struct seen_geometry *geo, u32 ticks,
				u64 age, u64 now)
{
	u64 since = ticks * geo->tick;
	u64 phase = now % geo->tick;

	if (age > U64_MAX - since)
		return U64_MAX;
	since += age;
	return since < phase ? 0 : (since - phase) / geo->tick;
}

#endif
