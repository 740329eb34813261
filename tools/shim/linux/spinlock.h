/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Userspace stand-in for the kernel's header of the same name: POSIX mutexes,
 * whose order ThreadSanitizer checks as lockdep does.
 */
#ifndef SEEN_SHIM_SPINLOCK_H
#define SEEN_SHIM_SPINLOCK_H

#include <linux/types.h>
#include <pthread.h>

typedef struct {
	pthread_mutex_t mutex;
} spinlock_t;

#define SINGLE_DEPTH_NESTING		1
#define lockdep_assert_held(l)		((void)(l))

#define local_bh_disable()		((void)0)
#define local_bh_enable()		((void)0)

static inline void spin_lock_init(spinlock_t *l)
{
	pthread_mutex_init(&l->mutex, NULL);
}

static inline bool spin_trylock(spinlock_t *l)
{
	seen_shim_step(l, true);
	if (pthread_mutex_trylock(&l->mutex))
		return false;
	seen_shim_sync(l, ACQUIRE);
	return true;
}

static inline void spin_lock(spinlock_t *l)
{
#ifdef SEEN_SHIM_STEP
	while (!spin_trylock(l))
		;
#else
	pthread_mutex_lock(&l->mutex);
#endif
}

static inline void spin_unlock(spinlock_t *l)
{
	seen_shim_step(l, true);
	seen_shim_sync(l, RELEASE);
	pthread_mutex_unlock(&l->mutex);
}

#define spin_lock_nested(l, depth)	spin_lock(l)
#define spin_lock_bh(l)			spin_lock(l)
#define spin_trylock_bh(l)		spin_trylock(l)
#define spin_unlock_bh(l)		spin_unlock(l)

#endif
