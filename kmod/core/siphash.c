// SPDX-License-Identifier: GPL-2.0
/* SipHash-c-d as Aumasson and Bernstein published it; see siphash.h. */
#include "siphash.h"
#include "siphash_rounds.h"

void seen_secret_set(struct seen_secret *secret, const u8 *bytes)
{
	secret->k[0] = seen_le64_get(bytes);
	secret->k[1] = seen_le64_get(bytes + sizeof(u64));
}

void seen_secret_get(const struct seen_secret *secret, u8 *bytes)
{
	seen_le64_put(secret->k[0], bytes);
	seen_le64_put(secret->k[1], bytes + sizeof(u64));
}

/* Always inlined, so that the round counts are constants. */
static __always_inline u64 siphash_run(const u8 *p, size_t len,
				       const struct seen_secret *secret,
				       unsigned int c, unsigned int d)
{
	struct seen_siphash s;

	seen_siphash_start(&s, secret);
	p = seen_siphash_words(&s, p, len, c);
	return seen_siphash_end(&s, seen_siphash_part(p, len), len, c, d);
}

u64 seen_siphash13(const void *data, size_t len,
		   const struct seen_secret *secret)
{
	return siphash_run(data, len, secret, 1, 3);
}

u64 seen_siphash24(const void *data, size_t len,
		   const struct seen_secret *secret)
{
	return siphash_run(data, len, secret, 2, 4);
}

/* By SipHash-2-4; keys use SipHash-1-3, so the result is not the hash of any key. */
u64 seen_secret_check(const struct seen_secret *secret, bool payload)
{
	static const char text[] = "seen: the secret is the same";
	static const char nh[] = "seen: the secret is the same, with NH";

	if (payload)
		return seen_siphash24(nh, sizeof(nh) - 1, secret);
	return seen_siphash24(text, sizeof(text) - 1, secret);
}
