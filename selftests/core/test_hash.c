// SPDX-License-Identifier: GPL-2.0
/*
 * The hash of keys with a payload: known results, any split, and messages that a weaker
 * NH would take for one another.
 *
 * The known results come from an implementation of another hand, in another language.
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
	seen_hash_add(&hash, payload, len);
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
		seen_hash_add(&hash, payload + at, piece);
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

/* SipHash of the head, and of the NH values behind it, as one message. */
static void test_stream(void)
{
	u8 bytes[200];
	bool good = true;
	u32 head, words, i;

	for (head = 0; head < 40; head++) {
		for (words = 0; words < 6; words++) {
			struct seen_siphash s;

			draw(bytes, head);
			seen_siphash_begin(&s, bytes, head, &fixed);
			for (i = 0; i < words; i++) {
				u64 word = random64();

				seen_siphash_word(&s, word);
				for (u32 b = 0; b < 8; b++)
					bytes[head + 8 * i + b] = word >> 8 * b;
			}
			good &= seen_siphash_end(&s) ==
				seen_siphash13(bytes, head + 8 * words, &fixed);
		}
	}
	ok(good, "SipHash of a message in parts is that of the whole");
}

static void flip_top(u8 *a, u8 *b)
{
	(void)a;
	b[7] ^= 0x80;
}

static void flip_both_tops(u8 *a, u8 *b)
{
	(void)a;
	b[7] ^= 0x80;
	b[15] ^= 0x80;
}

static void swap(u8 *b, u32 one, u32 other, u32 len)
{
	u8 kept[SEEN_NH_BLOCK];

	memcpy(kept, b + one, len);
	memcpy(b + one, b + other, len);
	memcpy(b + other, kept, len);
}

static void swap_words(u8 *a, u8 *b)
{
	(void)a;
	swap(b, 0, 8, 8);
}

static void swap_pairs(u8 *a, u8 *b)
{
	(void)a;
	swap(b, 0, 16, 16);
}

static void swap_blocks(u8 *a, u8 *b)
{
	(void)a;
	swap(b, 0, SEEN_NH_BLOCK, SEEN_NH_BLOCK);
}

/* One factor is zero: without a key the other one would not matter. */
static void zero_factor(u8 *a, u8 *b)
{
	memset(a, 0, 8);
	memset(b, 0, 8);
	b[9] ^= 1;
}

static void last_bit(u8 *a, u8 *b)
{
	(void)a;
	b[LONGEST - 1] ^= 1;
}

static void sum_kept(u8 *a, u8 *b)
{
	(void)a;
	b[0]++;
	b[8]--;
}

static const struct {
	const char *name;
	void (*change)(u8 *a, u8 *b);
} attacks[] = {
	{ "the top bit of a word", flip_top },
	{ "the top bits of a pair", flip_both_tops },
	{ "the words of a pair exchanged", swap_words },
	{ "pairs exchanged", swap_pairs },
	{ "blocks exchanged", swap_blocks },
	{ "a zero word beside another one", zero_factor },
	{ "the last bit", last_bit },
	{ "words with the same sum", sum_kept },
};

/*
 * The bound is 2^-64 a pair of payloads, so that no collision is due. A hash that loses
 * a part of NH collides in one of some trials: without the upper half of the sum in
 * half of them where a top bit differs, with the same key for each pair always where
 * pairs are exchanged.
 */
static void test_attack(int i)
{
	u8 head[4] = {}, a[LONGEST], b[LONGEST];
	u64 n, trials = scale(200000), collisions = 0;
	struct seen_secret secret;

	for (n = 0; n < trials; n++) {
		if (n % 16 == 0) {
			secret = (struct seen_secret){
				{ random64(), random64() }
			};
			seen_nh_key_set(&nh, &secret);
		}
		draw(a, n ? 64 : sizeof(a));
		memcpy(b, a, sizeof(b));
		attacks[i].change(a, b);
		collisions += memcmp(a, b, sizeof(a)) &&
			      hash_of_key(&secret, head, 4, a, LONGEST) ==
			      hash_of_key(&secret, head, 4, b, LONGEST);
	}
	ok(!collisions, "%s: no collision in %llu trials", attacks[i].name,
	   (unsigned long long)trials);
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
	u32 i;

	test_begin(4 + ARRAY_SIZE(attacks));
	test_known();
	test_split();
	test_stream();
	test_length();
	for (i = 0; i < ARRAY_SIZE(attacks); i++)
		test_attack(i);
	return test_end();
}
