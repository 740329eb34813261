/* SPDX-License-Identifier: GPL-2.0 */
/* Predicted false-positive rates; the kernel does not need them. */
#ifndef SEEN_LIB_RATE_H
#define SEEN_LIB_RATE_H

#include <linux/types.h>

struct seen_geometry;

/**
 * seen_rate() - probability that a set calls a new key seen
 * @geo: from seen_plan()
 * @keys: distinct keys in the set; for a windowed Bloom filter all in one generation, which is
 *        the worst case
 *
 * Return: the expected rate, 0 to 1; 1 also for an impossible geometry.
 */
double seen_rate(const struct seen_geometry *geo, __u64 keys);

/**
 * seen_excess() - probability that a sketch exceeds some part of its error bound
 * @geo: from seen_plan(), of SEEN_SET_CMS or SEEN_SET_CMM
 * @part: fraction of the bound, above 0; the bound is the sum of all counts / @geo->capacity
 *
 * Return: an upper bound of the probability that a count exceeds the true count by more than
 * @part of the bound, for any input.
 */
double seen_excess(const struct seen_geometry *geo, double part);

#endif
