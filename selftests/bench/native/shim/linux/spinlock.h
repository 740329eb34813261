/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Like tools/shim's, but with the cost of an uncontended lock in the kernel: its fast path is one
 * compare-and-exchange, and a store; disabling bottom halves is a counter that is raised and
 * lowered. There is only one thread, so a lock that is held already is an error.
 */
#ifndef SEEN_BENCH_SHIM_SPINLOCK_H
#define SEEN_BENCH_SHIM_SPINLOCK_H

#include <linux/types.h>

typedef struct {
	u32 value;
} spinlock_t;

#define SINGLE_DEPTH_NESTING		1
#define lockdep_assert_held(l)		((void)(l))

/* A counter of each CPU. */
extern __thread u32 bench_preempt_count;
#define BENCH_BH_OFFSET			0x200

static inline void local_bh_disable(void)
{
	WRITE_ONCE(bench_preempt_count, bench_preempt_count + BENCH_BH_OFFSET);
	__asm__ volatile("" ::: "memory");
}

static inline void local_bh_enable(void)
{
	__asm__ volatile("" ::: "memory");
	WRITE_ONCE(bench_preempt_count, bench_preempt_count - BENCH_BH_OFFSET);
}

static inline void spin_lock_init(spinlock_t *l)
{
	l->value = 0;
}

static inline bool spin_trylock(spinlock_t *l)
{
	u32 free = 0;

	return __atomic_compare_exchange_n(&l->value, &free, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static inline void spin_lock(spinlock_t *l)
{
	if (!spin_trylock(l))
		__builtin_trap();
}

static inline void spin_unlock(spinlock_t *l)
{
	__atomic_store_n(&l->value, 0, __ATOMIC_RELEASE);
}

#define spin_lock_nested(l, depth)	spin_lock(l)

static inline void spin_lock_bh(spinlock_t *l)
{
	local_bh_disable();
	spin_lock(l);
}

static inline void spin_unlock_bh(spinlock_t *l)
{
	spin_unlock(l);
	local_bh_enable();
}

static inline bool spin_trylock_bh(spinlock_t *l)
{
	local_bh_disable();
	if (spin_trylock(l))
		return true;
	local_bh_enable();
	return false;
}

#endif
