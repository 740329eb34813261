// SPDX-License-Identifier: GPL-2.0
/* Checks of a program's structures; reserved.h. */
#include <string.h>

#include "number.h"
#include "reserved.h"

/* Bytes of a key's length, which precedes the key in seen_keys.data. */
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

/* Is the text in an array terminated? */
#define ENDS(array) memchr(array, '\0', sizeof(array))

/* The kernel's texts for longer names. */
#define NAME_AT_MOST	"must be at most 31 bytes"
#define DEV_AT_MOST	"must be at most 15 bytes"

_Static_assert(SEEN_NAME_MAX - 1 == 31, "NAME_AT_MOST");
_Static_assert(IF_NAMESIZE - 1 == 15, "DEV_AT_MOST");

const char *seen_filter_fault(const struct seen_filter_config *config)
{
	const struct seen_key_spec *key = &config->key;

	if (!ENDS(config->name))
		return "name: " NAME_AT_MOST;
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
	return key->vxlan[0] && !key->inner ? "vxlan-port: needs inner" : NULL;
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

const char *seen_feed_fault(const struct seen_feed_config *config)
{
	return any64(config->reserved, COUNT(config->reserved)) ? reserved_text : NULL;
}

const char *seen_guard_id_fault(const struct seen_guard_id *id)
{
	if (!ENDS(id->dev))
		return "dev: " DEV_AT_MOST;
	return any32(id->reserved, COUNT(id->reserved)) ? reserved_text : NULL;
}

/* The members of struct seen_guard_config that need a bit in @given. */
#define BIT(name)	(1ULL << SEEN_A_GUARD_##name)
#define GIVEN	(BIT(MATCH) | BIT(VERDICT) | BIT(ACTION) | BIT(MARK) | BIT(PRIORITY) |	\
		 BIT(STORM) | BIT(REPEAT) | BIT(SUSPECT) | BIT(BLOCK_FIRST_NS) |	\
		 BIT(BLOCK_MAX_NS) | BIT(NO_PROBE) | BIT(EXEMPT) | BIT(PROTECT))

static const char *guard_names_fault(const struct seen_guard_config *config)
{
	if (!ENDS(config->filter))
		return "filter: " NAME_AT_MOST;
	for (uint32_t i = 0; i < config->protects; i++)
		if (!ENDS(config->protect[i]))
			return "protect: " DEV_AT_MOST;
	for (uint32_t i = 0; i < config->trail.ports; i++)
		if (!ENDS(config->trail.port[i].name))
			return "trail port: " DEV_AT_MOST;
	return NULL;
}

static const char *guard_counts_fault(const struct seen_guard_config *config)
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
	if (config->trail.ports > COUNT(config->trail.port))
		return "trail port: ports is above SEEN_TRAIL_PORTS_ROOM";
	return NULL;
}

const char *seen_guard_fault(const struct seen_guard_config *config)
{
	const char *fault = guard_counts_fault(config);

	if (!fault)
		fault = guard_names_fault(config);
	if (fault)
		return fault;
	if (config->given & ~GIVEN)
		return "given: a bit of no member that needs one: clear it, or update libseen";
	if (any64(config->reserved, COUNT(config->reserved)) ||
	    any32(config->trail.reserved, COUNT(config->trail.reserved)))
		return reserved_text;
	return seen_guard_id_fault(&config->id);
}
