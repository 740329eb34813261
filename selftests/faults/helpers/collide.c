// SPDX-License-Identifier: GPL-2.0
/* A file of its own: it needs core's headers and their shim, which conflict with netlink's. */
#include "collide.h"
#include "map_table.h"
#include "siphash.h"

_Static_assert(COLLIDE_SLOTS == 2 * SEEN_MAP_SLOTS, "slots of two buckets");

uint64_t collide_place(const uint8_t *bytes, uint64_t blocks,
		       const uint8_t *key, uint16_t len)
{
	u64 header[SEEN_MAP_HEADER] = {};
	const struct seen_map_view view = {
		.header = header,
		.half = blocks / 2,
	};
	struct seen_map_key at = {};
	struct seen_secret secret;

	seen_secret_set(&secret, bytes);
	at.entry.word[0] = seen_siphash13(key, len, &secret);
	seen_map_locate(&view, &at);
	return at.bucket[0] * blocks + at.bucket[1];
}
