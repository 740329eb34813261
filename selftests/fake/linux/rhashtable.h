/* SPDX-License-Identifier: GPL-2.0 */
/* A hash table of one chain, which a packet follows under RCU. */
#ifndef SEEN_FAKE_RHASHTABLE_H
#define SEEN_FAKE_RHASHTABLE_H

#include <linux/rcupdate.h>

struct rhash_head {
	struct rhash_head *next;
};

struct rhashtable {
	struct rhash_head *first;
	u32 offset;
};

struct rhashtable_compare_arg {
	const void *key;
};

struct rhashtable_params {
	u16 head_offset;
	u16 min_size;
	bool automatic_shrinking;
	u32 (*hashfn)(const void *key, u32 len, u32 seed);
	u32 (*obj_hashfn)(const void *object, u32 len, u32 seed);
	int (*obj_cmpfn)(struct rhashtable_compare_arg *arg,
			 const void *object);
};

static inline int rhashtable_init(struct rhashtable *ht,
				  const struct rhashtable_params *params)
{
	ht->first = NULL;
	ht->offset = params->head_offset;
	return 0;
}

static inline void *
rhashtable_lookup_fast(struct rhashtable *ht, const void *key,
		       const struct rhashtable_params params)
{
	struct rhashtable_compare_arg arg = { .key = key };
	struct rhash_head *at;
	void *object;

	for (at = rcu_dereference(ht->first); at;
	     at = rcu_dereference(at->next)) {
		object = (char *)at - ht->offset;
		if (!params.obj_cmpfn(&arg, object))
			return object;
	}
	return NULL;
}

static inline int rhashtable_insert_fast(struct rhashtable *ht,
					 struct rhash_head *head,
					 const struct rhashtable_params params)
{
	(void)params;
	head->next = ht->first;
	rcu_assign_pointer(ht->first, head);
	return 0;
}

static inline int rhashtable_remove_fast(struct rhashtable *ht,
					 struct rhash_head *head,
					 const struct rhashtable_params params)
{
	struct rhash_head **at = &ht->first;

	(void)params;
	while (*at != head)
		at = &(*at)->next;
	WRITE_ONCE(*at, head->next);
	return 0;
}

static inline void
rhashtable_free_and_destroy(struct rhashtable *ht,
			    void (*free_fn)(void *object, void *arg), void *arg)
{
	struct rhash_head *at = ht->first, *next;

	for (; at; at = next) {
		next = at->next;
		free_fn((char *)at - ht->offset, arg);
	}
}

#endif
