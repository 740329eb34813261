// SPDX-License-Identifier: GPL-2.0
/* Values of a later library; reserved.h. */
#include "number.h"
#include "reserved.h"

/* Before each key in seen_keys.data: its length. */
#define RECORD_HEAD	2

_Static_assert(SEEN_KEY_FIELDS_ROOM >= SEEN_KEY_FIELDS_MAX, "fields of a key");
_Static_assert(SEEN_VXLAN_PORTS_ROOM >= SEEN_VXLAN_PORTS_MAX, "ports of VXLAN");
_Static_assert(SEEN_KEYS_ROOM >= SEEN_KEYS_MAX, "keys of a request");
_Static_assert(SEEN_NAME_ROOM >= SEEN_NAME_MAX, "names");
_Static_assert(SEEN_LENGTHS_ROOM >= SEEN_LENGTHS_MAX, "prefix lengths");
_Static_assert(SEEN_STATS_ROOM > SEEN_A_STATS_MAX, "counters of a filter");
_Static_assert(SEEN_PORT_ROOM > SEEN_A_PORT_MAX, "counters of a port");
_Static_assert(SEEN_CONDITIONS_ROOM >= SEEN_CONDITIONS_MAX, "conditions");

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

static const char reserved_text[] =
	"a reserved member of the structure is not 0: clear it, or update libseen";

const char *seen_filter_fault(const struct seen_filter_config *config)
{
	const struct seen_key_spec *key = &config->key;

	if (key->count > COUNT(key->field))
		return "key: count is above SEEN_KEY_FIELDS_ROOM";
	if (config->first_len > sizeof(config->first))
		return "first: first_len is above 16";
	for (uint32_t i = 0; i < key->count; i++)
		if (key->field[i].reserved)
			return reserved_text;
	if (any64(config->reserved, COUNT(config->reserved)) ||
	    any32(key->reserved, COUNT(key->reserved)))
		return reserved_text;
	return NULL;
}

static bool records_fit(const struct seen_keys *keys)
{
	size_t at = 0;

	for (uint32_t i = 0; i < keys->count; i++) {
		if (keys->size - at < RECORD_HEAD)
			return false;
		at += RECORD_HEAD + number_get(keys->data + at, RECORD_HEAD);
		if (at > keys->size)
			return false;
	}
	return at == keys->size;
}

const char *seen_keys_fault(const struct seen_keys *keys)
{
	if (keys->count > COUNT(keys->result))
		return "keys: count is above SEEN_KEYS_ROOM";
	if (keys->size > sizeof(keys->data))
		return "keys: size is above SEEN_KEYS_BYTES";
	if (!records_fit(keys))
		return "keys: count and size are not those of the records in data";
	return any32(keys->reserved, COUNT(keys->reserved)) ? reserved_text : NULL;
}

const char *seen_guard_id_fault(const struct seen_guard_id *id)
{
	return any32(id->reserved, COUNT(id->reserved)) ? reserved_text : NULL;
}

const char *seen_guard_fault(const struct seen_guard_config *config)
{
	if (config->udps > COUNT(config->udp))
		return "udp: udps is above SEEN_CONDITIONS_ROOM";
	if (config->src.count > COUNT(config->src.prefix))
		return "src: count is above SEEN_CONDITIONS_ROOM";
	if (config->dst.count > COUNT(config->dst.prefix))
		return "dst: count is above SEEN_CONDITIONS_ROOM";
	if (config->exempts > COUNT(config->exempt))
		return "exempt: exempts is above SEEN_EXEMPT_ROOM";
	if (config->protects > COUNT(config->protect))
		return "protect: protects is above SEEN_PROTECT_ROOM";
	if (any64(config->reserved, COUNT(config->reserved)))
		return reserved_text;
	return seen_guard_id_fault(&config->id);
}
