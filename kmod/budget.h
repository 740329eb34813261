/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Budgets of new keys. Half of the keys that a filter is good for are equal shares,
 * which the ports of its guards have for certain. The other half is common: a port that
 * has used up its share takes from it, first come, first served. So a busy port has what
 * others leave, and no port takes another one's share.
 */
#ifndef SEEN_BUDGET_H
#define SEEN_BUDGET_H

#include <linux/spinlock.h>
#include <linux/types.h>

/* Parts of a span in which keys are counted. */
#define SEEN_BUDGET_PARTS	8

/**
 * struct seen_budget - new keys that may be stored in a span of time
 * @lock: taken for new keys only
 * @span: ns
 * @part: which part of time this is, in eighths of @span
 * @sum: keys of this part and the eight before it
 * @keys: they, part by part
 *
 * A span, wherever it begins, lies within nine parts: their sum stays within the limit,
 * so every span does, and a budget that is used evenly gets eight ninths of the limit at
 * least.
 */
struct seen_budget {
	spinlock_t lock;	/* what follows */
	u64 span;
	u64 part;
	u64 sum;
	u64 keys[SEEN_BUDGET_PARTS + 1];
};

void seen_budget_init(struct seen_budget *budget);

/**
 * seen_budget_take() - may one more key be stored?
 * @budget: of new keys
 * @span: ns, above 8. A change of it empties the budget
 * @limit: keys within @span
 *
 * Context: any.
 * Return: true: it is counted.
 */
bool seen_budget_take(struct seen_budget *budget, u64 span, u64 limit);

/* seen_budget_return() - a key that was taken is not stored; false: none was, lately */
bool seen_budget_return(struct seen_budget *budget);

#endif
