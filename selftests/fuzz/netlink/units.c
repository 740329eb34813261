// SPDX-License-Identifier: GPL-2.0
/* What a unit is: Documentation/snapshot.md. */
#include <string.h>

#include "talk.h"
#include "units.h"

/* A cuckoo filter's bucket. */
#define SLOTS	4
/* More than that is not looked at one by one. */
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

bool units_countable(const struct item *filter)
{
	if (item_u64(filter, SEEN_A_FILTER_BYTES) > BYTES_MAX)
		return false;
	switch (item_u32(filter, SEEN_A_FILTER_TYPE)) {
	case SEEN_TYPE_BITMAP:
	case SEEN_TYPE_MAP:
		return true;
	case SEEN_TYPE_CUCKOO:
		return !item_flag(filter, SEEN_A_FILTER_WINDOW);
	}
	return false;
}

/* Four fingerprints, the first in the lowest bits. */
static uint32_t bucket_keys(const uint8_t *unit, uint32_t bits)
{
	unsigned __int128 all = 0;
	uint32_t slot, keys = 0;

	memcpy(&all, unit, bits * SLOTS / 8);
	for (slot = 0; slot < SLOTS; slot++, all >>= bits)
		keys += !!(all & ((1ull << bits) - 1));
	return keys;
}

static uint32_t unit_keys(const struct item *filter, const uint8_t *unit,
			  uint32_t bytes)
{
	uint32_t keys = 0, i;

	switch (item_u32(filter, SEEN_A_FILTER_TYPE)) {
	case SEEN_TYPE_MAP:
		return !!unit[0];
	case SEEN_TYPE_CUCKOO:
		return bucket_keys(unit, item_u32(filter,
						  SEEN_A_FILTER_FP_BITS));
	}
	for (i = 0; i < bytes; i++)
		keys += __builtin_popcount(unit[i]);
	return keys;
}

/**
 * struct export - one that goes on
 * @filter: what
 * @cookie: of it
 * @unit: bytes
 * @next: where it goes on, 0: at its end
 * @keys: so far
 */
struct export {
	const struct item *filter;
	uint64_t cookie;
	uint32_t unit;
	uint64_t next;
	uint64_t keys;
};

static void hear_export(void *context, uint8_t cmd, uint16_t flags,
			const uint8_t *attrs, uint32_t len)
{
	const struct nlattr *data = attr_find(attrs, len, SEEN_A_FILTER_DATA);
	struct export *export = context;
	uint32_t at;

	(void)cmd;
	(void)flags;
	export->next = attr_u64(attr_find(attrs, len, SEEN_A_FILTER_NEXT));
	if (!data) {
		export->cookie = attr_u64(attr_find(attrs, len,
						    SEEN_A_FILTER_COOKIE));
		export->unit = attr_u32(attr_find(attrs, len,
						  SEEN_A_FILTER_UNIT));
		return;
	}
	for (at = 0; at + export->unit <= attr_len(data); at += export->unit)
		export->keys += unit_keys(export->filter, attr_data(data) + at,
					  export->unit);
}

bool units_count(int fd, uint16_t family, const char *name,
		 const struct item *filter, uint64_t *keys)
{
	struct export export = { .filter = filter };
	struct message *ask;

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
	*keys = export.keys;
	return true;
}

struct allowed {
	uint32_t count;
	uint64_t bytes;
	uint32_t next;
};

static void hear_allowed(void *context, uint8_t cmd, uint16_t flags,
			 const uint8_t *attrs, uint32_t len)
{
	const struct nlattr *data = attr_find(attrs, len, SEEN_A_KEY_DATA);
	struct allowed *allowed = context;
	uint32_t at;
	uint16_t key;

	(void)cmd;
	(void)flags;
	allowed->next = attr_u32(attr_find(attrs, len, SEEN_A_KEY_NEXT));
	for (at = 0; data && at < attr_len(data); at += sizeof(key) + key) {
		memcpy(&key, attr_data(data) + at, sizeof(key));
		allowed->count++;
		allowed->bytes += key;
	}
}

uint32_t allowed_count(int fd, uint16_t family, const char *name,
		       uint64_t *bytes)
{
	struct allowed allowed = {};
	struct message *ask;

	do {
		ask = start(SEEN_CMD_ALLOW_GET, SEEN_A_KEY_FILTER, name);
		message_put_u32(ask, SEEN_A_KEY_FROM, allowed.next);
		if (talk_ask(fd, family, ask, hear_allowed, &allowed).err)
			break;
	} while (allowed.next);
	*bytes = allowed.bytes;
	return allowed.count;
}
