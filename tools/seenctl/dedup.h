/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dedup: drop repeated lines without sorting. The memory use does not depend on the
 * length of the lines.
 *
 * Direction of error: a false positive drops a unique line. The false-positive rate is
 * 1e-6 unless --fpp is given, and the statistics report how many lines were probably
 * lost. A line that cannot be judged passes. With a ledger a line is dropped only after
 * it was compared with the earlier line.
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
 * struct dedup - a run of dedup
 * @line_filter: reads and writes the lines
 * @scalable: filters that hold the keys of earlier lines
 * @columns: columns that form the key
 * @time: column of the time, from 1; 0: use the clock
 * @timeline: clock that follows the times in column @time
 * @arena: buffer for the keys of one group of lines
 * @room: size of @arena
 * @progress: progress bar
 * @quiet: print neither statistics nor a warning about lost lines
 * @cr: the previous line ended with CR LF
 * @exact: before a line is dropped, compare it with the earlier line
 * @counts: at the end, print each line after the number of its occurrences
 * @repeated: at the end, print the lines that occurred more than once
 * @temp: folder for temporary files
 * @ledger: lines that passed, for @exact, @counts and @repeated; otherwise NULL
 * @state: file that keeps the filters between runs
 * @dropped: number of dropped lines
 * @keyless: number of lines that passed because they have no key
 * @untimed: number of lines without a time, judged at the time of the previous line
 * @verified: number of lines that were compared with earlier lines
 * @rescued: number of lines that the filters reported as seen by a false positive
 * @unrecorded: number of lines that passed because the ledger had failed with @disk
 * @disk: negative errno of the ledger, or 0
 * @printed: number of lines that were printed at the end
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

/* dedup_at_end() - are all lines held back and printed at the end? */
static inline bool dedup_at_end(const struct dedup *dedup)
{
	return dedup->counts || dedup->repeated;
}

/**
 * dedup_judge() - decide which lines are dropped; see line_filter.judge
 * @line: the lines, in their order; a line that is @cut may get one byte more
 * @count: number of lines, 1 to SEEN_LOCAL_BATCH
 * @drop: out: for each line, true if it is dropped
 * @context: the struct dedup
 *
 * Return: DONE, or REFUSED after an error message.
 */
int dedup_judge(struct line_filter_line *line, size_t count, bool *drop,
		void *context);

/**
 * dedup_tell() - print the statistics, or the warning about lost lines, at the end of a run
 * @dedup: the run
 * @seconds: duration of the run
 *
 * Return: DONE; REFUSED after an error message if repeats passed for lack of memory or
 * because the ledger failed.
 */
int dedup_tell(const struct dedup *dedup, double seconds);

#endif
