/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Number of keys in a set. In a kind with generations, each generation has a word of
 * its own, which also holds its epoch; see struct seen_keycount.
 */
#ifndef SEEN_CORE_KEYCOUNT_H
#define SEEN_CORE_KEYCOUNT_H

#include "table.h"

/*
 * Bits of an epoch in a count; a line stores 32 bits of it. A sweep runs at least once per
 * quarter of the smaller range, so neither wraps unnoticed.
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

/* Number of epochs that @word is behind @epoch; a huge number if it is ahead. */
static inline u32 seen_keycount_age(u64 word, u32 epoch)
{
	return (epoch - (u32)(word >> SEEN_KEYCOUNT_BITS)) &
	       SEEN_KEYCOUNT_EPOCH_MASK;
}

/* Count of a word; 0 if its generation has expired. */
static inline u64 seen_keycount_live(u64 word, u32 epoch)
{
	return seen_keycount_age(word, epoch) < SEEN_GENERATIONS ?
	       word & SEEN_KEYCOUNT_MASK : 0;
}

/* seen_keycount_add() - add @keys, which may be negative, to the generation of @epoch */
void seen_keycount_add(struct seen_keycount *keycount, u32 epoch, s64 keys);

/* Start with no keys. The set is full when the count reaches @max. */
void seen_keycount_init(struct seen_set *set, u64 max);
/* Count one key more. Caller holds @stripe; @epoch is 0 without generations. */
void seen_keycount_count(struct seen_set *set, struct seen_stripe *stripe,
			 u32 epoch);
/* Count one key more without a batch: for a kind whose adds are serialised. */
void seen_keycount_count_now(struct seen_set *set);
/*
 * Add @change, which may be negative. Caller holds @stripe or is the only user of the
 * set. Only for kinds without generations.
 */
void seen_keycount_change(struct seen_set *set, struct seen_stripe *stripe,
			  s32 change);
/* Count one key less without a batch: after a del. */
void seen_keycount_uncount(struct seen_set *set);
/* Move the count of one key from epoch @from to epoch @to. Caller holds @stripe. */
void seen_keycount_move(struct seen_set *set, struct seen_stripe *stripe,
			u32 from, u32 to);
/* Add the pending count of @stripe to @set if it is of another epoch. Caller holds @stripe. */
void seen_keycount_settle(struct seen_set *set, struct seen_stripe *stripe,
			  u32 epoch);
/* Drop the counts of expired generations; @epoch is the current one. */
void seen_keycount_sweep(struct seen_set *set, u32 epoch);

/* seen_set_full() for kinds without generations that are full at a maximum count */
static inline bool seen_keycount_full(const struct seen_set *set)
{
	return atomic64_read(&set->keys.count[0]) >= (s64)set->keys.max &&
	       !READ_ONCE(set->mirrors);
}

/* Keys counted, without the pending ones; @epoch is the current one, 0 without generations. */
u64 seen_keycount_keys(const struct seen_set *set, u32 epoch);
/* As seen_keycount_keys(), with the pending ones. Walks all stripes: at most 1024. */
u64 seen_keycount_entries(const struct seen_set *set, u32 epoch);
/* Replace the count of @epoch by @keys. Process context. */
void seen_keycount_put(struct seen_set *set, u32 epoch, u64 keys);

#endif
