/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in for the kernel's header of the same name. */
#ifndef SEEN_SHIM_SEQLOCK_H
#define SEEN_SHIM_SEQLOCK_H

#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <sched.h>

typedef struct {
	u32 sequence;
} seqcount_t;

static inline void seqcount_init(seqcount_t *s)
{
	s->sequence = 0;
}

/* Does not wait until the count is even. */
static inline u32 raw_read_seqcount(const seqcount_t *s)
{
	return smp_load_acquire(&s->sequence);
}

static inline u32 raw_read_seqcount_begin(const seqcount_t *s)
{
	u32 seq;

	while ((seq = raw_read_seqcount(s)) & 1)
		sched_yield();
	return seq;
}

static inline bool read_seqcount_retry(const seqcount_t *s, u32 start)
{
	smp_rmb();
	return READ_ONCE(s->sequence) != start;
}

static inline void raw_write_seqcount_begin(seqcount_t *s)
{
	WRITE_ONCE(s->sequence, s->sequence + 1);
	smp_wmb();
}

static inline void raw_write_seqcount_end(seqcount_t *s)
{
	smp_wmb();
	WRITE_ONCE(s->sequence, s->sequence + 1);
}

#define read_seqcount_begin(s)			raw_read_seqcount_begin(s)
#define write_seqcount_begin(s)			raw_write_seqcount_begin(s)
#define write_seqcount_begin_nested(s, depth)	raw_write_seqcount_begin(s)
#define write_seqcount_end(s)			raw_write_seqcount_end(s)

#endif
