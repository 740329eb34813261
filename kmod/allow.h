/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allow lists: keys that a filter never judges, so that a false positive cannot hit
 * them. A list holds the keys themselves, not their hashes. It belongs to the binding,
 * so it stays when the filter is flushed or swapped. The same is true of an allow map,
 * which is another filter; see allow_map.c.
 */
#ifndef SEEN_ALLOW_H
#define SEEN_ALLOW_H

#include <linux/rbtree.h>
#include <linux/rhashtable.h>
#include <linux/workqueue.h>

#include "binding.h"

/**
 * struct seen_allow - the allow list of a binding
 * @table: struct seen_allowed, hashed by the first bytes of the key; read by packets
 * @numbers: struct seen_allowed, sorted by number; read by dumps
 * @lengths: prefix lengths of the keys
 * @sn: the namespace; outlives the list
 * @last: number of the key that was added last
 * @count: number of keys
 * @bytes: memory charged for the list and its keys
 * @free_work: frees the list, in process context, after a grace period
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
 * @rcu: frees it after a grace period
 * @sn: the namespace; outlives the key
 * @number: at least 1, unique in the list
 * @len: length of @key in bytes, at most SEEN_ALLOWED_MAX
 * @head: number of bytes of @key before the payload
 * @key: the canonical key
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

/* seen_allow_ask() - slow path of seen_allowed(): the binding has or had a list or a map */
bool seen_allow_ask(const struct seen_binding *binding,
		    const struct seen_key *key);

/* seen_allow_map_find() - is a key in an allow map? Call in an RCU read section. */
bool seen_allow_map_find(const struct seen_binding *map,
			 const struct seen_key *key);

/*
 * seen_binding_listed() - make lookups notice the first list of a binding, or another allow
 * map; seen_net.lock held for writing. A key that moves to another list or map may be
 * removed from the old one only after this call.
 */
static inline void seen_binding_listed(struct seen_binding *binding)
{
	/* Pairs with seen_allow_ask(). */
	smp_store_release(&binding->lists_seq, binding->lists_seq + 1 ?: 1);
}

/**
 * seen_allowed() - is a key in the allow list or the allow map of a binding?
 * @binding: pinned by the caller
 * @key: of a packet or of a request
 *
 * Context: RCU read section, in which the caller has already read binding->filter.
 * Return: true: the filter must not judge the key.
 */
static inline bool seen_allowed(const struct seen_binding *binding,
				const struct seen_key *key)
{
	/* Pairs with binding_move(): a reader that finds the filter also finds its lists. */
	smp_rmb();
	return unlikely(READ_ONCE(binding->lists_seq)) &&
	       seen_allow_ask(binding, key);
}

/* seen_binding_gone_seq() - for seen_binding_gone(); read it before binding->filter */
static inline u32 seen_binding_gone_seq(const struct seen_binding *binding)
{
	/* Pairs with binding_uninstall(). */
	return smp_load_acquire(&binding->gone_seq);
}

/**
 * seen_binding_gone() - has a filter been removed from a binding?
 * @binding: pinned by the caller
 * @gone_seq: from seen_binding_gone_seq(), read in the same RCU read section
 *
 * When a filter is deleted or moved, its lists are removed after it. So if the filter is
 * still there, seen_allowed() has read the lists that belong to it.
 *
 * Context: RCU read section, after seen_allowed(), which has the read barrier.
 * Return: true: seen_allowed() may have missed the key, so it must not be judged.
 */
static inline bool seen_binding_gone(const struct seen_binding *binding,
				     u32 gone_seq)
{
	return READ_ONCE(binding->gone_seq) != gone_seq;
}

/**
 * seen_allow_add() - add a key to the allow list of a binding
 * @binding: its namespace's changes held, but not its lock
 * @key: of a request, at most SEEN_ALLOWED_MAX bytes
 * @extack: receives the text of an error
 *
 * Context: process, may sleep.
 * Return: 0; 1: the list has the key already; -ENOSPC (a cap, or 64 keys with the same
 * first bytes), -ENOMEM, -EBUSY (the hash table is being resized), -E2BIG (the list
 * already has prefixes of 64 other lengths).
 */
int seen_allow_add(struct seen_binding *binding, const struct seen_key *key,
		   struct netlink_ext_ack *extack);

/*
 * seen_allow_del() - delete a key from the list; locks as for seen_allow_add(). Returns false
 * if the list does not have it.
 */
bool seen_allow_del(struct seen_binding *binding, const struct seen_key *key);

/*
 * seen_allow_drop() - delete the whole list of a binding; seen_net.lock held for writing.
 * Does not wait for readers.
 */
void seen_allow_drop(struct seen_binding *binding);

/**
 * seen_binding_set_allow_map() - give a binding an allow map
 * @binding: has a filter; its namespace's lock held for writing
 * @map: has a filter; becomes the allow map if that filter is a map with the same key
 * @extack: receives the text of an error
 *
 * Return: 0 or -EINVAL.
 */
int seen_binding_set_allow_map(struct seen_binding *binding,
			       struct seen_binding *map,
			       struct netlink_ext_ack *extack);

/* seen_allow_map_drop() - remove the allow map, if any; seen_net.lock held for writing */
void seen_allow_map_drop(struct seen_binding *binding);

/* seen_binding_allow_map() - the allow map, or NULL; seen_net.lock or .changes held */
struct seen_binding *seen_binding_allow_map(const struct seen_binding *binding);

/* seen_allow_from() - the first key with a number >= @from, or NULL; locks as above */
struct seen_allowed *seen_allow_from(const struct seen_allow *allow, u32 from);

/* seen_allow_next() - the key with the next number, or NULL; locks as above */
struct seen_allowed *seen_allow_next(const struct seen_allowed *allowed);

/* seen_binding_allow() - the allow list, or NULL; seen_net.lock or .changes held */
struct seen_allow *seen_binding_allow(const struct seen_binding *binding);

#endif
