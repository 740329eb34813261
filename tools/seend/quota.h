/* SPDX-License-Identifier: GPL-2.0 */
/* Token buckets: at most so many keys a second, and so many at once. */
#ifndef SEEND_QUOTA_H
#define SEEND_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct quota - a bucket; zeroed memory is a full one
 * @taken: keys that are not yet refilled, times NS_PER_SEC
 * @time: of the last refill, ns; 0: none
 */
struct quota {
	__uint128_t taken;
	uint64_t time;
};

/**
 * quota_take() - may so many keys pass?
 * @quota: the bucket
 * @rate: keys refilled in each @period; 0: none
 * @period: ns
 * @burst: keys in a full bucket
 * @keys: wanted
 * @now: ns; an earlier time than before refills nothing
 *
 * Return: true: they are taken; false: nothing is.
 */
bool quota_take(struct quota *quota, uint64_t rate, uint64_t period, uint64_t burst,
		uint64_t keys, uint64_t now);

/* quota_step() - the clock was set back, ns */
void quota_step(struct quota *quota, uint64_t back);

/* quota_charge() - take keys that have passed, even if the bucket has fewer */
void quota_charge(struct quota *quota, uint64_t keys);

/* quota_return() - put keys back */
void quota_return(struct quota *quota, uint64_t keys);

#endif
