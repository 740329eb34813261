/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two buckets under their stripes: how the cuckoo kinds read without a lock.
 *
 * A reader loads both sequence counts, looks, and loads them again. It never
 * waits for a writer: after a few lost races it takes the locks, like a
 * writer. The stripes are ordered by address, as seen_stripe_lock_pair() does.
 */
#ifndef SEEN_CORE_PAIR_H
#define SEEN_CORE_PAIR_H

#include "stripe.h"

/* Lost races after which a reader takes the locks. */
#define SEEN_PAIR_TRIES		4

/**
 * struct seen_pair - the stripes of two buckets
 * @a: of one
 * @b: of the other, may be @a
 */
struct seen_pair {
	struct seen_stripe *a;
	struct seen_stripe *b;
};

/* What seen_pair_look() saw. */
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

/* Begin to look, without a lock. */
static inline struct seen_pair_seq seen_pair_look(const struct seen_pair *pair)
{
	return (struct seen_pair_seq) {
		.a = raw_read_seqcount(&pair->a->seq),
		.b = raw_read_seqcount(&pair->b->seq),
	};
}

/* True if nothing was written since seen_pair_look(), nor just then. */
static inline bool seen_pair_calm(const struct seen_pair *pair,
				  struct seen_pair_seq seq)
{
	return !((seq.a | seq.b) & 1) &&
	       !read_seqcount_retry(&pair->a->seq, seq.a) &&
	       !read_seqcount_retry(&pair->b->seq, seq.b);
}

/*
 * A section that readers must not see half of; the locks are held. Raw, since
 * on PREEMPT_RT the lock does not keep the writer from being preempted: no
 * reader spins on it.
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
