/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of filters whose keys come with times of their own.
 *
 * Direction of error: time that leaps back by more than the window begins anew, and
 * all before it is forgotten, so that nothing is called seen for a wild time.
 */
#ifndef SEENCTL_TIMELINE_H
#define SEENCTL_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct timeline - times of records, as a clock that never goes back
 * @window: ns, of the filters
 * @latest: ns, the latest time of a record since the clock last began
 * @clock: ns, for seen_local_clock()
 * @begun: there was a record
 * @earlier: records of an earlier time than the latest, judged at that
 * @restarts: how often the clock began anew
 */
struct timeline {
	uint64_t window;
	uint64_t latest;
	uint64_t clock;
	bool begun;
	uint64_t earlier;
	uint64_t restarts;
};

/**
 * timeline_step() - a record has come
 * @timeline: its clock is moved
 * @time: ns, of the record
 * @moved: out: it was
 *
 * Return: DONE, or REFUSED, and said so: the clock is used up by restarts.
 */
int timeline_step(struct timeline *timeline, uint64_t time, bool *moved);

#endif
