/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Userspace stand-in for the kernel's header of the same name. Locks are POSIX mutexes, whose
 * order ThreadSanitizer checks as lockdep does.
 */
#ifndef SEEN_SHIM_SPINLOCK_H
#define SEEN_SHIM_SPINLOCK_H

#include <linux/types.h>
#include <pthread.h>

typedef struct {
	pthread_mutex_t mutex;
} spinlock_t;

#define DEFINE_SPINLOCK(name)		spinlock_t name = { PTHREAD_MUTEX_INITIALIZER }
#define SINGLE_DEPTH_NESTING		1
#define lockdep_assert_held(l)		((void)(l))

/* The tests' fake kernel defines its own versions. */
#ifndef local_bh_disable
#define local_bh_disable()		((void)0)
#define local_bh_enable()		((void)0)
#endif

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

static inline void spin_lock_bh(spinlock_t *l)
{
	local_bh_disable();
	spin_lock(l);
}

static inline bool spin_trylock_bh(spinlock_t *l)
{
	local_bh_disable();
	if (spin_trylock(l))
		return true;
	local_bh_enable();
	return false;
}

static inline void spin_unlock_bh(spinlock_t *l)
{
	spin_unlock(l);
	local_bh_enable();
}

#endif
