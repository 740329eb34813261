// SPDX-License-Identifier: GPL-2.0
/*
 * The bound of NH: two different payloads of the same length collide under at most 2^-w of
 * all keys, for words of w bits. The test counts collisions for w = 8, under every key of a
 * pair, with the 64-bit code itself. Words and keys that are 8 random bits times 2^s turn
 * this code into an NH of 8 bits: for s = 56 sums are modulo 2^8 and the result has 16 bits;
 * for smaller s no sum overflows.
 *
 * A weaker NH exceeds the bound: without the upper half of the sum, without a word of the
 * key, or with the same words for each pair.
 */
#include "hash.h"
#include "test.h"

#include <string.h>

#define WORDS		8		/* in a payload */
#define KEYS		65536		/* of two words of 8 bits */
#define BOUND		(KEYS >> 8)
#define SHIFTS		8

static struct seen_nh_key nh;

/* Payloads of four pairs; a word is @shift bits higher. */
struct payload {
	u8 word[WORDS];
};

static u64 hash(const struct payload *payload, u32 shift)
{
	static const struct seen_secret secret = { { 3, 4 } };
	static const u8 head[4];
	u8 bytes[WORDS * 8] = {};
	struct seen_hash state;
	u32 i;

	for (i = 0; i < WORDS; i++)
		bytes[8 * i + shift / 8] = payload->word[i];
	seen_hash_begin(&state, &secret, &nh, head, sizeof(head));
	seen_hash_append(&state, bytes, sizeof(bytes));
	return seen_hash_end(&state);
}

/* Keys of pair @pair under which the two collide; the other words are random. */
static u32 collisions(const struct payload *a, const struct payload *b,
		      u32 pair, u32 shift)
{
	u32 key, i, count = 0;

	for (i = 0; i < WORDS; i++)
		nh.word[i] = (u64)(u8)random64() << shift;
	for (key = 0; key < KEYS; key++) {
		nh.word[2 * pair] = (u64)(key >> 8) << shift;
		nh.word[2 * pair + 1] = (u64)(key & 255) << shift;
		count += hash(a, shift) == hash(b, shift);
	}
	return count;
}

/* The changes that an attacker would make to the first two pairs of words. */
enum change {
	TOP, BOTH_TOPS, LOW, SECOND_WORD, ZERO_FIRST, ZERO_SECOND, SAME_SUM,
	WORDS_SWAPPED, PAIRS_SWAPPED, ANY, CHANGES
};

static const char *const names[CHANGES] = {
	"the top bit of a word", "the top bits of a pair", "the lowest bit of a word",
	"the second word of a pair", "a word beside a zero one",
	"a word before a zero one", "words of the same sum",
	"the words of a pair exchanged", "two pairs exchanged", "any two payloads",
};

static void draw(struct payload *payload)
{
	u32 i;

	for (i = 0; i < WORDS; i++)
		payload->word[i] = random64();
}

static void change(enum change what, struct payload *a, struct payload *b)
{
	u8 first;

	draw(a);
	if (what == ZERO_FIRST)
		a->word[0] = 0;
	if (what == ZERO_SECOND)
		a->word[1] = 0;
	*b = *a;
	first = a->word[0];
	switch (what) {
	case TOP:
		b->word[0] ^= 0x80;
		break;
	case BOTH_TOPS:
		b->word[0] ^= 0x80;
		b->word[1] ^= 0x80;
		break;
	case LOW:
		b->word[0] ^= 1;
		break;
	case SECOND_WORD:
	case ZERO_FIRST:
		b->word[1] += 1 + random_below(255);
		break;
	case ZERO_SECOND:
		b->word[0] += 1 + random_below(255);
		break;
	case SAME_SUM:
		b->word[0]++;
		b->word[1]--;
		break;
	case WORDS_SWAPPED:
		a->word[1] = a->word[0] + 1 + random_below(255);
		b->word[0] = a->word[1];
		b->word[1] = first;
		break;
	case PAIRS_SWAPPED:
		a->word[2] = a->word[0] + 1 + random_below(255);
		b->word[0] = a->word[2];
		b->word[2] = first;
		b->word[1] = a->word[3];
		b->word[3] = a->word[1];
		break;
	default:
		draw(b);
		b->word[0] = a->word[0] + 1 + random_below(255);
		break;
	}
}

static void test_change(enum change what)
{
	u32 shift, worst = 0, count, trial, trials = scale(12);
	struct payload a, b;

	for (trial = 0; trial < trials; trial++) {
		for (shift = 0; shift < 8 * SHIFTS; shift += 8) {
			change(what, &a, &b);
			count = collisions(&a, &b, 0, shift);
			if (count > worst)
				worst = count;
		}
	}
	ok(worst <= BOUND, "%s: at most %u of %u keys collide, %u allowed",
	   names[what], worst, KEYS, BOUND);
}

int main(void)
{
	enum change what;

	test_begin(CHANGES);
	for (what = 0; what < CHANGES; what++)
		test_change(what);
	return test_end();
}
