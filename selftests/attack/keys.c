// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "keys.h"

const char * const choice_name[CHOICES] = {
	[CHOICE_RANDOM] = "random",
	[CHOICE_SEQUENTIAL] = "sequential",
	[CHOICE_FEW_BITS] = "few bits differ",
	[CHOICE_LOW_ENTROPY] = "low entropy",
	[CHOICE_LINES] = "one place under another secret",
	[CHOICE_PATTERNS] = "one pattern under another secret",
	[CHOICE_ZERO] = "one place under zeroes",
	[CHOICE_NEAR] = "one place under a secret one bit off",
};

u64 key_hash(const struct key *key, const struct seen_secret *secret)
{
	return seen_siphash13(key->byte, sizeof(key->byte), secret);
}

struct key key_random(void)
{
	u64 word[2] = { random64(), random64() };
	struct key key;

	memcpy(key.byte, word, sizeof(word));
	return key;
}

static struct key sequential(u64 n)
{
	struct key key = { };
	int i;

	for (i = 15; n; i--, n >>= 8)
		key.byte[i] = n;
	return key;
}

static struct key low_entropy(u64 n)
{
	struct key key;
	int i;

	for (i = 0; i < 16; i++, n >>= 2)
		key.byte[i] = n & 3;
	return key;
}

static void flip(struct key *key, u32 bit)
{
	key->byte[bit / 8] ^= 1 << bit % 8;
}

/* Keys that differ from one key in at most three bits. */
static void few_bits(struct key *keys, u64 count)
{
	const struct key base = key_random();
	u32 i, j, k;

	for (i = 0; i < 128; i++)
		for (j = 0; j < i; j++)
			for (k = 0; k < j && count; k++, count--) {
				*keys = base;
				flip(keys, i);
				flip(keys, j);
				flip(keys++, k);
			}
}

static struct key crafted(bool pattern, const struct seen_secret *guess)
{
	struct key key;
	u64 hash;

	do {
		key = key_random();
		hash = key_hash(&key, guess);
		if (pattern)
			hash = seen_remix(hash);
	} while (seen_range(hash, CRAFT_SHARE));
	return key;
}

void choose(enum choice choice, struct key *keys, u64 count,
	    const struct seen_secret *guess)
{
	u64 i;

	if (choice == CHOICE_FEW_BITS) {
		few_bits(keys, count);
		return;
	}
	for (i = 0; i < count; i++)
		switch (choice) {
		case CHOICE_RANDOM:
			keys[i] = key_random();
			break;
		case CHOICE_SEQUENTIAL:
			keys[i] = sequential(i);
			break;
		case CHOICE_LOW_ENTROPY:
			keys[i] = low_entropy(i);
			break;
		default:
			keys[i] = crafted(choice == CHOICE_PATTERNS, guess);
		}
}

struct seen_secret secret_for(enum choice choice,
			      const struct seen_secret *guess, u32 round)
{
	struct seen_secret secret = { { random64(), random64() } };

	if (choice != CHOICE_NEAR)
		return secret;
	secret = *guess;
	secret.k[round % 2] ^= 1ULL << round / 2 % 64;
	return secret;
}
