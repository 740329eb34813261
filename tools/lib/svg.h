/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Plots of lines and points as SVG: one file, no script, no font of its own,
 * readable on light and on dark pages. The same plot gives the same bytes.
 */
#ifndef SEEN_SVG_H
#define SEEN_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct seen_svg_point {
	double x;
	double y;
};

/**
 * struct seen_svg_axis - one of the two
 * @title: what is on it
 * @log: by powers of ten; what is not above 0 is not shown
 * @percent: ticks are told as percent of 1
 * @min: first value; where @max is not above it both follow from the points
 * @max: last value; points beyond are not shown
 */
struct seen_svg_axis {
	const char *title;
	bool log;
	bool percent;
	double min;
	double max;
};

/**
 * struct seen_svg_series - points that belong together
 * @label: of them
 * @dots: each point for itself (measured); not set: joined by a line (predicted)
 * @colour: from 0, the same for what belongs together
 * @points: they; of a line: in its order
 * @count: how many
 */
struct seen_svg_series {
	const char *label;
	bool dots;
	unsigned int colour;
	const struct seen_svg_point *points;
	size_t count;
};

/**
 * struct seen_svg_plot - what is to be drawn
 * @title: above it
 * @caption: below it, or NULL; a newline begins another line
 * @x: to the right
 * @y: upwards
 * @series: at least one
 * @count: how many
 */
struct seen_svg_plot {
	const char *title;
	const char *caption;
	struct seen_svg_axis x;
	struct seen_svg_axis y;
	const struct seen_svg_series *series;
	size_t count;
};

/* seen_svg_write() - 0, or -1 and errno as @to left it */
int seen_svg_write(FILE *to, const struct seen_svg_plot *plot);

/* seen_svg_save() - the same, replacing a file whole; 0, or -1 and errno */
int seen_svg_save(const char *path, const struct seen_svg_plot *plot);

#endif
