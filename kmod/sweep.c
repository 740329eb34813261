// SPDX-License-Identifier: GPL-2.0
/*
 * The sweep. Stamps and epochs have few bits and wrap around. A work item visits every
 * block and clears expired entries, long before an old stamp could look fresh again. While
 * the sweep is late, core/ answers SEEN_STALE. The late sweep then empties the filter, and
 * an event reports that the window was too short.
 *
 * An empty filter that is published is not swept. The first key that is stored starts the
 * sweep again.
 */
#include <linux/sched.h>

#include "filter.h"

/* Blocks visited between two calls of cond_resched(). */
#define SLICE	1024

static void sweep_again(struct seen_filter *filter)
{
	u64 period = seen_set_sweep_period(&filter->set.geo);

	/* Twice as often as needed, so that a delayed work item is still in time. */
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
	/* An import or a fold fills an unpublished filter without waking its sweep. */
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
