/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_FAKE_LIST_H
#define SEEN_FAKE_LIST_H

#include <linux/rcupdate.h>

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_head {
	struct hlist_node *first;
};

struct hlist_node {
	struct hlist_node *next, **pprev;
};

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline void list_add(struct list_head *new, struct list_head *head)
{
	new->next = head->next;
	new->prev = head;
	head->next->prev = new;
	head->next = new;
}

static inline void list_add_tail(struct list_head *new, struct list_head *head)
{
	list_add(new, head->prev);
}

static inline void list_del(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
}

static inline void list_move_tail(struct list_head *entry,
				  struct list_head *head)
{
	list_del(entry);
	list_add_tail(entry, head);
}

static inline void list_move(struct list_head *entry, struct list_head *head)
{
	list_del(entry);
	list_add(entry, head);
}

#define list_first_entry_or_null(head, type, member)			\
	((head)->next == (head) ? NULL :				\
	 container_of((head)->next, type, member))
#define list_entry(p, type, member)	container_of(p, type, member)
#define list_for_each_entry(at, head, member)				\
	for (at = list_entry((head)->next, typeof(*at), member);	\
	     &at->member != (head);					\
	     at = list_entry(at->member.next, typeof(*at), member))
#define list_for_each_entry_safe(at, after, head, member)		\
	for (at = list_entry((head)->next, typeof(*at), member),	\
	     after = list_entry(at->member.next, typeof(*at), member);	\
	     &at->member != (head);					\
	     at = after,						\
	     after = list_entry(at->member.next, typeof(*at), member))

/* Plain accesses: no case changes a list while a packet walks it. */
#define list_for_each_entry_rcu(at, head, member, ...)			\
	list_for_each_entry(at, head, member)
#define list_add_tail_rcu		list_add_tail
#define list_del_rcu			list_del

#endif
