/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A clock for filters whose records have time stamps.
 *
 * Direction of error: if a time stamp is earlier than the latest one by more than the
 * window, the clock restarts and the filters forget all keys, so that a wrong time stamp
 * does not keep keys seen for too long.
 */
#ifndef SEENCTL_TIMELINE_H
#define SEENCTL_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct timeline - a monotonic clock that follows the time stamps of records
 * @window: window of the filters, in ns
 * @latest: latest time stamp since the clock began or restarted, in ns
 * @clock: time for seen_local_clock(), in ns
 * @begun: there was a record
 * @earlier: number of records with an earlier time stamp than @latest, judged at @latest
 * @restarts: number of restarts of the clock
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
 * timeline_step() - move the clock to the time stamp of the next record
 * @timeline: the clock
 * @time: time stamp of the record, in ns
 * @moved: out: true if the clock was moved, so that seen_local_clock() is needed
 *
 * Return: DONE, or REFUSED after an error message if restarts have used up the clock.
 */
int timeline_step(struct timeline *timeline, uint64_t time, bool *moved);

#endif
