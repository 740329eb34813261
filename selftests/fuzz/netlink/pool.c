// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "keys.h"
#include "pool.h"

/* Number of different keys of a length: few, so that they meet. */
#define KEYS	200

void pool_name(struct draw *draw, char *name)
{
	static const char * const odd[] = {
		"", "-", "a b", "a/b", "\033[1m", "\377", "loop-br0", "relay",
		"packet", "0123456789012345678901234567890",
		"01234567890123456789012345678901",
	};

	if (draw_chance(draw, 1))
		strcpy(name, PICK(draw, odd));
	else
		sprintf(name, "f%u", draw_below(draw, NAMES));
}

void pool_device(struct draw *draw, uint32_t kind, char *name)
{
	static const char * const bridges[] = { "br0", "br1", "br0", "gone" };
	static const char * const devices[] = {
		"d0", "d1", "d2", "d3", "x0", "x1", "lo", "br0", "gone",
	};
	static const char * const odd[] = {
		"", ".", "..", "a/b", "a b", "123456789012345",
		"1234567890123456", "\033",
	};

	if (draw_chance(draw, 1))
		strcpy(name, PICK(draw, odd));
	else if (kind == SEEN_GUARD_KIND_BRIDGE)
		strcpy(name, PICK(draw, bridges));
	else
		strcpy(name, PICK(draw, devices));
}

uint64_t pool_edge(struct draw *draw)
{
	static const uint64_t edges[] = {
		0, 1, 2, 3, 7, 8, 15, 16, 17, 32, 33, 63, 64, 127, 128, 129,
		255, 256, 1023, 1024, 1025, 4096, 65535, 65536, 1 << 20,
		INT32_MAX, 1u << 31, UINT32_MAX, 1ull << 32, 1ull << 34,
		(1ull << 34) + 1, 1ull << 60, (1ull << 60) + 1, INT64_MAX,
		1ull << 63, UINT64_MAX - 1, UINT64_MAX,
	};

	return draw_chance(draw, 90) ? PICK(draw, edges) : draw_next(draw);
}

uint64_t pool_capacity(struct draw *draw)
{
	static const uint64_t sizes[] = {
		1, 2, 3, 15, 16, 17, 63, 64, 65, 100, 200, 256, 1000, 1024,
		4096, 10000,
	};
	static const uint64_t large[] = { 65536, 300000, 1 << 20, 1 << 22 };

	if (draw_chance(draw, 3))
		return PICK(draw, large);
	return draw_chance(draw, 2) ? pool_edge(draw) : PICK(draw, sizes);
}

uint64_t pool_fpp(struct draw *draw)
{
	static const uint64_t rates[] = {
		SEEN_FPP_ONE / 100, SEEN_FPP_ONE / 1000, SEEN_FPP_ONE / 10,
		SEEN_FPP_ONE / 2, SEEN_FPP_ONE / 10000,
	};
	static const uint64_t odd[] = {
		0, 1, SEEN_FPP_ONE / 1000000, SEEN_FPP_ONE / 2 + 1,
		UINT64_MAX,
	};

	return draw_chance(draw, 5) ? PICK(draw, odd) : PICK(draw, rates);
}

uint64_t pool_window(struct draw *draw)
{
	static const uint64_t windows[] = {
		500000000, 1000000000, 2000000000, 60000000000, 600000000000,
	};
	static const uint64_t odd[] = {
		0, 1, 1000000, 1ull << 60, (1ull << 60) + 1, UINT64_MAX,
	};

	return draw_chance(draw, 4) ? PICK(draw, odd) : PICK(draw, windows);
}

/* Only two, so that filters can be merged. */
const uint8_t *pool_secret(struct draw *draw)
{
	static const uint8_t secrets[2][SEEN_SECRET_LEN] = {
		"0123456789abcde", "fedcba987654321",
	};

	return PICK(draw, secrets);
}

static void put_field(struct draw *draw, struct message *message, uint32_t id)
{
	uint32_t entry = message_nest(message, SEEN_A_FIELD_ENTRY);

	message_put_u32(message, SEEN_A_FIELD_ID, id);
	if ((id == SEEN_FIELD_SRC || id == SEEN_FIELD_DST) &&
	    draw_chance(draw, 20))
		message_put_u32(message, SEEN_A_FIELD_PARAM, SEEN_PREFIX_ANY);
	else if (id == SEEN_FIELD_PAYLOAD || draw_chance(draw, 10))
		message_put_u32(message, SEEN_A_FIELD_PARAM,
				1 + draw_below(draw, 32));
	if (draw_chance(draw, 3))
		message_put_u32(message, SEEN_A_FIELD_PARAM6,
				1 + draw_below(draw, 128));
	message_nest_end(message, entry);
}

/* A bitmap needs fields that have a range, and a map fields for which it has room. */
void pool_fields(struct draw *draw, struct message *message, uint32_t type,
		 uint16_t attr, uint16_t *first)
{
	static const uint8_t ranged[] = {
		SEEN_FIELD_SPORT, SEEN_FIELD_ID, SEEN_FIELD_SRC,
		SEEN_FIELD_PROTO,
	};
	uint32_t nest = message_nest(message, attr), count, id;

	if (type == SEEN_TYPE_BITMAP) {
		*first = PICK(draw, ranged);
		put_field(draw, message, *first);
	} else {
		count = 1 + draw_below(draw, 3);
		*first = 0;
		for (id = 1 + draw_below(draw, 6); count; count--) {
			put_field(draw, message, id);
			id += 1 + draw_below(draw, 4);
		}
	}
	message_nest_end(message, nest);
}

uint32_t pool_first(uint16_t field, uint8_t *key)
{
	static const uint8_t address[16] = { [10] = 0xff, 0xff, 10 };

	memset(key, 0, 16);
	switch (field) {
	case SEEN_FIELD_SRC:
		memcpy(key, address, sizeof(address));
		return 16;
	case SEEN_FIELD_SPORT:
		return 2;
	case SEEN_FIELD_PROTO:
		return 1;
	}
	return 4;
}

/* An address of zeros (for every second key, of IPv4), and its length at @at. */
static void put_prefix(uint8_t *at, uint32_t number)
{
	if (number & 1) {
		at[-6] = 0xff;
		at[-5] = 0xff;
		*at = 97 + number % 32;
	} else {
		*at = 1 + number % 128;
	}
}

/* The last bytes vary, because numbers differ there. */
uint32_t pool_keys(struct draw *draw, const struct known_filter *filter,
		   uint32_t count, uint8_t *records, uint32_t most)
{
	uint16_t len = filter->key_len ?: filter->head + 1 + draw_below(draw, 9);
	uint32_t used = 0, number;

	if (len > SEEN_KEY_MAX)
		return 0;
	for (; count && used + PACKED_HEAD + len <= most; count--) {
		number = draw_below(draw, KEYS);
		if (filter->type == SEEN_TYPE_BITMAP)
			number = draw_below(draw, draw_chance(draw, 90) ? 16 :
					    KEYS);
		records[used] = len;
		records[used + 1] = len >> 8;
		used += PACKED_HEAD;
		memset(records + used, 0, len);
		if (filter->key_len && len <= sizeof(filter->first))
			memcpy(records + used, filter->first, len);
		if (filter->head && draw_chance(draw, 95))
			records[used + filter->head - 1] = len - filter->head;
		records[used + len - 1] += number;
		if (filter->prefix && filter->prefix <= len)
			put_prefix(records + used + filter->prefix - 1, number);
		used += len;
	}
	return used;
}
