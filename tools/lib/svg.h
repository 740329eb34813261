/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Plots of lines and points as SVG files without scripts and fonts, readable on light and on
 * dark pages. Equal plots give equal bytes.
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
 * struct seen_svg_axis - an axis
 * @title: text at the axis
 * @log: logarithmic; values that are not above 0 are not shown
 * @percent: numbers at ticks are in percent of 1
 * @min: first value; if @max is not above @min, both are derived from the points
 * @max: last value; points outside are not shown
 */
struct seen_svg_axis {
	const char *title;
	bool log;
	bool percent;
	double min;
	double max;
};

/**
 * struct seen_svg_series - a series of points
 * @label: its text in the legend
 * @dots: draw each point (measured values); else join the points by a line (predictions)
 * @colour: number from 0; series that belong together have the same
 * @points: the points; for a line, in its order
 * @count: elements of @points
 */
struct seen_svg_series {
	const char *label;
	bool dots;
	unsigned int colour;
	const struct seen_svg_point *points;
	size_t count;
};

/**
 * struct seen_svg_plot - a plot
 * @title: text above it
 * @caption: text below it, or NULL; a newline begins a new line
 * @x: horizontal axis
 * @y: vertical axis
 * @series: at least one
 * @count: elements of @series
 */
struct seen_svg_plot {
	const char *title;
	const char *caption;
	struct seen_svg_axis x;
	struct seen_svg_axis y;
	const struct seen_svg_series *series;
	size_t count;
};

/* seen_svg_write() - write a plot; 0, or -1 and errno */
int seen_svg_write(FILE *to, const struct seen_svg_plot *plot);

/* seen_svg_save() - write a plot to a file, atomically; 0, or -1 and errno */
int seen_svg_save(const char *path, const struct seen_svg_plot *plot);

#endif
