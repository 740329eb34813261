/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allow lists: keys that a filter never judges, whatever is in it. The remedy
 * where a false positive must not fall on a certain key: exact, keys and not
 * their hashes. A list belongs to the name, so that it stays when the filter is
 * flushed or swapped for another one. So does an allow map, which is another
 * filter; allow_map.c.
 */
#ifndef SEEN_ALLOW_H
#define SEEN_ALLOW_H

#include <linux/rbtree.h>
#include <linux/rhashtable.h>
#include <linux/workqueue.h>

#include "binding.h"

/**
 * struct seen_allow - the allow list of a binding
 * @table: struct seen_allowed by the beginning of the key: what packets look at
 * @numbers: the same by number: what listings go by
 * @lengths: of its prefixes
 * @sn: whose; outlives it
 * @last: the number that was given last
 * @count: keys
 * @bytes: charged for it
 * @free_work: ends it, in process context, after a grace period
 */
struct seen_allow {
	struct rhltable table;
	struct rb_root numbers;
	struct seen_lengths lengths;
	struct seen_net *sn;
	u32 last;
	u32 count;
	u64 bytes;
	struct rcu_work free_work;
};

/**
 * struct seen_allowed - a key that is never judged
 * @node: in seen_allow.table
 * @numbers: in seen_allow.numbers
 * @rcu: frees it
 * @sn: whose; outlives it
 * @number: from 1 on
 * @len: bytes of @key, at most SEEN_ALLOWED_MAX
 * @head: bytes of @key before the payload
 * @key: canonical
 */
struct seen_allowed {
	struct rhlist_head node;
	struct rb_node numbers;
	struct rcu_head rcu;
	struct seen_net *sn;
	u32 number;
	u16 len;
	u16 head;
	u8 key[];
};

/* seen_allow_ask() - seen_allowed() of a binding that has lists, or had some */
bool seen_allow_ask(const struct seen_binding *binding,
		    const struct seen_key *key);

/* seen_allow_map_find() - is it in this map? In an RCU read section */
bool seen_allow_map_find(const struct seen_binding *map,
			 const struct seen_key *key);

/*
 * seen_binding_listed() - it has lists from now on, or a map has come or gone; lock held for
 * writing. What a key was in before may lose it after that.
 */
static inline void seen_binding_listed(struct seen_binding *binding)
{
	/* Pairs with seen_allow_ask(). */
	smp_store_release(&binding->lists_seq, binding->lists_seq + 1 ?: 1);
}

/**
 * seen_allowed() - is this key never judged?
 * @binding: pinned; in an RCU read section, behind the load of its filter
 * @key: of the packet, or of a request
 */
static inline bool seen_allowed(const struct seen_binding *binding,
				const struct seen_key *key)
{
	/* Pairs with binding_move(): who has the filter has its lists. */
	smp_rmb();
	return unlikely(READ_ONCE(binding->lists_seq)) &&
	       seen_allow_ask(binding, key);
}

/* seen_binding_gone_seq() - which filter's it is; read before the filter, in its read section */
static inline u32 seen_binding_gone_seq(const struct seen_binding *binding)
{
	/* Pairs with binding_uninstall(). */
	return smp_load_acquire(&binding->gone_seq);
}

/**
 * seen_binding_gone() - has the filter gone, and maybe its lists before they were asked?
 * @binding: pinned; in an RCU read section, behind seen_allowed(), which has the barrier
 * @gone_seq: of seen_binding_gone_seq(), in the same one
 */
static inline bool seen_binding_gone(const struct seen_binding *binding,
				     u32 gone_seq)
{
	return READ_ONCE(binding->gone_seq) != gone_seq;
}

/**
 * seen_allow_add() - put a key on a binding's list
 * @binding: its namespace's changes held, its lock not
 * @key: of a request, within SEEN_ALLOWED_MAX bytes
 * @extack: why not
 *
 * Return: 0, 1: it was there; -ENOSPC (a cap, or 64 keys that begin alike), -ENOMEM,
 * -EBUSY (the table is growing), -E2BIG (a prefix of a 65th length).
 */
int seen_allow_add(struct seen_binding *binding, const struct seen_key *key,
		   struct netlink_ext_ack *extack);

/* seen_allow_del() - take a key off, held as above; false: it was not there */
bool seen_allow_del(struct seen_binding *binding, const struct seen_key *key);

/*
 * seen_allow_drop() - end a binding's whole list, its namespace's lock held for writing;
 * does not wait for readers
 */
void seen_allow_drop(struct seen_binding *binding);

/**
 * seen_binding_set_allow_map() - have the keys of a map never judged, too
 * @binding: with a filter; its namespace's lock held for writing
 * @map: with a filter
 * @extack: why not
 *
 * Return: 0 or -EINVAL.
 */
int seen_binding_set_allow_map(struct seen_binding *binding,
			       struct seen_binding *map,
			       struct netlink_ext_ack *extack);

/* seen_allow_map_drop() - a binding has none any more; lock held for writing */
void seen_allow_map_drop(struct seen_binding *binding);

/* seen_binding_allow_map() - of a binding, or NULL; seen_net.lock or .changes held */
struct seen_binding *seen_binding_allow_map(const struct seen_binding *binding);

/* seen_allow_from() - the key of the lowest number from @from on, or NULL; held as above */
struct seen_allowed *seen_allow_from(const struct seen_allow *allow, u32 from);

/* seen_allow_next() - the key of the next number, or NULL */
struct seen_allowed *seen_allow_next(const struct seen_allowed *allowed);

/* seen_binding_allow() - of a binding, or NULL; seen_net.lock or .changes held */
struct seen_allow *seen_binding_allow(const struct seen_binding *binding);

#endif
