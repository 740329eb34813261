/* SPDX-License-Identifier: GPL-2.0 */
/* The fields of keys: names, sizes, and each as text. Inside of libseen. */
#ifndef LIBSEEN_KEY_FIELD_H
#define LIBSEEN_KEY_FIELD_H

#include <stdbool.h>

#include "key.h"

#define __printf(f, v) \
	__attribute__(( \
		__format__(__printf__, f, v)))

#define SEEN_PREFIX4_MAX	32
#define SEEN_PREFIX6_MAX	128

/* A word that stands for a number. */
struct seen_field_word {
	const char *word;
	uint32_t value;
};

/**
 * struct seen_field_kind - what there is to know of a field
 * @name: of the field
 * @bytes: in the canonical key; of the payload those of its length
 * @max: numbers: the largest
 * @hex: numbers: how they are written
 * @words: numbers: words for some of them, ended by NULL; may be NULL
 * @parse: from one word of text to canonical bytes; their count, or -1. NULL for the
 *         payload, which key.c reads where it stands, and for bytes
 * @format: from canonical bytes to text; the bytes used, 0 if they are too few
 */
struct seen_field_kind {
	const char *name;
	unsigned int bytes;
	uint32_t max;
	bool hex;
	const struct seen_field_word *words;
	int (*parse)(const struct seen_key_field *field, const char *text,
		     uint8_t *to, char *error);
	size_t (*format)(const struct seen_key_field *field,
			 const uint8_t *from, size_t len, char *text,
			 size_t size);
};

/* seen_field_is_any() - is it a prefix of any length, which has a byte more? */
bool seen_field_is_any(const struct seen_key_field *field);

/* seen_field_kind() - of a field, or NULL: not one of this version */
const struct seen_field_kind *seen_field_kind(uint32_t id);

/* seen_key_find() - the field @id of a key, or NULL: it is not of the key */
const struct seen_key_field *seen_key_find(const struct seen_key_spec *spec,
					   uint32_t id);

/* seen_field_find() - a field by @len bytes of name; SEEN_FIELD_UNSPEC: none */
uint32_t seen_field_find(const char *name, size_t len);

/**
 * seen_number_parse() - a number, decimal or 0x…
 * @text: all of it
 * @max: the largest
 * @value: out
 *
 * Return: 0, or -1.
 */
int seen_number_parse(const char *text, uint32_t max, uint32_t *value);

/**
 * seen_hex_parse() - bytes from 0x and hex digits
 * @text: the digits, and what follows them
 * @len: characters of @text, 0x included
 * @to: at most @max bytes
 * @max: that many
 *
 * Return: bytes, or -1: other characters, half a byte, or more than @max.
 */
int seen_hex_parse(const char *text, size_t len, uint8_t *to, size_t max);

/* seen_number_put() - @value as @bytes bytes, in network order */
void seen_number_put(uint8_t *to, unsigned int bytes, uint32_t value);
/* seen_number_get() - the number in @bytes bytes, in network order */
uint32_t seen_number_get(const uint8_t *from, unsigned int bytes);

/* seen_hex_format() - as 0x and digits, as far as there is room */
void seen_hex_format(const uint8_t *from, size_t len, char *text, size_t size);

/* seen_key_fail() - a line of error; always -1 */
int seen_key_fail(char *error, const char *format, ...)
	__printf(2, 3);

#endif
