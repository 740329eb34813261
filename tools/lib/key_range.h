/* SPDX-License-Identifier: GPL-2.0 */
/* The keys of a range of addresses, as lists have them. Inside of libseen and seenctl. */
#ifndef LIBSEEN_KEY_RANGE_H
#define LIBSEEN_KEY_RANGE_H

#include "libseen.h"

/* Keys that one range may have: as many as a prefix of IPv4 of 12 bits has addresses. */
#define SEEN_KEY_RANGE_MAX	1048576U

/**
 * struct seen_key_range - keys that follow each other
 * @next: the next one, canonical
 * @last: prefixes of any length: the last address
 * @any: keys are prefixes of any length, the shortest that cover the range
 * @shift: other keys: bits at their end that no key has
 * @left: keys from @next on; prefixes of any length: 0 or more
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

/* seen_key_is_address() - is the key one address, or one prefix? */
bool seen_key_is_address(const struct seen_key_spec *spec);

/**
 * seen_key_shift() - bits at the end of an address that its key leaves out
 * @field: of the key; of a field that is no address: 0
 * @key: canonical
 */
unsigned int seen_key_shift(const struct seen_key_field *field,
			    const uint8_t *key);

/**
 * seen_key_range_parse() - from FIRST-LAST, or a prefix, to the keys that it covers
 * @spec: seen_key_is_address()
 * @text: "192.0.2.1-192.0.2.9" or "192.0.2.0/24"; a key of prefixes of one length must
 *        be covered whole
 * @range: out
 * @error: SEEN_KEY_ERROR_LEN bytes
 *
 * Return: 0; -EINVAL; -E2BIG: more than SEEN_KEY_RANGE_MAX keys.
 */
int seen_key_range_parse(const struct seen_key_spec *spec, const char *text,
			 struct seen_key_range *range, char *error);

/* seen_key_range_next() - the next key, of @range->bytes; false: there is none */
bool seen_key_range_next(struct seen_key_range *range, uint8_t *key);

/**
 * seen_range_holds() - is a key in the range of a bitmap?
 * @config: of the bitmap
 * @key: canonical
 * @len: its bytes
 */
bool seen_range_holds(const struct seen_filter_config *config,
		      const uint8_t *key, size_t len);

#endif
