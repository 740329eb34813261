// SPDX-License-Identifier: GPL-2.0
/*
 * Sum of all counts of a sketch. As in keycount.c the stripes add their counts to the
 * sum in batches, so that CPUs seldom write to the same word. But here a stripe counts
 * without its lock, in a word that also holds the epoch.
 */
#include "keycount.h"
#include "total.h"

#define BATCH_MAX	64
/*
 * All stripes together hold back at most 1/4 of the number of columns, so that a
 * column's share of the total is too low by at most a quarter of a count.
 */
#define PENDING_PART	4

void seen_total_init(struct seen_set *set)
{
	u64 batch = set->geo.blocks / PENDING_PART / (set->stripe_mask + 1);
	u32 i;

	if (batch > BATCH_MAX)
		batch = BATCH_MAX;
	set->total.batch = batch ? batch : 1;
	for (i = 0; i <= SEEN_GENERATIONS; i++)
		atomic64_set(&set->total.count[i], 0);
	for (i = 0; i <= set->stripe_mask; i++)
		atomic64_set(&set->stripes[i].counted, 0);
}

void seen_total_add(struct seen_set *set, u32 epoch, u64 count)
{
	if (set->geo.tick)
		seen_keycount_add(&set->total, epoch, count);
	else
		atomic64_add(count, &set->total.count[0]);
}

static void total_hand_on(struct seen_set *set, u64 word)
{
	if (word & SEEN_KEYCOUNT_MASK)
		seen_total_add(set, word >> SEEN_KEYCOUNT_BITS,
			       word & SEEN_KEYCOUNT_MASK);
}

static bool total_is_over(u64 word, u32 epoch)
{
	u32 age = seen_keycount_age(word, epoch);

	return age && age <= SEEN_KEYCOUNT_EPOCH_MASK / 2;
}

/* If the stripe's epoch is ahead of @epoch, the stripe's epoch is the current one. */
void seen_total_count(struct seen_set *set, struct seen_stripe *stripe,
		      u32 epoch)
{
	s64 old = atomic64_read(&stripe->counted);
	bool over, whole;
	u64 new;

	do {
		over = total_is_over(old, epoch);
		new = (over ? seen_keycount_word(epoch, 0) : (u64)old) + 1;
		whole = (new & SEEN_KEYCOUNT_MASK) >= set->total.batch;
	} while (!atomic64_try_cmpxchg(&stripe->counted, &old,
				       whole ? new & ~SEEN_KEYCOUNT_MASK :
					       new));
	if (over)
		total_hand_on(set, old);
	if (whole)
		total_hand_on(set, new);
}

/* For a late sweep: all epochs have expired. */
static void total_forget(struct seen_set *set, u32 epoch)
{
	u32 i;

	for (i = 0; i <= set->stripe_mask; i++)
		atomic64_set(&set->stripes[i].counted,
			     seen_keycount_word(epoch, 0));
	for (i = 0; i <= SEEN_GENERATIONS; i++, epoch--)
		atomic64_set(&set->total.count[epoch % (SEEN_GENERATIONS + 1)],
			     seen_keycount_word(epoch, 0));
}

void seen_total_sweep(struct seen_set *set, u32 epoch, bool stale)
{
	u32 i;

	if (stale) {
		total_forget(set, epoch);
		return;
	}
	for (i = 0; i <= set->stripe_mask; i++)
		total_hand_on(set, atomic64_xchg(&set->stripes[i].counted,
						 seen_keycount_word(epoch, 0)));
	for (i = 0; i <= SEEN_GENERATIONS; i++)
		seen_keycount_add(&set->total, epoch - i, 0);
}

u64 seen_total(const struct seen_set *set, u32 epoch)
{
	u64 sum = 0;
	u32 i;

	if (!set->geo.tick)
		return atomic64_read(&set->total.count[0]);
	for (i = 0; i <= SEEN_GENERATIONS; i++)
		sum += seen_keycount_live(atomic64_read(&set->total.count[i]),
					  epoch);
	return sum;
}

u64 seen_total_pending(const struct seen_set *set, u32 epoch)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i <= set->stripe_mask; i++)
		sum += seen_keycount_live(atomic64_read(&set->stripes[i].counted),
					  epoch);
	return sum;
}

void seen_total_raise(struct seen_set *set, u32 epoch, u64 total)
{
	u64 counted = seen_total(set, epoch);

	/* A generation's word has no room for more. */
	if (set->geo.tick && total > SEEN_KEYCOUNT_MASK / 2)
		total = SEEN_KEYCOUNT_MASK / 2;
	if (total > counted)
		seen_total_add(set, epoch, total - counted);
}
