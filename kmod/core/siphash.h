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
 * seen_secret_set() - make a secret from bytes, the same on every byte order
 * @secret: out
 * @bytes: sixteen bytes
 */
void seen_secret_set(struct seen_secret *secret, const u8 *bytes);

/* seen_secret_get() - write a secret's sixteen bytes */
void seen_secret_get(const struct seen_secret *secret, u8 *bytes);

/**
 * seen_secret_check() - a checksum that distinguishes secrets but does not reveal them
 * @secret: secret of the hash
 * @payload: true if keys have a payload; then the checksum differs from version 1 of
 *           snapshots, which hashed payloads in another way
 *
 * Return: 64 bits.
 */
u64 seen_secret_check(const struct seen_secret *secret, bool payload);

/**
 * seen_siphash13() - SipHash-1-3, the hash of every filter
 * @data: the canonical key
 * @len: bytes of the key
 * @secret: secret of the filter
 *
 * Context: any.
 * Return: 64 bits, the same on every byte order.
 */
u64 seen_siphash13(const void *data, size_t len,
		   const struct seen_secret *secret);

/* seen_siphash24() - as seen_siphash13(), with 2 and 4 rounds; test vectors are published */
u64 seen_siphash24(const void *data, size_t len,
		   const struct seen_secret *secret);

/**
 * seen_remix() - mix a hash that has chosen a block, for choices inside this block
 * @hash: hash of a key; its upper half chooses the line or bucket
 *
 * A bijection (the finalizer of MurmurHash3, by Appleby).
 *
 * Return: 64 bits.
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
 * @n: at most 2^32, not necessarily a power of two
 *
 * Multiply-shift (Lemire, "Fast random integer generation in an interval", 2019). The
 * bias is below n / 2^32.
 *
 * Return: 0 to @n - 1.
 */
static inline u64 seen_range(u64 hash, u64 n)
{
	return ((hash >> 32) * n) >> 32;
}

/* seen_range64() - as seen_range(), with all bits of the hash and any @n */
static inline u64 seen_range64(u64 hash, u64 n)
{
	return seen_multiply_high(hash, n);
}

#endif
