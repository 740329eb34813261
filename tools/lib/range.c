// SPDX-License-Identifier: GPL-2.0
/* The range of a bitmap as text: FIRST-LAST, a network, or one key. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "condition.h"
#include "key_field.h"
#include "key_range.h"
#include "libseen.h"

#define MAPPED_BITS	96
/* Bytes for the text of one end; no valid end is longer. */
#define END_LEN		(SEEN_RANGE_TEXT_LEN / 2)

static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

static bool is_address(const struct seen_key_field *field)
{
	return field->id == SEEN_FIELD_SRC || field->id == SEEN_FIELD_DST;
}

unsigned int seen_key_shift(const struct seen_key_field *field,
			    const uint8_t *key)
{
	if (!is_address(field) || seen_field_is_any(field))
		return 0;
	if (!memcmp(key, mapped, sizeof(mapped)))
		return field->param ? SEEN_PREFIX4_MAX - field->param : 0;
	return field->param6 ? SEEN_PREFIX6_MAX - field->param6 : 0;
}

/* The last eight bytes as a number; the bytes before them are equal in the whole range. */
static uint64_t range_low_bytes(const uint8_t *key, size_t len)
{
	uint64_t number = 0;

	for (size_t i = len > 8 ? len - 8 : 0; i < len; i++)
		number = number << 8 | key[i];
	return number;
}

static int set_range(struct seen_filter_config *config, const uint8_t *last,
		     const char *text, char *error)
{
	const uint8_t *first = config->first;
	size_t len = config->first_len, high = len > 8 ? len - 8 : 0;
	unsigned int shift = seen_key_shift(&config->key.field[0], first);
	uint64_t from = range_low_bytes(first, len);
	uint64_t to = range_low_bytes(last, len);

	if (memcmp(first, last, high) || to < from || shift > 63 ||
	    to - from == UINT64_MAX)
		return seen_key_fail(error,
				     "must be FIRST-LAST, with FIRST up to LAST and all but their last 64 bits equal: %s",
				     text);
	config->capacity = ((to - from) >> shift) + 1;
	return 0;
}

/* A network such as 10.0.0.0/8, for a key of whole addresses or of longer prefixes. */
static int parse_network(struct seen_filter_config *config, const char *text,
			 char *error)
{
	const struct seen_key_field *field = &config->key.field[0];
	struct seen_prefix prefix;
	const char *fault;
	uint8_t last[16];
	unsigned int bits;

	if (!seen_prefix_parse(&prefix, text)) {
		fault = seen_prefix_fault(text);
		return seen_key_fail(error, "%s: %s", fault ? fault : "not a network",
				     text);
	}
	bits = prefix.len;
	if (prefix.family == AF_INET) {
		memcpy(config->first, mapped, sizeof(mapped));
		memcpy(config->first + sizeof(mapped), prefix.address, 4);
		bits += MAPPED_BITS;
	} else {
		memcpy(config->first, prefix.address, 16);
	}
	if (SEEN_PREFIX6_MAX - bits < seen_key_shift(field, config->first))
		return seen_key_fail(error, "smaller than a key, whose prefix is shorter: %s",
				     text);
	memcpy(last, config->first, sizeof(last));
	for (; bits < SEEN_PREFIX6_MAX; bits++) {
		config->first[bits / 8] &= ~(0x80 >> bits % 8);
		last[bits / 8] |= 0x80 >> bits % 8;
	}
	config->first_len = sizeof(last);
	return set_range(config, last, text, error);
}

static int parse_ends(struct seen_filter_config *config, const char *text,
		      char *error)
{
	const char *dash = strchr(text, '-');
	size_t len = dash ? (size_t)(dash - text) : strlen(text);
	uint8_t first[SEEN_KEY_HEAD_MAX], last[SEEN_KEY_HEAD_MAX];
	int bytes, bytes_last;
	char word[END_LEN];

	if (len >= sizeof(word))
		return seen_key_fail(error, "the range is longer than any key");
	memcpy(word, text, len);
	word[len] = '\0';
	bytes = seen_key_parse(&config->key, word, first, error);
	if (bytes < 0)
		return -1;
	bytes_last = seen_key_parse(&config->key, dash ? dash + 1 : word, last,
				    error);
	if (bytes_last < 0)
		return -1;
	if (bytes != bytes_last || bytes > (int)sizeof(config->first))
		return seen_key_fail(error,
				     "the key must have a fixed length of at most 16 bytes");
	memcpy(config->first, first, bytes);
	config->first_len = bytes;
	return set_range(config, last, text, error);
}

int seen_range_parse(struct seen_filter_config *config, const char *text,
		     char *error)
{
	const struct seen_key_spec *spec = &config->key;

	if (spec->count != 1 || spec->field[0].id == SEEN_FIELD_BYTES ||
	    spec->field[0].id == SEEN_FIELD_PAYLOAD)
		return seen_key_fail(error,
				     "the key of a bitmap must be one field, and not payload or bytes");
	if (is_address(&spec->field[0]) && strchr(text, '/') &&
	    !strchr(text, '-'))
		return parse_network(config, text, error);
	return parse_ends(config, text, error);
}

/* Add @by to @key. */
static void advance(uint8_t *key, size_t len, uint64_t by)
{
	for (size_t i = len; by && i--; by >>= 8) {
		by += key[i];
		key[i] = by;
	}
}

void seen_range_format(const struct seen_filter_config *config, char *text)
{
	unsigned int shift = seen_key_shift(&config->key.field[0], config->first);
	char first[END_LEN], end[END_LEN];
	uint8_t last[sizeof(config->first)];

	memcpy(last, config->first, sizeof(last));
	advance(last, config->first_len, (config->capacity - 1) << shift);
	seen_key_format(&config->key, config->first, config->first_len, first,
			sizeof(first));
	seen_key_format(&config->key, last, config->first_len, end,
			sizeof(end));
	snprintf(text, SEEN_RANGE_TEXT_LEN, "%s-%s", first, end);
}

bool seen_range_holds(const struct seen_filter_config *config,
		      const uint8_t *key, size_t len)
{
	size_t high = len > 8 ? len - 8 : 0;
	uint64_t from, number;

	if (len != config->first_len || memcmp(key, config->first, high))
		return false;
	from = range_low_bytes(config->first, len);
	number = range_low_bytes(key, len);
	return number >= from &&
	       (number - from) >> seen_key_shift(&config->key.field[0], key) <
	       config->capacity;
}
