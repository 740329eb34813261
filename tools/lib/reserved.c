// SPDX-License-Identifier: GPL-2.0
/* Values of a later library; reserved.h. */
#include "reserved.h"

_Static_assert(SEEN_KEY_FIELDS_ROOM >= SEEN_KEY_FIELDS_MAX, "fields of a key");
_Static_assert(SEEN_VXLAN_PORTS_ROOM >= SEEN_VXLAN_PORTS_MAX, "ports of VXLAN");
_Static_assert(SEEN_KEYS_ROOM >= SEEN_KEYS_MAX, "keys of a request");
_Static_assert(SEEN_NAME_ROOM >= SEEN_NAME_MAX, "names");
_Static_assert(SEEN_LENGTHS_ROOM >= SEEN_LENGTHS_MAX, "prefix lengths");
_Static_assert(SEEN_STATS_ROOM > SEEN_A_STATS_MAX, "counters of a filter");
_Static_assert(SEEN_PORT_ROOM > SEEN_A_PORT_MAX, "counters of a port");
_Static_assert(SEEN_CONDITIONS_ROOM >= SEEN_CONDITIONS_MAX, "conditions");
_Static_assert(SEEN_EXEMPT_ROOM >= SEEN_EXEMPT_MAX, "control groups");
_Static_assert(SEEN_PROTECT_ROOM >= SEEN_PROTECT_MAX, "protected ports");

static bool any32(const uint32_t *words, size_t count)
{
	while (count--)
		if (*words++)
			return true;
	return false;
}

static bool any64(const uint64_t *words, size_t count)
{
	while (count--)
		if (*words++)
			return true;
	return false;
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

bool seen_filter_reserved(const struct seen_filter_config *config)
{
	const struct seen_key_spec *key = &config->key;

	for (uint32_t i = 0; i < key->count && i < COUNT(key->field); i++)
		if (key->field[i].reserved)
			return true;
	return any64(config->reserved, COUNT(config->reserved)) ||
	       any32(key->reserved, COUNT(key->reserved));
}

bool seen_guard_reserved(const struct seen_guard_config *config)
{
	return any64(config->reserved, COUNT(config->reserved)) ||
	       any32(config->id.reserved, COUNT(config->id.reserved));
}
