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
 * Return: the expected rate, 0 to 1; 1 as well for a geometry that cannot be.
 */
double seen_rate(const struct seen_geometry *geo, __u64 keys);

/**
 * seen_excess() - how often a sketch errs by more than some part of its bound
 * @geo: as seen_plan() left it, of SEEN_SET_CMS or SEEN_SET_CMM
 * @part: of all that was counted / @geo->capacity; above 0
 *
 * Return: at most so often does a count exceed the true one by more, whatever
 * was counted.
 */
double seen_excess(const struct seen_geometry *geo, double part);

#endif
