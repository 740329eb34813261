/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access to two buckets under their stripes: how the cuckoo kinds read without a lock.
 *
 * A reader loads both sequence counts, looks, and loads them again. It never waits for
 * a writer: after SEEN_PAIR_TRIES lost races it takes the locks, like a writer.
 * seen_stripe_lock_pair() locks the stripes in ascending order of their addresses.
 */
#ifndef SEEN_CORE_PAIR_H
#define SEEN_CORE_PAIR_H

#include "stripe.h"

/* Lost races after which a reader takes the locks. */
#define SEEN_PAIR_TRIES		4

/**
 * struct seen_pair - the stripes of two buckets
 * @a: stripe of one bucket
 * @b: stripe of the other, may be @a
 */
struct seen_pair {
	struct seen_stripe *a;
	struct seen_stripe *b;
};

/* Sequence counts from seen_pair_look(). */
struct seen_pair_seq {
	u32 a;
	u32 b;
};

static inline void seen_pair_lock(const struct seen_pair *pair)
{
	seen_stripe_lock_pair(pair->a, pair->b);
}

static inline void seen_pair_unlock(const struct seen_pair *pair)
{
	seen_stripe_unlock_pair(pair->a, pair->b);
}

/* Start to read without a lock. */
static inline struct seen_pair_seq seen_pair_look(const struct seen_pair *pair)
{
	return (struct seen_pair_seq) {
		.a = raw_read_seqcount(&pair->a->seq),
		.b = raw_read_seqcount(&pair->b->seq),
	};
}

/* True if no write was under way at seen_pair_look(), and none has begun since. */
static inline bool seen_pair_calm(const struct seen_pair *pair,
				  struct seen_pair_seq seq)
{
	return !((seq.a | seq.b) & 1) &&
	       !read_seqcount_retry(&pair->a->seq, seq.a) &&
	       !read_seqcount_retry(&pair->b->seq, seq.b);
}

/*
 * Begin a write that readers must see as a whole; caller holds the locks. Raw, because
 * on PREEMPT_RT the lock does not disable preemption, and no reader spins on the count.
 */
static inline void seen_pair_write_begin(const struct seen_pair *pair)
{
	raw_write_seqcount_begin(&pair->a->seq);
	if (pair->b != pair->a)
		raw_write_seqcount_begin(&pair->b->seq);
}

static inline void seen_pair_write_end(const struct seen_pair *pair)
{
	if (pair->b != pair->a)
		raw_write_seqcount_end(&pair->b->seq);
	raw_write_seqcount_end(&pair->a->seq);
}

#endif
