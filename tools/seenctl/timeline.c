// SPDX-License-Identifier: GPL-2.0
#include "seenctl.h"
#include "timeline.h"

/* Move the clock by at most twice the window, after which all keys have expired. */
static int advance(struct timeline *timeline, uint64_t time, uint64_t by)
{
	if (by / 2 > timeline->window)
		by = 2 * timeline->window;
	if (by >= UINT64_MAX - timeline->clock)
		return refused("too many jumps in time for a window this long; use a shorter one");
	timeline->clock += by;
	timeline->latest = time;
	return DONE;
}

int timeline_step(struct timeline *timeline, uint64_t time, bool *moved)
{
	*moved = true;
	if (!timeline->begun) {
		timeline->begun = true;
		return advance(timeline, time, UINT64_MAX);
	}
	if (time > timeline->latest)
		return advance(timeline, time, time - timeline->latest);
	if (timeline->latest - time > timeline->window) {
		timeline->restarts++;
		return advance(timeline, time, UINT64_MAX);
	}
	*moved = false;
	timeline->earlier += time < timeline->latest;
	return DONE;
}
