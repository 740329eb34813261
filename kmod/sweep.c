// SPDX-License-Identifier: GPL-2.0
/*
 * The sweep: stamps and epochs are short, and wrap. A work item visits every
 * block and clears what has expired, well before a stamp can come round again
 * and look fresh. If it is late all the same, core/ answers SEEN_STALE until it
 * comes and empties the filter, which is told: a window is over too early.
 *
 * A filter that packets can find and that is empty is not swept: the first key that is
 * stored starts its sweeps again.
 */
#include <linux/sched.h>

#include "filter.h"

/* Blocks visited between two chances to be scheduled away. */
#define SLICE	1024

static void sweep_again(struct seen_filter *filter)
{
	u64 period = seen_set_sweep_period(&filter->set.geo);

	/* Twice as often as needed: a late work item still is in time. */
	queue_delayed_work(seen_sweep_wq, &filter->sweep_work,
			   max(1UL, nsecs_to_jiffies(period / 2)));
}

static void sweep_run(struct work_struct *work)
{
	struct seen_filter *filter = container_of(to_delayed_work(work),
						  struct seen_filter,
						  sweep_work);
	bool stale = false;
	u64 from = 0;

	do {
		if (READ_ONCE(filter->dying))
			return;
		stale |= seen_set_stale(&filter->set);
		from = seen_set_sweep(&filter->set, from, SLICE);
		cond_resched();
	} while (from);
	if (stale)
		seen_filter_announce(filter, SEEN_FILTER_STALE);
	/* What fills a filter without a name does not look whether it sleeps. */
	if (!READ_ONCE(filter->name) || !seen_set_asleep(&filter->set))
		sweep_again(filter);
}

void seen_sweep_wake(struct seen_filter *filter)
{
	if (seen_set_woken(&filter->set))
		sweep_again(filter);
}

void seen_sweep_start(struct seen_filter *filter)
{
	INIT_DELAYED_WORK(&filter->sweep_work, sweep_run);
	if (seen_set_sweep_period(&filter->set.geo))
		sweep_again(filter);
}
