// SPDX-License-Identifier: GPL-2.0
/*
 * Bitmap: one bit for each number of a range. It is exact, so it has no direction of
 * error, and it is never full.
 *
 * Writers of a 512-bit line hold its stripe, so plain stores of whole words suffice;
 * readers hold no lock. Adding a number that is present, or deleting one that is absent,
 * takes no lock and writes nothing.
 */
#include "block.h"
#include "keycount.h"
#include "kinds.h"

#define WORD_BITS	64

static u64 *bitmap_word_of(const struct seen_set *set, u64 number)
{
	return (u64 *)set->table + number / WORD_BITS;
}

static u64 bitmap_bit_of(u64 number)
{
	return 1ULL << number % WORD_BITS;
}

bool seen_bitmap_test(const struct seen_set *set, u64 number)
{
	return READ_ONCE(*bitmap_word_of(set, number)) & bitmap_bit_of(number);
}

enum seen_result seen_bitmap_add(struct seen_set *set, u64 number)
{
	struct seen_stripe *stripe;
	u64 *word = bitmap_word_of(set, number);
	bool seen;

	if (seen_bitmap_test(set, number))
		return SEEN_SEEN;
	stripe = seen_set_stripe(set, number / SEEN_LINE_BITS);
	seen_stripe_lock(stripe);
	seen = seen_bitmap_test(set, number);
	if (!seen) {
		WRITE_ONCE(*word, *word | bitmap_bit_of(number));
		seen_keycount_count(set, stripe, 0);
	}
	seen_stripe_unlock(stripe);
	return seen ? SEEN_SEEN : SEEN_NEW;
}

enum seen_result seen_bitmap_del(struct seen_set *set, u64 number)
{
	struct seen_stripe *stripe;
	u64 *word = bitmap_word_of(set, number);
	bool seen;

	if (!seen_bitmap_test(set, number))
		return SEEN_ABSENT;
	stripe = seen_set_stripe(set, number / SEEN_LINE_BITS);
	seen_stripe_lock(stripe);
	seen = seen_bitmap_test(set, number);
	if (seen) {
		WRITE_ONCE(*word, *word & ~bitmap_bit_of(number));
		seen_keycount_uncount(set);
	}
	seen_stripe_unlock(stripe);
	return seen ? SEEN_SEEN : SEEN_ABSENT;
}
