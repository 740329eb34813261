/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dedup: lines that came before are dropped, without sorting and in a memory that
 * does not depend on their length.
 *
 * Direction of error: a false positive drops a line that was unique. The rate is
 * low unless asked for otherwise, and the end of the run reports how many lines are
 * expected to be lost that way. A line that cannot be judged passes. With a ledger a
 * line is only dropped after a comparison with the line that came before.
 */
#ifndef SEENCTL_DEDUP_H
#define SEENCTL_DEDUP_H

#include "columns.h"
#include "ledger.h"
#include "line_filter.h"
#include "progress.h"
#include "scalable.h"
#include "seenctl.h"
#include "state.h"
#include "timeline.h"

/**
 * struct dedup - a run
 * @line_filter: the lines
 * @scalable: filters that hold the keys of earlier lines
 * @columns: the key
 * @time: column of the time, 0: when they arrive
 * @timeline: of such times
 * @arena: room for the keys of one group of lines, @room bytes
 * @progress: on the terminal
 * @quiet: no statistics, and no warning of lost lines
 * @cr: the line before ended with CR LF
 * @exact: a line that the filters have seen is compared before it is dropped
 * @counts: print each line behind the number of times that it came, at the end
 * @repeated: print lines that came more than once, at the end
 * @temp: folder for temporary files
 * @ledger: lines that passed, for @exact, @counts and @repeated; else NULL
 * @state: the filters' file
 * @dropped: lines
 * @keyless: lines that passed since they have no key
 * @untimed: lines without a time, judged at that of the line before
 * @verified: lines that were compared with earlier ones
 * @rescued: lines that the filters had wrongly seen
 * @unrecorded: lines that passed after an error of the ledger, which is @disk
 * @disk: a negative errno, 0: there was no error
 * @printed: lines that were printed at the end
 */
struct dedup {
	struct line_filter line_filter;
	struct scalable scalable;
	struct columns columns;
	uint32_t time;
	struct timeline timeline;
	char *arena;
	size_t room;
	struct progress progress;
	bool quiet;
	bool cr;
	bool exact;
	bool counts;
	bool repeated;
	const char *temp;
	struct ledger *ledger;
	struct state state;
	uint64_t dropped;
	uint64_t keyless;
	uint64_t untimed;
	uint64_t verified;
	uint64_t rescued;
	uint64_t unrecorded;
	int disk;
	uint64_t printed;
};

/* dedup_at_end() - true if lines are not passed at once, but printed at the end */
static inline bool dedup_at_end(const struct dedup *dedup)
{
	return dedup->counts || dedup->repeated;
}

/**
 * dedup_judge() - say which lines came before; line_filter.judge
 * @line: up to SEEN_LOCAL_BATCH lines, in order
 * @count: number of lines
 * @drop: out: of each line
 * @context: the run
 *
 * Return: DONE, or REFUSED after an error message.
 */
int dedup_judge(struct line_filter_line *line, size_t count, bool *drop,
		void *context);

/**
 * dedup_tell() - statistics, on standard error
 * @dedup: the run, at its end
 * @seconds: that the run took
 *
 * Return: DONE, or REFUSED where repeats passed for lack of memory.
 */
int dedup_tell(const struct dedup *dedup, double seconds);

#endif
