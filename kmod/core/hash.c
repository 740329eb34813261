// SPDX-License-Identifier: GPL-2.0
/* Hash of keys with a payload; hash.h. */
#include "hash.h"

void seen_nh_key_set(struct seen_nh_key *key, const struct seen_secret *secret)
{
	u8 counter[sizeof(u64)];
	u32 i;

	for (i = 0; i < SEEN_NH_BLOCK / sizeof(u64); i++) {
		seen_le64_put(i, counter);
		key->word[i] = seen_siphash24(counter, sizeof(counter), secret);
	}
}

static __always_inline void hash_begin(struct seen_hash *hash,
				       const struct seen_secret *secret,
				       const struct seen_nh_key *key,
				       const void *head, size_t len)
{
	const u8 *rest;

	seen_siphash_start(&hash->sip, secret);
	rest = seen_siphash_words(&hash->sip, head, len, 1);
	hash->tail = seen_siphash_part(rest, len);
	hash->len = len;
	hash->key = key;
	hash->high = 0;
	hash->low = 0;
	hash->at = 0;
	hash->pair[0] = 0;
	hash->pair[1] = 0;
}

/* Append a word; the bytes before it need not fill whole words. */
static __always_inline void hash_add_word(struct seen_hash *hash, u64 word)
{
	u32 shift = hash->len % sizeof(word) * 8;

	seen_siphash_word(&hash->sip, hash->tail | word << shift, 1);
	hash->tail = shift ? word >> (64 - shift) : 0;
	hash->len += sizeof(word);
}

static __always_inline void hash_end_block(struct seen_hash *hash)
{
	hash_add_word(hash, hash->low);
	hash_add_word(hash, hash->high);
	hash->high = 0;
	hash->low = 0;
	hash->at = 0;
}

static __always_inline void hash_add_pair(struct seen_hash *hash, u64 first,
					  u64 second)
{
	const u64 *k = &hash->key->word[hash->at / sizeof(u64)];

	seen_multiply_add(&hash->high, &hash->low, first + k[0],
			  second + k[1]);
	hash->at += SEEN_NH_PAIR;
}

/* Add @len bytes: whole pairs of the current block. */
static __always_inline void hash_add_pairs(struct seen_hash *hash, const u8 *p,
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

/* Add @len bytes: whole pairs. Ends each block that becomes full. */
static __always_inline void hash_add_blocks(struct seen_hash *hash, const u8 *p,
					    size_t len)
{
	size_t here;

	for (; len; len -= here, p += here) {
		here = SEEN_NH_BLOCK - hash->at;
		if (here > len)
			here = len;
		hash_add_pairs(hash, p, here);
		if (hash->at == SEEN_NH_BLOCK)
			hash_end_block(hash);
	}
}

/* Load fewer than 16 bytes as two words. */
static __always_inline void hash_load_short(const u8 *p, size_t len, u64 *first,
					    u64 *second)
{
	*second = 0;
	if (len < 8) {
		*first = seen_siphash_part(p, len);
		return;
	}
	*first = seen_le64_get(p);
	*second = seen_siphash_part(p + 8, len);
}

static __always_inline u64 hash_end(struct seen_hash *hash)
{
	if (hash->at)
		hash_end_block(hash);
	return seen_siphash_end(&hash->sip, hash->tail, hash->len, 1, 3);
}

/* --- a payload in pieces ---------------------------------------------------------- */

void seen_hash_begin(struct seen_hash *hash, const struct seen_secret *secret,
		     const struct seen_nh_key *key, const void *head,
		     size_t len)
{
	hash_begin(hash, secret, key, head, len);
}

/* Add the pair that was collected from pieces; @used bytes of it are set. */
static void hash_end_pair(struct seen_hash *hash, u32 used)
{
	hash->at -= used;
	hash_add_pair(hash, hash->pair[0], hash->pair[1]);
	hash->pair[0] = 0;
	hash->pair[1] = 0;
}

/*
 * Add fewer than 16 bytes, which fit into the pair. By shifts, because it is slow to
 * load a word whose bytes have just been stored one by one.
 */
static void hash_add_short(struct seen_hash *hash, const u8 *p, size_t len)
{
	u32 used = hash->at % SEEN_NH_PAIR, shift = used % 8 * 8;
	u64 first, second;

	hash_load_short(p, len, &first, &second);
	if (used >= 8) {
		hash->pair[1] |= first << shift;
	} else {
		hash->pair[0] |= first << shift;
		hash->pair[1] |= second << shift;
		if (shift)
			hash->pair[1] |= first >> (64 - shift);
	}
	hash->at += len;
}

/* Fill up the pair that earlier pieces have begun. Return: number of bytes used. */
static size_t hash_fill_pair(struct seen_hash *hash, const u8 *p, size_t len)
{
	size_t room = SEEN_NH_PAIR - hash->at % SEEN_NH_PAIR;

	if (len > room)
		len = room;
	hash_add_short(hash, p, len);
	if (len == room)
		hash_end_pair(hash, SEEN_NH_PAIR);
	if (hash->at == SEEN_NH_BLOCK)
		hash_end_block(hash);
	return len;
}

void seen_hash_append(struct seen_hash *hash, const void *bytes, size_t len)
{
	const u8 *p = bytes;
	size_t here;

	if (hash->at % SEEN_NH_PAIR) {
		here = hash_fill_pair(hash, p, len);
		p += here;
		len -= here;
	}
	here = len - len % SEEN_NH_PAIR;
	hash_add_blocks(hash, p, here);
	if (len > here)
		hash_add_short(hash, p + here, len - here);
}

u64 seen_hash_end(struct seen_hash *hash)
{
	if (hash->at % SEEN_NH_PAIR)
		hash_end_pair(hash, hash->at % SEEN_NH_PAIR);
	return hash_end(hash);
}

/* --- a payload in one piece ------------------------------------------------------- */

/* Add the pair at @at. Bytes beyond flat->there are zeros; the pair may contain the hole. */
static __always_inline void hash_add_odd_pair(struct seen_hash *hash,
					      const struct seen_flat *flat, u32 at)
{
	u64 first = 0, second = 0, mask;
	u32 in = flat->hole - at;

	if (at + SEEN_NH_PAIR <= flat->there) {
		first = seen_le64_get(flat->bytes + at);
		second = seen_le64_get(flat->bytes + at + 8);
	} else if (at < flat->there) {
		hash_load_short(flat->bytes + at, flat->there - at, &first, &second);
	}
	mask = ~(0xffffULL << in % 8 * 8);
	if (in < 8)
		first &= mask;
	else if (in < SEEN_NH_PAIR)
		second &= mask;
	hash_add_pair(hash, first, second);
	if (hash->at == SEEN_NH_BLOCK)
		hash_end_block(hash);
}

u64 seen_hash_flat(const struct seen_secret *secret,
		   const struct seen_nh_key *key, const void *head, size_t len,
		   const struct seen_flat *flat)
{
	u32 whole = flat->there - flat->there % SEEN_NH_PAIR, at = 0;
	struct seen_hash hash;

	hash_begin(&hash, secret, key, head, len);
	if (flat->hole < whole) {
		at = flat->hole - flat->hole % SEEN_NH_PAIR;
		hash_add_blocks(&hash, flat->bytes, at);
		hash_add_odd_pair(&hash, flat, at);
		at += SEEN_NH_PAIR;
	}
	hash_add_blocks(&hash, flat->bytes + at, whole - at);
	for (at = whole; at < flat->len; at += SEEN_NH_PAIR)
		hash_add_odd_pair(&hash, flat, at);
	return hash_end(&hash);
}
