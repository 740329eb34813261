/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that all parts of the module share.
 *
 *	packet  -> key -> hash -> filter (type) -> verdict -> action
 *	request -> policy -> binding (per netns) -> filter
 *
 * Documentation/locking.md lists all locks, outermost first.
 *
 * Readers in the packet path hold only rcu_read_lock(). binding.c describes the
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

/* Hash bits of seen_net.bridged, and number of hooks in seen_net.bridge_hooks. */
#define SEEN_BRIDGED_BITS	8
#define SEEN_BRIDGE_HOOKS	6

/**
 * struct seen_net - the module's data of a network namespace
 * @net: the namespace
 * @changes: serialises commands that change something
 * @lock: protects @bindings, @guards and their members
 * @bindings: struct seen_binding.list, in order of creation
 * @guards: struct seen_guard.list, in order of creation
 * @imports: struct seen_import.list
 * @orphans: imports whose sockets are closed; @orphan_work ends them under @changes
 * @imports_lock: protects both lists; a socket that closes takes only this lock, because
 *                it must not wait for @changes
 * @orphan_work: ends the imports in @orphans
 * @ports: struct seen_port by number, for all guards of the namespace
 * @bridged: ports of bridge guards (struct seen_port.bridged), hashed by device; changes
 *           under rtnl
 * @bridge_hooks: netfilter hooks that look up a frame's port in @bridged; registered while
 *                @bridged has ports
 * @bridge_ports: number of ports in @bridged
 * @next_port: port number at which the search for a free number starts
 * @generation: incremented when a binding, guard or port is added, removed or renamed, or a
 *              binding gets another filter, so that an interrupted dump is detected
 * @allow_seq: incremented when an allow list changes, under @lock, so that an interrupted
 *             dump of an allow list is detected
 * @next_id: last id of a binding, guard or port; see seen_net_give_id()
 * @last_serial: last serial number of a filter, under @changes; per namespace, so that
 *               exports leak nothing about other namespaces
 * @last_cookie: cookie of the last import, under @changes
 * @bytes: bytes charged to this namespace, see limit.h
 * @max_bytes: maximum of @bytes; 0: no maximum
 * @sysctl: handle of sysctl net.seen.max_bytes
 * @events_lost: events that could not be built or sent since the last event that was sent
 * @texts: formatted error texts, for kernels whose extack cannot hold them
 */
struct seen_net {
	struct net *net;
	struct mutex changes;		/* serialises commands that change something */
	struct rw_semaphore lock;
	struct list_head bindings;
	struct list_head guards;
	struct list_head imports;
	struct list_head orphans;
	spinlock_t imports_lock;	/* @imports, @orphans */
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

/* Id for net_generic(), which finds the struct seen_net of a namespace. */
extern unsigned int seen_net_id;

/**
 * seen_net() - the module's data of a namespace
 * @net: the namespace; the caller keeps it alive
 */
struct seen_net *seen_net(const struct net *net);

/**
 * seen_net_give_id() - a new id for an object of a namespace
 * @sn: the namespace, its lock held for writing
 * @id: out: greater than all earlier ids
 * @extack: receives the text of an error; may be NULL
 *
 * Requests name objects by id, and a dump continues after the last id that it reported.
 * So an id is never reused.
 *
 * Return: 0, or -ENOSPC: all ids are used.
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

/* seen_net_init() - initialise the data of a new namespace */
void seen_net_init(struct seen_net *sn, struct net *net);

/* For short works in process context: freeing vmalloc memory, and events. */
extern struct workqueue_struct *seen_wq;
/* For long works, such as sweeps. Only the end of the module waits for all of them. */
extern struct workqueue_struct *seen_sweep_wq;

/* seen_wq_init(), _exit() - create and destroy both workqueues; _exit waits for their works */
int seen_wq_init(void);
void seen_wq_exit(void);

#endif
