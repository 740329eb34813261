/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the programs that compute curves. Predicted and measured figures go to curves.csv. */
#ifndef SEEN_CURVES_H
#define SEEN_CURVES_H

#include "test.h"

/* @measured: NAN: too rare to measure */
struct curves_figure {
	double x;
	double predicted;
	double measured;
};

/* curves_open() - create curves.csv in @folder; 0, or -1 and errno */
int curves_open(const char *folder);
int curves_close(void);

/* curves_add() - write one curve of @plot; theory.py knows the plots' titles and axes */
void curves_add(const char *plot, const char *name, const struct curves_figure *figures,
		u32 count);

/* curves_set() - one for @capacity keys that takes up to @most */
struct seen_set *curves_set(struct seen_geometry request, u64 capacity,
			    u64 most);

/**
 * curves_measure() - the rate at which keys that nobody has added are seen
 * @set: with keys of family 1
 * @predicted: how many are asked for follows from it
 * @family: theirs, another one at each point, so that chance is not the same
 *
 * Return: NAN if too few were.
 */
double curves_measure(struct seen_set *set, double predicted, u32 family);

/* curves_rate.c: false positives over how full a set is */
void curves_rates(void);
/* curves_merge.c: of unions and folds */
void curves_merges(void);
/* curves_load.c: when a table of buckets has no room */
void curves_loads(void);
/* curves_sketch.c: errors of counts */
void curves_sketches(void);
/* curves_trail.c: frames that are lost without a loop */
void curves_trails(void);

#endif
