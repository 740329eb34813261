/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fake kernel under interleave.c.
 *
 * A grace period ends when all read sections have ended that began before it:
 * in every interleaving, and not a step later. A section that begins after the
 * beginning of a grace period knows what was known there. The caller that waits
 * for a grace period knows what the sections knew at their ends. Each callback
 * and each work runs in an actor of its own.
 *
 * Each place that asks for a grace period is a site, as orders are: with SITE=
 * nobody waits for that one.
 *
 * Memory that is allocated before a case begins is shared. Memory that is freed
 * before a case begins is what the actors' allocations get, since the same state
 * must always lie at the same addresses. Memory that an actor frees is buried:
 * an access to it fails the case.
 */
#ifndef SEEN_FAKE_EXPLORED_H
#define SEEN_FAKE_EXPLORED_H

#include <linux/types.h>

/* explored_begin() - begin a case: nothing is queued, allocated or freed */
void explored_begin(void);

/* explored_reserve() - memory for @count allocations of actors */
void explored_reserve(size_t bytes, u32 count);

/* run_callback() - an actor: runs the @n-th callback or work, once queued */
void run_callback(u32 n);

#endif
