/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Budgets of new keys. Half of a filter's capacity is divided into equal shares, one for
 * each port of its guards. The other half is common: a port that has used up its share
 * takes from it, first come, first served. So a busy port can use what other ports leave,
 * but never the share of another port.
 */
#ifndef SEEN_BUDGET_H
#define SEEN_BUDGET_H

#include <linux/spinlock.h>
#include <linux/types.h>

/* A span of time is divided into this many parts; keys are counted for each part. */
#define SEEN_BUDGET_PARTS	8

/**
 * struct seen_budget - new keys that may be stored in a span of time
 * @lock: protects the other members; taken for new keys only
 * @span: length of the span in ns
 * @part: number of the present part: the time in eighths of @span
 * @sum: number of new keys in the present part and in the eight parts before it
 * @keys: number of new keys in each of these nine parts; part n is at index n % 9
 *
 * Any span, wherever it begins, lies within nine parts. The sum of nine parts never exceeds
 * the limit, so no span has more keys than the limit. A budget that is used evenly gets at
 * least eight ninths of the limit.
 */
struct seen_budget {
	spinlock_t lock;	/* the other members */
	u64 span;
	u64 part;
	u64 sum;
	u64 keys[SEEN_BUDGET_PARTS + 1];
};

void seen_budget_init(struct seen_budget *budget);

/**
 * seen_budget_take() - count a new key, if the budget allows one more
 * @budget: the budget
 * @span: length of the span in ns, at least 8; another @span than before resets the counts
 * @limit: maximum number of keys within @span
 *
 * Context: softirq or process.
 * Return: true: the key is counted and may be stored.
 */
bool seen_budget_take(struct seen_budget *budget, u64 span, u64 limit);

/*
 * seen_budget_return() - uncount a key that was not stored after all. Returns false if the
 * budget has counted no key in its present part.
 */
bool seen_budget_return(struct seen_budget *budget);

#endif
