/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_CORE_FETCH_H
#define SEEN_CORE_FETCH_H

#include <linux/compiler.h>

/*
 * seen_fetch() - start loading one cache line
 *
 * Inline assembly on x86-64: without SSE clang emits no instruction for its builtin,
 * and gcc drops calls of a function that only prefetches.
 */
static __always_inline void seen_fetch(const void *at)
{
#ifdef __x86_64__
	asm volatile("prefetcht0 %0" : : "m" (*(const char *)at));
#else
	__builtin_prefetch(at);
#endif
}

#endif
