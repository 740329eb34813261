// SPDX-License-Identifier: GPL-2.0
/*
 * Number of keys in a set. Each stripe counts the keys that are stored under its lock
 * and adds the count to the set in batches, so that CPUs seldom write to the same word.
 */
#include "keycount.h"

#define COUNT_BITS	SEEN_KEYCOUNT_BITS
#define COUNT_MASK	SEEN_KEYCOUNT_MASK
#define EPOCH_MASK	SEEN_KEYCOUNT_EPOCH_MASK
#define SLOTS		(SEEN_GENERATIONS + 1)
#define BATCH_MAX	64
/* All stripes together hold back at most 1/8 of the capacity. */
#define PENDING_PART	8

void seen_keycount_init(struct seen_set *set, u64 max)
{
	u64 batch = set->geo.capacity / PENDING_PART / (set->stripe_mask + 1);
	int i;

	if (batch > BATCH_MAX)
		batch = BATCH_MAX;
	set->keys.batch = batch ? batch : 1;
	set->keys.max = max;
	for (i = 0; i < SLOTS; i++)
		atomic64_set(&set->keys.count[i], 0);
}

static bool keycount_has_generations(const struct seen_set *set)
{
	return set->geo.kind == SEEN_SET_BLOOM_WINDOW;
}

static u32 keycount_age(u64 word, u32 epoch)
{
	return seen_keycount_age(word, epoch);
}

/* The first key of an epoch takes over the slot of the epoch that was four epochs before. */
void seen_keycount_add(struct seen_keycount *keycount, u32 epoch, s64 keys)
{
	atomic64_t *slot = &keycount->count[epoch % SLOTS];
	s64 old = atomic64_read(slot);
	s64 count;

	do {
		count = keys;
		if (!keycount_age(old, epoch))
			count += old & COUNT_MASK;
		else if (keycount_age(old, epoch) > EPOCH_MASK / 2)
			return;		/* @epoch has expired */
		if (count < 0)
			count = 0;
		if (count > (s64)COUNT_MASK)
			count = COUNT_MASK;
	} while (!atomic64_try_cmpxchg(slot, &old,
				       seen_keycount_word(epoch, count)));
}

static void keycount_count_generation(struct seen_set *set, u32 epoch, s64 keys)
{
	seen_keycount_add(&set->keys, epoch, keys);
}

static void keycount_flush(struct seen_set *set, struct seen_stripe *stripe)
{
	if (keycount_has_generations(set))
		keycount_count_generation(set, stripe->pending_epoch, stripe->pending);
	else
		atomic64_add((s32)stripe->pending, &set->keys.count[0]);
	WRITE_ONCE(stripe->pending, 0);
}

/* The pending count of a stripe belongs to one epoch. */
void seen_keycount_settle(struct seen_set *set, struct seen_stripe *stripe,
			  u32 epoch)
{
	if (stripe->pending && stripe->pending_epoch != epoch)
		keycount_flush(set, stripe);
	WRITE_ONCE(stripe->pending_epoch, epoch);
}

void seen_keycount_count(struct seen_set *set, struct seen_stripe *stripe,
			 u32 epoch)
{
	seen_keycount_settle(set, stripe, epoch);
	WRITE_ONCE(stripe->pending, stripe->pending + 1);
	if (stripe->pending >= set->keys.batch)
		keycount_flush(set, stripe);
}

void seen_keycount_change(struct seen_set *set, struct seen_stripe *stripe,
			  s32 change)
{
	s32 batch = set->keys.batch;
	s32 pending = stripe->pending + change;

	WRITE_ONCE(stripe->pending, pending);
	if (pending >= batch || pending <= -batch)
		keycount_flush(set, stripe);
}

void seen_keycount_move(struct seen_set *set, struct seen_stripe *stripe,
			u32 from, u32 to)
{
	seen_keycount_settle(set, stripe, to);
	keycount_count_generation(set, from, -1);
	seen_keycount_count(set, stripe, to);
}

void seen_keycount_sweep(struct seen_set *set, u32 epoch)
{
	u32 i;

	for (i = 0; i < SLOTS; i++)
		keycount_count_generation(set, epoch - i, 0);
}

void seen_keycount_count_now(struct seen_set *set)
{
	atomic64_inc(&set->keys.count[0]);
}

void seen_keycount_uncount(struct seen_set *set)
{
	atomic64_dec(&set->keys.count[0]);
}

/* The sum may be below 0, if a del is counted before its add. */
static u64 keycount_least_0(s64 count)
{
	return count > 0 ? count : 0;
}

u64 seen_keycount_keys(const struct seen_set *set, u32 epoch)
{
	u64 sum = 0;
	u64 word;
	int i;

	if (!keycount_has_generations(set))
		return keycount_least_0(atomic64_read(&set->keys.count[0]));
	for (i = 0; i < SLOTS; i++) {
		word = atomic64_read(&set->keys.count[i]);
		if (keycount_age(word, epoch) < SEEN_GENERATIONS)
			sum += word & COUNT_MASK;
	}
	return sum;
}

/* The pending counts of all stripes. */
static s64 keycount_pending(const struct seen_set *set, u32 epoch)
{
	const struct seen_stripe *stripe = set->stripes;
	s64 sum = 0;
	u32 i;

	for (i = 0; i <= set->stripe_mask; i++, stripe++)
		if (!keycount_has_generations(set) ||
		    epoch - READ_ONCE(stripe->pending_epoch) < SEEN_GENERATIONS)
			sum += (s32)READ_ONCE(stripe->pending);
	return sum;
}

u64 seen_keycount_entries(const struct seen_set *set, u32 epoch)
{
	s64 held = keycount_pending(set, epoch);

	if (keycount_has_generations(set))
		return seen_keycount_keys(set, epoch) + held;
	return keycount_least_0(atomic64_read(&set->keys.count[0]) + held);
}

/* Stores @keys less the pending counts, which the stripes will add later. */
void seen_keycount_put(struct seen_set *set, u32 epoch, u64 keys)
{
	s64 held = keycount_pending(set, epoch);

	keys = keycount_least_0(keys - held);
	if (keys > COUNT_MASK)
		keys = COUNT_MASK;
	if (keycount_has_generations(set))
		atomic64_set(&set->keys.count[epoch % SLOTS],
			     (u64)(epoch & EPOCH_MASK) << COUNT_BITS | keys);
	else
		atomic64_set(&set->keys.count[0], keys);
}
