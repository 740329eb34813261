// SPDX-License-Identifier: GPL-2.0
/*
 * The hash of keys with a payload: known results, and payloads split in any way. The known
 * results come from an independent implementation in another language.
 */
#include "hash.h"
#include "test.h"

#include <string.h>

#define LONGEST		(3 * SEEN_NH_BLOCK + 40)

/* Secret 00 01 .. 0f, a head of 00 01 .. of so many bytes, a payload of 7 i + 3. */
static const struct {
	u32 head;
	u32 payload;
	u64 hash;
} known[] = {
#include "hash_vectors.h"
};

static struct seen_nh_key nh;
static const struct seen_secret fixed = {
	{ 0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL },
};

static u64 hash_of_key(const struct seen_secret *secret, const u8 *head,
		       u32 head_len, const u8 *payload, u32 len)
{
	struct seen_hash hash;

	seen_hash_begin(&hash, secret, &nh, head, head_len);
	seen_hash_append(&hash, payload, len);
	return seen_hash_end(&hash);
}

static void test_known(void)
{
	u8 head[64], memory[LONGEST + 8];
	bool good = true;
	u32 i, at, shift;

	seen_nh_key_set(&nh, &fixed);
	for (i = 0; i < sizeof(head); i++)
		head[i] = i;
	for (shift = 0; shift < 8; shift++) {
		for (at = 0; at < LONGEST; at++)
			memory[shift + at] = 7 * at + 3;
		for (i = 0; i < ARRAY_SIZE(known); i++)
			good &= hash_of_key(&fixed, head, known[i].head,
					    memory + shift,
					    known[i].payload) == known[i].hash;
	}
	ok(good, "%zu known results, at each alignment", ARRAY_SIZE(known));
}

static void draw(u8 *bytes, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		bytes[i] = random64();
}

/* Pieces of any size, empty ones too. */
static u64 hash_split(const u8 *head, u32 head_len, const u8 *payload, u32 len)
{
	struct seen_hash hash;
	u32 at = 0, piece;

	seen_hash_begin(&hash, &fixed, &nh, head, head_len);
	while (at < len) {
		piece = random_below(random_below(4) ? 40 : SEEN_NH_BLOCK + 9);
		if (piece > len - at)
			piece = len - at;
		seen_hash_append(&hash, payload + at, piece);
		at += piece;
	}
	return seen_hash_end(&hash);
}

static void test_split(void)
{
	u8 head[96], payload[LONGEST];
	u64 i, rounds = scale(300000);
	bool good = true;
	u32 head_len, len;

	for (i = 0; i < rounds && good; i++) {
		head_len = random_below(sizeof(head) + 1);
		len = random_below(LONGEST + 1);
		draw(head, head_len);
		draw(payload, random_below(len + 1));
		good = hash_split(head, head_len, payload, len) ==
		       hash_of_key(&fixed, head, head_len, payload, len);
	}
	ok(good, "any split of a payload has its hash");
}

/* The payload is one piece. Padding follows it, and two of its bytes count as zeros. */
static void test_flat(void)
{
	u8 head[96], payload[LONGEST], masked[LONGEST];
	u64 i, rounds = scale(300000);
	bool good = true;
	u32 head_len;

	for (i = 0; i < rounds && good; i++) {
		struct seen_flat flat = {
			.bytes = payload, .len = random_below(LONGEST + 1),
		};

		head_len = random_below(sizeof(head) + 1);
		flat.there = random_below(4) ? flat.len :
			     random_below(flat.len + 1);
		draw(head, head_len);
		draw(payload, flat.there);
		memset(masked, 0, sizeof(masked));
		memcpy(masked, payload, flat.there);
		flat.hole = flat.len;
		if (flat.there >= 2 && random_below(4)) {
			flat.hole = random_below(flat.there / 2) * 2;
			memset(masked + flat.hole, 0, 2);
		}
		good = seen_hash_flat(&fixed, &nh, head, head_len, &flat) ==
		       hash_of_key(&fixed, head, head_len, masked, flat.len);
	}
	ok(good, "a payload in one piece has its hash");
}

/* Zeros behind the payload fill the last pair; the head has the length. */
static void test_length(void)
{
	static const u8 zeros[64];
	const u8 one[4] = { 0, 0, 0, 1 }, two[4] = { 0, 0, 0, 2 };

	ok(hash_of_key(&fixed, one, 4, zeros, 1) !=
	   hash_of_key(&fixed, two, 4, zeros, 2),
	   "zeros of two lengths have two hashes");
}

int main(void)
{
	test_begin(4);
	test_known();
	test_split();
	test_flat();
	test_length();
	return test_end();
}
