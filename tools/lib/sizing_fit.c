// SPDX-License-Identifier: GPL-2.0
/*
 * Find the capacity or the rate that fits some memory. A larger capacity never needs less
 * memory, nor does a lower rate (selftests/core/test_plan.c), so bisection finds the last
 * promise that fits.
 */
#include <linux/seen.h>
#include "plan.h"

#include "sizing.h"

/* A search: the promise without the sought value, the memory, and the last plan that fitted. */
struct search {
	struct seen_sizing promise;
	u64 memory;
	struct seen_sizing found;
};

static bool fits(struct search *search, u64 capacity, u64 fpp)
{
	struct seen_sizing sizing = search->promise;

	sizing.capacity = capacity;
	sizing.fpp = fpp;
	if (seen_sizing_plan(&sizing) ||
	    seen_sizing_memory(&sizing) > search->memory)
		return false;
	search->found = sizing;
	return true;
}

static const char *sizing_fit_begin(struct search *search,
				    const struct seen_sizing *promise,
				    u64 memory)
{
	*search = (struct search) {
		.promise = *promise,
		.memory = memory,
		.found = *promise,
	};
	return seen_sizing_plan(&search->found);
}

static const char *most(struct seen_sizing *sizing, uint64_t memory)
{
	u64 good = 1, bad = SEEN_CAPACITY_MAX + 1;
	u64 fpp = sizing->fpp;
	struct search search;
	const char *error;
	u64 middle;

	sizing->capacity = good;
	error = sizing_fit_begin(&search, sizing, memory);
	if (error)
		return error;
	if (!fits(&search, good, fpp))
		return "memory: too little for one key; raise memory";
	while (bad - good > 1) {
		middle = good + (bad - good) / 2;
		if (fits(&search, middle, fpp))
			good = middle;
		else
			bad = middle;
	}
	*sizing = search.found;
	return NULL;
}

static const char *least(struct seen_sizing *sizing, uint64_t memory)
{
	u64 good = SEEN_FPP_MAX, bad = 0;
	u64 capacity = sizing->capacity;
	struct search search;
	const char *error;
	u64 middle;

	sizing->fpp = good;
	error = sizing_fit_begin(&search, sizing, memory);
	if (error)
		return error;
	if (!fits(&search, capacity, good))
		return "memory: too little for this capacity; raise memory or lower capacity";
	while (good - bad > 1) {
		middle = bad + (good - bad) / 2;
		if (fits(&search, capacity, middle))
			good = middle;
		else
			bad = middle;
	}
	*sizing = search.found;
	return NULL;
}

static bool holds_more(const struct seen_sizing *a, const struct seen_sizing *b)
{
	return a->capacity > b->capacity || a->fpp < b->fpp;
}

/* Fit with the given type, or with the type that makes more of the memory. */
static const char *fit(struct seen_sizing *sizing, u64 memory,
		       seen_sizing_fn fit_type)
{
	return sizing->type ? fit_type(sizing, memory) :
	       seen_sizing_choose(sizing, memory, fit_type, holds_more);
}

const char *seen_sizing_most(struct seen_sizing *sizing, uint64_t memory)
{
	return fit(sizing, memory, most);
}

const char *seen_sizing_least(struct seen_sizing *sizing, uint64_t memory)
{
	return fit(sizing, memory, least);
}
