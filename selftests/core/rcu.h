/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RCU for interleave.c, and memory that is given back.
 *
 * A grace period is over when all read sections have ended that had begun before
 * it: in every interleaving, and not a step later. What was known at its beginning
 * is known to each section that begins afterwards; what a section knew at its end,
 * to whom waits for it. Each callback or work is run by an actor of its own.
 *
 * rcu_dereference() is taken for an acquire, since weak.h knows no dependencies.
 * What asks for a grace period is a site, as orders are: with SITE= it is not
 * waited for.
 */
#ifndef SEEN_TEST_RCU_H
#define SEEN_TEST_RCU_H

#include <linux/atomic.h>

#include "interleave.h"

#define __rcu
#define container_of(p, type, member)					\
	((type *)((char *)(p) - offsetof(type, member)))
#define rcu_dereference_protected(p, c)	((void)(c), (p))
#define rcu_access_pointer(p)		READ_ONCE(p)
/* Pairs with rcu_assign_pointer(). */
#define rcu_dereference(p)		smp_load_acquire(&(p))
/* Pairs with rcu_dereference(). */
#define rcu_assign_pointer(p, v)	smp_store_release(&(p), v)
#define RCU_INIT_POINTER(p, v)		WRITE_ONCE(p, v)

struct rcu_head {
	void (*fn)(struct rcu_head *head);
};

struct work_struct {
	void (*fn)(struct work_struct *work);
	struct rcu_head rcu;
};

struct rcu_work {
	struct work_struct work;
};

#define to_rcu_work(w)		container_of(w, struct rcu_work, work)
#define call_rcu(head, fn)	rcu_call(head, fn, __FILE__, __LINE__)
#define queue_rcu_work(wq, w)	rcu_queue(&(w)->work, __FILE__, __LINE__)
#define queue_work(wq, work)	work_queue(work)
#define synchronize_rcu()	rcu_wait(__FILE__, __LINE__)

void rcu_read_lock(void);
void rcu_read_unlock(void);
void rcu_wait(const char *file, int line);
void rcu_call(struct rcu_head *head, void (*fn)(struct rcu_head *head),
	      const char *file, int line);
void rcu_queue(struct work_struct *work, const char *file, int line);
void work_queue(struct work_struct *work);

/* share_rcu() - begin a case: nothing is queued, nothing given back */
void share_rcu(void);

/* run_callback() - an actor: the @n-th that is queued, whatever becomes of others */
void run_callback(u32 n);

#endif
