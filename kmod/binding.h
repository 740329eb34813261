/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A namespace's bindings: names that filters are published under.
 *
 * A rule pins a binding, not a filter: the binding may be empty, since a machine must
 * not boot without its firewall because a filter is late. The filter that is added
 * under this name comes to stand in it.
 */
#ifndef SEEN_BINDING_H
#define SEEN_BINDING_H

#include "budget.h"
#include "filter.h"

struct seen_allow;

/**
 * struct seen_pin - a guard's hold on a binding, which then has a filter
 * @list: in seen_binding.pins
 * @check: can the guard work with another filter? 0, or an error with its text;
 *         seen_net.lock held
 */
struct seen_pin {
	struct list_head list;
	int (*check)(const struct seen_pin *pin, const struct seen_filter *filter,
		     struct netlink_ext_ack *extack);
};

/**
 * struct seen_binding - a name, and the filter behind it
 * @filter: what the packet path reads; NULL: empty, and only rules know it
 * @allow: keys that are never judged, or NULL; read by the packet path
 * @allow_map: a binding whose filter's keys are never judged either, or NULL; pinned
 * @unanswered: per CPU: packets that asked while it was empty
 * @gone_seq: filters that have gone from it, not those that were replaced at once
 * @filter_seq: filters that have come to it
 * @lists_seq: how often its allow map has changed; 0: it never had one, nor a list
 * @allow_seq: seen_net.allow_seq when its allow list changed last; under seen_net.lock
 * @list: in seen_net.bindings
 * @name: changes under seen_net.lock (rename), but never while there are rules,
 *        which know it
 * @id: unique in its namespace, ascending in the list; told while there is a filter, and
 *      goes with it to another binding by a rename
 * @sn: whose it is
 * @guards: in @pins; under seen_net.lock, as the next two
 * @pins: struct seen_pin.list
 * @rules: that pin it
 * @ports: of its guards, which share its room; read by the packet path
 * @common: new keys of all of them, beyond their shares
 * @owned: made by a guard's profile; goes with the last guard that pins it
 * @silent: no event has reported its filter, which goes if that guard cannot be armed
 * @allow_maps: bindings whose @allow_map this one is
 * @counted: by the filters before the present one, less what that had counted when it
 *           came; modulo 2^64
 * @unanswered_before: of @unanswered, before the counters began anew
 * @rcu: frees it
 *
 * What each packet reads comes first.
 */
struct seen_binding {
	struct seen_filter __rcu *filter;
	struct seen_allow __rcu *allow;
	struct seen_binding __rcu *allow_map;
	u64 __percpu *unanswered;
	u32 gone_seq;
	u32 filter_seq;
	u32 lists_seq;
	u32 allow_seq;
	struct list_head list;
	char name[SEEN_NAME_MAX];
	struct seen_net *sn;
	u32 id;
	u32 guards;
	struct list_head pins;
	u32 rules;
	u32 ports;
	struct seen_budget common;
	bool owned;
	bool silent;
	u32 allow_maps;
	u64 counted[SEEN_STATS];
	u64 unanswered_before;
	struct rcu_head rcu;
};

/* seen_binding_is_held() - for lockdep: what it points to does not change now */
static inline bool seen_binding_is_held(const struct seen_binding *binding)
{
	return lockdep_is_held(&binding->sn->lock) ||
	       lockdep_is_held(&binding->sn->changes);
}

/* seen_binding_filter() - of a binding, or NULL; seen_net.lock or .changes held */
struct seen_filter *seen_binding_filter(const struct seen_binding *binding);

/**
 * seen_binding_find() - by name
 * @sn: the namespace, its lock held
 * @name: attribute with the name
 * @extack: says that there is none of this name
 *
 * Return: the binding or ERR_PTR(-ENOENT).
 */
struct seen_binding *seen_binding_find(struct seen_net *sn,
				       const struct nlattr *name,
				       struct netlink_ext_ack *extack);

/* seen_binding_by_id() - it may be empty. NULL if there is none; lock held */
struct seen_binding *seen_binding_by_id(struct seen_net *sn, u32 id);

/* seen_binding_lookup() - from a string; it may be empty. NULL if there is none */
struct seen_binding *seen_binding_lookup(struct seen_net *sn, const char *name);

/**
 * seen_binding_changed() - announce SEEN_CMD_FILTER_CHANGE_NTF
 * @binding: as it is now; its namespace's lock held
 * @change: enum seen_change
 * @old_name: before a rename, else NULL
 */
void seen_binding_changed(struct seen_binding *binding, u32 change,
			  const char *old_name);
/* seen_binding_changed_unlocked() - the same with changes held, the lock not */
void seen_binding_changed_unlocked(struct seen_binding *binding, u32 change);

/* seen_binding_used() - by guards, rules or other bindings; seen_net.lock held */
static inline bool seen_binding_used(const struct seen_binding *binding)
{
	return binding->guards || binding->rules || binding->allow_maps;
}

/* seen_binding_put() - something has left it, which may be of no use any more */
void seen_binding_put(struct seen_binding *binding);

/**
 * seen_binding_check_filter() - can those who use a binding work with another filter?
 * @binding: with a filter; its namespace's lock held
 * @filter: that shall come to stand in it
 * @extack: why not
 *
 * Return: 0 or -EINVAL.
 */
int seen_binding_check_filter(const struct seen_binding *binding,
			      const struct seen_filter *filter,
			      struct netlink_ext_ack *extack);

/* seen_binding_check_name() - may a filter come by this name? lock held; 0 or error */
int seen_binding_check_name(struct seen_net *sn, const char *name,
			    struct netlink_ext_ack *extack);

/**
 * seen_binding_add() - publish a filter under a name
 * @sn: the namespace, its changes and its lock held
 * @name: not that of another filter
 * @filter: nobody knows it yet
 * @owned: see struct seen_binding
 * @extack: why not
 *
 * Rules that wait for the name have it from now on. Announces
 * SEEN_CMD_FILTER_ADD_NTF, unless it is @owned: seen_binding_announce().
 *
 * Return: the binding or ERR_PTR: -EINVAL, -EEXIST, -ENOSPC, -ENOMEM.
 */
struct seen_binding *seen_binding_add(struct seen_net *sn, const char *name,
				      struct seen_filter *filter, bool owned,
				      struct netlink_ext_ack *extack);
/* seen_binding_announce() - SEEN_CMD_FILTER_ADD_NTF, if it was not sent; lock held for writing */
void seen_binding_announce(struct seen_binding *binding);

/* seen_binding_pin(), _unpin() - by a guard; seen_net.lock held for writing */
void seen_binding_pin(struct seen_binding *binding, struct seen_pin *pin);
void seen_binding_unpin(struct seen_binding *binding, struct seen_pin *pin);

/**
 * seen_binding_pin_rule() - by a rule, which may come before the filter
 * @sn: the namespace of the rule
 * @name: of the filter
 * @extack: receives the text of an error; may be NULL
 *
 * Announces SEEN_CMD_MISSING_NTF if there is no filter.
 *
 * Context: process; netfilter's locks may be held, and rtnl outside of them.
 * Return: the binding, or ERR_PTR: -EINVAL (the name), -ENOSPC, -ENOMEM.
 */
struct seen_binding *seen_binding_pin_rule(struct seen_net *sn, const char *name,
					   struct netlink_ext_ack *extack);

/* seen_binding_unpin_rule() - no packet is in the rule any more */
void seen_binding_unpin_rule(struct seen_binding *binding);

/**
 * seen_binding_del() - unpublish a filter that no guard uses, and end it
 * @binding: its namespace's lock held; it stays, empty, for the rules that pin it
 *
 * Announces SEEN_CMD_FILTER_DEL_NTF. Does not wait for readers.
 */
void seen_binding_del(struct seen_binding *binding);

/**
 * seen_binding_flush() - forget every key
 * @binding: its namespace's changes held, but not its lock
 * @extack: why not
 *
 * Return: 0, -ENOMEM, or -EBUSY: the caps are exceeded already.
 */
int seen_binding_flush(struct seen_binding *binding,
		       struct netlink_ext_ack *extack);
int seen_binding_rename(struct seen_binding *binding, const struct nlattr *name,
			struct netlink_ext_ack *extack);
int seen_binding_swap(struct seen_binding *binding, struct seen_binding *other,
		      struct netlink_ext_ack *extack);

/*
 * seen_binding_exchange() - put another filter into a binding, which takes over the counters;
 * changes held, not the lock
 */
void seen_binding_exchange(struct seen_binding *binding,
			   struct seen_filter *filter);

/**
 * seen_binding_replace() - put another filter in the place of a binding's, and end that
 * @binding: with a filter; its namespace's changes and lock held
 * @filter: nobody knows it yet
 * @extack: why not
 *
 * Return: 0, or -EINVAL: another key, or not what the guards need.
 */
int seen_binding_replace(struct seen_binding *binding,
			 struct seen_filter *filter,
			 struct netlink_ext_ack *extack);

/**
 * seen_binding_count() - a counter of a name
 * @binding: with a filter; its namespace's lock held
 * @stat: which one
 *
 * Goes on where another filter takes the place of the one before.
 */
u64 seen_binding_count(const struct seen_binding *binding, enum seen_stat stat);

/* seen_binding_unanswered() - packets that asked while it was empty */
u64 seen_binding_unanswered(const struct seen_binding *binding);

/**
 * seen_binding_count_on() - another filter counts for a name
 * @binding: whose; its namespace's lock held for writing
 * @old: its filter until now
 * @filter: its filter from now on
 */
void seen_binding_count_on(struct seen_binding *binding,
			   const struct seen_filter *old,
			   const struct seen_filter *filter);

/* seen_binding_count_swap() - the same for two names that are about to swap their filters */
void seen_binding_count_swap(struct seen_binding *binding,
			     struct seen_binding *other);

/* seen_binding_count_anew() - each counter of a name with a filter begins at 0; lock held */
void seen_binding_count_anew(struct seen_binding *binding);

/* seen_binding_net_exit() - a namespace ends: unpublish and end all its filters */
void seen_binding_net_exit(struct seen_net *sn);

#endif
