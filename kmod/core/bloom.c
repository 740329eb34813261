// SPDX-License-Identifier: GPL-2.0
/*
 * Blocked Bloom filter: a key's bits lie in one 64-byte line, so that a lookup is one
 * cache miss (Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom
 * filters", 2007). In the line a key uses three of the eight words, each with a sparse
 * pattern of one to four bits. A lookup loads all three words before its only branch,
 * because a lookup that stops early costs more in mispredictions than it saves.
 *
 * All writers of a line hold its stripe, so plain stores suffice. A reader that races
 * with a writer may see only some of a key's bits and reports the key as not seen; a
 * test-and-add then looks again under the stripe.
 *
 * Direction of error: a new key is reported as seen, at the planned rate.
 */
#include "block.h"
#include "fetch.h"
#include "keycount.h"
#include "kinds.h"
#include "pattern.h"

#define WORDS	(SEEN_LINE_BITS / 64)
#define PICKED	3

/* A key's line, and its three words with the bits in each. */
struct place {
	u64 line;
	u64 *word[PICKED];
	u64 mask[PICKED];
};

/*
 * 48 bits of the mixed hash choose the patterns, and the upper 16 bits choose the
 * words: the first word, and the distances from it to the other two (two different
 * numbers from 1 to 7).
 *
 * Inlined, so that a place stays in registers: a kernel with INIT_STACK_ALL_ZERO clears
 * each place on the stack first.
 */
static __always_inline struct place bloom_locate(const struct seen_set *set, u64 hash)
{
	u64 line = seen_set_block(set, hash);
	u64 *words = (u64 *)set->table + line * WORDS;
	u32 bits = set->geo.hashes / PICKED;
	u64 mix = seen_remix(hash);
	u32 first = mix >> 61;
	u32 second = 1 + ((mix >> 55 & 63) * 7 >> 6);
	u32 third = 1 + ((mix >> 48 & 127) * 6 >> 7);

	/* Load the line while its words are chosen. */
	seen_fetch(words);
	third += third >= second;
	return (struct place) {
		.line = line,
		.word = {
			words + first,
			words + (first + second) % WORDS,
			words + (first + third) % WORDS,
		},
		.mask = {
			seen_pattern(bits, mix),
			seen_pattern(bits, mix >> 16),
			seen_pattern(bits, mix >> 32),
		},
	};
}

/* The key's bits that are not set. Written out: the compiler does not unroll loops at -O2. */
static __always_inline u64 bloom_missing(const struct place *place)
{
	return (place->mask[0] & ~READ_ONCE(*place->word[0])) |
	       (place->mask[1] & ~READ_ONCE(*place->word[1])) |
	       (place->mask[2] & ~READ_ONCE(*place->word[2]));
}

bool seen_blocked_test(const struct seen_set *set, u64 hash)
{
	const struct place place = bloom_locate(set, hash);

	return !bloom_missing(&place);
}

static __always_inline void bloom_store(u64 *word, u64 mask)
{
	WRITE_ONCE(*word, *word | mask);
}

/* Caller holds the line's stripe. */
static __always_inline enum seen_result bloom_add(struct seen_set *set,
						  const struct place *place,
						  struct seen_stripe *stripe)
{
	if (!bloom_missing(place))
		return SEEN_SEEN;
	if (seen_keycount_full(set))
		return SEEN_FULL;
	bloom_store(place->word[0], place->mask[0]);
	bloom_store(place->word[1], place->mask[1]);
	bloom_store(place->word[2], place->mask[2]);
	seen_keycount_change(set, stripe, 1);
	return SEEN_NEW;
}

enum seen_result seen_blocked_add(struct seen_set *set, u64 hash)
{
	const struct place place = bloom_locate(set, hash);
	struct seen_stripe *stripe;
	enum seen_result result;

	if (!bloom_missing(&place))
		return SEEN_SEEN;

	stripe = seen_set_stripe(set, place.line);
	seen_stripe_lock(stripe);
	result = bloom_add(set, &place, stripe);
	seen_stripe_unlock(stripe);
	return result;
}
