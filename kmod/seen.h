/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the module share.
 *
 *	packet  -> key -> hash -> filter (type) -> verdict -> action
 *	request -> policy -> binding (per netns) -> filter
 *
 * Locks, outermost first:
 *
 *	seen_net.changes	commands that change something, one at a time; so
 *				that a table can be allocated without what follows
 *	seen_filter.rehashing	one rehash of a map at a time
 *	rtnl			devices, hooks on them; guards' ports
 *	nftables' commit mutex	held where rules come and go; taken under rtnl too
 *	seen_net.lock		a namespace's bindings, filters and guards: written
 *				for every change of them, read for every walk
 *				that may sleep (dumps, keys in bulk)
 *	netfilter's hook mutex	taken to add and remove hooks
 *	seen_net.imports_lock	which sockets have an import
 *	the bridge's locks	taken below rtnl to forget addresses
 *	seen_budget.lock	new keys of a port, or of a binding (packet path, BH off)
 *	seen_guard.evidence_lock	what speaks for a loop (packet path, BH off)
 *	seen_set.mover, stripes	inside core/ (packet path, BH off)
 *
 * Readers in the packet path hold rcu_read_lock() alone. binding.c tells the
 * lifetimes.
 */
#ifndef SEEN_H
#define SEEN_H

#include <linux/mutex.h>
#include <linux/netfilter.h>
#include <linux/netlink.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>
#include <linux/seen.h>

#include "compat.h"
#include "text.h"

/* Lists of guarded ports of bridges, and hooks of a namespace's bridges. */
#define SEEN_BRIDGED_BITS	8
#define SEEN_BRIDGE_HOOKS	5

/**
 * struct seen_net - a network namespace
 * @net: the namespace
 * @changes: see above
 * @lock: see above
 * @bindings: struct seen_binding.list, in order of creation
 * @guards: struct seen_guard.list, in order of creation
 * @imports: struct seen_import.list
 * @orphans: the same, of sockets that have gone; each is ended under @changes
 * @imports_lock: of both lists, for a socket's end, too, which does not wait for @changes
 * @orphan_work: ends @orphans
 * @ports: struct seen_port by number, for all guards of the namespace
 * @bridged: struct seen_port.bridged by device, of bridge guards; under rtnl
 * @bridge_hooks: by which frames find these, while there are any
 * @bridge_ports: how many
 * @next_port: where to look for the next free number
 * @generation: changes with every binding, guard and port added, removed or renamed,
 *              so that a dump can tell that it was interrupted
 * @allow_seq: counts changes of allow lists, under @lock, so that a dump of one can tell
 *             that it was interrupted
 * @next_id: of the last binding, guard or port; see seen_net_give_id()
 * @last_serial: of the last filter, under @changes; exports tell it, and so nobody counts what
 *           others do
 * @last_cookie: of the last import, under @changes
 * @bytes: charged to this namespace, see limit.h
 * @max_bytes: its cap, 0: none
 * @sysctl: the cap's handle
 * @events_lost: events that could not be built or sent since the last one
 * @texts: of refusals, where the kernel has no room of its own for them
 */
struct seen_net {
	struct net *net;
	struct mutex changes;		/* of what netlink commands change */
	struct rw_semaphore lock;
	struct list_head bindings;
	struct list_head guards;
	struct list_head imports;
	struct list_head orphans;
	spinlock_t imports_lock;	/* the lists of imports */
	struct work_struct orphan_work;
	struct xarray ports;
	struct hlist_head bridged[1 << SEEN_BRIDGED_BITS];
	struct nf_hook_ops bridge_hooks[SEEN_BRIDGE_HOOKS];
	u32 bridge_ports;
	u32 next_port;
	u32 generation;
	u32 allow_seq;
	u32 next_id;
	u32 last_serial;
	u64 last_cookie;
	atomic64_t bytes;
	u64 max_bytes;
	struct ctl_table_header *sysctl;
	atomic_t events_lost;
	struct seen_texts texts;
};

/* By which a namespace has its struct seen_net. */
extern unsigned int seen_net_id;

/**
 * seen_net() - the module's part of a namespace
 * @net: a namespace that is alive
 */
struct seen_net *seen_net(const struct net *net);

/**
 * seen_net_give_id() - a number that nothing in a namespace has had
 * @sn: the namespace, its lock held for writing
 * @id: out: above all that were given before
 * @extack: why there is none; may be NULL
 *
 * Requests name objects by their ids, and dumps go on by them, so none is given twice.
 *
 * Return: 0 or -ENOSPC.
 */
static inline int seen_net_give_id(struct seen_net *sn, u32 *id,
				   struct netlink_ext_ack *extack)
{
	lockdep_assert_held_write(&sn->lock);
	if (sn->next_id == U32_MAX) {
		NL_SET_ERR_MSG(extack,
			       "id: all 4294967295 ids of this namespace are used; use a new namespace or reload the module");
		return -ENOSPC;
	}
	*id = ++sn->next_id;
	return 0;
}

/* seen_net_init() - of a new namespace, with nothing in it */
void seen_net_init(struct seen_net *sn, struct net *net);

/* Freeing of vmalloc memory, and events: process context, soon done. */
extern struct workqueue_struct *seen_wq;
/* What may take long, as sweeps do: nobody waits for this queue to run empty. */
extern struct workqueue_struct *seen_sweep_wq;

/* seen_wq_init(), _exit() - both workqueues; _exit waits for what they have */
int seen_wq_init(void);
void seen_wq_exit(void);

#endif
