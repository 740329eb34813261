/* SPDX-License-Identifier: GPL-2.0 */
/* Integer logarithms for plans and estimates; not for the packet path. */
#ifndef SEEN_CORE_LOG_H
#define SEEN_CORE_LOG_H

#include <linux/log2.h>
#include <linux/types.h>

#include "wide.h"

/* Bits of fraction of seen_log2(). */
#define SEEN_LOG_SHIFT		58
/* log2(e), with 63 bits of fraction, and ln(2), with 64. */
#define SEEN_LOG2_E		0xb8aa3b295c17f0bcULL
#define SEEN_LN_2		0xb17217f7d1cf79acULL

/**
 * seen_log2() - log2 of @n with SEEN_LOG_SHIFT bits of fraction
 * @n: at least 1
 *
 * Computes bit by bit: squaring doubles the logarithm. In spite of rounding, more than
 * 56 of the 58 bits are correct.
 *
 * Return: the logarithm.
 */
static inline u64 seen_log2(u64 n)
{
	u64 log = ilog2(n);
	u64 x = n << (63 - log);
	int i;

	for (i = 0; i < SEEN_LOG_SHIFT; i++) {
		x = seen_multiply_high(x, x);
		log <<= 1;
		if (x >> 63)
			log |= 1;
		else
			x <<= 1;
	}
	return log;
}

/* seen_ln_ratio() - ln(@a / @b) with SEEN_LOG_SHIFT bits of fraction; @a is at least @b */
static inline u64 seen_ln_ratio(u64 a, u64 b)
{
	return seen_multiply_high(seen_log2(a) - seen_log2(b), SEEN_LN_2);
}

#endif
