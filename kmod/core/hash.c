// SPDX-License-Identifier: GPL-2.0
/* Hash of keys with a payload; hash.h. */
#include "hash.h"
#include "le.h"

void seen_nh_key_set(struct seen_nh_key *key, const struct seen_secret *secret)
{
	u8 counter[sizeof(u64)];
	u32 i;

	for (i = 0; i < SEEN_NH_BLOCK / sizeof(u64); i++) {
		seen_le64_put(i, counter);
		key->word[i] = seen_siphash24(counter, sizeof(counter), secret);
	}
}

void seen_hash_begin(struct seen_hash *hash, const struct seen_secret *secret,
		     const struct seen_nh_key *key, const void *head,
		     size_t len)
{
	seen_siphash_begin(&hash->sip, head, len, secret);
	hash->key = key;
	hash->high = 0;
	hash->low = 0;
	hash->at = 0;
	hash->pair[0] = 0;
	hash->pair[1] = 0;
}

/* @len bytes, whole pairs of the current block. */
static __always_inline void add_pairs(struct seen_hash *hash, const u8 *p,
				      size_t len)
{
	const u64 *k = &hash->key->word[hash->at / sizeof(u64)];
	u64 high = hash->high, low = hash->low;
	const u8 *end = p + len;

	for (; p != end; p += SEEN_NH_PAIR, k += 2)
		seen_multiply_add(&high, &low, seen_le64_get(p) + k[0],
				  seen_le64_get(p + 8) + k[1]);
	hash->high = high;
	hash->low = low;
	hash->at += len;
}

/* The pair that pieces have filled, @bytes of it. */
static void add_own_pair(struct seen_hash *hash, u32 bytes)
{
	const u64 *k;

	hash->at -= bytes;
	k = &hash->key->word[hash->at / sizeof(u64)];
	seen_multiply_add(&hash->high, &hash->low, hash->pair[0] + k[0],
			  hash->pair[1] + k[1]);
	hash->at += SEEN_NH_PAIR;
	hash->pair[0] = 0;
	hash->pair[1] = 0;
}

static void end_block(struct seen_hash *hash)
{
	seen_siphash_word(&hash->sip, hash->low);
	seen_siphash_word(&hash->sip, hash->high);
	hash->high = 0;
	hash->low = 0;
	hash->at = 0;
}

/* Up to seven bytes as a word. */
static __always_inline u64 load_part(const u8 *p, size_t len)
{
	u64 word = 0;
	u32 shift = 0;

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
 * Fewer than 16 bytes, which have room in the pair. By shifts, because loads of words
 * that stores of bytes have just made are slow.
 */
static __always_inline void add_short(struct seen_hash *hash, const u8 *p,
				      size_t len)
{
	u32 used = hash->at % SEEN_NH_PAIR, shift = used % 8 * 8;
	u64 low, high = 0;

	if (len >= 8) {
		low = seen_le64_get(p);
		high = load_part(p + 8, len - 8);
	} else {
		low = load_part(p, len);
	}
	if (used >= 8) {
		hash->pair[1] |= low << shift;
	} else {
		hash->pair[0] |= low << shift;
		hash->pair[1] |= high << shift;
		if (shift)
			hash->pair[1] |= low >> (64 - shift);
	}
	hash->at += len;
}

/* Return: bytes that were taken to fill the pair that pieces have begun. */
static __always_inline size_t fill_pair(struct seen_hash *hash, const u8 *p,
					size_t len)
{
	size_t room = SEEN_NH_PAIR - hash->at % SEEN_NH_PAIR;

	if (len > room)
		len = room;
	add_short(hash, p, len);
	if (len == room)
		add_own_pair(hash, SEEN_NH_PAIR);
	return len;
}

void seen_hash_add(struct seen_hash *hash, const void *bytes, size_t len)
{
	const u8 *p = bytes;
	size_t here;

	if (hash->at % SEEN_NH_PAIR) {
		here = fill_pair(hash, p, len);
		p += here;
		len -= here;
	}
	for (;;) {
		if (hash->at == SEEN_NH_BLOCK)
			end_block(hash);
		if (len < SEEN_NH_PAIR)
			break;
		here = SEEN_NH_BLOCK - hash->at;
		if (here > len)
			here = len - len % SEEN_NH_PAIR;
		add_pairs(hash, p, here);
		p += here;
		len -= here;
	}
	if (len)
		add_short(hash, p, len);
}

u64 seen_hash_end(struct seen_hash *hash)
{
	if (hash->at % SEEN_NH_PAIR)
		add_own_pair(hash, hash->at % SEEN_NH_PAIR);
	if (hash->at)
		end_block(hash);
	return seen_siphash_end(&hash->sip);
}
