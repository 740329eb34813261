/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in for the kernel's header of the same name. */
#ifndef SEEN_SHIM_LOG2_H
#define SEEN_SHIM_LOG2_H

#include <linux/types.h>

static inline int ilog2(u64 n)
{
	return 63 - __builtin_clzll(n);
}

static inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

#endif
