/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_CORE_PREFETCH_H
#define SEEN_CORE_PREFETCH_H

#include "set.h"

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

/* seen_set_can_prefetch() - is it known where a key's memory is? */
static inline bool seen_set_can_prefetch(const struct seen_geometry *geo)
{
	return geo->kind != SEEN_SET_MAP && geo->kind != SEEN_SET_CMS &&
	       geo->kind != SEEN_SET_CMM;
}

/**
 * seen_set_prefetch() - have the memory of a key on its way
 * @set: the set
 * @hash: of the key
 *
 * For who asks for many keys at once: the misses of all of them overlap. Needed
 * by none: a wrong guess costs time alone.
 */
void seen_set_prefetch(const struct seen_set *set, u64 hash);

#endif
