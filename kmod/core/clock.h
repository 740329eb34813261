/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_CORE_CLOCK_H
#define SEEN_CORE_CLOCK_H

#include <linux/types.h>

/**
 * seen_now() - the clock that windows are measured by
 *
 * Supplied by whoever links core/: the kernel gives jiffies in nanoseconds,
 * a test gives a clock that it drives. A function and not an argument, since
 * the protocols read it again under a stripe lock: the time at which a caller
 * entered may be stale by then.
 *
 * Context: any; called with stripe locks held.
 * Return: nanoseconds, never going back on any CPU.
 */
u64 seen_now(void);

#endif
