/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's interface, as far as the module's files in tests need it. Values have the kernel's
 * meaning. Functions that wait, that run later or that allocate memory are defined by the backend
 * with which a test is linked: explored.c or plain.c; see fake.h.
 */
#ifndef SEEN_FAKE_KERNEL_H
#define SEEN_FAKE_KERNEL_H

#include <errno.h>
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/skbuff.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fake.h"

#define CONFIG_64BIT		1
/* Every option is enabled. */
#define IS_ENABLED(CONFIG_OPTION)	true

#define __percpu
#define ____cacheline_aligned	__aligned(64)
#define __net_init
#define __net_exit
#define EXPORT_SYMBOL_GPL(name)

#define BIT(n)			(1UL << (n))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define PAGE_SHIFT		12
#define PAGE_ALIGN(n)		(((n) + 4095) & ~4095ULL)
#define clamp_t(type, n, low, high) \
	min_t(type, max_t(type, n, low), high)
#define struct_size(p, member, n) (sizeof(*(p)) + (n) * sizeof(*(p)->member))
#define check_add_overflow(a, b, sum)	__builtin_add_overflow(a, b, sum)
#define mul_u64_u64_div_u64(a, b, c) \
	((u64)((__uint128_t)(a) * (b) / (c)))
#define mul_u64_u32_shr(a, b, shift)	((u64)((__uint128_t)(a) * (b) >> (shift)))
#define div_u64(a, b)		((u64)(a) / (u32)(b))
static inline u64 div_u64_rem(u64 a, u32 b, u32 *rest)
{
	*rest = a % b;
	return a / b;
}
#define pr_notice_ratelimited(format, ...) \
	((void)sizeof(printf(format, ##__VA_ARGS__)))
#define max3(a, b, c)		max(max(a, b), c)
#define swap(a, b)							\
do {									\
	typeof(a) __swapped = (a);					\
									\
	(a) = (b);							\
	(b) = __swapped;						\
} while (0)
#define cpu_to_be64(x)		__cpu_to_be64(x)
#define memzero_explicit(p, n)	memset(p, 0, n)
#define container_of(p, type, member)					\
	((type *)((char *)(p) - offsetof(type, member)))

#define IS_ERR(p)		((unsigned long)(p) >= -4095UL)
#define PTR_ERR(p)		((long)(p))
#define ERR_PTR(err)		((void *)(long)(err))
#define PTR_ERR_OR_ZERO(p)	(IS_ERR(p) ? PTR_ERR(p) : 0)
#define WARN_ON_ONCE(bad)						\
do {									\
	if (bad)							\
		abort();						\
} while (0)

static inline void strscpy(char *to, const char *from, size_t bytes)
{
	while (--bytes && *from)
		*to++ = *from++;
	*to = '\0';
}

typedef struct {
	int counter;
} atomic_t;

#define atomic_read(v)		READ_ONCE((v)->counter)
#define atomic_set(v, n)	WRITE_ONCE((v)->counter, n)
#define atomic_inc_return(v)						\
({									\
	int __was = atomic_read(v);					\
									\
	while (!try_cmpxchg(&(v)->counter, &__was, __was + 1))		\
		;							\
	__was + 1;							\
})

/* Bits of a word: each access is a step, fully ordered if the kernel's function is. */
#define test_bit(bit, word)	(READ_ONCE(*(word)) >> (bit) & 1)
#define change_bit(bit, word, set)					\
({									\
	unsigned long __old = READ_ONCE(*(word));			\
	unsigned long __bit = 1UL << (bit);				\
									\
	while (!try_cmpxchg(word, &__old,				\
			    (set) ? __old | __bit : __old & ~__bit))	\
		;							\
	!!(__old & __bit);						\
})
#define test_and_set_bit(bit, word)	change_bit(bit, word, true)
#define test_and_clear_bit(bit, word)	change_bit(bit, word, false)
#define clear_bit(bit, word)		((void)change_bit(bit, word, false))

/* A jiffy is a ns of the clock that the test sets. */
#define NSEC_PER_MSEC		1000000ULL
#define NSEC_PER_SEC		1000000000ULL
#define HZ			NSEC_PER_SEC
#define jiffies			((unsigned long)get_jiffies_64())
#define jiffies_to_nsecs(n)	(n)
#define jiffies64_to_nsecs(n)	(n)
#define nsecs_to_jiffies(n)	(n)
#define time_before(a, b)	((long)((a) - (b)) < 0)

#define cond_resched()		fake_sleep()
#define fatal_signal_pending(task)	false

/* No hash: lists of keys are short, and the order in a chain does not matter. */
#define jhash(key, len, seed)	((void)(key), (void)(len), (seed))

#endif
