// SPDX-License-Identifier: GPL-2.0
/*
 * From memory to the rest of a promise. More keys never take less memory, nor
 * does a lower rate (selftests/core/test_plan.c), so bisection finds the last
 * promise that fits.
 */
#include <linux/seen.h>
#include "plan.h"

#include "sizing.h"

/* What is being sought, the memory for it, and the last plan that fitted. */
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

static const char *begin(struct search *search,
			 const struct seen_sizing *promise, u64 memory)
{
	*search = (struct search) {
		.promise = *promise,
		.memory = memory,
		.found = *promise,
	};
	return seen_sizing_plan(&search->found);
}

const char *seen_sizing_most(struct seen_sizing *sizing, uint64_t memory)
{
	u64 good = 1, bad = SEEN_CAPACITY_MAX + 1;
	u64 fpp = sizing->fpp;
	struct search search;
	const char *error;
	u64 middle;

	sizing->capacity = good;
	error = begin(&search, sizing, memory);
	if (error)
		return error;
	search.promise.type = search.found.type;
	if (!fits(&search, good, fpp))
		return "memory: too little for a single key";
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

static const char *least(struct seen_sizing *sizing, u64 memory)
{
	u64 good = SEEN_FPP_MAX, bad = 0;
	u64 capacity = sizing->capacity;
	struct search search;
	const char *error;
	u64 middle;

	sizing->fpp = good;
	error = begin(&search, sizing, memory);
	if (error)
		return error;
	if (!fits(&search, capacity, good))
		return "memory: too little for so many keys";
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

const char *seen_sizing_least(struct seen_sizing *sizing, uint64_t memory)
{
	struct seen_sizing bloom = *sizing;
	struct seen_sizing cuckoo = *sizing;
	const char *error, *other;

	if (sizing->type)
		return least(sizing, memory);
	bloom.type = SEEN_TYPE_BLOOM;
	cuckoo.type = SEEN_TYPE_CUCKOO;
	error = least(&bloom, memory);
	other = least(&cuckoo, memory);
	if (error && other)
		return sizing->fp_bits ? other : error;
	*sizing = error || (!other && cuckoo.fpp < bloom.fpp) ? cuckoo : bloom;
	return NULL;
}
