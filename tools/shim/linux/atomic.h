/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in for the kernel's header of the same name. */
#ifndef SEEN_SHIM_ATOMIC_H
#define SEEN_SHIM_ATOMIC_H

#include <linux/types.h>

typedef struct {
	s64 counter;
} atomic64_t;

/* Barriers; in the kernel, too, this header includes asm/barrier.h. */
#define seen_shim_order(order, native)					\
do {									\
	seen_shim_barrier(order);					\
	__atomic_thread_fence(native);					\
} while (0)

#define smp_mb()	seen_shim_order(MB, __ATOMIC_SEQ_CST)
#define smp_rmb()	seen_shim_order(RMB, __ATOMIC_ACQUIRE)
#define smp_wmb()	seen_shim_order(WMB, __ATOMIC_RELEASE)

#define smp_load_acquire(p)						\
	seen_shim_read(p, ACQUIRE, __ATOMIC_ACQUIRE)

#define smp_store_release(p, val)					\
do {									\
	seen_shim_write(p, RELEASE);					\
	__atomic_store_n(p, val, __ATOMIC_RELEASE);			\
} while (0)

#define xchg(p, val)							\
({									\
	seen_shim_step(p, true);					\
	seen_shim_write(p, FULL);					\
	__atomic_exchange_n(p, val, __ATOMIC_SEQ_CST);			\
})

/* No other thread of the test runs between a step and the access. */
#define try_cmpxchg(p, old, new)					\
({									\
	seen_shim_step(p, true);					\
	if (__atomic_load_n(p, __ATOMIC_RELAXED) == *(old))		\
		seen_shim_write(p, FULL);				\
	__atomic_compare_exchange_n(p, old, new, false,			\
				    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
})

/* Atomic on one CPU, and without an order. A test may have its producers on several. */
#define cmpxchg_local(p, old, new)					\
({									\
	typeof(*(p)) __old = (old);					\
									\
	seen_shim_step(p, true);					\
	if (__atomic_load_n(p, __ATOMIC_RELAXED) == __old)		\
		seen_shim_write(p, RMW);				\
	__atomic_compare_exchange_n(p, &__old, new, false,		\
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
	__old;								\
})

static inline s64 atomic64_read(const atomic64_t *v)
{
	return READ_ONCE(v->counter);
}

static inline void atomic64_set(atomic64_t *v, s64 val)
{
	WRITE_ONCE(v->counter, val);
}

static inline void atomic64_add(s64 val, atomic64_t *v)
{
	seen_shim_step(v, true);
	seen_shim_write(&v->counter, RMW);
	__atomic_fetch_add(&v->counter, val, __ATOMIC_RELAXED);
}

static inline void atomic64_sub(s64 val, atomic64_t *v)
{
	atomic64_add(-val, v);
}

static inline void atomic64_inc(atomic64_t *v)
{
	atomic64_add(1, v);
}

static inline void atomic64_dec(atomic64_t *v)
{
	atomic64_add(-1, v);
}

static inline void atomic64_or(s64 val, atomic64_t *v)
{
	seen_shim_step(v, true);
	seen_shim_write(&v->counter, RMW);
	__atomic_fetch_or(&v->counter, val, __ATOMIC_RELAXED);
}

static inline s64 atomic64_xchg(atomic64_t *v, s64 val)
{
	return xchg(&v->counter, val);
}

static inline bool atomic64_try_cmpxchg(atomic64_t *v, s64 *old, s64 val)
{
	return try_cmpxchg(&v->counter, old, val);
}

#endif
