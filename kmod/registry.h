/* SPDX-License-Identifier: GPL-2.0 */
/* A namespace's slots: names that filters are published under. */
#ifndef SEEN_REGISTRY_H
#define SEEN_REGISTRY_H

#include "filter.h"

/**
 * struct seen_slot - a name, and the filter behind it
 * @list: in seen_net.slots
 * @name: changes under seen_net.lock (rename)
 * @filter: what the packet path reads; never NULL while published
 * @id: unique in its namespace, ascending in the list
 * @sn: whose it is
 * @users: guards (and later rules) that pin it; under seen_net.lock
 * @port_users: those of them whose verdict knows ports: @filter must have stamps
 * @ports: of its guards, which share its room; read by the packet path
 * @owned: made by a guard's profile; goes with the last guard that pins it
 * @rcu: frees it
 */
struct seen_slot {
	struct list_head list;
	char name[SEEN_NAME_MAX];
	struct seen_filter __rcu *filter;
	struct seen_net *sn;
	u32 id;
	u32 users;
	u32 port_users;
	u32 ports;
	bool owned;
	struct rcu_head rcu;
};

/* seen_slot_filter() - the filter behind a slot; seen_net.lock or .changes held */
struct seen_filter *seen_slot_filter(const struct seen_slot *slot);

/**
 * seen_slot_find() - by name
 * @sn: the namespace, its lock or changes held
 * @name: attribute with the name
 * @extack: says that there is none of this name
 *
 * Return: the slot or ERR_PTR(-ENOENT).
 */
struct seen_slot *seen_slot_find(struct seen_net *sn, const struct nlattr *name,
				 struct netlink_ext_ack *extack);

/* seen_slot_lookup() - the same from a string; NULL if there is none */
struct seen_slot *seen_slot_lookup(struct seen_net *sn, const char *name);

/**
 * seen_slot_create() - a name and a filter, which nobody finds as yet
 * @sn: the namespace, its changes held
 * @name: not taken
 * @config: of the filter
 * @owned: see struct seen_slot
 * @extack: why not
 *
 * Return: the slot or ERR_PTR.
 */
struct seen_slot *seen_slot_create(struct seen_net *sn, const char *name,
				   struct seen_filter_config *config,
				   bool owned,
				   struct netlink_ext_ack *extack);

/**
 * seen_slot_publish() - let everybody find a slot
 * @slot: created under the changes that are still held; its namespace's lock held
 *
 * Announces SEEN_CMD_FILTER_ADD_NTF.
 */
void seen_slot_publish(struct seen_slot *slot);

/**
 * seen_slot_del() - unpublish a slot that has no users, and end its filter
 * @slot: its namespace's lock held
 *
 * Announces SEEN_CMD_FILTER_DEL_NTF. Does not wait for readers.
 */
void seen_slot_del(struct seen_slot *slot);

/**
 * seen_slot_flush() - forget every key
 * @slot: its namespace's changes held, but not its lock
 * @extack: why not
 *
 * Return: 0, -ENOMEM, or -EBUSY: the caps are exceeded already.
 */
int seen_slot_flush(struct seen_slot *slot, struct netlink_ext_ack *extack);
int seen_slot_rename(struct seen_slot *slot, const struct nlattr *name,
		     struct netlink_ext_ack *extack);
int seen_slot_swap(struct seen_slot *slot, struct seen_slot *other,
		   struct netlink_ext_ack *extack);

/* seen_registry_init(), _exit() - per-namespace state; _exit ends everything */
int seen_registry_init(void);
void seen_registry_exit(void);

#endif
