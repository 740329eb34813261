/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fake kernel under interleave.c.
 *
 * A grace period is over when all read sections have ended that had begun before
 * it: in every interleaving, and not a step later. What was known at its beginning
 * is known to each section that begins afterwards; what a section knew at its end,
 * to whom waits for it. Each callback or work is run by an actor of its own.
 *
 * What asks for a grace period is a site, as orders are: with SITE= it is not
 * waited for.
 *
 * Memory that is allocated before a case is shared, and what is freed before it serves
 * the actors, whose state must always be at the same addresses. What an actor frees is
 * buried: whoever touches it has failed.
 */
#ifndef SEEN_FAKE_EXPLORED_H
#define SEEN_FAKE_EXPLORED_H

#include <linux/types.h>

/* explored_begin() - begin a case: nothing is queued, allocated or given back */
void explored_begin(void);

/* explored_reserve() - memory for @count allocations of actors */
void explored_reserve(size_t bytes, u32 count);

/* run_callback() - an actor: the @n-th that is queued, whatever becomes of others */
void run_callback(u32 n);

#endif
