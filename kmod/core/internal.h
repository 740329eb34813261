/* SPDX-License-Identifier: GPL-2.0 */
/* What the kinds of sets give to set.c. Semantics: set.h. */
#ifndef SEEN_CORE_INTERNAL_H
#define SEEN_CORE_INTERNAL_H

#include "set.h"

static inline struct seen_stripe *seen_set_stripe(const struct seen_set *set,
						  u64 block)
{
	return &set->stripes[block & set->stripe_mask];
}

/* set.c: one key more under @stripe, whose lock is held. */
void seen_load_count(struct seen_set *set, struct seen_stripe *stripe,
		     u32 epoch);
/* set.c: one key less (cuckoo's del). */
void seen_load_uncount(struct seen_set *set);

/* bloom.c: SEEN_SET_BLOCKED and SEEN_SET_CLASSIC */
bool seen_bloom_test(const struct seen_set *set, u64 hash);
enum seen_result seen_bloom_add(struct seen_set *set, u64 hash);
enum seen_result seen_classic_add(struct seen_set *set, u64 hash);
bool seen_classic_test(const struct seen_set *set, u64 hash);

/* bloom_window.c: SEEN_SET_BLOOM_WINDOW. @restart: an old key's window too. */
bool seen_generation_test(const struct seen_set *set, u64 hash);
enum seen_result seen_generation_add(struct seen_set *set, u64 hash,
				     bool restart);
void seen_generation_sweep(struct seen_set *set, u64 line);

/* cuckoo.c: SEEN_SET_CUCKOO. @copy: store even where seen. */
bool seen_cuckoo_test(struct seen_set *set, u64 hash);
enum seen_result seen_cuckoo_add(struct seen_set *set, u64 hash, bool copy);
enum seen_result seen_cuckoo_del(struct seen_set *set, u64 hash);
u32 seen_cuckoo_used(const struct seen_set *set, u64 bucket);

/* stamped.c: SEEN_SET_STAMPED. @restart: an old key's window too. */
enum seen_result seen_stamped_test(struct seen_set *set, u64 hash);
enum seen_result seen_stamped_add(struct seen_set *set, u64 hash, bool restart);
enum seen_result seen_stamped_del(struct seen_set *set, u64 hash);
u32 seen_stamped_used(const struct seen_set *set, u64 bucket);
void seen_stamped_sweep(struct seen_set *set, u64 bucket);

#endif
