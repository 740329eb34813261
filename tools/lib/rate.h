/* SPDX-License-Identifier: GPL-2.0 */
/* False-positive rates as theory predicts them: the kernel has no use for them. */
#ifndef SEEN_LIB_RATE_H
#define SEEN_LIB_RATE_H

#include <linux/types.h>

struct seen_geometry;

/**
 * seen_rate() - the rate at which a set calls a new key seen
 * @geo: as seen_plan() left it
 * @keys: distinct keys in the set; windowed Bloom: all in one generation, the
 *        worst case
 *
 * Return: the expected rate, 0 to 1.
 */
double seen_rate(const struct seen_geometry *geo, __u64 keys);

#endif
