/* SPDX-License-Identifier: GPL-2.0 */
/* Keys as an attacker picks them, who knows the code. */
#ifndef SEEN_ATTACK_KEYS_H
#define SEEN_ATTACK_KEYS_H

#include "siphash.h"
#include "test.h"

/* One in so many keys falls where the crafted ones do. */
#define CRAFT_SHARE	64

struct key {
	u8 byte[16];
};

/* From CHOICE_LINES on they are crafted under a secret that is not the set's. */
enum choice {
	CHOICE_RANDOM,
	CHOICE_SEQUENTIAL,
	CHOICE_FEW_BITS,	/* that differ: three of 128 at most */
	CHOICE_LOW_ENTROPY,	/* each byte one of four */
	CHOICE_LINES,		/* all in the first lines or buckets */
	CHOICE_PATTERNS,	/* all with the first patterns or fingerprints */
	CHOICE_ZERO,		/* as CHOICE_LINES, under a secret of zeroes */
	CHOICE_NEAR,		/* the same under one that differs in one bit */
	CHOICES,
};

extern const char * const choice_name[CHOICES];

/* key_hash() - as a filter has it */
u64 key_hash(const struct key *key, const struct seen_secret *secret);

/* key_random() - a key of test.h's sequence */
struct key key_random(void);

/**
 * choose() - pick distinct keys
 * @choice: how
 * @keys: to fill
 * @count: how many
 * @guess: the secret under which they are crafted
 */
void choose(enum choice choice, struct key *keys, u64 count,
	    const struct seen_secret *guess);

/* So many secrets are one bit off another one. */
#define SECRETS_NEAR	128

/* secret_for() - that of a set which keys picked in that way are brought to */
struct seen_secret secret_for(enum choice choice,
			      const struct seen_secret *guess, u32 round);

#endif
