/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hash of a key with a payload:
 *
 *	SipHash-1-3(secret, head, NH(block 1), NH(block 2), ...)
 *
 * The head is the key's fields and the payload's length. NH (Black, Halevi, Krawczyk,
 * Krovetz, Rogaway, "UMAC: Fast and Secure Message Authentication", 1999; RFC 4418)
 * with words of 64 bits (Dai and Krovetz, "VHASH Security", 2007) is the sum of (m[2i]
 * + k[2i]) (m[2i+1] + k[2i+1]) modulo 2^128 over the pairs of words of a block; the
 * sums inside the brackets are modulo 2^64. If the secret is unknown, two different
 * blocks of the same length have the same NH with a probability of at most 2^-64.
 * Documentation/theory/hash.md outlines the proof and gives the bound for whole keys.
 *
 * Words are little-endian on every machine. The last pair is padded with zeros.
 */
#ifndef SEEN_CORE_HASH_H
#define SEEN_CORE_HASH_H

#include "siphash_rounds.h"

/* Bytes of the payload that one NH value covers. */
#define SEEN_NH_BLOCK		512
/* Bytes that one multiplication covers. */
#define SEEN_NH_PAIR		16

/**
 * struct seen_nh_key - the words k[i] of NH
 * @word: SipHash-2-4 of i under the filter's secret
 */
struct seen_nh_key {
	u64 word[SEEN_NH_BLOCK / sizeof(u64)];
};

/* seen_nh_key_set() - derive the words of NH from a filter's secret */
void seen_nh_key_set(struct seen_nh_key *key, const struct seen_secret *secret);

/**
 * struct seen_hash - state while the payload arrives in pieces
 * @sip: hash of the head and of all finished blocks
 * @tail: bytes for @sip that do not fill a word yet
 * @len: number of bytes passed to @sip so far, those in @tail included
 * @key: words of NH
 * @high: NH of the current block, upper half
 * @low: NH of the current block, lower half
 * @at: bytes of the current block so far
 * @pair: bytes that do not fill a pair yet, as two words, padded with zeros
 */
struct seen_hash {
	struct seen_siphash sip;
	u64 tail;
	size_t len;
	const struct seen_nh_key *key;
	u64 high;
	u64 low;
	u32 at;
	u64 pair[2];
};

/**
 * seen_hash_begin() - start with the head of a key
 * @hash: state to initialize
 * @secret: secret of the filter
 * @key: from seen_nh_key_set(); must stay valid until seen_hash_end()
 * @head: fields and length of the payload, canonical
 * @len: bytes of @head
 */
void seen_hash_begin(struct seen_hash *hash, const struct seen_secret *secret,
		     const struct seen_nh_key *key, const void *head,
		     size_t len);

/**
 * seen_hash_append() - append a piece of the payload
 * @hash: state
 * @bytes: the piece, at any address
 * @len: bytes of the piece; any split of a payload gives the same hash
 */
void seen_hash_append(struct seen_hash *hash, const void *bytes, size_t len);

/* seen_hash_end() - finish; returns 64 bits, the same on every byte order */
u64 seen_hash_end(struct seen_hash *hash);

/**
 * struct seen_flat - a payload in one piece
 * @bytes: the first @there bytes of the payload
 * @there: number of bytes at @bytes
 * @len: length of the payload in bytes; the bytes from @there on count as zeros
 * @hole: offset of two bytes that count as zeros, an even number; @len: no hole
 */
struct seen_flat {
	const u8 *bytes;
	u32 there;
	u32 len;
	u32 hole;
};

/**
 * seen_hash_flat() - the hash of a key whose payload lies in one piece
 * @secret: secret of the filter
 * @key: from seen_nh_key_set()
 * @head: fields and length of the payload, canonical
 * @len: bytes of @head
 * @flat: the payload
 *
 * Faster than the functions for pieces; most packets have such a payload.
 *
 * Return: 64 bits, the same as from seen_hash_end().
 */
u64 seen_hash_flat(const struct seen_secret *secret,
		   const struct seen_nh_key *key, const void *head, size_t len,
		   const struct seen_flat *flat);

#endif
