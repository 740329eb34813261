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
 *	guard_conf.c	guards that are added, changed and deleted
 *	guard_dev.c	devices that come, go, join and leave
 *	netlink_guard.c	requests and replies
 *
 * Lifetime: a port's hooks go first, then the port is unlisted, and freed after
 * a grace period; a guard waits for one too, then for its work. A device is
 * pointed to only between its arrival and NETDEV_UNREGISTER, under rtnl.
 */
#ifndef SEEN_GUARD_H
#define SEEN_GUARD_H

#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>

#include "budget.h"
#include "event.h"
#include "guard_alarm.h"
#include "guard_conf.h"
#include "guard_control.h"
#include "guard_probe.h"
#include "guard_repeat.h"
#include "binding.h"

/*
 * Profile loop's thresholds, of which relay has the first, and the coarsest tick
 * that can tell them apart.
 */
#define SEEN_LOOP_SAME		(100 * NSEC_PER_MSEC)
#define SEEN_LOOP_OTHER		(500 * NSEC_PER_MSEC)
#define SEEN_LOOP_TICK		(25 * NSEC_PER_MSEC)

/* Before what nftables has on the same device, which can then match the mark. */
#define SEEN_GUARD_PRIORITY	(-1000)

/* When a port's work is due that is not. */
#define SEEN_NEVER		U64_MAX

/* Counters of a port, as SEEN_A_PORT_ tells them. */
enum seen_count {
	SEEN_COUNT_NEW,
	SEEN_COUNT_REPEAT,
	SEEN_COUNT_DUP_SAME,
	SEEN_COUNT_DUP_OTHER,
	SEEN_COUNT_HIT,
	SEEN_COUNT_EXEMPT,
	SEEN_COUNT_NOKEY,
	SEEN_COUNT_GRO_SKIPPED,
	SEEN_COUNT_OVER_BUDGET,
	SEEN_COUNT_FULL,
	SEEN_COUNT_STALE,
	SEEN_COUNT_ALLOWED,
	SEEN_COUNT_DROPPED,
	SEEN_COUNT_MARKED,
	SEEN_COUNT_BLOCKED_IN,
	SEEN_COUNT_BLOCKED_OUT,
	SEEN_COUNT_WOULD_DROP,
	SEEN_COUNT_REFUSED,
	SEEN_COUNT_UNRECORDED,
	SEEN_COUNTS
};

struct seen_port_stats {
	u64 count[SEEN_COUNTS];
};

/* What the packet path asks a guard's work to tell. */
enum seen_tell {
	SEEN_TELL_ALARM,	/* set for as long as it is not calm */
	SEEN_TELL_SATURATED,	/* set until the next one may be told */
	SEEN_TELL_BLOCKED,
	SEEN_TELL_FORGET,	/* the bridge knows stations behind a blocked port */
};

/**
 * struct seen_evidence - a frame that came back on another port
 * @hash: of its key
 * @when: seen_now() then; 0: none
 */
struct seen_evidence {
	u64 hash;
	u64 when;
};

/**
 * struct seen_sighting - a duplicate, as the packet path notes it
 * @smac: source
 * @dmac: destination
 * @vlan: VID, 0xffff: untagged
 * @ethertype: host order, inside the tags
 * @first: number of the port that was first, 0: not known
 * @when: seen_now() then; 0: never yet
 */
struct seen_sighting {
	u8 smac[ETH_ALEN];
	u8 dmac[ETH_ALEN];
	u16 vlan;
	u16 ethertype;
	u32 first;
	u64 when;
};

/**
 * struct seen_port - a device under a guard
 * @list: in seen_guard.ports; changes under rtnl and seen_net.lock, walked
 *        under RCU by the packet path
 * @bridged: in seen_net.bridged, if its hooks are the bridge's; changes under rtnl
 * @guard: whose it is
 * @sn: the namespace, still there when the guard has gone
 * @dev: the device; a bridge guard's own bridge if @self
 * @id: unique in its namespace, ascending in the list
 * @number: 1 to SEEN_ARRIVAL_MAX, unique in its namespace: the filter's entries
 *          carry it
 * @name: of @dev, under seen_net.lock
 * @self: stands for what the bridge itself sends: recorded, never judged
 * @ethernet: has Ethernet headers
 * @offloaded: forwards in hardware
 * @protect: never blocked
 * @suspended: passes everything: it would meet packets of a lower device again
 * @op: hooks
 * @ops: how many of them are registered
 * @stats: per CPU
 * @before: sums of @stats at the last reset
 * @budget: its share of new keys
 * @events: bits of enum seen_tell
 * @repeats: on this port
 * @evidence: for a loop at this port; under seen_guard.evidence_lock, as all up to
 *            @cause
 * @quiet: seen_now() from which on a suspicion may be the next
 * @round: seen_now() when the last rounds of probes began
 * @rounds: how many there were
 * @blocked_since: seen_now() then
 * @blocked_until: 0: not blocked; read by every packet
 * @shadow: it would be, but its guard only counts
 * @penalty: ns, nominal length of the last block; 0: never blocked
 * @released: seen_now() when that ended
 * @blocks: how often
 * @would_block: how often it would have been
 * @peer: number of the other port of the loop for which it was blocked last
 * @cause: the frame that made its loop a suspicion
 * @last_lock: of the two that follow, and of nothing else
 * @last: duplicate that was first on this port, or hit
 * @last_other: duplicate that was first on another port
 * @peer_name: name of @peer when the block was reported. Only the work uses it and the
 *             members behind it
 * @alarm: of duplicates
 * @saturated: seen_now() when saturation was last told; 0: never yet
 * @rcu: frees it
 */
struct seen_port {
	struct list_head list;
	struct hlist_node bridged;
	struct seen_guard *guard;
	struct seen_net *sn;
	struct net_device *dev;
	u32 id;
	u32 number;
	char name[IFNAMSIZ];
	bool self;
	bool ethernet;
	bool offloaded;
	bool protect;
	bool suspended;
	struct nf_hook_ops op[2];
	u8 ops;
	struct seen_port_stats __percpu *stats;
	u64 before[SEEN_COUNTS];
	struct seen_budget budget;
	unsigned long events;
	struct seen_repeats repeats;
	struct seen_evidence evidence[SEEN_SUSPECT_MAX];
	u64 quiet;
	u64 round[SEEN_PROBE_ROUNDS];
	u32 rounds;
	u64 blocked_since;
	u64 blocked_until;
	bool shadow;
	u64 penalty;
	u64 released;
	u64 blocks;
	u64 would_block;
	u32 peer;
	struct seen_sighting cause;
	spinlock_t last_lock;	/* what follows */
	struct seen_sighting last;
	struct seen_sighting last_other;
	char peer_name[IFNAMSIZ];
	struct seen_alarm alarm;
	u64 saturated;
	struct rcu_head rcu;
};

/**
 * struct seen_guard - see above
 * @list: in seen_net.guards, under rtnl and seen_net.lock
 * @sn: the namespace
 * @id: unique in it, ascending in the list
 * @binding: its filter, pinned
 * @pin: by which
 * @config: what it shall be
 * @lists: more of that
 * @device: while armed: the device, or the bridge; under rtnl and seen_net.lock
 * @holds_module: it is armed, and the module stays; under rtnl
 * @ports: struct seen_port.list
 * @self: that of @ports which stands for the bridge; changes under rtnl
 * @exempts: more control groups; changes live; NULL: none
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
	bool holds_module;
	struct list_head ports;
	struct seen_port __rcu *self;
	struct seen_exempts __rcu *exempts;
	spinlock_t evidence_lock;	/* ports' evidence and blocks */
	u64 latest_block;
	struct seen_probe probe;
	struct delayed_work work;
	struct rcu_work free_work;
};

static inline void seen_port_count(const struct seen_port *port,
				   enum seen_count count)
{
	this_cpu_inc(port->stats->count[count]);
}

/* seen_port_uncount() - what was counted in advance has not happened */
static inline void seen_port_uncount(const struct seen_port *port,
				     enum seen_count count)
{
	this_cpu_dec(port->stats->count[count]);
}

/* seen_ports_known() - can a filter of this geometry tell ports apart? */
static inline bool seen_ports_known(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_CUCKOO_WINDOW && geo->fp_bits >= 16;
}

/* seen_port_blocked() - packet path: does nothing pass here now? */
static inline bool seen_port_blocked(const struct seen_port *port)
{
	/* Pairs with block_port(). */
	u64 until = smp_load_acquire(&port->blocked_until);

	return until && !READ_ONCE(port->shadow) && seen_now() < until;
}

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

/* seen_bridge_hook() - let a bridge's frames reach @port; rtnl held; 0 or error */
int seen_bridge_hook(struct seen_port *port);
/* seen_bridge_unhook() - no frame finds it from now on, if any could; rtnl held */
void seen_bridge_unhook(struct seen_port *port);

/**
 * seen_bridge_forget() - the bridge forgets what it has learned behind a port
 * @port: of a bridge guard; rtnl held
 *
 * The bridge then floods frames to a station behind the blocked port. It learns the open
 * path from the answer, or from the other bridge.
 */
void seen_bridge_forget(const struct seen_port *port);

/**
 * seen_port_add() - a port of a guard, without hooks as yet
 * @guard: its binding is pinned; rtnl and seen_net.lock held
 * @dev: the device; the guard's own bridge: the port for what that sends
 * @extack: why not, may be NULL
 *
 * Return: the port or ERR_PTR.
 */
struct seen_port *seen_port_add(struct seen_guard *guard,
				struct net_device *dev,
				struct netlink_ext_ack *extack);

/**
 * seen_port_hook() - let packets reach a port
 * @port: without hooks; rtnl held
 * @extack: why not, may be NULL
 *
 * Return: 0 or an error, and there are no hooks.
 */
int seen_port_hook(struct seen_port *port, struct netlink_ext_ack *extack);

/* seen_port_del() - hooks go, then the port; rtnl and seen_net.lock held */
void seen_port_del(struct seen_port *port);

/* seen_port_rename() - its device's name has changed, or whose are protected; lock held */
void seen_port_rename(struct seen_port *port);

/* seen_port_count_anew() - reset the counters that userspace sees; lock held for writing */
void seen_port_count_anew(struct seen_port *port);

/* seen_port_told() - a counter since then; lock held */
u64 seen_port_told(const struct seen_port *port, enum seen_count count);

/* seen_port_sum() - a counter over all CPUs */
u64 seen_port_sum(const struct seen_port *port, enum seen_count count);

/* seen_port_share() - new keys that a port may store in a window for certain; 0: no limit */
u64 seen_port_share(const struct seen_port *port,
		    const struct seen_geometry *geo);

/**
 * seen_port_take() - packet path: may this port store one more key?
 * @port: of a guard
 * @geo: of its filter
 *
 * Return: true: it is counted, in its share or among what is common.
 */
bool seen_port_take(struct seen_port *port, const struct seen_geometry *geo);
/* seen_port_return() - the key turned out not to be new */
void seen_port_return(struct seen_port *port);

/**
 * seen_guard_evidence() - packet path: a frame came back on another port
 * @port: where it came back, of a guard with verdict loop
 * @skb: the frame
 * @vlan: of the frame
 * @hash: of the frame
 * @answer: the verdict
 *
 * When seen_guard_config.suspect distinct frames come back within a second, the guard
 * suspects a loop and sends probes.
 */
void seen_guard_evidence(struct seen_port *port, const struct sk_buff *skb,
			 struct seen_vlan vlan, u64 hash,
			 const struct seen_arrival_answer *answer);

/**
 * seen_guard_circles() - packet path: does a frame circle, that comes again and again?
 * @port: where it does, of a guard with verdict loop
 * @skb: the frame
 * @vlan: of the frame
 * @many: more often than stations repeat; else it circles if another port has returned
 *        a frame of @port's lately
 *
 * If it may, that is a suspicion, too. Takes a look at all ports.
 *
 * Return: ns for which it is a sign of a loop; 0: none.
 */
u64 seen_guard_circles(struct seen_port *port, const struct sk_buff *skb,
		       struct seen_vlan vlan, bool many);

/**
 * seen_guard_block() - packet path: a loop is proved: block one of its two ports
 * @guard: evidence_lock held
 * @back: number of the port on which copies came back: this one, if it may be
 * @left: number of a port of the loop
 * @came: number of the other one
 *
 * Effective at once. Blocks neither a protected port nor the last open one.
 */
void seen_guard_block(struct seen_guard *guard, u32 back, u32 left, u32 came);

/* seen_guard_port() - by number, or NULL; RCU read lock, seen_net.lock or rtnl held */
struct seen_port *seen_guard_port(const struct seen_guard *guard, u32 number);

/* seen_port_open() - has it a carrier, and no block? The bridge itself is no such port */
bool seen_port_open(const struct seen_port *port);

/* seen_guard_controls() - packet path: is it a frame to a control group? */
bool seen_guard_controls(const struct seen_port *port,
			 const struct sk_buff *skb);

/* seen_port_alarm() - look at it, tell; when to look again, or SEEN_NEVER */
u64 seen_port_alarm(struct seen_port *port);
/* seen_port_alarm_end() - no duplicate comes any more: tell the end */
void seen_port_alarm_end(struct seen_port *port);

/* seen_port_unblock() - its block is over now; seen_port_release() ends it */
void seen_port_unblock(struct seen_port *port);

/* seen_port_protect() - may it be blocked? A block of it is over; seen_net.lock held */
void seen_port_protect(struct seen_port *port, bool protect);

/* seen_guard_keep_open() - a port has gone, or its carrier: another must be open; rtnl held */
void seen_guard_keep_open(struct seen_guard *guard);

/**
 * seen_port_release() - end a block whose time is up, and whose beginning was told
 * @port: seen_net.lock held
 * @lasted: out: ns, if one has ended
 *
 * Return: seen_now() when the block that goes on will end, or was to; 0: none goes on.
 */
u64 seen_port_release(struct seen_port *port, u64 *lasted);

/* guard_event.c */
/* seen_guard_event() - the parts of an event that name the guard */
struct seen_event seen_guard_event(const struct seen_guard *guard, u8 cmd);
/* seen_guard_tell() - send an event that says no more than that */
void seen_guard_tell(const struct seen_guard *guard, u8 cmd);
/* seen_port_event() - the parts that name guard and port */
struct seen_event seen_port_event(const struct seen_port *port, u8 cmd);
/* seen_port_tell_sighting() - send it, with a packet; seen_net.lock held */
void seen_port_tell_sighting(const struct seen_port *port,
			     const struct seen_sighting *sighting,
			     struct seen_event *event);
/* seen_port_saw() - packet path: a duplicate, from port number @first; or a hit, from 0 */
void seen_port_saw(struct seen_port *port, const struct sk_buff *skb,
		   u32 first);
/* seen_sighting_fill() - note a packet, first seen on port number @first */
void seen_sighting_fill(struct seen_sighting *sighting,
			const struct sk_buff *skb, u32 first);
/* seen_port_close() - no packet comes here any more: tell what has begun */
void seen_port_close(struct seen_port *port);
/* seen_port_tell() - packet path: have the guard's work tell an event */
void seen_port_tell(struct seen_port *port, enum seen_tell event);
/* seen_port_last() - a consistent copy of the last duplicate, of another port or not */
struct seen_sighting seen_port_last(struct seen_port *port, bool other);
/* seen_port_dup() - a sighting with names; seen_net.lock held */
void seen_port_dup(const struct seen_port *port,
		   const struct seen_sighting *sighting, struct seen_dup *dup);
/* seen_guard_work() - of seen_guard.work */
void seen_guard_work(struct work_struct *work);

/**
 * seen_profile_filter() - the filter that comes with a profile, not published
 * @sn: the namespace, its changes held, and no other lock: it may be large
 * @config: of the guard, with a profile
 * @extack: why not
 *
 * Return: the filter; NULL: there is one of its name; or ERR_PTR.
 */
struct seen_filter *seen_profile_filter(struct seen_net *sn,
					const struct seen_guard_config *config,
					struct netlink_ext_ack *extack);

/**
 * seen_profile_binding() - publish it, or find the one that guards share
 * @sn: the namespace, its lock held for writing
 * @config: as there
 * @filter: from there, its changes still held; NULL from when it is published
 * @extack: why not
 *
 * Return: the binding or ERR_PTR.
 */
struct seen_binding *seen_profile_binding(struct seen_net *sn,
					  const struct seen_guard_config *config,
					  struct seen_filter **filter,
					  struct netlink_ext_ack *extack);

/**
 * seen_guard_find() - the one guard of a kind, device and hook
 * @sn: the namespace, its lock held
 * @kind: enum seen_guard_kind
 * @dev: name
 * @hook: enum seen_guard_hook
 *
 * Return: the guard or NULL.
 */
struct seen_guard *seen_guard_find(struct seen_net *sn, u32 kind,
				   const char *dev, u32 hook);

/**
 * seen_guard_add() - check, create, and arm if the device is there
 * @sn: the namespace; rtnl and its lock held for writing
 * @config: complete, each value within its enum
 * @lists: more of it
 * @exempts: more control groups, NULL: none; NULL from when the guard has them
 * @binding: the filter, or NULL: the profile's own
 * @filter: then see seen_profile_binding()
 * @extack: why not
 *
 * Return: 0 or an error.
 */
int seen_guard_add(struct seen_net *sn, const struct seen_guard_config *config,
		   const struct seen_guard_lists *lists,
		   struct seen_exempts **exempts, struct seen_binding *binding,
		   struct seen_filter **filter,
		   struct netlink_ext_ack *extack);

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
 * @action: enum seen_guard_action
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
 * @extack: not NULL: refuse where a port would meet its packets twice;
 *          NULL: suspend such ports
 *
 * Return: 0, or an error: the guard goes on waiting.
 */
int seen_guard_arm(struct seen_guard *guard, struct net_device *dev,
		   struct netlink_ext_ack *extack);
/* seen_guard_disarm() - the device goes: so do the ports; rtnl and seen_net.lock held */
void seen_guard_disarm(struct seen_guard *guard);

int seen_guard_init(void);	/* the netdevice notifier */
void seen_guard_exit(void);

/* A namespace ends, or the module does: every guard goes; rtnl and lock held. */
void seen_guard_net_exit(struct seen_net *sn);

#endif
