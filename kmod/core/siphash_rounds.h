/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The steps of SipHash-c-d (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
 * 2012, section 2). Always inlined, so that the round counts are constants and the
 * state stays in registers.
 */
#ifndef SEEN_CORE_SIPHASH_ROUNDS_H
#define SEEN_CORE_SIPHASH_ROUNDS_H

#include "le.h"
#include "siphash.h"

/**
 * struct seen_siphash - state of the hash
 * @v0: first word
 * @v1: second word
 * @v2: third word
 * @v3: fourth word
 */
struct seen_siphash {
	u64 v0, v1, v2, v3;
};

static __always_inline u64 seen_siphash_rotate(u64 word, unsigned int by)
{
	return word << by | word >> (64 - by);
}

static __always_inline void seen_siphash_mix(struct seen_siphash *s)
{
	s->v0 += s->v1;
	s->v2 += s->v3;
	s->v1 = seen_siphash_rotate(s->v1, 13) ^ s->v0;
	s->v3 = seen_siphash_rotate(s->v3, 16) ^ s->v2;
	s->v0 = seen_siphash_rotate(s->v0, 32);
	s->v2 += s->v1;
	s->v0 += s->v3;
	s->v1 = seen_siphash_rotate(s->v1, 17) ^ s->v2;
	s->v3 = seen_siphash_rotate(s->v3, 21) ^ s->v0;
	s->v2 = seen_siphash_rotate(s->v2, 32);
}

/* One to four rounds. Written out, because the compiler does not unroll loops at -O2. */
static __always_inline void seen_siphash_rounds(struct seen_siphash *s,
						unsigned int count)
{
	seen_siphash_mix(s);
	if (count > 1)
		seen_siphash_mix(s);
	if (count > 2)
		seen_siphash_mix(s);
	if (count > 3)
		seen_siphash_mix(s);
}

static __always_inline void
seen_siphash_start(struct seen_siphash *s, const struct seen_secret *secret)
{
	s->v0 = secret->k[0] ^ 0x736f6d6570736575ULL;
	s->v1 = secret->k[1] ^ 0x646f72616e646f6dULL;
	s->v2 = secret->k[0] ^ 0x6c7967656e657261ULL;
	s->v3 = secret->k[1] ^ 0x7465646279746573ULL;
}

/* seen_siphash_word() - compress a word of the message by @c rounds */
static __always_inline void seen_siphash_word(struct seen_siphash *s, u64 word,
					      unsigned int c)
{
	s->v3 ^= word;
	seen_siphash_rounds(s, c);
	s->v0 ^= word;
}

/* seen_siphash_words() - compress all whole words at @p; returns the address of the rest */
static __always_inline const u8 *
seen_siphash_words(struct seen_siphash *s, const u8 *p, size_t len,
		   unsigned int c)
{
	const u8 *end = p + (len & ~(size_t)7);

	for (; p != end; p += 8)
		seen_siphash_word(s, seen_le64_get(p), c);
	return p;
}

/* seen_siphash_part() - the last @len % 8 bytes as a word */
static __always_inline u64 seen_siphash_part(const u8 *p, size_t len)
{
	unsigned int shift = 0;
	u64 word = 0;

	if (len & 4) {
		word = seen_le32_get(p);
		shift = 32;
		p += 4;
	}
	if (len & 2) {
		word |= (u64)seen_le16_get(p) << shift;
		shift += 16;
		p += 2;
	}
	if (len & 1)
		word |= (u64)*p << shift;
	return word;
}

/*
 * seen_siphash_end() - compress the last word, with the length in its top byte; @d more
 * rounds
 */
static __always_inline u64 seen_siphash_end(struct seen_siphash *s, u64 word,
					    size_t len, unsigned int c,
					    unsigned int d)
{
	seen_siphash_word(s, word | (u64)len << 56, c);
	s->v2 ^= 0xff;
	seen_siphash_rounds(s, d);
	return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

#endif
