/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lock stripes. Each stripe guards the lines or buckets whose index has the same low
 * bits as its own. Writers of a set hold the stripe. Readers hold no lock and use the
 * sequence count to detect a race with a writer.
 *
 * Lock order: the mover lock of a cuckoo set, then stripes in ascending order.
 */
#ifndef SEEN_CORE_STRIPE_H
#define SEEN_CORE_STRIPE_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/**
 * struct seen_stripe - a lock, and the version of the data that it guards
 * @lock: held by writers, with bottom halves disabled: under iptables-nft a rule in
 *        LOCAL_OUT runs in process context
 * @seq: odd while a writer removes or changes an entry in a cuckoo bucket of this
 *       stripe; with a window, odd during every write, because an add that finds the
 *       count unchanged does not repeat its lookup
 * @pending: keys stored under this stripe and not yet added to seen_keycount
 * @pending_epoch: epoch that @pending counts for
 * @evicted: live entries that were evicted under this stripe
 * @counted: sketches: counts not yet added to the total; the upper 28 bits are their
 *           epoch. Changed atomically, without the lock
 */
struct seen_stripe {
	spinlock_t lock;	/* held by writers */
	seqcount_t seq;
	u32 pending;
	u32 pending_epoch;
	u64 evicted;
	atomic64_t counted;
} __aligned(64);

/* spin_lock_bh: the packet path takes stripes, too. */
static inline void seen_stripe_lock(struct seen_stripe *s)
{
	spin_lock_bh(&s->lock);
}

static inline void seen_stripe_unlock(struct seen_stripe *s)
{
	spin_unlock_bh(&s->lock);
}

/**
 * seen_stripe_lock_pair() - lock the stripes of two buckets
 * @a: a stripe
 * @b: a stripe of the same array, may be @a
 *
 * Context: any but hard interrupt; a cuckoo set's mover lock may be held.
 */
static inline void seen_stripe_lock_pair(struct seen_stripe *a,
					 struct seen_stripe *b)
{
	struct seen_stripe *low = a < b ? a : b;
	struct seen_stripe *high = a < b ? b : a;

	local_bh_disable();
	spin_lock(&low->lock);
	if (high != low) {
		spin_lock_nested(&high->lock, SINGLE_DEPTH_NESTING);
		__release(&high->lock);	/* sparse: one lock either way */
	}
}

static inline void seen_stripe_unlock_pair(struct seen_stripe *a,
					   struct seen_stripe *b)
{
	if (a != b) {
		__acquire(&b->lock);
		spin_unlock(&b->lock);
	}
	spin_unlock(&a->lock);
	local_bh_enable();
}

#endif
