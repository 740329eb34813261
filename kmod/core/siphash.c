// SPDX-License-Identifier: GPL-2.0
/* SipHash-c-d as Aumasson and Bernstein published it; see siphash.h. */
#include "le.h"
#include "siphash.h"

static u64 rotate(u64 word, unsigned int by)
{
	return word << by | word >> (64 - by);
}

static __always_inline void mix(struct seen_siphash *s)
{
	s->v0 += s->v1;
	s->v2 += s->v3;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v1;
	s->v0 += s->v3;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 = rotate(s->v2, 32);
}

/* One to four; written out, since loops stay loops at -O2. */
static __always_inline void rounds(struct seen_siphash *s, unsigned int count)
{
	mix(s);
	if (count > 1)
		mix(s);
	if (count > 2)
		mix(s);
	if (count > 3)
		mix(s);
}

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

/* The last, partial word: the bytes left, and the length on top. */
static __always_inline u64 load_tail(const u8 *p, size_t len)
{
	u64 word = (u64)len << 56;
	unsigned int shift = 0;

	if (len & 4) {
		word |= seen_le32_get(p);
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

static __always_inline void start(struct seen_siphash *s,
				  const struct seen_secret *secret)
{
	s->v0 = secret->k[0] ^ 0x736f6d6570736575ULL;
	s->v1 = secret->k[1] ^ 0x646f72616e646f6dULL;
	s->v2 = secret->k[0] ^ 0x6c7967656e657261ULL;
	s->v3 = secret->k[1] ^ 0x7465646279746573ULL;
}

static __always_inline void compress(struct seen_siphash *s, u64 word,
				     unsigned int c)
{
	s->v3 ^= word;
	rounds(s, c);
	s->v0 ^= word;
}

/* All whole words at @p. Return: where the rest begins. */
static __always_inline const u8 *compress_words(struct seen_siphash *s,
						const u8 *p, size_t len,
						unsigned int c)
{
	const u8 *end = p + (len & ~(size_t)7);

	for (; p != end; p += 8)
		compress(s, seen_le64_get(p), c);
	return p;
}

static __always_inline u64 finish(struct seen_siphash *s, unsigned int d)
{
	s->v2 ^= 0xff;
	rounds(s, d);
	return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

/* Always inlined, so that the round counts are constants. */
static __always_inline u64 siphash(const u8 *p, size_t len,
				   const struct seen_secret *secret,
				   unsigned int c, unsigned int d)
{
	struct seen_siphash s;

	start(&s, secret);
	p = compress_words(&s, p, len, c);
	compress(&s, load_tail(p, len), c);
	return finish(&s, d);
}

u64 seen_siphash13(const void *data, size_t len,
		   const struct seen_secret *secret)
{
	return siphash(data, len, secret, 1, 3);
}

u64 seen_siphash24(const void *data, size_t len,
		   const struct seen_secret *secret)
{
	return siphash(data, len, secret, 2, 4);
}

void seen_siphash_begin(struct seen_siphash *s, const void *data, size_t len,
			const struct seen_secret *secret)
{
	const u8 *rest;

	start(s, secret);
	rest = compress_words(s, data, len, 1);
	s->tail = load_tail(rest, len & 7) & ~(0xffULL << 56);
	s->len = len;
}

void seen_siphash_word(struct seen_siphash *s, u64 word)
{
	unsigned int shift = (s->len & 7) * 8;

	s->len += sizeof(word);
	if (!shift) {
		compress(s, word, 1);
		return;
	}
	compress(s, s->tail | word << shift, 1);
	s->tail = word >> (64 - shift);
}

u64 seen_siphash_end(struct seen_siphash *s)
{
	compress(s, s->tail | (u64)s->len << 56, 1);
	return finish(s, 3);
}

/* Another function than that of keys, so that it is the hash of none. */
u64 seen_secret_check(const struct seen_secret *secret)
{
	static const char text[] = "seen: the secret is the same";

	return seen_siphash24(text, sizeof(text) - 1, secret);
}
