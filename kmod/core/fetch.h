/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_CORE_FETCH_H
#define SEEN_CORE_FETCH_H

#include <linux/compiler.h>

/*
 * seen_fetch() - have one line on its way
 *
 * As an instruction, since clang, told to use no SSE, has none for its builtin, and gcc
 * leaves out calls of a function that does nothing but this.
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
