// SPDX-License-Identifier: GPL-2.0
/* Budgets of new keys: budget.h. */
#include <linux/string.h>

#include "budget.h"
#include "core/clock.h"

void seen_budget_init(struct seen_budget *budget)
{
	spin_lock_init(&budget->lock);
}

static void budget_begin(struct seen_budget *budget, u64 span, u64 now)
{
	memset(budget->keys, 0, sizeof(budget->keys));
	WRITE_ONCE(budget->sum, 0);
	WRITE_ONCE(budget->part, now);
	WRITE_ONCE(budget->span, span);
}

/* Remove old parts from the sum. @now may be stale, if another CPU read the clock later. */
static void budget_turn(struct seen_budget *budget, u64 now)
{
	u64 *keys;

	while (budget->part < now) {
		WRITE_ONCE(budget->part, budget->part + 1);
		keys = &budget->keys[budget->part % (SEEN_BUDGET_PARTS + 1)];
		WRITE_ONCE(budget->sum, budget->sum - *keys);
		*keys = 0;
	}
}

static void budget_add(struct seen_budget *budget, int keys)
{
	budget->keys[budget->part % (SEEN_BUDGET_PARTS + 1)] += keys;
	WRITE_ONCE(budget->sum, budget->sum + keys);
}

/* Checked without the lock, so that packets of a flood do not wait for it. */
static bool budget_is_spent(const struct seen_budget *budget, u64 span, u64 now,
			    u64 limit)
{
	return READ_ONCE(budget->part) == now &&
	       READ_ONCE(budget->span) == span &&
	       READ_ONCE(budget->sum) >= limit;
}

bool seen_budget_take(struct seen_budget *budget, u64 span, u64 limit)
{
	u64 now = seen_now() / (span / SEEN_BUDGET_PARTS);
	bool taken;

	if (budget_is_spent(budget, span, now, limit))
		return false;
	spin_lock_bh(&budget->lock);
	if (budget->span != span || now > budget->part + SEEN_BUDGET_PARTS)
		budget_begin(budget, span, now);
	budget_turn(budget, now);
	taken = budget->sum < limit;
	budget_add(budget, taken);
	spin_unlock_bh(&budget->lock);
	return taken;
}

bool seen_budget_return(struct seen_budget *budget)
{
	bool counted;

	spin_lock_bh(&budget->lock);
	counted = budget->keys[budget->part % (SEEN_BUDGET_PARTS + 1)];
	budget_add(budget, counted ? -1 : 0);
	spin_unlock_bh(&budget->lock);
	return counted;
}
