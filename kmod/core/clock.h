/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_CORE_CLOCK_H
#define SEEN_CORE_CLOCK_H

#include <linux/types.h>

/**
 * seen_now() - the clock by which windows are measured
 *
 * The program that links core/ supplies it: the kernel returns jiffies in nanoseconds,
 * a test returns a clock that it controls. It is a function, not an argument, because
 * the protocols read the clock again under a stripe lock: the time at which the caller
 * entered may be out of date by then.
 *
 * Context: any; called with stripe locks held.
 * Return: nanoseconds; never decreases on any CPU.
 */
u64 seen_now(void);

#endif
