/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guards: device(s) + match + filter + verdict + action.
 *
 *	guard.c		first steps of a packet: match and key; hooks of devices
 *	guard_bridge.c	hooks of bridges
 *	guard_vlan.c	VLANs and port flags of bridges
 *	guard_verdict.c	filter, verdict, action
 *	guard_match.c	conditions on UDP ports and addresses
 *	guard_control.c	multicast groups that carry control traffic
 *	guard_repeat.c	frames that arrive again on the port of their first arrival
 *	guard_port.c	ports: hooks, numbers, budgets, counters
 *	guard_block.c	suspicion of a loop; blocking and releasing ports
 *	guard_probe.c	probes, which prove a loop
 *	guard_trail.c	filters that travel in frames
 *	guard_alarm.c	alarms: the rate of duplicates on a port
 *	guard_event.c	work that packets leave to process context: events, timers
 *	guard_profile.c	profiles loop, relay and packet, and their filters
 *	guard_check.c	checks of the parameters of a guard and its filter
 *	guard_conf.c	adding, changing and deleting guards
 *	guard_replace.c	replacing a guard by another one
 *	guard_dev.c	device events: a device appears, disappears, joins or leaves
 *	netlink_guard*.c	requests and replies
 *
 * Lifetime: the hooks of a port are removed first, then the port is unlisted, and freed
 * after a grace period. A guard is freed after a grace period, when its work has ended.
 * A port points to its device only until NETDEV_UNREGISTER; the pointer changes under rtnl.
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
 * Thresholds of profile loop for copies on the same port and on another port, and the
 * coarsest tick that can measure them. Profile relay uses the first one, too.
 */
#define SEEN_LOOP_SAME		(100 * NSEC_PER_MSEC)
#define SEEN_LOOP_OTHER		(500 * NSEC_PER_MSEC)
#define SEEN_LOOP_TICK		(25 * NSEC_PER_MSEC)

/* Due time of a work that has nothing to do. */
#define SEEN_NEVER		U64_MAX

/**
 * struct seen_guard - see above
 * @list: in seen_net.guards; changes under rtnl and seen_net.lock
 * @sn: the namespace
 * @id: unique in the namespace, ascending in the list
 * @binding: binding of its filter, pinned; the work of a guard without ports must not read it
 * @pin: its reference to @binding
 * @config: parameters from GUARD_ADD, GUARD_SET
 * @lists: match conditions and protected ports
 * @device: the device or bridge while armed, else NULL; changes under rtnl and seen_net.lock
 * @ifindex: of @device; 0: no device. The last event of a deleted guard still reports it
 * @holds_module: the armed guard holds a reference to the module; under rtnl
 * @ports: struct seen_port.list
 * @self: the entry of @ports that stands for the bridge itself; changes under rtnl
 * @exempts: additional control groups, or NULL; read under RCU
 * @replaces: the guard that this one is about to replace, or NULL; under rtnl and
 *            seen_net.lock
 * @trail_room: most bytes behind the Ethernet header that a frame with a trail may have: as
 *              configured, and as the MTU of each port allows; changes under rtnl
 * @evidence_lock: protects the evidence of a loop, the probes, and the blocks
 * @latest_block: seen_now() at the last block; frames first seen before it prove nothing
 * @probe: state of its probes
 * @work: sends events, releases ports, updates alarms
 * @free_work: frees the guard, in process context, after a grace period
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
	u32 trail_room;
	spinlock_t evidence_lock;	/* ports' evidence and blocks */
	u64 latest_block;
	struct seen_probe probe;
	struct delayed_work work;
	struct rcu_work free_work;
};

/*
 * guard.c: the hooks of devices; priv is a struct seen_port_hooks. _judge looks at packets;
 * _in and _out drop packets of a blocked port.
 */
unsigned int seen_guard_judge(void *priv, struct sk_buff *skb,
			      const struct nf_hook_state *state);
unsigned int seen_guard_in(void *priv, struct sk_buff *skb,
			   const struct nf_hook_state *state);
unsigned int seen_guard_out(void *priv, struct sk_buff *skb,
			    const struct nf_hook_state *state);

/**
 * seen_guard_find() - find the guard of a kind, device and hook
 * @sn: the namespace, its lock held
 * @kind: enum seen_guard_kind
 * @dev: name of the device
 * @hook: enum seen_hook
 *
 * Return: the guard or NULL.
 */
struct seen_guard *seen_guard_find(struct seen_net *sn, u32 kind,
				   const char *dev, u32 hook);

/**
 * struct seen_guard_new - what a new guard is made from
 * @config: parameters: complete, each value within its enum
 * @lists: match conditions and protected ports
 * @exempts: additional control groups, or NULL. Set to NULL when a guard takes them over
 * @binding: binding of the filter; NULL: the filter of the profile
 * @filter: if @binding is NULL: see seen_profile_binding()
 */
struct seen_guard_new {
	const struct seen_guard_config *config;
	const struct seen_guard_lists *lists;
	struct seen_exempts *exempts;
	struct seen_binding *binding;
	struct seen_filter *filter;
};

/**
 * seen_guard_add() - check and create a guard, and arm it if its device exists
 * @sn: the namespace; rtnl and its lock held, the lock for writing
 * @new: what the guard is made from
 * @extack: receives the text of an error
 *
 * Return: 0 or an error.
 */
int seen_guard_add(struct seen_net *sn, struct seen_guard_new *new,
		   struct netlink_ext_ack *extack);

/**
 * seen_guard_replace() - replace the guard of the same kind, device and hook
 * @sn: the namespace; rtnl, its changes and its lock held, the lock for writing
 * @new: what the new guard is made from
 * @extack: receives the text of an error
 *
 * guard_replace.c describes what is kept. If no guard exists there, this is
 * seen_guard_add().
 *
 * Context: process. May wait for a grace period.
 * Return: 0, or an error: the old guard is unchanged.
 */
int seen_guard_replace(struct seen_net *sn, struct seen_guard_new *new,
		       struct netlink_ext_ack *extack);

/**
 * seen_guard_make() - check, create, list and arm a guard
 * @sn: the namespace; rtnl and its lock held, the lock for writing
 * @new: what the guard is made from
 * @old: the guard that it will replace, or NULL. Until then the new guard judges no packet
 * @extack: receives the text of an error
 *
 * Return: the guard, not announced yet, or ERR_PTR.
 */
struct seen_guard *seen_guard_make(struct seen_net *sn, struct seen_guard_new *new,
				   struct seen_guard *old,
				   struct netlink_ext_ack *extack);
/* seen_guard_announce() - send the events of a new guard; seen_net.lock held */
void seen_guard_announce(struct seen_guard *guard);

/* seen_guard_check_new() - is @new valid, apart from existing guards? 0 or an error */
int seen_guard_check_new(const struct seen_guard_new *new,
			 struct netlink_ext_ack *extack);

/*
 * seen_guard_inherits() - the binding that the profile of @old made, if a guard with @config
 * that replaces @old can keep it; else NULL
 */
struct seen_binding *seen_guard_inherits(const struct seen_guard *old,
					 const struct seen_guard_config *config);

/*
 * seen_guard_set_paused() - pause a guard, so that all packets pass and blocks end, or
 * resume it; seen_net.lock held for writing
 */
void seen_guard_set_paused(struct seen_guard *guard, bool paused);

/* seen_guard_count_anew() - reset the counters of all ports; seen_net.lock held for writing */
void seen_guard_count_anew(struct seen_guard *guard);

/* seen_guard_change() - apply the parameters in @config that can change; lock as above */
void seen_guard_change(struct seen_guard *guard,
		       const struct seen_guard_config *config);

/* seen_guard_exempt_change() - replace the additional control groups; lock as above */
void seen_guard_exempt_change(struct seen_guard *guard,
			      struct seen_exempts *exempts);

/* seen_guard_protect_change() - replace the list of protected ports; lock as above */
void seen_guard_protect_change(struct seen_guard *guard,
			       const struct seen_protect *protect);

/*
 * seen_guard_del() - delete a guard; rtnl and seen_net.lock held, the lock for writing. Does
 * not wait for packets.
 */
void seen_guard_del(struct seen_guard *guard);

/**
 * seen_guard_check_action() - can a guard have this action?
 * @config: parameters of the guard; its action is ignored
 * @action: enum seen_action
 * @extack: receives the text of an error
 *
 * Return: 0 or -EINVAL, -EOPNOTSUPP.
 */
int seen_guard_check_action(const struct seen_guard_config *config, u32 action,
			    struct netlink_ext_ack *extack);

/* seen_guard_check_match() - does this match suit the guard's device, if any? 0 or -EINVAL */
int seen_guard_check_match(const struct seen_guard *guard, u32 match,
			   struct netlink_ext_ack *extack);

/**
 * seen_guard_check_filter() - can a guard work with this filter?
 * @config: parameters of the guard
 * @filter: its present or new filter
 * @extack: receives the text of an error
 *
 * Return: 0 or -EINVAL.
 */
int seen_guard_check_filter(const struct seen_guard_config *config,
			    const struct seen_filter *filter,
			    struct netlink_ext_ack *extack);

/**
 * seen_guard_check_feed() - can a filter have a feed in spite of its guards?
 * @binding: of the filter; seen_net.lock held
 * @extack: receives the text of an error
 *
 * Entries with ports are of use only on the host with these ports.
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int seen_guard_check_feed(const struct seen_binding *binding,
			  struct netlink_ext_ack *extack);

/**
 * seen_guard_arm() - create the ports and hooks of a guard whose device exists
 * @guard: waits for its device; rtnl and seen_net.lock held, the lock for writing
 * @dev: device with the guard's name
 * @asked: true: a command asks for this; refuse if the filter would see packets twice.
 *         False: suspend each port that would see packets twice
 * @extack: receives the text of an error
 *
 * Return: 0, or an error: the guard continues to wait.
 */
int seen_guard_arm(struct seen_guard *guard, struct net_device *dev, bool asked,
		   struct netlink_ext_ack *extack);
/*
 * seen_guard_settle() - after ports were added: suspend ports that would see packets twice,
 * and resume others; locks as above
 */
void seen_guard_settle(struct seen_net *sn);
/* seen_guard_disarm() - delete the ports, so that the guard waits again; locks as above */
void seen_guard_disarm(struct seen_guard *guard);

int seen_guard_init(void);	/* the netdevice notifier */
void seen_guard_exit(void);

/* seen_guard_net_exit() - delete all guards of a namespace; locks as above */
void seen_guard_net_exit(struct seen_net *sn);

#endif
