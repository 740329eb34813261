// SPDX-License-Identifier: GPL-2.0
/* Adds of keys that were seen elsewhere, some time ago; see seen_set_add_aged(). */
#include "kinds.h"
#include "set.h"

static enum seen_result aged_add(struct seen_set *set, u64 hash, u64 age)
{
	return set->geo.kind == SEEN_SET_BLOOM_WINDOW ?
	       seen_generation_add_aged(set, hash, age) :
	       seen_cuckoo_window_add_aged(set, hash, age);
}

/* As set_add_to_both() of set.c. The mirror keeps a younger sighting, too. */
static enum seen_result aged_add_to_both(struct seen_set *set,
					 struct seen_set *mirror, u64 hash, u64 age)
{
	/* Read before the key is in @set; pairs with seen_set_mirror_judges(). */
	bool judges = smp_load_acquire(&set->judges);
	enum seen_result result = aged_add(set, hash, age);
	enum seen_result answer;

	if (result != SEEN_NEW && result != SEEN_SEEN)
		return result;
	answer = aged_add(mirror, hash, age);
	return result == SEEN_NEW && judges ? answer : result;
}

enum seen_result seen_set_add_aged(struct seen_set *set, u64 hash, u64 age)
{
	struct seen_set *mirror;

	if (set->geo.kind != SEEN_SET_BLOOM_WINDOW &&
	    set->geo.kind != SEEN_SET_CUCKOO_WINDOW)
		return seen_set_test_and_add(set, hash);
	if (age > set->geo.window)
		return SEEN_EXPIRED;
	/* Pairs with seen_set_mirror(). */
	mirror = smp_load_acquire(&set->mirror);
	return mirror ? aged_add_to_both(set, mirror, hash, age) :
			aged_add(set, hash, age);
}
