/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in for the kernel's header of the same name. */
#ifndef SEEN_SHIM_COMPILER_H
#define SEEN_SHIM_COMPILER_H

#include <stdbool.h>

#define __aligned(x)		__attribute__((__aligned__(x)))
#define __packed		__attribute__((__packed__))
#ifndef __always_inline		/* glibc's own is the same */
#define __always_inline		inline __attribute__((__always_inline__))
#endif
#define noinline		__attribute__((__noinline__))
#define __maybe_unused		__attribute__((__unused__))
#define __must_check		__attribute__((__warn_unused_result__))
#define fallthrough		__attribute__((__fallthrough__))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define barrier()		__asm__ __volatile__("" : : : "memory")

/* What sparse alone reads. */
#define __must_hold(x)
#define __acquires(x)
#define __releases(x)
#define __acquire(x)		((void)0)
#define __release(x)		((void)0)

/*
 * A test that tries every interleaving is told before each access to shared
 * memory, and may let another thread of its own run there.
 */
#ifdef SEEN_SHIM_STEP
void seen_shim_step(const volatile void *memory, bool write);
#else
#define seen_shim_step(memory, write)	((void)0)
#endif

/* Atomics and not volatile: ThreadSanitizer takes a volatile for a race. */
#define READ_ONCE(x)							\
({									\
	seen_shim_step(&(x), false);					\
	__atomic_load_n(&(x), __ATOMIC_RELAXED);			\
})

#define WRITE_ONCE(x, val)						\
do {									\
	seen_shim_step(&(x), true);					\
	__atomic_store_n(&(x), (val), __ATOMIC_RELAXED);		\
} while (0)

#endif
