/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fake kernel for the explorer (interleave.c).
 *
 * A grace period ends exactly when all read-side sections that began before it have ended, in
 * every interleaving. A section that begins after the begin of a grace period sees the memory as
 * it was there. A caller that waits for a grace period sees the memory as the sections saw it at
 * their ends. Each callback and each work runs in an actor of its own.
 *
 * Each place that requests a grace period is a site, like an ordering: with SITE= this one is
 * not waited for.
 *
 * Memory that is allocated before a case begins is shared. Allocations of the actors get memory
 * that was freed before the case began, because the same state must always have the same
 * addresses. Memory that an actor frees is never used again: an access to it fails the case.
 */
#ifndef SEEN_FAKE_EXPLORED_H
#define SEEN_FAKE_EXPLORED_H

#include <linux/types.h>

/* explored_begin() - begin a case: no callback is queued, no memory allocated or freed */
void explored_begin(void);

/* explored_reserve() - provide memory for @count allocations of actors */
void explored_reserve(size_t bytes, u32 count);

/* run_callback() - an actor: run the @n-th callback or work when it is due */
void run_callback(u32 n);

#endif
