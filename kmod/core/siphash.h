/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SipHash-1-3 and SipHash-2-4 with a 64-bit result (Aumasson and Bernstein,
 * "SipHash: a fast short-input PRF", 2012). The kernel exports no 64-bit
 * SipHash-1-3, and userspace must agree with the kernel on every bit.
 */
#ifndef SEEN_CORE_SIPHASH_H
#define SEEN_CORE_SIPHASH_H

#include <linux/types.h>

#include "wide.h"

/**
 * struct seen_secret - the key of the hash, random for each filter
 * @k: as two words in host order
 */
struct seen_secret {
	u64 k[2];
};

/**
 * seen_secret_set() - a secret from bytes, the same on every byte order
 * @secret: to fill
 * @bytes: sixteen
 */
void seen_secret_set(struct seen_secret *secret, const u8 *bytes);

/* seen_secret_get() - its sixteen bytes */
void seen_secret_get(const struct seen_secret *secret, u8 *bytes);

/* seen_secret_check() - tells a wrong secret from the right one, and nothing else */
u64 seen_secret_check(const struct seen_secret *secret);

/**
 * seen_siphash13() - SipHash-1-3, the hash of every filter
 * @data: the canonical key
 * @len: its bytes
 * @secret: the filter's own
 *
 * Context: any.
 * Return: 64 bits, the same on every byte order.
 */
u64 seen_siphash13(const void *data, size_t len,
		   const struct seen_secret *secret);

/* seen_siphash24() - the same with 2 and 4 rounds, which has published vectors */
u64 seen_siphash24(const void *data, size_t len,
		   const struct seen_secret *secret);

/**
 * struct seen_siphash - SipHash-1-3 of a message that arrives in parts
 * @v0: state of the hash, as the next three
 * @v1: see @v0
 * @v2: see @v0
 * @v3: see @v0
 * @tail: bytes that do not fill a word yet
 * @len: bytes so far
 */
struct seen_siphash {
	u64 v0, v1, v2, v3;
	u64 tail;
	size_t len;
};

/**
 * seen_siphash_begin() - start with the first bytes of a message
 * @s: state to initialize
 * @data: first bytes of the message
 * @len: number of bytes at @data
 * @secret: key of the hash
 */
void seen_siphash_begin(struct seen_siphash *s, const void *data, size_t len,
			const struct seen_secret *secret);

/* seen_siphash_word() - append eight bytes: @word, lowest byte first */
void seen_siphash_word(struct seen_siphash *s, u64 word);

/* seen_siphash_end() - what seen_siphash13() returns for the whole message */
u64 seen_siphash_end(struct seen_siphash *s);

/**
 * seen_remix() - 64 bits that no longer tell the block that a hash chose
 * @hash: of a key; its upper half picks lines and buckets
 *
 * A bijection (the finalizer of MurmurHash3, by Appleby).
 */
static inline u64 seen_remix(u64 hash)
{
	hash ^= hash >> 33;
	hash *= 0xff51afd7ed558ccdULL;
	hash ^= hash >> 33;
	hash *= 0xc4ceb9fe1a85ec53ULL;
	return hash ^ (hash >> 33);
}

/**
 * seen_range() - map the upper half of a hash onto [0, n) without a division
 * @hash: 64 random bits
 * @n: at most 2^32
 *
 * Multiply-shift (Lemire, "Fast random integer generation in an interval",
 * 2019): any @n, no power of two needed; the bias is below n / 2^32.
 */
static inline u64 seen_range(u64 hash, u64 n)
{
	return ((hash >> 32) * n) >> 32;
}

/* seen_range64() - the same with all of the hash, without a bound on @n */
static inline u64 seen_range64(u64 hash, u64 n)
{
	return seen_multiply_high(hash, n);
}

#endif
