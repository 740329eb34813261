/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guards: device(s) + match + filter + verdict + action.
 *
 *	guard.c		a packet's first steps, match and key; hooks of devices
 *	guard_bridge.c	hooks of bridges
 *	guard_vlan.c	VLANs and port flags, as a bridge sees them
 *	guard_verdict.c	filter, verdict, action; no lock but those of the set
 *	guard_match.c	conditions on UDP ports and addresses
 *	guard_control.c	groups that carry control traffic
 *	guard_repeat.c	frames that come again by their own port
 *	guard_port.c	ports: hooks, numbers, budgets, counters
 *	guard_block.c	suspicion of a loop, blocking and releasing ports
 *	guard_probe.c	probes, which prove a loop
 *	guard_alarm.c	storms: what duplicates do on a port
 *	guard_event.c	what packets leave for process context: events, timers
 *	guard_profile.c	what comes with loop, relay and packet
 *	guard_check.c	what fits together in a guard, and what not
 *	guard_conf.c	guards that are added, changed and deleted
 *	guard_replace.c	a guard in the place of another one
 *	guard_dev.c	devices that come, go, join and leave
 *	netlink_guard*.c	requests and replies
 *
 * Lifetime: a port's hooks go first, then the port is unlisted, and freed after
 * a grace period; a guard waits for one too, then for its work. A device is
 * pointed to only between its arrival and NETDEV_UNREGISTER, under rtnl.
 */
#ifndef SEEN_GUARD_H
#define SEEN_GUARD_H

#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/workqueue.h>

#include "binding.h"
#include "guard_conf.h"
#include "guard_control.h"
#include "guard_probe.h"

/*
 * Profile loop's thresholds, of which relay has the first, and the coarsest tick
 * that can tell them apart.
 */
#define SEEN_LOOP_SAME		(100 * NSEC_PER_MSEC)
#define SEEN_LOOP_OTHER		(500 * NSEC_PER_MSEC)
#define SEEN_LOOP_TICK		(25 * NSEC_PER_MSEC)

/* When a port's work is due that is not. */
#define SEEN_NEVER		U64_MAX

/**
 * struct seen_guard - see above
 * @list: in seen_net.guards, under rtnl and seen_net.lock
 * @sn: the namespace
 * @id: unique in it, ascending in the list
 * @binding: its filter, pinned; not to be read by the work of a guard without ports
 * @pin: by which
 * @config: what it shall be
 * @lists: more of that
 * @device: while armed: the device, or the bridge; under rtnl and seen_net.lock
 * @ifindex: of @device; 0: there is none; the last event of the guard still reports it
 * @holds_module: it is armed, and the module stays; under rtnl
 * @ports: struct seen_port.list
 * @self: that of @ports which stands for the bridge; changes under rtnl
 * @exempts: more control groups; changes live; NULL: none
 * @replaces: the guard whose place it is about to take, or NULL; under rtnl and seen_net.lock
 * @evidence_lock: what speaks for a loop, and the blocks that came of it
 * @latest_block: seen_now() then; frames first seen before it prove nothing
 * @probe: of a loop
 * @work: tells events, releases ports, follows alarms
 * @free_work: ends it, in process context, after a grace period
 */
struct seen_guard {
	struct list_head list;
	struct seen_net *sn;
	u32 id;
	struct seen_binding *binding;
	struct seen_pin pin;
	struct seen_guard_config config;
	struct seen_guard_lists lists;
	struct net_device *device;
	u32 ifindex;
	bool holds_module;
	struct list_head ports;
	struct seen_port __rcu *self;
	struct seen_exempts __rcu *exempts;
	struct seen_guard *replaces;
	spinlock_t evidence_lock;	/* ports' evidence and blocks */
	u64 latest_block;
	struct seen_probe probe;
	struct delayed_work work;
	struct rcu_work free_work;
};

/*
 * guard.c: the hooks of devices, priv is the port. _judge: where a guard looks at
 * packets; _in and _out: of a port that may be blocked.
 */
unsigned int seen_guard_judge(void *priv, struct sk_buff *skb,
			      const struct nf_hook_state *state);
unsigned int seen_guard_in(void *priv, struct sk_buff *skb,
			   const struct nf_hook_state *state);
unsigned int seen_guard_out(void *priv, struct sk_buff *skb,
			    const struct nf_hook_state *state);

/**
 * seen_guard_find() - the one guard of a kind, device and hook
 * @sn: the namespace, its lock held
 * @kind: enum seen_guard_kind
 * @dev: name
 * @hook: enum seen_hook
 *
 * Return: the guard or NULL.
 */
struct seen_guard *seen_guard_find(struct seen_net *sn, u32 kind,
				   const char *dev, u32 hook);

/**
 * struct seen_guard_new - what a guard is made from
 * @config: complete, each value within its enum
 * @lists: more of it
 * @exempts: more control groups, NULL: none; NULL from when a guard has them
 * @binding: the filter, or NULL: the profile's own
 * @filter: then see seen_profile_binding()
 */
struct seen_guard_new {
	const struct seen_guard_config *config;
	const struct seen_guard_lists *lists;
	struct seen_exempts *exempts;
	struct seen_binding *binding;
	struct seen_filter *filter;
};

/**
 * seen_guard_add() - check, create, and arm if the device is there
 * @sn: the namespace; rtnl and its lock held for writing
 * @new: what it is made from
 * @extack: why not
 *
 * Return: 0 or an error.
 */
int seen_guard_add(struct seen_net *sn, struct seen_guard_new *new,
		   struct netlink_ext_ack *extack);

/**
 * seen_guard_replace() - the same in the place of the guard that is there
 * @sn: the namespace; rtnl, its changes and its lock held, the lock for writing
 * @new: what it is made from
 * @extack: why not
 *
 * guard_replace.c says what stays. Without a guard in this place it is seen_guard_add().
 *
 * Context: process. May wait for a grace period.
 * Return: 0, or an error: the guard that was there is as it was.
 */
int seen_guard_replace(struct seen_net *sn, struct seen_guard_new *new,
		       struct netlink_ext_ack *extack);

/**
 * seen_guard_make() - check, create, list and arm a guard
 * @sn: the namespace; rtnl and its lock held for writing
 * @new: what it is made from
 * @old: the guard whose place it will take, or NULL. It judges nothing before that
 * @extack: why not
 *
 * Return: the guard, not announced yet, or ERR_PTR.
 */
struct seen_guard *seen_guard_make(struct seen_net *sn, struct seen_guard_new *new,
				   struct seen_guard *old,
				   struct netlink_ext_ack *extack);
/* seen_guard_announce() - its events; lock held */
void seen_guard_announce(struct seen_guard *guard);

/* seen_guard_check_new() - may there be such a guard, in an empty place? 0 or an error */
int seen_guard_check_new(const struct seen_guard_new *new,
			 struct netlink_ext_ack *extack);

/*
 * seen_guard_inherits() - the filter that @old was made with by its profile, where a guard
 * with @config in its place has that, too; or NULL
 */
struct seen_binding *seen_guard_inherits(const struct seen_guard *old,
					 const struct seen_guard_config *config);

/* seen_guard_set_paused() - every packet passes, blocked ports' too; or that ends */
void seen_guard_set_paused(struct seen_guard *guard, bool paused);

/* seen_guard_count_anew() - the counters of all its ports begin at 0; lock held */
void seen_guard_count_anew(struct seen_guard *guard);

/* seen_guard_change() - what of @config changes live becomes the guard's */
void seen_guard_change(struct seen_guard *guard,
		       const struct seen_guard_config *config);

/* seen_guard_exempt_change() - these control groups in place of those before */
void seen_guard_exempt_change(struct seen_guard *guard,
			      struct seen_exempts *exempts);

/* seen_guard_protect_change() - these ports are never blocked, others may be */
void seen_guard_protect_change(struct seen_guard *guard,
			       const struct seen_protect *protect);

/* seen_guard_del() - rtnl and seen_net.lock held; does not wait */
void seen_guard_del(struct seen_guard *guard);

/**
 * seen_guard_check_action() - may a guard have this action?
 * @config: of the guard, but for the action
 * @action: enum seen_action
 * @extack: why not
 *
 * Return: 0 or -EINVAL, -EOPNOTSUPP.
 */
int seen_guard_check_action(const struct seen_guard_config *config, u32 action,
			    struct netlink_ext_ack *extack);

/* seen_guard_check_match() - can its device, if it is there, have it? 0 or -EINVAL */
int seen_guard_check_match(const struct seen_guard *guard, u32 match,
			   struct netlink_ext_ack *extack);

/**
 * seen_guard_check_filter() - can a guard work with this filter?
 * @config: of the guard
 * @filter: the one it has or shall have
 * @extack: why not
 *
 * Return: 0 or -EINVAL.
 */
int seen_guard_check_filter(const struct seen_guard_config *config,
			    const struct seen_filter *filter,
			    struct netlink_ext_ack *extack);

/**
 * seen_guard_arm() - a guard's device is there: ports, then hooks
 * @guard: waiting
 * @dev: of the guard's name
 * @asked: by a command: refuse if a port would meet its packets twice; else suspend
 *         such ports
 * @extack: receives the text of an error
 *
 * Return: 0, or an error: the guard goes on waiting.
 */
int seen_guard_arm(struct seen_guard *guard, struct net_device *dev, bool asked,
		   struct netlink_ext_ack *extack);
/* seen_guard_settle() - ports have come: others must rest, or may resume; both locks held */
void seen_guard_settle(struct seen_net *sn);
/* seen_guard_disarm() - the device goes: so do the ports; rtnl and seen_net.lock held */
void seen_guard_disarm(struct seen_guard *guard);

int seen_guard_init(void);	/* the netdevice notifier */
void seen_guard_exit(void);

/* A namespace ends, or the module does: every guard goes; rtnl and lock held. */
void seen_guard_net_exit(struct seen_net *sn);

#endif
