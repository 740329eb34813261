// SPDX-License-Identifier: GPL-2.0
/* Budgets: in every span of time they allow at most the limit of keys, and not many less. */
#include <string.h>

#include "../../kmod/budget.h"
#include "clock.h"
#include "test.h"

#define SPAN	(80 * MS)
#define LIMIT	900

static struct seen_budget budget;

static void begin(void)
{
	memset(&budget, 0, sizeof(budget));
	seen_budget_init(&budget);
	clock_add(100 * SECOND);
}

static u32 takes(u32 count, u64 span)
{
	u32 taken = 0;

	while (count--)
		taken += seen_budget_take(&budget, span, LIMIT);
	return taken;
}

/* A key each so many ns, for @total: how many are taken in the second half. */
static u32 steady(u64 each, u64 total)
{
	u32 taken = 0;
	u64 at;

	for (at = 0; at < total; at += each) {
		clock_add(each);
		if (seen_budget_take(&budget, SPAN, LIMIT) && at >= total / 2)
			taken++;
	}
	return taken;
}

static void limits(void)
{
	begin();
	ok(takes(2 * LIMIT, SPAN) == LIMIT, "at once no more than the limit");
	clock_add(SPAN);
	ok(!takes(1, SPAN), "also not after a span, which may have begun within a part");
	clock_add(SPAN / SEEN_BUDGET_PARTS);
	ok(takes(2 * LIMIT, SPAN) == LIMIT, "after one more part the whole limit is available");
	begin();
	ok(steady(SPAN / (2 * LIMIT), 20 * SPAN) >= 10 * LIMIT * 8 / 9,
	   "with even use at least eight ninths are available");
}

static void returns(void)
{
	begin();
	takes(LIMIT, SPAN);
	ok(seen_budget_return(&budget) && takes(2, SPAN) == 1,
	   "returned keys can be used again");
	clock_add(SPAN / SEEN_BUDGET_PARTS);
	takes(1, SPAN);
	begin();
	ok(!seen_budget_return(&budget), "keys that were not used cannot be returned");
}

/* A filter with another window comes to the port. */
static void changes(void)
{
	begin();
	takes(LIMIT, SPAN);
	ok(takes(2 * LIMIT, 1000 * SPAN) == LIMIT,
	   "a longer span starts at 0, though its parts have smaller numbers");
	ok(takes(2 * LIMIT, SPAN) == LIMIT, "a shorter span starts at 0");
}

int main(void)
{
	test_begin(8);
	limits();
	returns();
	changes();
	return test_end();
}
