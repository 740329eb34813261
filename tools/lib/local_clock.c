// SPDX-License-Identifier: GPL-2.0
/* Core's clock: CLOCK_MONOTONIC, or the times that a program sets. */
#include <time.h>

#include <linux/atomic.h>

#include "clock.h"
#include "local.h"

/* The time that was set last, plus 1; 0: none was set. */
static u64 told;

u64 seen_now(void)
{
	u64 now = READ_ONCE(told);
	struct timespec time;

	if (now)
		return now - 1;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

void seen_local_clock(uint64_t now)
{
	u64 before = READ_ONCE(told);

	while (before < now + 1 && !try_cmpxchg(&told, &before, now + 1))
		;
}
