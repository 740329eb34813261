/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Spans of code for which others have to wait, and how much is done in one: basic
 * blocks, which the compiler has call a function, and words that a string function
 * touches. That is the same in every run.
 */
#ifndef SEEN_FAKE_SPANS_H
#define SEEN_FAKE_SPANS_H

#include <stddef.h>

/**
 * enum span - who waits for its end
 * @SPAN_BH_OFF: the packets of this CPU
 * @SPAN_RCU: a grace period
 * @SPAN_LOCKED: seen_net.lock: rtnl, and netfilter's own
 * @SPAN_UNSCHEDULED: between two chances to be scheduled away: processes of this CPU
 */
enum span {
	SPAN_BH_OFF,
	SPAN_RCU,
	SPAN_LOCKED,
	SPAN_UNSCHEDULED,
	SPANS,
};

extern const char * const span_name[SPANS];

/* What gcc's -fsanitize-coverage=trace-pc has each basic block call. */
void __sanitizer_cov_trace_pc(void);

/* span_begin(), span_end() - spans of a kind may be within each other */
void span_begin(enum span span);
void span_end(enum span span);

/* span_sleeps() - who is here may be scheduled away */
void span_sleeps(void);

/**
 * struct spans - of a command
 * @total: that was done
 * @worst: the most that was done in a span of each kind
 * @atomic: times that it would have slept with bottom halves off, or under RCU
 */
struct spans {
	unsigned long total;
	unsigned long worst[SPANS];
	unsigned long atomic;
};

/* spans_watch() - from now on, all that is done counts for these, or for none: NULL */
void spans_watch(struct spans *spans);

/* spans_memory() - zeroed, of whole lines, for free(); that it is, is not counted */
void *spans_memory(size_t bytes);

#endif
