/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the functions of kmod/ need that ../core/part.sh takes from it, for held.c: of
 * each struct the members that they use; of what they call, what matters to who has to
 * wait for whom. Memory is not counted: its pages are the kernel's own work.
 */
#ifndef SEEN_LOAD_KMOD_H
#define SEEN_LOAD_KMOD_H

#include <linux/seen.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "log.h"
#include "map.h"
#include "snapshot.h"
#include "spans.h"
#include "top.h"
#include "unit_set.h"

#define __rcu
#define container_of(p, type, member)					\
	((type *)((char *)(p) - offsetof(type, member)))
#define min(a, b)			((a) < (b) ? (a) : (b))
#define max(a, b)			((a) > (b) ? (a) : (b))
#define min_t(type, a, b)		min((type)(a), (type)(b))
#define DIV_ROUND_UP(n, d)		(((n) + (d) - 1) / (d))
#define mul_u64_u64_div_u64(a, b, c)	((a) * (b) / (c))
#define check_add_overflow(a, b, to)	__builtin_add_overflow(a, b, to)
#define memzero_explicit(p, bytes)	memset(p, 0, bytes)

#define IS_ERR(p)			false
#define PTR_ERR(p)			0
#define ERR_PTR(err)			((void)(err), NULL)
#define EINTR				4
#define EAGAIN				11
#define ENOMEM				12
#define EINVAL				22
#define ENOSPC				28
#define EBADMSG				74
#define EMSGSIZE			90
#define EOPNOTSUPP			95
#define ESTALE				116
#define NL_SET_ERR_MSG(extack, text)	((void)(extack))
#define NL_SET_ERR_MSG_ATTR(extack, ...) ((void)(extack))
#define SEEN_SET_ERR_MSG_FMT(sn, extack, ...) ((void)(extack))
#define WARN_ON_ONCE(x)			((void)(x))
#define lockdep_assert_held(l)		((void)(l))
#define lockdep_assert_held_write(l)	((void)(l))
#define lockdep_is_held(l)		((void)(l), true)

/* --- who waits ----------------------------------------------------------------- */

#define cond_resched()			span_sleeps()
#define synchronize_rcu()		span_sleeps()
#define fatal_signal_pending(task)	false
#define rcu_read_lock()			span_begin(SPAN_RCU)
#define rcu_read_unlock()		span_end(SPAN_RCU)
#define rcu_dereference_protected(p, c)	((void)(c), (p))
#define rcu_assign_pointer(p, v)	WRITE_ONCE(p, v)
#define RCU_INIT_POINTER(p, v)		WRITE_ONCE(p, v)

struct rw_semaphore {
	bool held;
};

#define up_read(l)			up_write(l)
#define down_read(l)			down_write(l)

static inline void down_write(struct rw_semaphore *lock)
{
	span_sleeps();
	if (lock->held)
		abort();
	lock->held = true;
	span_begin(SPAN_LOCKED);
}

static inline void up_write(struct rw_semaphore *lock)
{
	lock->held = false;
	span_end(SPAN_LOCKED);
}

struct work_struct {
	void (*fn)(struct work_struct *work);
};

#define delayed_work			work_struct
#define rcu_work			work_struct
#define to_delayed_work(work)		(work)
#define to_rcu_work(work)		(work)
#define INIT_WORK(work, f)		((work)->fn = (f))
#define INIT_RCU_WORK(work, f)		((work)->fn = (f))
#define queue_work(wq, work)		work_queue(work)
#define queue_rcu_work(wq, work)	work_queue(work)
#define cancel_work_sync(work)		((void)(work))
#define cancel_delayed_work_sync(work)	((void)(work))

/* work_queue() - to be run by works_run(), when the command has ended */
void work_queue(struct work_struct *work);
void works_run(void);

/* --- what there is --------------------------------------------------------------- */

struct netlink_ext_ack;
struct sk_buff;

struct nlattr {
	u32 len;
	u8 data[SEEN_CHUNK_MAX];
};

#define nla_len(attr)			((attr)->len)
#define nla_data(attr)			((attr)->data)
#define nla_get_u64(attr)		((void)(attr), 0ULL)

struct genl_info {
	void *attrs[SEEN_A_FILTER_MAX + 1];
	struct netlink_ext_ack *extack;
};

struct seen_net {
	struct rw_semaphore lock;
	int changes;
	u32 serials;
	u64 generation;
};

struct seen_slot {
	struct seen_filter *filter;
	struct seen_net *sn;
	u32 guards;
	u32 rules;
	bool owned;
	u32 life;
	u32 turns;
};

struct seen_filter {
	struct seen_set set;
	int spec;
	int span;
	struct seen_secret secret;
	u32 on_full;
	u32 serial;
	void *stats;
	struct seen_net *sn;
	struct seen_slot *slot;
	u64 bytes;
	bool dying;
	void *beside;
	void *retired;
	struct work_struct event_work;
	unsigned long events;
	struct delayed_work sweep_work;
	struct work_struct retire_work;
	struct rcu_work free_work;
};

struct seen_filter_config {
	struct seen_geometry geo;
	int spec;
	int span;
	struct seen_secret secret;
	u32 on_full;
};

#define seen_filter_table_bytes(geo)	((seen_geometry_bytes(geo) + 63) & ~63ULL)
#define seen_limit_uncharge(sn, bytes)	((void)(sn), (void)(bytes))
#define seen_slot_filter(slot)		((slot)->filter)

#define vfree(p)			free(p)
#define kvfree(p)			free(p)
#define kfree(p)			free(p)
#define kfree_sensitive(p)		free(p)

/* filter.c's */
struct seen_filter *seen_filter_create_as(struct seen_net *sn,
					  struct seen_filter_config *config,
					  bool fold,
					  struct netlink_ext_ack *extack);
void seen_filter_free(struct seen_filter *filter);
void seen_filter_destroy(struct seen_filter *filter);
/* registry.c's */
void seen_slot_exchange(struct seen_slot *slot, struct seen_filter *filter);

/* --- commands: as netlink or a timer gives them, on filters of two slots ----------- */

typedef void command(struct seen_slot *slot, struct seen_slot *other);

command part_create, part_flush, part_delete, part_rotate;	/* part_life.c */
command part_merge, part_fold;					/* part_merge.c */
command part_dump;						/* part_dump.c */
command part_export_and_import;					/* part_snapshot.c */
command part_sweep, part_rehash;				/* part_work.c */

#endif
