/* SPDX-License-Identifier: GPL-2.0 */
/* The keys of a range of addresses in a list. Internal to libseen and seenctl. */
#ifndef LIBSEEN_KEY_RANGE_H
#define LIBSEEN_KEY_RANGE_H

#include "libseen.h"

/* Most keys of one range: the addresses of an IPv4 prefix of 12 bits. */
#define SEEN_KEY_RANGE_MAX	1048576U

/**
 * struct seen_key_range - consecutive keys
 * @next: the next key, canonical
 * @last: if @any: the last address of the range
 * @any: keys are prefixes of any length; the range becomes the fewest prefixes that cover it
 * @shift: if not @any: low bits that no key has
 * @left: number of keys from @next on; if @any: 0: no more keys; other values: there are more
 * @bytes: of a key
 */
struct seen_key_range {
	uint8_t next[16];
	uint8_t last[16];
	bool any;
	unsigned int shift;
	uint64_t left;
	uint16_t bytes;
};

/* seen_key_is_address() - is the key a single address or prefix? */
bool seen_key_is_address(const struct seen_key_spec *spec);

/**
 * seen_key_shift() - low bits of an address that its key leaves out
 * @field: of the key
 * @key: canonical
 *
 * Return: bits; 0 for a field that is not an address.
 */
unsigned int seen_key_shift(const struct seen_key_field *field,
			    const uint8_t *key);

/**
 * seen_key_range_parse() - read a range of keys from text
 * @spec: a key for which seen_key_is_address() is true
 * @text: "192.0.2.1-192.0.2.9" or "192.0.2.0/24". If keys are prefixes of one length, the
 *        range must consist of whole prefixes
 * @range: out
 * @error: SEEN_KEY_ERROR_LEN bytes
 *
 * Return: 0; -EINVAL; -E2BIG: more than SEEN_KEY_RANGE_MAX keys.
 */
int seen_key_range_parse(const struct seen_key_spec *spec, const char *text,
			 struct seen_key_range *range, char *error);

/* seen_key_range_next() - write the next key, of @range->bytes; false: there are no more */
bool seen_key_range_next(struct seen_key_range *range, uint8_t *key);

/**
 * seen_range_holds() - is a key in the range of a bitmap?
 * @config: of the bitmap
 * @key: canonical
 * @len: bytes of @key
 */
bool seen_range_holds(const struct seen_filter_config *config,
		      const uint8_t *key, size_t len);

#endif
