// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "keys.h"

void key_walk_entries(struct key_walk *walk, const uint8_t *attrs, uint32_t len)
{
	*walk = (struct key_walk) { .attrs = attrs, .len = len };
}

void key_walk_begin(struct key_walk *walk, const struct message *message)
{
	const struct nlattr *packed = message_attr(message, SEEN_A_KEY_PACKED);

	key_walk_entries(walk, message->attrs, message->len);
	if (packed)
		*walk = (struct key_walk) {
			.attrs = attr_data(packed),
			.len = attr_len(packed),
			.packed = true,
		};
}

static bool next_packed(struct key_walk *walk, struct key *key)
{
	const uint8_t *at = walk->attrs + walk->at;

	if (walk->len - walk->at < PACKED_HEAD)
		return false;
	*key = (struct key) { .bytes = at + PACKED_HEAD, .len = at[0] | at[1] << 8 };
	walk->at += PACKED_HEAD + key->len;
	return walk->at <= walk->len;
}

/* If a type occurs twice, the last one counts, as in the kernel. */
static void read_entry(const struct nlattr *nest, struct key *key)
{
	const struct nlattr *attr;
	uint32_t at = 0;

	*key = (struct key) {};
	while ((attr = attr_next(attr_data(nest), attr_len(nest), &at)))
		switch (attr_type(attr)) {
		case SEEN_A_ENTRY_KEY:
			key->bytes = attr_data(attr);
			key->len = attr_len(attr);
			break;
		case SEEN_A_ENTRY_VALUE:
			key->value = attr_u32(attr);
			break;
		case SEEN_A_ENTRY_RESULT:
			key->result = attr_u32(attr);
			break;
		}
}

bool key_walk_next(struct key_walk *walk, struct key *key)
{
	const struct nlattr *attr;

	if (walk->packed)
		return next_packed(walk, key);
	while ((attr = attr_next(walk->attrs, walk->len, &walk->at)))
		if (attr_type(attr) == SEEN_A_KEY_ENTRY) {
			read_entry(attr, key);
			return true;
		}
	return false;
}

uint32_t keys_pack(uint8_t *to, const void *bytes, uint16_t len)
{
	to[0] = len;
	to[1] = len >> 8;
	memcpy(to + PACKED_HEAD, bytes, len);
	return PACKED_HEAD + len;
}

void keys_put_entry(struct message *message, uint16_t type, const uint8_t *bytes,
		    uint16_t len, const uint32_t *value)
{
	uint32_t nest = message_nest(message, type);

	message_put(message, SEEN_A_ENTRY_KEY, bytes, len);
	if (value)
		message_put_u32(message, SEEN_A_ENTRY_VALUE, *value);
	message_nest_end(message, nest);
}
