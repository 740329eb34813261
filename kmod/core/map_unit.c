// SPDX-License-Identifier: GPL-2.0
/*
 * A slot of a map in a snapshot: its words (map_table.h), each little-endian. The
 * position of the slot does not matter: an import places the entry by its hash, under
 * its own seed.
 */
#include "kinds.h"
#include "map_table.h"
#include "unit.h"

/* Before the key: its hash, whose lowest byte is the length plus one, and its value. */
#define KEY_AT	(sizeof(u64) + sizeof(u32))

u32 seen_map_unit_bytes(const struct seen_geometry *geo)
{
	return seen_map_words(geo) * sizeof(u64);
}

void seen_map_export(const struct seen_set *set, u64 slot, u8 *to)
{
	const struct seen_map_view view = seen_map_view(set, set->table);
	const struct seen_map_slot at = {
		.bucket = slot / SEEN_MAP_SLOTS,
		.index = slot % SEEN_MAP_SLOTS,
	};
	struct seen_map_entry entry;
	bool taken = seen_map_load(&view, &at, &entry);
	u32 i;

	for (i = 0; i < view.words; i++)
		seen_unit_put(to + i * sizeof(u64), sizeof(u64),
			      taken ? entry.word[i] : 0);
}

/* A valid unit is all zeros, or has a key of the length that it states and zeros after it. */
static bool map_unit_valid(const struct seen_geometry *geo, const u8 *unit)
{
	u32 used = KEY_AT + unit[0] - 1;
	u32 bytes = seen_map_unit_bytes(geo);
	u32 i;

	if (!unit[0])
		used = 0;
	else if (unit[0] > geo->key_bytes + 1)
		return false;
	for (i = used; i < bytes; i++)
		if (unit[i])
			return false;
	return true;
}

bool seen_map_absorb(struct seen_set *set, const u8 *unit, bool import)
{
	u32 words = seen_map_words(&set->geo);
	struct seen_map_entry entry;
	enum seen_result result;
	u32 i;

	if (!map_unit_valid(&set->geo, unit))
		return false;
	for (i = 0; i < words; i++)
		entry.word[i] = seen_unit_get(unit + i * sizeof(u64),
					      sizeof(u64));
	if (!entry.word[0])
		return true;
	result = seen_map_add_entry(set, &entry, import);
	return result == SEEN_NEW || result == SEEN_SEEN;
}

static bool map_unit_key_valid(const struct seen_geometry *geo,
			       const struct seen_secret *secret, const u8 *unit)
{
	u64 hash;

	if (!map_unit_valid(geo, unit))
		return false;
	if (!unit[0])
		return true;
	hash = seen_siphash13(unit + KEY_AT, unit[0] - 1, secret);
	return !((hash ^ seen_unit_get(unit, sizeof(u64))) & ~0xffULL);
}

bool seen_map_keys_valid(const struct seen_geometry *geo,
			 const struct seen_secret *secret, u64 count,
			 const u8 *bytes)
{
	for (; count; count--, bytes += seen_map_unit_bytes(geo))
		if (!map_unit_key_valid(geo, secret, bytes))
			return false;
	return true;
}
