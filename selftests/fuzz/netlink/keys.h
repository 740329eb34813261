/* SPDX-License-Identifier: GPL-2.0 */
/* The keys of a message: packed, or each in a nested entry. */
#ifndef KEYS_H
#define KEYS_H

#include "message.h"

/* Before each packed key: its length, little-endian. */
#define PACKED_HEAD	2

/**
 * struct key - a key in a message
 * @bytes: the key
 * @len: number of @bytes
 * @value: SEEN_A_ENTRY_VALUE, or 0
 * @result: in a reply: enum seen_key_result
 */
struct key {
	const uint8_t *bytes;
	uint16_t len;
	uint32_t value;
	uint32_t result;
};

/**
 * struct key_walk - a walk over the keys of a message
 * @attrs: the attributes of the message, or the packed keys
 * @len: bytes of @attrs
 * @at: bytes of @attrs read so far
 * @packed: the keys are packed
 */
struct key_walk {
	const uint8_t *attrs;
	uint32_t len;
	uint32_t at;
	bool packed;
};

/* key_walk_begin() - walk over the keys of an accepted request */
void key_walk_begin(struct key_walk *walk, const struct message *message);

/* key_walk_entries() - walk over the entries among the attributes of a reply */
void key_walk_entries(struct key_walk *walk, const uint8_t *attrs, uint32_t len);

/* key_walk_next() - Return: false if there is no further key */
bool key_walk_next(struct key_walk *walk, struct key *key);

/* keys_pack() - write @len and the @bytes of a key. Return: bytes written */
uint32_t keys_pack(uint8_t *to, const void *bytes, uint16_t len);

/* keys_put_entry() - put a nest of @type with a key, and a value unless it is NULL */
void keys_put_entry(struct message *message, uint16_t type, const uint8_t *bytes,
		    uint16_t len, const uint32_t *value);

#endif
