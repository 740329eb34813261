/* SPDX-License-Identifier: GPL-2.0 */
/* The fields of keys: names, sizes, and conversion to and from text. Internal to libseen. */
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
 * struct seen_field_kind - properties of a field
 * @name: of the field
 * @bytes: of the field in a canonical key; payload: of its length
 * @max: for numbers: the largest
 * @hex: for numbers: written in hexadecimal
 * @words: for numbers: words for some of them, ended by NULL; may be NULL
 * @parse: from one word of text to canonical bytes; returns their count, or -1. NULL for
 *         bytes and for payload, which key.c parses
 * @format: from canonical bytes to text; returns the number of bytes used, 0 if too few
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

/* seen_field_is_any() - is the field a prefix of any length? Such a field has one more byte. */
bool seen_field_is_any(const struct seen_key_field *field);

/* seen_field_kind() - properties of a field; NULL: this version does not have the field */
const struct seen_field_kind *seen_field_kind(uint32_t id);

/* seen_key_find() - the field @id of a key; NULL: the key does not have it */
const struct seen_key_field *seen_key_find(const struct seen_key_spec *spec,
					   uint32_t id);

/* seen_field_find() - a field by its name of @len bytes; SEEN_FIELD_UNSPEC: unknown */
uint32_t seen_field_find(const char *name, size_t len);

/*
 * seen_key_word() - the @i-th word that the specification of a key may have; NULL after the
 * last one. @whole: begin with the names of whole keys, such as "host"
 */
const char *seen_key_word(size_t i, bool whole);

/**
 * seen_number_parse() - read a number, decimal or 0x…
 * @text: the number, and nothing else
 * @max: the largest allowed
 * @value: out
 *
 * Return: 0, or -1.
 */
int seen_number_parse(const char *text, uint32_t max, uint32_t *value);

/**
 * seen_hex_parse() - read bytes from 0x and hex digits
 * @text: the digits; other characters may follow
 * @len: characters of @text, with 0x
 * @to: out
 * @max: size of @to in bytes
 *
 * Return: bytes; -1: other characters, an odd number of digits, or more than @max bytes.
 */
int seen_hex_parse(const char *text, size_t len, uint8_t *to, size_t max);

/* seen_number_put() - write @value as @bytes bytes in network order */
void seen_number_put(uint8_t *to, unsigned int bytes, uint32_t value);
/* seen_number_get() - read a number of @bytes bytes in network order */
uint32_t seen_number_get(const uint8_t *from, unsigned int bytes);

/* seen_hex_format() - write 0x and hex digits, cut to @size */
void seen_hex_format(const uint8_t *from, size_t len, char *text, size_t size);

/* seen_key_fail() - write a line of SEEN_KEY_ERROR_LEN bytes to @error; returns -1 */
int seen_key_fail(char *error, const char *format, ...)
	__printf(2, 3);

#endif
