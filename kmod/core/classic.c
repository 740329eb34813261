// SPDX-License-Identifier: GPL-2.0
/*
 * Textbook Bloom filter: k bits anywhere in m (Bloom, "Space/time trade-offs in hash
 * coding with allowable errors", 1970).
 *
 * The k positions are the upper bits of a multiplicative sequence that starts at the
 * hash. Double hashing would limit the rate of small filters, because two keys that
 * share two positions share all of them; here each bit of the hash affects each later
 * position.
 *
 * A key's bits share words with the keys of other stripes, so they are set with atomic
 * operations. The stripe, chosen by the hash, only serialises test-and-adds of the same
 * key.
 *
 * Direction of error: a new key is reported as seen, at the planned rate.
 */
#include "block.h"
#include "keycount.h"
#include "kinds.h"

#define WORD_BITS	64
/* Steele and Vigna, "Computationally easy, spectrally good multipliers". */
#define MULTIPLIER	0xf1357aea2e62a9c5ULL

/* The next position, as a word of the table and a bit in this word. */
static atomic64_t *classic_next(const struct seen_set *set, u64 *state, u64 *bit)
{
	u64 position = seen_set_place(set, *state);

	*state *= MULTIPLIER;
	*bit = 1ULL << position % WORD_BITS;
	return (atomic64_t *)set->table + position / WORD_BITS;
}

bool seen_classic_test(const struct seen_set *set, u64 hash)
{
	const atomic64_t *word;
	u64 miss = 0;
	u64 bit;
	u32 i;

	for (i = 0; i < set->geo.hashes; i++) {
		word = classic_next(set, &hash, &bit);
		miss |= bit & ~atomic64_read(word);
	}
	return !miss;
}

static void classic_store(struct seen_set *set, u64 hash)
{
	atomic64_t *word;
	u64 bit;
	u32 i;

	for (i = 0; i < set->geo.hashes; i++) {
		word = classic_next(set, &hash, &bit);
		if (!(atomic64_read(word) & bit))
			atomic64_or(bit, word);
	}
}

/* Caller holds the stripe of the hash. */
static enum seen_result classic_add(struct seen_set *set, u64 hash,
				    struct seen_stripe *stripe)
{
	if (seen_classic_test(set, hash))
		return SEEN_SEEN;
	if (seen_keycount_full(set))
		return SEEN_FULL;
	classic_store(set, hash);
	seen_keycount_count(set, stripe, 0);
	return SEEN_NEW;
}

enum seen_result seen_classic_add(struct seen_set *set, u64 hash)
{
	struct seen_stripe *stripe = seen_set_stripe(set, hash);
	enum seen_result result;

	if (seen_classic_test(set, hash))
		return SEEN_SEEN;
	seen_stripe_lock(stripe);
	result = classic_add(set, hash, stripe);
	seen_stripe_unlock(stripe);
	return result;
}
