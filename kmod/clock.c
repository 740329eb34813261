// SPDX-License-Identifier: GPL-2.0
/* The clock of core/: jiffies, in ns. */
#include <linux/jiffies.h>

#include "core/clock.h"

u64 seen_now(void)
{
	return jiffies64_to_nsecs(get_jiffies_64());
}
