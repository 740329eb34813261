/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hash tables with a single chain, which packets walk under RCU. In a table with lists, objects
 * with the same key form a list. The chain holds the first object of each list.
 */
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

struct rhlist_head {
	struct rhash_head rhead;
	struct rhlist_head *next;
};

struct rhltable {
	struct rhashtable ht;
};

#define rhl_for_each_entry_rcu(object, at, list, member)		\
	for (at = list;							\
	     at && ((object = container_of(at, typeof(*(object)), member)), \
		    1);							\
	     at = rcu_dereference(at->next))

static inline int rhltable_init(struct rhltable *hlt,
				const struct rhashtable_params *params)
{
	return rhashtable_init(&hlt->ht, params);
}

static inline struct rhlist_head *
rhltable_lookup(struct rhltable *hlt, const void *key,
		const struct rhashtable_params params)
{
	void *object = rhashtable_lookup_fast(&hlt->ht, key, params);

	return object ? object + hlt->ht.offset : NULL;
}

static inline int rhltable_insert_key(struct rhltable *hlt, const void *key,
				      struct rhlist_head *list,
				      const struct rhashtable_params params)
{
	struct rhash_head **at = &hlt->ht.first;
	struct rhashtable_compare_arg arg = { .key = key };

	while (*at && params.obj_cmpfn(&arg, (char *)*at - hlt->ht.offset))
		at = &(*at)->next;
	if (!*at) {
		list->next = NULL;
		return rhashtable_insert_fast(&hlt->ht, &list->rhead, params);
	}
	list->next = (struct rhlist_head *)*at;
	list->rhead.next = (*at)->next;
	rcu_assign_pointer(*at, &list->rhead);
	return 0;
}

static inline int rhltable_remove(struct rhltable *hlt,
				  struct rhlist_head *list,
				  const struct rhashtable_params params)
{
	struct rhash_head **at = &hlt->ht.first;
	struct rhlist_head **link;

	for (; *at; at = &(*at)->next) {
		link = &((struct rhlist_head *)*at)->next;
		if (*at == &list->rhead && list->next) {
			list->next->rhead.next = (*at)->next;
			rcu_assign_pointer(*at, &list->next->rhead);
			return 0;
		}
		if (*at == &list->rhead)
			return rhashtable_remove_fast(&hlt->ht, *at, params);
		while (*link && *link != list)
			link = &(*link)->next;
		if (*link) {
			WRITE_ONCE(*link, list->next);
			return 0;
		}
	}
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

static inline void
rhltable_free_and_destroy(struct rhltable *hlt,
			  void (*free_fn)(void *object, void *arg), void *arg)
{
	struct rhash_head *at = hlt->ht.first, *next;
	struct rhlist_head *list, *behind;

	for (; at; at = next) {
		next = at->next;
		for (list = (struct rhlist_head *)at; list; list = behind) {
			behind = list->next;
			free_fn((char *)list - hlt->ht.offset, arg);
		}
	}
}

#endif
