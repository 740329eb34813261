// SPDX-License-Identifier: GPL-2.0
/* The keys of a range of addresses; key_range.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "key_field.h"
#include "key_range.h"

#define BYTES		16
#define BITS		128
#define MAPPED_BITS	96

static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

bool seen_key_is_address(const struct seen_key_spec *spec)
{
	return spec->count == 1 && (spec->field[0].id == SEEN_FIELD_SRC ||
				    spec->field[0].id == SEEN_FIELD_DST);
}

static bool is_ipv4(const uint8_t *address)
{
	return !memcmp(address, mapped, sizeof(mapped));
}

/* Parse an address; IPv4 becomes IPv4-mapped, as in a key. */
static bool parse_address(const char *text, size_t len, uint8_t *to)
{
	char word[INET6_ADDRSTRLEN];

	if (len >= sizeof(word))
		return false;
	memcpy(word, text, len);
	word[len] = '\0';
	memcpy(to, mapped, sizeof(mapped));
	return inet_pton(AF_INET, word, to + sizeof(mapped)) == 1 ||
	       inet_pton(AF_INET6, word, to) == 1;
}

static bool bit(const uint8_t *address, unsigned int at)
{
	return address[at / 8] >> (7 - at % 8) & 1;
}

/* Does the range have all values of the last @count bits, that is, only whole prefixes? */
static bool key_range_is_whole(const uint8_t *first, const uint8_t *last,
			       unsigned int count)
{
	for (unsigned int at = BITS - count; at < BITS; at++)
		if (bit(first, at) || !bit(last, at))
			return false;
	return true;
}

/* Number of keys from @first to @last: exact below UINT32_MAX, otherwise a lower bound. */
static uint64_t count_keys(const uint8_t *first, const uint8_t *last,
			   unsigned int shift)
{
	uint8_t distance[BYTES];
	uint64_t count = 0;
	int borrow = 0;

	for (int i = BYTES; i--;) {
		int byte = last[i] - first[i] - borrow;

		borrow = byte < 0;
		distance[i] = byte;
	}
	for (unsigned int at = 0; at < BITS - shift; at++) {
		count = count << 1 | bit(distance, at);
		if (count >= UINT32_MAX)
			return count;
	}
	return count + 1;
}

static const char *name_of(const struct seen_key_spec *spec)
{
	return seen_field_kind(spec->field[0].id)->name;
}

static int fail(const struct seen_key_spec *spec, char *error, const char *what,
		const char *text)
{
	seen_key_fail(error, "%s: %s: %s", name_of(spec), what, text);
	return -EINVAL;
}

static int parse_ends(const struct seen_key_spec *spec, const char *text,
		      uint8_t *first, uint8_t *last, char *error)
{
	const char *dash = strchr(text, '-');

	if (!dash || !parse_address(text, dash - text, first) ||
	    !parse_address(dash + 1, strlen(dash + 1), last))
		return fail(spec, error, "not a range FIRST-LAST of two addresses", text);
	if (is_ipv4(first) != is_ipv4(last))
		return fail(spec, error, "the range must not mix IPv4 and IPv6", text);
	if (memcmp(first, last, BYTES) > 0)
		return fail(spec, error, "the range ends before it begins",
			    text);
	return 0;
}

static int key_range_parse_prefix(const struct seen_key_spec *spec,
				  const char *text, uint8_t *first,
				  uint8_t *last, char *error)
{
	const char *slash = strchr(text, '/');
	unsigned int before = memchr(text, ':', slash - text) ? 0 : MAPPED_BITS;
	uint32_t bits;

	if (!parse_address(text, slash - text, first) ||
	    seen_number_parse(slash + 1, BITS - before, &bits))
		return fail(spec, error, "not a prefix", text);
	memcpy(last, first, BYTES);
	for (bits += before; bits < BITS; bits++) {
		if (bit(first, bits))
			return fail(spec, error,
				    "not a prefix, because bits after its length are set",
				    text);
		last[bits / 8] |= 0x80 >> bits % 8;
	}
	if (is_ipv4(first) != is_ipv4(last))
		return fail(spec, error, "the prefix must not cover IPv4 and IPv6", text);
	return 0;
}

static int key_range_check(const struct seen_key_spec *spec, const char *text,
			   const uint8_t *first, const uint8_t *last,
			   struct seen_key_range *range, char *error)
{
	unsigned int shift = seen_key_shift(&spec->field[0], first);

	if (!key_range_is_whole(first, last, shift)) {
		seen_key_fail(error, "%s: the range must begin and end with a whole prefix /%u: %s",
			      name_of(spec),
			      BITS - shift - (is_ipv4(first) ? MAPPED_BITS : 0),
			      text);
		return -EINVAL;
	}
	range->shift = shift;
	range->bytes = BYTES;
	range->left = count_keys(first, last, shift);
	if (range->left <= SEEN_KEY_RANGE_MAX)
		return 0;
	seen_key_fail(error,
		      "%s: more than %u keys; use a filter with key '%s/*': %s",
		      name_of(spec), SEEN_KEY_RANGE_MAX, name_of(spec), text);
	return -E2BIG;
}

int seen_key_range_parse(const struct seen_key_spec *spec, const char *text,
			 struct seen_key_range *range, char *error)
{
	bool prefix = strchr(text, '/') && !strchr(text, '-');
	uint8_t first[BYTES], last[BYTES];
	int err;

	err = prefix ? key_range_parse_prefix(spec, text, first, last, error) :
		       parse_ends(spec, text, first, last, error);
	if (err)
		return err;
	memcpy(range->next, first, BYTES);
	memcpy(range->last, last, BYTES);
	range->any = seen_field_is_any(&spec->field[0]);
	if (!range->any)
		return key_range_check(spec, text, first, last, range, error);
	range->left = 1;
	range->bytes = BYTES + 1;
	return 0;
}

/* Set the last @shift bits: the last address of the prefix that leaves them out. */
static void fill(uint8_t *address, unsigned int shift)
{
	for (unsigned int at = BITS - shift; at < BITS; at++)
		address[at / 8] |= 0x80 >> at % 8;
}

/* Increment the address; false: it was the last one. */
static bool step(uint8_t *address)
{
	for (unsigned int i = BYTES; i--;)
		if (++address[i])
			return true;
	return false;
}

/* Write the shortest prefix that begins at @next and ends within the range. */
static bool next_prefix(struct seen_key_range *range, uint8_t *key)
{
	unsigned int most = is_ipv4(range->next) ? BITS - MAPPED_BITS : BITS;
	unsigned int shift;
	uint8_t end[BYTES];

	for (shift = 0; shift + 1 < most; shift++) {
		memcpy(end, range->next, BYTES);
		fill(end, shift + 1);
		if (bit(range->next, BITS - 1 - shift) ||
		    memcmp(end, range->last, BYTES) > 0)
			break;
	}
	memcpy(key, range->next, BYTES);
	key[BYTES] = BITS - shift;
	fill(range->next, shift);
	range->left = memcmp(range->next, range->last, BYTES) < 0 &&
		      step(range->next);
	return true;
}

bool seen_key_range_next(struct seen_key_range *range, uint8_t *key)
{
	unsigned int at = (BITS - 1 - range->shift) / 8;
	unsigned int carry = 1U << range->shift % 8;

	if (!range->left)
		return false;
	if (range->any)
		return next_prefix(range, key);
	memcpy(key, range->next, BYTES);
	range->left--;
	for (unsigned int i = at + 1; i-- && carry;) {
		carry += range->next[i];
		range->next[i] = carry;
		carry >>= 8;
	}
	return true;
}
