/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Spans of code for which others have to wait, and the amount of work in a span. Its unit is a
 * basic block, or a word that a string function touches. (The compiler inserts a function call
 * into each basic block.) The amount is the same in every run.
 */
#ifndef SEEN_FAKE_SPANS_H
#define SEEN_FAKE_SPANS_H

#include <stddef.h>

/**
 * enum span - what has to wait for the end of the span
 * @SPAN_BH_OFF: the packets of this CPU
 * @SPAN_RCU: a grace period
 * @SPAN_LOCKED: waiters for seen_net.lock: holders of rtnl, and of netfilter's own locks
 * @SPAN_UNSCHEDULED: code between two places that may schedule: processes of this CPU
 */
enum span {
	SPAN_BH_OFF,
	SPAN_RCU,
	SPAN_LOCKED,
	SPAN_UNSCHEDULED,
	SPANS,
};

extern const char * const span_name[SPANS];

/* gcc's -fsanitize-coverage=trace-pc calls this function in each basic block. */
void __sanitizer_cov_trace_pc(void);

/* span_begin(), span_end() - spans of the same kind may be nested */
void span_begin(enum span span);
void span_end(enum span span);

/* span_sleeps() - the caller may sleep here */
void span_sleeps(void);

/**
 * struct spans - work of a command
 * @total: work in total
 * @worst: the most work in a span of each kind
 * @atomic: number of times that it would have slept with bottom halves off, or under RCU
 */
struct spans {
	unsigned long total;
	unsigned long worst[SPANS];
	unsigned long atomic;
};

/* spans_watch() - from now on add all work to @spans; NULL: count no work */
void spans_watch(struct spans *spans);

/* spans_memory() - zeroed memory in whole cache lines, for free(); zeroing is not counted */
void *spans_memory(size_t bytes);

#endif
