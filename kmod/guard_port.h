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

/* Before what nftables has on the same device, which can then match the mark. */
#define SEEN_GUARD_PRIORITY	(-1000)

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

/**
 * struct seen_port_hooks - the hooks of a device, and the port that they serve
 * @port: what a packet finds there; one store gives the hooks to the port of another guard
 * @op: hooks
 * @ops: how many of them are registered
 */
struct seen_port_hooks {
	struct seen_port __rcu *port;
	struct nf_hook_ops op[2];
	u8 ops;
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
 * @suspended: passes everything: it would meet packets of a lower device again, or its
 *             guard has not taken the place of another one yet
 * @counted: it owns @number, and has a share of its binding's room
 * @hooks: of its own, or of the port whose place it took; freed with the port that has them
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
	spinlock_t last_lock;	/* what follows */
	struct seen_sighting last;
	struct seen_sighting last_other;
	char peer_name[IFNAMSIZ];
	struct seen_port_alarm alarm;
	u64 saturated;
	struct rcu_head rcu;
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

/* seen_port_before() - the port whose place a port is about to take, or NULL; lock held */
struct seen_port *seen_port_before(const struct seen_port *port);

/* seen_port_keeps_hooks() - can @port have those of @old, whose place it takes? */
bool seen_port_keeps_hooks(const struct seen_port *port, const struct seen_port *old);

/**
 * seen_port_take_number() - keys that a port has stored are another port's from now on
 * @port: of a guard that no packet has met yet
 * @old: seen_port_before() of it
 *
 * Context: process; rtnl and seen_net.lock held. Cannot fail.
 */
void seen_port_take_number(struct seen_port *port, struct seen_port *old);

/**
 * seen_port_take_hooks() - the next packet meets another port
 * @port: ready to judge
 * @old: seen_port_before() of it
 *
 * At each hook a packet meets one of the two ports. Hooks that @port does not keep stay with @old.
 *
 * Context: process; rtnl and seen_net.lock held. Cannot fail.
 */
void seen_port_take_hooks(struct seen_port *port, struct seen_port *old);

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

/* seen_bridge_hook() - let a bridge's frames reach @port; rtnl held; 0 or error */
int seen_bridge_hook(struct seen_port *port);
/* seen_bridge_unhook() - no frame finds it from now on, if any could; rtnl held */
void seen_bridge_unhook(struct seen_port *port);
/* seen_bridge_replace() - frames that would find @old find @port from now on; rtnl held */
void seen_bridge_replace(struct seen_port *old, struct seen_port *port);

/**
 * seen_bridge_forget() - the bridge forgets what it has learned behind a port
 * @port: of a bridge guard; rtnl held
 *
 * The bridge then floods frames to a station behind the blocked port. It learns the open
 * path from the answer, or from the other bridge.
 */
void seen_bridge_forget(const struct seen_port *port);

#endif
