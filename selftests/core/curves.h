/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the files of curves: plots of predicted values (lines) and measured values
 * (points). Every figure is also written to curves.csv.
 */
#ifndef SEEN_CURVES_H
#define SEEN_CURVES_H

#include "svg.h"
#include "test.h"

#define CURVES_MAX	4	/* of a plot */
#define FIGURES_MAX	24	/* of a curve */

/* @measured: NAN: too rare to measure */
struct curves_figure {
	double x;
	double predicted;
	double measured;
};

struct curves_plot {
	const char *file;
	struct seen_svg_plot svg;
	struct seen_svg_series series[2 * CURVES_MAX];
	struct seen_svg_point points[2 * CURVES_MAX][FIGURES_MAX];
	char label[2 * CURVES_MAX][64];
	u32 curves;
};

/* curves_open() - where the files go; 0, or -1 and errno */
int curves_open(const char *folder);
int curves_close(void);

/* curves_begin() - an empty plot, for @file.svg; its axes are the caller's */
void curves_begin(struct curves_plot *plot, const char *file,
		  const char *title);

/* curves_add() - a curve; @expect: what the line is, NULL: drawn already */
void curves_add(struct curves_plot *plot, const char *name, const char *expect,
		const struct curves_figure *figures, u32 count);

/* curves_end() - write it; ends the program if that cannot be */
void curves_end(struct curves_plot *plot);

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

#endif
