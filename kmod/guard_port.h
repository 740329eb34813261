/* SPDX-License-Identifier: GPL-2.0 */
/* Ports: devices under a guard, with hooks, numbers, budgets and counters. */
#ifndef SEEN_GUARD_PORT_H
#define SEEN_GUARD_PORT_H

#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/percpu.h>

#include "budget.h"
#include "guard.h"
#include "guard_alarm.h"
#include "guard_block.h"
#include "guard_event.h"
#include "guard_repeat.h"

/* Runs before the chains of nftables on the same device, so that their rules see the mark. */
#define SEEN_GUARD_PRIORITY	(-1000)

/* Counters of a port; SEEN_A_PORT_ attributes report them. */
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
	SEEN_COUNT_TRAIL_ADDED,
	SEEN_COUNT_TRAIL_NONE,
	SEEN_COUNT_TRAIL_STRIKE,
	SEEN_COUNT_TRAIL_LOOP,
	SEEN_COUNT_TRAIL_STRIPPED,
	SEEN_COUNT_TRAIL_WITHHELD,
	SEEN_COUNTS
};

struct seen_port_stats {
	u64 count[SEEN_COUNTS];
};

/**
 * struct seen_port_hooks - the hooks of a device, and the port that they serve
 * @port: the port that judges packets in these hooks; one store to this pointer moves the
 *        hooks to the port of another guard
 * @op: the hooks
 * @ops: how many of them are registered
 */
struct seen_port_hooks {
	struct seen_port __rcu *port;
	struct nf_hook_ops op[2];
	u8 ops;
};

/**
 * struct seen_port - a device under a guard
 * @list: in seen_guard.ports; changes under rtnl and seen_net.lock; the packet path
 *        walks it under RCU
 * @bridged: in seen_net.bridged, if frames reach it by the hooks of bridges; changes
 *           under rtnl
 * @guard: the guard
 * @sn: the namespace; still valid when the guard has been freed
 * @dev: the device; if @self: the bridge of a bridge guard
 * @id: unique in its namespace, ascending in the list
 * @number: 1 to SEEN_ARRIVAL_MAX, unique in its namespace; stored in the filter's entries
 * @name: name of @dev, under seen_net.lock
 * @self: stands for the bridge itself; frames that the bridge sends are recorded, but
 *        never judged
 * @ethernet: packets of @dev have Ethernet headers
 * @offloaded: forwards in hardware
 * @protect: never blocked
 * @edge: frames leave it without a trail, and a trail that arrives on it is payload
 * @segment: number of its segment; 0: none
 * @suspended: all packets pass, because a port of a lower device has seen them already, or
 *             because its guard has not replaced another guard yet
 * @counted: it owns @number, and has a share of the filter's capacity
 * @hooks: its own, or taken over from the port that it replaced; freed with this port
 * @stats: per CPU
 * @before: sums of @stats at the last reset
 * @budget: its share of new keys
 * @events: bits of enum seen_tell
 * @repeats: repeats on this port
 * @evidence: frames that came back on this port. This and all members up to @cause are
 *            written under seen_guard.evidence_lock
 * @quiet: seen_now() from which this port can raise the next suspicion
 * @round: seen_now() when the last rounds of probes began; ring buffer
 * @rounds: number of rounds of probes that this port caused
 * @blocked_since: seen_now() when the last block began
 * @blocked_until: seen_now() when the block ends; 0: not blocked; read by every packet
 * @shadow: dry run: the block is only counted
 * @penalty: nominal length of the last block in ns; 0: never blocked
 * @released: seen_now() when the last block ended
 * @blocks: number of blocks since the last reset
 * @would_block: number of blocks of a dry run since the last reset
 * @peer: number of the other port of the loop for which it was last blocked
 * @cause: the frame that raised the suspicion of that loop
 * @last_lock: protects @last and @last_other only
 * @last: last duplicate that was first seen on this port, or last hit
 * @last_other: last duplicate that was first seen on another port
 * @peer_name: name of @peer when the block was reported. This and the members up to
 *             @saturated are written by the guard's work, or when the port is deleted
 * @alarm: alarm about the rate of duplicates
 * @saturated: seen_now() when saturation was last reported; 0: not within the last 10 s
 * @circled: the same of a loop that trails proved
 * @circle: nodes of the last such loop, and of the way to it; written by packets
 * @rcu: frees it after a grace period
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
	bool edge;
	u32 segment;
	bool suspended;
	bool counted;
	struct seen_port_hooks *hooks;
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
	spinlock_t last_lock;	/* last, last_other */
	struct seen_sighting last;
	struct seen_sighting last_other;
	char peer_name[IFNAMSIZ];
	struct seen_port_alarm alarm;
	u64 saturated;
	u64 circled;
	u16 circle;
	struct rcu_head rcu;
};

static inline void seen_port_count(const struct seen_port *port,
				   enum seen_count count)
{
	this_cpu_inc(port->stats->count[count]);
}

/* seen_port_uncount() - undo a count that was made in advance */
static inline void seen_port_uncount(const struct seen_port *port,
				     enum seen_count count)
{
	this_cpu_dec(port->stats->count[count]);
}

/* seen_ports_known() - can a filter of this geometry distinguish ports? */
static inline bool seen_ports_known(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_CUCKOO_WINDOW && geo->fp_bits >= 16;
}

/* seen_port_blocked() - packet path: is the port blocked now? False in a dry run. */
static inline bool seen_port_blocked(const struct seen_port *port)
{
	/* Pairs with block_port(). */
	u64 until = smp_load_acquire(&port->blocked_until);

	return until && !READ_ONCE(port->shadow) && seen_now() < until;
}

/**
 * seen_port_add() - create a port of a guard, without hooks
 * @guard: its binding is pinned; rtnl and seen_net.lock held, the lock for writing
 * @dev: the device; if this is the guard's bridge, the port is seen_port.self
 * @extack: receives the text of an error; may be NULL
 *
 * Return: the port or ERR_PTR.
 */
struct seen_port *seen_port_add(struct seen_guard *guard,
				struct net_device *dev,
				struct netlink_ext_ack *extack);

/**
 * seen_port_hook() - register the hooks of a port
 * @port: without hooks; rtnl and seen_net.lock held
 * @extack: receives the text of an error; may be NULL
 *
 * Return: 0, or an error: no hook is registered.
 */
int seen_port_hook(struct seen_port *port, struct netlink_ext_ack *extack);

/* seen_port_del() - remove the hooks, then the port; locks as for seen_port_add() */
void seen_port_del(struct seen_port *port);

/* seen_port_before() - the port that @port is about to replace, or NULL; seen_net.lock held */
struct seen_port *seen_port_before(const struct seen_port *port);

/* seen_port_keeps_hooks() - can @port take over the hooks of @old, which it replaces? */
bool seen_port_keeps_hooks(const struct seen_port *port, const struct seen_port *old);

/**
 * seen_port_take_number() - let a port take over the number of the port that it replaces
 * @port: of a guard that has judged no packet yet
 * @old: seen_port_before(@port)
 *
 * The keys that @old has stored are keys of @port from now on.
 *
 * Context: process; rtnl and seen_net.lock held, the lock for writing. Cannot fail.
 */
void seen_port_take_number(struct seen_port *port, struct seen_port *old);

/**
 * seen_port_take_hooks() - let a port take over the hooks of the port that it replaces
 * @port: ready to judge packets
 * @old: seen_port_before(@port)
 *
 * At each hook a packet is judged by one of the two ports, never by both. If @port cannot
 * keep the hooks of @old, the hooks stay with @old.
 *
 * Context: process; rtnl and seen_net.lock held. Cannot fail.
 */
void seen_port_take_hooks(struct seen_port *port, struct seen_port *old);

/*
 * seen_port_rename() - update the port after its device was renamed, or after the list of
 * protected ports has changed; seen_net.lock held for writing
 */
void seen_port_rename(struct seen_port *port);

/* seen_port_count_anew() - reset the reported counters; seen_net.lock held for writing */
void seen_port_count_anew(struct seen_port *port);

/* seen_port_told() - a counter as reported: since the last reset; seen_net.lock held */
u64 seen_port_told(const struct seen_port *port, enum seen_count count);

/* seen_port_sum() - a counter over all CPUs, without resets */
u64 seen_port_sum(const struct seen_port *port, enum seen_count count);

/* seen_port_share() - a port's share: the new keys guaranteed per window; 0: no limit */
u64 seen_port_share(const struct seen_port *port,
		    const struct seen_geometry *geo);

/**
 * seen_port_take() - packet path: count a new key, if the budgets allow one more
 * @port: the port
 * @geo: geometry of the filter of its guard
 *
 * Return: true: the key may be stored; it is counted in the port's share or in the common
 * budget, if there is a limit.
 */
bool seen_port_take(struct seen_port *port, const struct seen_geometry *geo);
/* seen_port_return() - uncount a key that turned out not to be new */
void seen_port_return(struct seen_port *port);

/* seen_bridge_hook() - let frames of a bridge find @port; rtnl held; 0 or an error */
int seen_bridge_hook(struct seen_port *port);
/* seen_bridge_unhook() - let no frame of a bridge find @port any more; rtnl held */
void seen_bridge_unhook(struct seen_port *port);
/* seen_bridge_replace() - let the bridge hooks find @port instead of @old; rtnl held */
void seen_bridge_replace(struct seen_port *old, struct seen_port *port);

/**
 * seen_bridge_forget() - delete the addresses that the bridge has learned on a port
 * @port: of a bridge guard; rtnl held
 *
 * The bridge then floods frames to the stations behind the blocked port, and learns the open
 * path from their answers or from the other bridge.
 */
void seen_bridge_forget(const struct seen_port *port);

#endif
