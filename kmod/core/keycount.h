/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many keys a set holds. With generations each has a word of its own, which has its
 * epoch, too; see struct seen_keycount.
 */
#ifndef SEEN_CORE_KEYCOUNT_H
#define SEEN_CORE_KEYCOUNT_H

#include "table.h"

/*
 * Bits of an epoch in a count; a line has 32. The sweep, each quarter of this range, keeps
 * both from coming round.
 */
#define SEEN_EPOCH_BITS		28

#define SEEN_KEYCOUNT_BITS	(64 - SEEN_EPOCH_BITS)
#define SEEN_KEYCOUNT_MASK	((1ULL << SEEN_KEYCOUNT_BITS) - 1)
#define SEEN_KEYCOUNT_EPOCH_MASK	((1U << SEEN_EPOCH_BITS) - 1)

static inline u64 seen_keycount_word(u32 epoch, u64 count)
{
	return (u64)(epoch & SEEN_KEYCOUNT_EPOCH_MASK) << SEEN_KEYCOUNT_BITS |
	       count;
}

/* How many epochs @word is behind @epoch; huge if it is ahead. */
static inline u32 seen_keycount_age(u64 word, u32 epoch)
{
	return (epoch - (u32)(word >> SEEN_KEYCOUNT_BITS)) &
	       SEEN_KEYCOUNT_EPOCH_MASK;
}

/* What a word counts, 0 if its generation is over. */
static inline u64 seen_keycount_live(u64 word, u32 epoch)
{
	return seen_keycount_age(word, epoch) < SEEN_GENERATIONS ?
	       word & SEEN_KEYCOUNT_MASK : 0;
}

/* seen_keycount_add() - @keys more, or less, in the generation of @epoch */
void seen_keycount_add(struct seen_keycount *keycount, u32 epoch, s64 keys);

/* No keys; from the count @max on the set is full. */
void seen_keycount_init(struct seen_set *set, u64 max);
/* One key more under @stripe, whose lock is held; @epoch is 0 without generations. */
void seen_keycount_count(struct seen_set *set, struct seen_stripe *stripe,
			 u32 epoch);
/* One key more, at once: of a kind whose adds wait for each other. */
void seen_keycount_count_now(struct seen_set *set);
/*
 * So much more or less under @stripe, held, or of a set that nobody else knows; kinds
 * without generations.
 */
void seen_keycount_change(struct seen_set *set, struct seen_stripe *stripe,
			  s32 change);
/* One key less (a del). */
void seen_keycount_uncount(struct seen_set *set);
/* One key goes from an older generation to that of epoch @to. */
void seen_keycount_move(struct seen_set *set, struct seen_stripe *stripe,
			u32 from, u32 to);
/* Add what @stripe, held, has pending of older epochs. */
void seen_keycount_settle(struct seen_set *set, struct seen_stripe *stripe,
			  u32 epoch);
/* Forget the generations before @epoch, the present one. */
void seen_keycount_sweep(struct seen_set *set, u32 epoch);

/* seen_set_full() of a kind without generations that is full by its count */
static inline bool seen_keycount_full(const struct seen_set *set)
{
	return atomic64_read(&set->keys.count[0]) >= (s64)set->keys.max &&
	       !READ_ONCE(set->mirrors);
}

/* Keys counted; @epoch is the present one, 0 without generations. */
u64 seen_keycount_keys(const struct seen_set *set, u32 epoch);
/* And those that the stripes still hold back; process context, walks them. */
u64 seen_keycount_entries(const struct seen_set *set, u32 epoch);
/* @keys are there, whatever was counted; process context. */
void seen_keycount_put(struct seen_set *set, u32 epoch, u64 keys);

#endif
