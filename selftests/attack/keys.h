/* SPDX-License-Identifier: GPL-2.0 */
/* Keys as an attacker with knowledge of the code picks them. */
#ifndef SEEN_ATTACK_KEYS_H
#define SEEN_ATTACK_KEYS_H

#include "siphash.h"
#include "test.h"

/* One random key in so many belongs to the place for which keys are crafted. */
#define CRAFT_SHARE	64

struct key {
	u8 byte[16];
};

/* From CHOICE_LINES on, keys are crafted under a secret that is not the set's. */
enum choice {
	CHOICE_RANDOM,
	CHOICE_SEQUENTIAL,
	CHOICE_FEW_BITS,	/* differ in at most three of 128 bits */
	CHOICE_LOW_ENTROPY,	/* each byte has one of four values */
	CHOICE_LINES,		/* all in the first lines or buckets */
	CHOICE_PATTERNS,	/* all with the first patterns or fingerprints */
	CHOICE_ZERO,		/* as CHOICE_LINES, under a secret of zeroes */
	CHOICE_NEAR,		/* as CHOICE_LINES, under a secret that differs in one bit */
	CHOICES,
};

extern const char * const choice_name[CHOICES];

/* key_hash() - the hash of a key, as a filter computes it */
u64 key_hash(const struct key *key, const struct seen_secret *secret);

/* key_random() - the next key from test.h's random numbers */
struct key key_random(void);

/**
 * choose() - pick distinct keys
 * @choice: how to pick them
 * @keys: array to fill
 * @count: number of keys
 * @guess: the secret for which keys are crafted
 */
void choose(enum choice choice, struct key *keys, u64 count,
	    const struct seen_secret *guess);

/* Number of secrets that differ from another one in a single bit. */
#define SECRETS_NEAR	128

/* secret_for() - the secret of the set to which keys of this choice are added */
struct seen_secret secret_for(enum choice choice,
			      const struct seen_secret *guess, u32 round);

#endif
