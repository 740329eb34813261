/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A namespace's bindings: names that filters are published under.
 *
 * A rule pins a binding, not a filter. The binding may be empty, so that a firewall can be
 * loaded at boot before its filters exist. A filter that is added under this name later is
 * installed in the binding.
 */
#ifndef SEEN_BINDING_H
#define SEEN_BINDING_H

#include "budget.h"
#include "filter.h"

struct seen_allow;

/* Kinds of rules; a kind is a set of needs that a filter must meet (rule.c). */
#define SEEN_RULE_KINDS		24

/**
 * struct seen_pin - a guard's reference to a binding that has a filter
 * @list: in seen_binding.pins
 * @check: checks whether the guard can work with another filter. Called with seen_net.lock
 *         held; returns 0, or an error whose text is in @extack
 */
struct seen_pin {
	struct list_head list;
	int (*check)(const struct seen_pin *pin, const struct seen_filter *filter,
		     struct netlink_ext_ack *extack);
};

/**
 * struct seen_binding - a name and its filter
 * @filter: read by the packet path; NULL: the binding is empty, and only rules pin it
 * @allow: the allow list, or NULL; read by the packet path
 * @allow_map: the binding of the allow map, pinned, or NULL; read by the packet path
 * @unanswered: per CPU: number of packets that rules looked up while the binding was empty
 * @gone_seq: number of filters that were removed without a replacement
 * @filter_seq: number of filters that were installed
 * @lists_seq: changes with @allow_map, and with the first @allow; 0: there was never either
 * @allow_seq: seen_net.allow_seq at the last change of @allow; under seen_net.lock
 * @feed: its feed, or NULL; changes under seen_net.lock. Each filter that is installed gets it
 * @list: in seen_net.bindings
 * @name: changes under seen_net.lock (rename), but never while rules pin the binding,
 *        since they contain the name
 * @id: unique in its namespace, ascending in the list. Reported while there is a filter. If
 *      a rename moves the filter to another binding, the id moves with it
 * @sn: the namespace
 * @guards: number of entries in @pins; this, @pins and @rules: under seen_net.lock
 * @pins: struct seen_pin.list
 * @rules: number of rules that pin the binding
 * @rules_of: number of these rules of each kind, for seen_rule_unfit()
 * @ports: number of ports of its guards; they share the filter's capacity; read by the
 *         packet path
 * @common: budget of new keys for all of these ports, in addition to their shares
 * @owned: made by a guard's profile; deleted with the last guard that pins it
 * @silent: no event has announced the filter yet. If the guard of an @owned binding cannot
 *          be armed, the filter is deleted without an event
 * @allow_maps: number of bindings whose @allow_map is this binding
 * @counted: counters of earlier filters, less the counters that the present filter had when
 *           it was installed; modulo 2^64
 * @unanswered_before: sum of @unanswered at the last reset of the counters
 * @rcu: frees it after a grace period
 *
 * The members that every packet reads come first.
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
	struct seen_feed *feed;
	struct list_head list;
	char name[SEEN_NAME_MAX];
	struct seen_net *sn;
	u32 id;
	u32 guards;
	struct list_head pins;
	u32 rules;
	u32 rules_of[SEEN_RULE_KINDS];
	u32 ports;
	struct seen_budget common;
	bool owned;
	bool silent;
	u32 allow_maps;
	u64 counted[SEEN_STATS];
	u64 unanswered_before;
	struct rcu_head rcu;
};

/* seen_binding_is_held() - for lockdep: the caller's locks keep the pointers unchanged */
static inline bool seen_binding_is_held(const struct seen_binding *binding)
{
	return lockdep_is_held(&binding->sn->lock) ||
	       lockdep_is_held(&binding->sn->changes);
}

/* seen_binding_filter() - the filter, or NULL; seen_net.lock or .changes held */
struct seen_filter *seen_binding_filter(const struct seen_binding *binding);

/**
 * seen_binding_find() - find a binding that has a filter, by name
 * @sn: the namespace, its lock held
 * @name: attribute with the name
 * @extack: receives the text of an error
 *
 * Return: the binding or ERR_PTR(-ENOENT).
 */
struct seen_binding *seen_binding_find(struct seen_net *sn,
				       const struct nlattr *name,
				       struct netlink_ext_ack *extack);

/* seen_binding_by_id() - the binding, which may be empty, or NULL; seen_net.lock held */
struct seen_binding *seen_binding_by_id(struct seen_net *sn, u32 id);

/* seen_binding_lookup() - the binding, which may be empty, or NULL; seen_net.lock held */
struct seen_binding *seen_binding_lookup(struct seen_net *sn, const char *name);

/**
 * seen_binding_changed() - send SEEN_CMD_FILTER_CHANGE_NTF
 * @binding: already changed; its namespace's lock held
 * @change: enum seen_change
 * @old_name: name before a rename, else NULL
 */
void seen_binding_changed(struct seen_binding *binding, u32 change,
			  const char *old_name);
/* seen_binding_changed_unlocked() - the same; seen_net.changes held, but not seen_net.lock */
void seen_binding_changed_unlocked(struct seen_binding *binding, u32 change);

/* seen_binding_used() - do guards, rules or other bindings pin it? seen_net.lock held */
static inline bool seen_binding_used(const struct seen_binding *binding)
{
	return binding->guards || binding->rules || binding->allow_maps;
}

/*
 * seen_binding_put() - free the binding if it has neither a filter nor users. Call this after
 * the binding has lost its filter or a user; seen_net.lock held for writing
 */
void seen_binding_put(struct seen_binding *binding);

/**
 * seen_binding_check_filter() - can the users of a binding work with another filter?
 * @binding: has a filter; its namespace's lock held
 * @filter: the filter that will be installed
 * @extack: receives the text of an error
 *
 * Return: 0 or -EINVAL.
 */
int seen_binding_check_filter(const struct seen_binding *binding,
			      const struct seen_filter *filter,
			      struct netlink_ext_ack *extack);

/* seen_binding_check_name() - is a name valid and free? seen_net.lock held; 0 or an error */
int seen_binding_check_name(struct seen_net *sn, const char *name,
			    struct netlink_ext_ack *extack);

/**
 * seen_binding_add() - publish a filter under a name
 * @sn: the namespace, its changes and its lock held, the lock for writing
 * @name: of the filter
 * @filter: not published yet
 * @owned: see struct seen_binding
 * @extack: receives the text of an error
 *
 * Rules that have pinned the name use the filter from now on. Sends
 * SEEN_CMD_FILTER_ADD_NTF, but for an @owned filter seen_binding_announce() does that.
 *
 * Return: the binding or ERR_PTR: -EINVAL, -EEXIST, -ENOSPC, -ENOMEM.
 */
struct seen_binding *seen_binding_add(struct seen_net *sn, const char *name,
				      struct seen_filter *filter, bool owned,
				      struct netlink_ext_ack *extack);
/*
 * seen_binding_announce() - send SEEN_CMD_FILTER_ADD_NTF, if it has not been sent;
 * seen_net.lock held for writing
 */
void seen_binding_announce(struct seen_binding *binding);

/* seen_binding_pin(), _unpin() - add or remove a guard's pin; seen_net.lock held for writing */
void seen_binding_pin(struct seen_binding *binding, struct seen_pin *pin);
void seen_binding_unpin(struct seen_binding *binding, struct seen_pin *pin);

/**
 * seen_binding_pin_rule() - pin a binding for a rule; the filter need not exist yet
 * @sn: the namespace of the rule
 * @name: of the filter
 * @kind: of the rule, below SEEN_RULE_KINDS
 * @extack: receives the text of an error; may be NULL
 *
 * Sends SEEN_CMD_MISSING_NTF if there is no filter.
 *
 * Context: process; netfilter's locks may be held, and rtnl outside of them.
 * Return: the binding, or ERR_PTR: -EINVAL (the name), -ENOSPC, -ENOMEM.
 */
struct seen_binding *seen_binding_pin_rule(struct seen_net *sn, const char *name,
					   unsigned int kind,
					   struct netlink_ext_ack *extack);

/*
 * seen_binding_unpin_rule() - unpin the binding of a rule that no packet can be in any more;
 * @kind: as for seen_binding_pin_rule()
 */
void seen_binding_unpin_rule(struct seen_binding *binding, unsigned int kind);

/**
 * seen_binding_del() - unpublish and destroy a filter that no guard uses
 * @binding: has a filter; its namespace's lock held for writing. An empty binding stays
 *           while rules pin it
 *
 * Sends SEEN_CMD_FILTER_DEL_NTF, and SEEN_CMD_MISSING_NTF if rules pin the binding; neither
 * if the filter was not announced. Does not wait for readers.
 */
void seen_binding_del(struct seen_binding *binding);

/**
 * seen_binding_flush() - replace the filter by an empty one with the same parameters
 * @binding: has a filter; its namespace's changes held, but not its lock
 * @extack: receives the text of an error
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -EBUSY: the caps are exceeded already.
 */
int seen_binding_flush(struct seen_binding *binding,
		       struct netlink_ext_ack *extack);
int seen_binding_rename(struct seen_binding *binding, const struct nlattr *name,
			struct netlink_ext_ack *extack);
int seen_binding_swap(struct seen_binding *binding, struct seen_binding *other,
		      struct netlink_ext_ack *extack);

/*
 * seen_binding_exchange() - install another filter; the caller keeps the old one and moves
 * its counters. seen_net.changes held, but not seen_net.lock.
 */
void seen_binding_exchange(struct seen_binding *binding,
			   struct seen_filter *filter);

/**
 * seen_binding_replace() - install another filter and destroy the old one
 * @binding: has a filter; its namespace's changes and lock held, the lock for writing
 * @filter: not published yet
 * @extack: receives the text of an error
 *
 * Return: 0, or -EINVAL: @filter has another key, or a user of the binding cannot work
 * with it.
 */
int seen_binding_replace(struct seen_binding *binding,
			 struct seen_filter *filter,
			 struct netlink_ext_ack *extack);

/**
 * seen_binding_count() - read a counter of a binding
 * @binding: has a filter; its namespace's lock held
 * @stat: the counter
 *
 * The counter continues when another filter is installed.
 *
 * Return: its value since the last reset.
 */
u64 seen_binding_count(const struct seen_binding *binding, enum seen_stat stat);

/* seen_binding_unanswered() - sum of @unanswered since the last reset of the counters */
u64 seen_binding_unanswered(const struct seen_binding *binding);

/**
 * seen_binding_count_on() - let the counters continue when a filter is replaced
 * @binding: the binding; its namespace's lock held for writing
 * @old: its present filter
 * @filter: the filter that will be installed
 */
void seen_binding_count_on(struct seen_binding *binding,
			   const struct seen_filter *old,
			   const struct seen_filter *filter);

/* seen_binding_count_swap() - the same for two bindings that will swap their filters */
void seen_binding_count_swap(struct seen_binding *binding,
			     struct seen_binding *other);

/*
 * seen_binding_count_anew() - reset all counters of a binding that has a filter;
 * seen_net.lock held for writing
 */
void seen_binding_count_anew(struct seen_binding *binding);

/* feed_binding.c */
/**
 * seen_binding_feed_add() - give a binding a feed
 * @binding: has a filter and no feed; its namespace's changes and lock held, the lock for
 *           writing
 * @feed: not published yet
 *
 * Sends SEEN_CMD_FILTER_CHANGE_NTF.
 */
void seen_binding_feed_add(struct seen_binding *binding, struct seen_feed *feed);

/* seen_binding_feed_del() - the reverse; the binding has a feed, which is freed later */
void seen_binding_feed_del(struct seen_binding *binding);

/* seen_binding_feed_drop() - the same without an event, if there is a feed */
void seen_binding_feed_drop(struct seen_binding *binding);

/*
 * seen_binding_feed_move() - move the feed, if there is one, and its name to another binding;
 * seen_net.lock held for writing
 */
void seen_binding_feed_move(struct seen_binding *from, struct seen_binding *to);

/* seen_binding_net_exit() - unpublish and destroy all filters of a namespace */
void seen_binding_net_exit(struct seen_net *sn);

#endif
