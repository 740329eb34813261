/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory barriers for the user-mode kernel that measures: those of an x86 kernel on hardware.
 * UML's own barriers are all fences, so that each smp_load_acquire() costs more than the code
 * that it protects. The CPU's ordering rules are the same in user mode (Intel SDM, volume 3,
 * "Memory Ordering"): between CPUs, only a store before a load needs a fence.
 */
#ifndef _ASM_UM_BARRIER_H_
#define _ASM_UM_BARRIER_H_

#include <asm/alternative.h>

/* Barriers for devices are unchanged. */
#define mb()		asm volatile("mfence" : : : "memory")
#define rmb()		asm volatile("lfence" : : : "memory")
#define wmb()		asm volatile("sfence" : : : "memory")

#define __smp_mb()	asm volatile("lock addl $0,-4(%%rsp)" : : : "memory", "cc")
#define __smp_rmb()	barrier()
#define __smp_wmb()	barrier()
#define __smp_store_mb(var, value)	((void)xchg(&(var), value))

#define __smp_store_release(p, v)					\
do {									\
	compiletime_assert_atomic_type(*(p));				\
	barrier();							\
	WRITE_ONCE(*(p), v);						\
} while (0)

#define __smp_load_acquire(p)						\
({									\
	typeof(*(p)) ___p1 = READ_ONCE(*(p));				\
	compiletime_assert_atomic_type(*(p));				\
	barrier();							\
	___p1;								\
})

#define __smp_mb__before_atomic()	do { } while (0)
#define __smp_mb__after_atomic()	do { } while (0)

#include <asm-generic/barrier.h>

#endif
