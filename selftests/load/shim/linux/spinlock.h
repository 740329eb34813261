/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As tools/shim's, but a lock is a span in which bottom halves are off (spans.h).
 * Nobody else is there: a lock that is taken is an error.
 */
#ifndef SEEN_LOAD_SHIM_SPINLOCK_H
#define SEEN_LOAD_SHIM_SPINLOCK_H

#include <linux/types.h>

#include "spans.h"

typedef struct {
	bool taken;
} spinlock_t;

#define SINGLE_DEPTH_NESTING		1
#define lockdep_assert_held(l)		((void)(l))

#define local_bh_disable()		span_begin(SPAN_BH_OFF)
#define local_bh_enable()		span_end(SPAN_BH_OFF)

static inline void spin_lock_init(spinlock_t *l)
{
	l->taken = false;
}

static inline bool spin_trylock(spinlock_t *l)
{
	if (l->taken)
		return false;
	l->taken = true;
	span_begin(SPAN_BH_OFF);
	return true;
}

static inline void spin_lock(spinlock_t *l)
{
	if (!spin_trylock(l))
		__builtin_trap();
}

static inline void spin_unlock(spinlock_t *l)
{
	l->taken = false;
	span_end(SPAN_BH_OFF);
}

#define spin_lock_nested(l, depth)	spin_lock(l)
#define spin_lock_bh(l)			spin_lock(l)
#define spin_trylock_bh(l)		spin_trylock(l)
#define spin_unlock_bh(l)		spin_unlock(l)

#endif
