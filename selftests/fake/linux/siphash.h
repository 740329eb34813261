/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's siphash() is SipHash-2-4, which core has, too. */
#ifndef SEEN_FAKE_SIPHASH_H
#define SEEN_FAKE_SIPHASH_H

#include "../../../kmod/core/siphash.h"

typedef struct {
	u64 key[2];
} siphash_key_t;

static inline u64 siphash(const void *data, size_t len,
			  const siphash_key_t *key)
{
	const struct seen_secret secret = { { key->key[0], key->key[1] } };

	return seen_siphash24(data, len, &secret);
}

#endif
