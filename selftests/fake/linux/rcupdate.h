/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rcu_dereference() of a pointer that is not NULL is treated as an acquire, because weak.h does
 * not model dependencies.
 */
#ifndef SEEN_FAKE_RCUPDATE_H
#define SEEN_FAKE_RCUPDATE_H

#include <linux/kernel.h>

#define __rcu
#define rcu_dereference_protected(p, c)	((void)(c), (p))
#define rcu_dereference_check(p, c)	((void)(c), rcu_dereference(p))
/* Pairs with rcu_assign_pointer(). */
#define rcu_dereference(p)	seen_shim_read(&(p), DEPEND, __ATOMIC_ACQUIRE)
/*
 * Pairs with rcu_dereference(). The asm hides the value, so that gcc does not conclude that a
 * pointer that may be NULL is NULL.
 */
#define rcu_assign_pointer(p, v)					\
do {									\
	typeof(p) *__at = &(p);						\
									\
	__asm__("" : "+r"(__at));					\
	smp_store_release(__at, v);					\
} while (0)
#define RCU_INIT_POINTER(p, v)		WRITE_ONCE(p, v)
#define rcu_replace_pointer(p, v, c)					\
({									\
	typeof(p) __replaced = rcu_dereference_protected(p, c);		\
									\
	rcu_assign_pointer(p, v);					\
	__replaced;							\
})

struct rcu_head {
	void (*func)(struct rcu_head *head);
};

void rcu_read_lock(void);
void rcu_read_unlock(void);

#define synchronize_rcu()	fake_synchronize_rcu(__FILE__, __LINE__)
#define synchronize_net()	synchronize_rcu()
#define call_rcu(head, f)						\
do {									\
	(head)->func = (f);						\
	fake_call_rcu(head, __FILE__, __LINE__);			\
} while (0)

/* @member must be the first one. */
#define kfree_rcu(p, member)						\
do {									\
	BUILD_BUG_ON(offsetof(typeof(*(p)), member));			\
	call_rcu(&(p)->member, fake_free_rcu);				\
} while (0)

static inline void fake_free_rcu(struct rcu_head *head)
{
	fake_free(head);
}

void rcu_barrier(void);

#endif
