// SPDX-License-Identifier: GPL-2.0
/* Documentation/snapshot.md describes the units. */
#include <string.h>

#include "keys.h"
#include "talk.h"
#include "units.h"

/* Slots of a cuckoo filter's bucket. */
#define SLOTS	4
/* The same with a window. */
#define CUCKOO_WINDOW_SLOTS	8
#define UNIT_BITS	512
/* The kernel counts all units up to this number, and a sample above it. */
#define SAMPLED		4096
/* Larger tables are not read. */
#define BYTES_MAX	(4u << 20)

static struct message message;

static struct message *start(uint8_t cmd, uint16_t attr, const char *name)
{
	message.cmd = cmd;
	message.version = SEEN_FAMILY_VERSION;
	message.flags = NLM_F_REQUEST | NLM_F_ACK;
	message.len = 0;
	message_put_text(&message, attr, name);
	return &message;
}

static uint32_t type_of(const struct item *filter)
{
	return item_u32(filter, SEEN_A_FILTER_TYPE);
}

static bool is_sketch(const struct item *filter)
{
	return type_of(filter) == SEEN_TYPE_CMS ||
	       type_of(filter) == SEEN_TYPE_CMM;
}

/* In a bitmap, and with layout classic, @blocks counts bits, so units are computed. */
static uint64_t unit_count(const struct item *filter)
{
	uint64_t blocks = item_u64(filter, SEEN_A_FILTER_BLOCKS);
	bool bits = type_of(filter) == SEEN_TYPE_BITMAP ||
		    item_u32(filter, SEEN_A_FILTER_LAYOUT) ==
		    SEEN_LAYOUT_CLASSIC;

	return bits ? (blocks + UNIT_BITS - 1) / UNIT_BITS : blocks;
}

bool units_are_keys(const struct item *filter)
{
	switch (type_of(filter)) {
	case SEEN_TYPE_BITMAP:
	case SEEN_TYPE_MAP:
		return true;
	case SEEN_TYPE_CUCKOO:
		return !item_flag(filter, SEEN_A_FILTER_WINDOW);
	}
	return false;
}

bool units_exact(const struct item *filter)
{
	return type_of(filter) == SEEN_TYPE_BITMAP ||
	       unit_count(filter) <= SAMPLED;
}

bool units_wanted(const struct item *filter)
{
	if (item_u64(filter, SEEN_A_FILTER_BYTES) > BYTES_MAX)
		return false;
	return units_are_keys(filter) || units_exact(filter);
}

/* A unit has four fingerprints, the first in the lowest bits. */
static uint32_t bucket_keys(const uint8_t *unit, uint32_t bits)
{
	unsigned __int128 all = 0;
	uint32_t slot, keys = 0;

	memcpy(&all, unit, bits * SLOTS / 8);
	for (slot = 0; slot < SLOTS; slot++, all >>= bits)
		keys += !!(all & ((1ull << bits) - 1));
	return keys;
}

/* A unit has stamps, then their fingerprints. */
static uint32_t stamp_keys(const uint8_t *unit)
{
	uint32_t slot, keys = 0;

	for (slot = 0; slot < CUCKOO_WINDOW_SLOTS; slot++)
		keys += !!unit[slot];
	return keys;
}

static void read_counters(const uint8_t *unit, uint32_t bytes,
			  struct units *units)
{
	uint32_t i, count;

	for (i = 0; i < 2 * bytes; i++) {
		count = unit[i / 2] >> i % 2 * 4 & 15;
		units->used += !!count;
		units->sum += count;
		if (count > units->most)
			units->most = count;
	}
}

/* A counter has a count for each age. */
static void read_column(const uint8_t *unit, uint32_t bytes, uint32_t rows,
			struct units *units)
{
	bool used[UNIT_ROWS] = {};
	uint32_t i, count;

	for (i = 0; i < bytes / sizeof(count); i++) {
		memcpy(&count, unit + i * sizeof(count), sizeof(count));
		units->row[i % rows] += count;
		used[i % rows] |= count;
	}
	for (i = 0; i < rows; i++)
		units->used += used[i];
}

static void read_bits(const uint8_t *unit, uint32_t bytes, struct units *units)
{
	while (bytes--)
		units->used += __builtin_popcount(*unit++);
}

static void read_unit(const struct item *filter, const uint8_t *unit,
		      uint32_t bytes, struct units *units)
{
	uint32_t bits;

	switch (type_of(filter)) {
	case SEEN_TYPE_MAP:
		units->used += !!unit[0];
		break;
	case SEEN_TYPE_CUCKOO:
		bits = item_u32(filter, SEEN_A_FILTER_FP_BITS);
		units->used += item_flag(filter, SEEN_A_FILTER_WINDOW) ?
			       stamp_keys(unit) : bucket_keys(unit, bits);
		break;
	case SEEN_TYPE_COUNTING:
		read_counters(unit, bytes, units);
		break;
	case SEEN_TYPE_CMS:
	case SEEN_TYPE_CMM:
		read_column(unit, bytes, item_u32(filter,
						  SEEN_A_FILTER_HASHES), units);
		break;
	default:
		read_bits(unit, bytes, units);
	}
}

/**
 * struct export - a running export
 * @filter: the filter
 * @cookie: its cookie
 * @unit: bytes of a unit
 * @next: first unit of the next chunk, 0: at the end
 * @units: totals so far
 */
struct export {
	const struct item *filter;
	uint64_t cookie;
	uint32_t unit;
	uint64_t next;
	struct units *units;
};

static void hear_export(void *context, const struct reply *reply)
{
	const uint8_t *attrs = reply->attrs;
	const struct nlattr *data = attr_find(attrs, reply->len,
					      SEEN_A_FILTER_DATA);
	struct export *export = context;
	uint32_t len = reply->len, at;

	export->next = attr_u64(attr_find(attrs, len, SEEN_A_FILTER_NEXT));
	if (!data) {
		export->cookie = attr_u64(attr_find(attrs, len,
						    SEEN_A_FILTER_COOKIE));
		export->unit = attr_u32(attr_find(attrs, len,
						  SEEN_A_FILTER_UNIT));
		return;
	}
	for (at = 0; at + export->unit <= attr_len(data); at += export->unit)
		read_unit(export->filter, attr_data(data) + at, export->unit,
			  export->units);
}

bool units_read(int fd, uint16_t family, const char *name,
		const struct item *filter, struct units *units)
{
	struct export export = { .filter = filter, .units = units };
	struct message *ask;

	memset(units, 0, sizeof(*units));
	if (is_sketch(filter) &&
	    item_u32(filter, SEEN_A_FILTER_HASHES) - 1 >= UNIT_ROWS)
		return false;
	ask = start(SEEN_CMD_FILTER_EXPORT, SEEN_A_FILTER_NAME, name);
	if (talk_ask(fd, family, ask, hear_export, &export).err)
		return false;
	do {
		ask = start(SEEN_CMD_FILTER_EXPORT, SEEN_A_FILTER_NAME, name);
		message_put_u64(ask, SEEN_A_FILTER_COOKIE, export.cookie);
		message_put_u64(ask, SEEN_A_FILTER_FROM, export.next);
		if (talk_ask(fd, family, ask, hear_export, &export).err)
			return false;
	} while (export.next);
	return true;
}

struct allowed {
	uint32_t count;
	uint64_t bytes;
};

static void hear_allowed(void *context, const struct reply *reply)
{
	struct allowed *allowed = context;
	struct key_walk walk;
	struct key key;

	key_walk_entries(&walk, reply->attrs, reply->len);
	while (key_walk_next(&walk, &key)) {
		allowed->count++;
		allowed->bytes += key.len;
	}
}

uint32_t allowed_count(int fd, uint16_t family, const char *name,
		       uint64_t *bytes)
{
	struct allowed allowed = {};
	struct message *ask = start(SEEN_CMD_ALLOW_GET, SEEN_A_KEY_FILTER, name);

	ask->flags |= NLM_F_DUMP;
	talk_ask(fd, family, ask, hear_allowed, &allowed);
	*bytes = allowed.bytes;
	return allowed.count;
}
