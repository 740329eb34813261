/* SPDX-License-Identifier: GPL-2.0 */
/* Readers exclude each other, too: no case has two readers at the same time. */
#ifndef SEEN_FAKE_RWSEM_H
#define SEEN_FAKE_RWSEM_H

#include <linux/kernel.h>
#include <linux/spinlock.h>

struct rw_semaphore {
	spinlock_t lock;	/* all there is of it */
};

#define init_rwsem(s)		spin_lock_init(&(s)->lock)
#define down_read(s)		fake_down(s)
#define up_read(s)		fake_up(s)
#define down_write(s)		fake_down(s)
#define up_write(s)		fake_up(s)

/* No case has two modifying commands, or two rehashes, at the same time. */
struct mutex {
	bool held;
};

#define mutex_init(m)		((m)->held = false)
#define mutex_unlock(m)		((m)->held = false)
#define mutex_lock(m)							\
do {									\
	fake_sleep();							\
	WARN_ON_ONCE((m)->held);					\
	(m)->held = true;						\
} while (0)

#define lockdep_is_held(l)		((void)(l), true)
#define lockdep_assert_held_write(l)	((void)(l))

#endif
