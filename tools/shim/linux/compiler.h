/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in for the kernel's header of the same name. */
#ifndef SEEN_SHIM_COMPILER_H
#define SEEN_SHIM_COMPILER_H

#include <stdbool.h>

#define __aligned(x)		__attribute__((__aligned__(x)))
#define __packed		__attribute__((__packed__))
/* <linux/stddef.h>, if it is included first, defines this as plain inline. */
#undef __always_inline
#define __always_inline		inline __attribute__((__always_inline__))
#define noinline		__attribute__((__noinline__))
#if __has_attribute(__uninitialized__)
#define __uninitialized		__attribute__((__uninitialized__))
#else
#define __uninitialized
#endif
#define __maybe_unused		__attribute__((__unused__))
#define __must_check		__attribute__((__warn_unused_result__))
#define fallthrough		__attribute__((__fallthrough__))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define barrier()		__asm__ __volatile__("" : : : "memory")

/* Annotations for sparse. */
#define __must_hold(x)
#define __acquires(x)
#define __releases(x)
#define __acquire(x)		((void)0)
#define __release(x)		((void)0)

/*
 * Hooks for tests that try every interleaving. Such a test is called before each access to
 * shared memory (a step), and may run another of its threads there. A test that also models weakly
 * ordered memory returns the value of each load, and is given the ordering of each access.
 */
enum seen_shim_order {
	SEEN_SHIM_RELAXED,
	SEEN_SHIM_ACQUIRE,
	SEEN_SHIM_RELEASE,
	SEEN_SHIM_RMW,		/* relaxed, and no other write in between */
	SEEN_SHIM_FULL,		/* the same with smp_mb() on both sides */
	SEEN_SHIM_RMB,
	SEEN_SHIM_WMB,
	SEEN_SHIM_MB,
	/* Used by tests only: */
	SEEN_SHIM_DEPEND,	/* an acquire, unless the value is NULL */
	SEEN_SHIM_LOOSE,	/* relaxed, and no later fence orders it either */
	SEEN_SHIM_GRACE,	/* a grace period of RCU */
};

#ifdef SEEN_SHIM_STEP
void seen_shim_step(const volatile void *memory, bool write);
/* Make a step, then load up to eight bytes. */
unsigned long seen_shim_load(const volatile void *memory, unsigned int bytes,
			     enum seen_shim_order order, const char *file,
			     int line);
/* Called before a store, makes its step. Called before an update (RMW, FULL), after its step. */
void seen_shim_store(const volatile void *memory, unsigned int bytes,
		     enum seen_shim_order order, const char *file, int line);
/* Called after a lock was taken, and before it is released. */
void seen_shim_lock(const volatile void *lock, enum seen_shim_order order,
		    const char *file, int line);
void seen_shim_fence(enum seen_shim_order order, const char *file, int line);

#define seen_shim_read(p, order, native)				\
	((typeof(*(p)))seen_shim_load(p, sizeof(*(p)),			\
				      SEEN_SHIM_##order, __FILE__, __LINE__))
#define seen_shim_write(p, order)					\
	seen_shim_store(p, sizeof(*(p)), SEEN_SHIM_##order, __FILE__, __LINE__)
#define seen_shim_sync(lock, order)					\
	seen_shim_lock(lock, SEEN_SHIM_##order, __FILE__, __LINE__)
#define seen_shim_barrier(order)					\
	seen_shim_fence(SEEN_SHIM_##order, __FILE__, __LINE__)
#else
#define seen_shim_step(memory, write)	((void)0)
#define seen_shim_read(p, order, native) __atomic_load_n(p, native)
#define seen_shim_write(p, order)	((void)0)
#define seen_shim_sync(lock, order)	((void)0)
#define seen_shim_barrier(order)	((void)0)
#endif

/* Atomics instead of volatile, which ThreadSanitizer reports as a race. */
#define READ_ONCE(x)	seen_shim_read(&(x), RELAXED, __ATOMIC_RELAXED)

#define WRITE_ONCE(x, val)						\
do {									\
	typeof(x) __val = (val);					\
									\
	seen_shim_write(&(x), RELAXED);					\
	__atomic_store_n(&(x), __val, __ATOMIC_RELAXED);		\
} while (0)

#endif
