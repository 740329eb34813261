/* SPDX-License-Identifier: GPL-2.0 */
/* The keys of a message: packed, or an entry each. */
#ifndef KEYS_H
#define KEYS_H

#include "message.h"

/* Before each packed key: its length, little-endian. */
#define PACKED_HEAD	2

/**
 * struct key - of a message
 * @bytes: of it
 * @len: number of @bytes
 * @value: SEEN_A_ENTRY_VALUE, or 0
 * @result: of a reply: enum seen_key_result
 */
struct key {
	const uint8_t *bytes;
	uint16_t len;
	uint32_t value;
	uint32_t result;
};

/**
 * struct key_walk - over the keys of a message
 * @attrs: the attributes of the message, or the packed keys
 * @len: bytes of @attrs
 * @at: bytes of @attrs that were read
 * @packed: they are packed
 */
struct key_walk {
	const uint8_t *attrs;
	uint32_t len;
	uint32_t at;
	bool packed;
};

/* key_walk_begin() - over the keys of a request, which was accepted */
void key_walk_begin(struct key_walk *walk, const struct message *message);

/* key_walk_entries() - over the entries among attributes, of a reply */
void key_walk_entries(struct key_walk *walk, const uint8_t *attrs, uint32_t len);

/* key_walk_next() - false: there is no key left */
bool key_walk_next(struct key_walk *walk, struct key *key);

/* keys_pack() - put @len before @bytes of a key; returns the bytes of both */
uint32_t keys_pack(uint8_t *to, const void *bytes, uint16_t len);

/* keys_put_entry() - a nest of @type with a key, and a value, which may be NULL */
void keys_put_entry(struct message *message, uint16_t type, const uint8_t *bytes,
		    uint16_t len, const uint32_t *value);

#endif
