/* SPDX-License-Identifier: GPL-2.0 */
/* Faults of a filter or a guard, in a few words. */
#ifndef SEENCTL_TROUBLE_H
#define SEENCTL_TROUBLE_H

#include "seenctl.h"

/* A trouble of this rank, or a higher one, needs attention. Rank 0 is only information. */
#define TROUBLE_BAD	3

/**
 * struct trouble - one thing that is wrong
 * @what: its word, for JSON
 * @rank: higher is worse
 * @port: the port; NULL: none
 * @other: the other port; NULL: none
 * @number: a number of packets, keys or rules, if @counts
 * @counts: meaning of @number as JSON member; NULL: none
 * @ns: a time, if @times
 * @times: meaning of @ns as JSON member; NULL: none
 * @text: the words for the screen
 * @order: number of the trouble in its list, from 0
 */
struct trouble {
	const char *what;
	int rank;
	const char *port;
	const char *other;
	uint64_t number;
	const char *counts;
	uint64_t ns;
	const char *times;
	char text[80];
	size_t order;
};

/* Troubles of one object, the worst first. */
struct troubles {
	size_t count;
	struct trouble *list;
};

/*
 * trouble_filter(), trouble_guard() - find what is wrong. @list: empty; the caller frees its
 * list. It refers to the names in @info.
 */
void trouble_filter(const struct seen_filter_info *info, struct troubles *list);
void trouble_guard(const struct seen_guard_info *info, struct troubles *list);

/* trouble_rank() - the rank of the worst one; -1 if the list is empty */
int trouble_rank(const struct troubles *list);

/* trouble_json() - write the array "wrong" */
void trouble_json(const struct troubles *list);

#endif
