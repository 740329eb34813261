// SPDX-License-Identifier: GPL-2.0
/* Plots: places of points, labels of ticks, points that are not shown, text escaped for XML. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))

static int results, failures;
static char *drawn;

static void ok(bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++results, name);
	failures += !good;
	if (!good)
		printf("# %zu bytes drawn\n", strlen(drawn));
}

static void draw(const struct seen_svg_plot *plot)
{
	size_t size;
	FILE *to;

	free(drawn);
	to = open_memstream(&drawn, &size);
	if (!to || seen_svg_write(to, plot) || fclose(to)) {
		printf("Bail out! no memory\n");
		exit(1);
	}
}

static bool has(const char *text)
{
	return strstr(drawn, text);
}

static int count(const char *text)
{
	const char *at = drawn;
	int found = 0;

	for (; (at = strstr(at, text)); at++)
		found++;
	return found;
}

static struct seen_svg_series series;

static struct seen_svg_plot plot_of(const struct seen_svg_point *points,
				    size_t many)
{
	series = (struct seen_svg_series) {
		.label = "label", .points = points, .count = many,
	};
	return (struct seen_svg_plot) {
		.title = "title",
		.x = { .title = "x" },
		.y = { .title = "y" },
		.series = &series,
		.count = 1,
	};
}

/* The area is 84 to 620 from the left, and 324 to 44 from below. */
static void test_places(void)
{
	static const struct seen_svg_point points[] = {
		{ 0, 0 }, { 5, 5 }, { 10, 10 },
	};
	struct seen_svg_plot plot = plot_of(points, ARRAY_SIZE(points));

	draw(&plot);
	ok(has("d=\"M84.0 324.0L352.0 184.0L620.0 44.0\""),
	   "a line from corner to corner, through the middle");
	ok(has(">0</text>") && has(">10</text>") && !has("-0"),
	   "ticks from 0 to 10");
	series.dots = true;
	draw(&plot);
	ok(has("cx=\"352.0\" cy=\"184.0\"") && count("<circle") == 4 &&
	   !has("<path"), "three points and one in the legend");
}

static void test_log(void)
{
	static const struct seen_svg_point points[] = {
		{ 0, 0.000001 }, { 1, 0 }, { 2, 0.0001 }, { 3, NAN }, { 4, 0.01 },
	};
	struct seen_svg_plot plot = plot_of(points, ARRAY_SIZE(points));

	plot.y.log = true;
	draw(&plot);
	ok(has("d=\"M84.0 324.0M352.0 184.0M620.0 44.0\""),
	   "powers of ten; 0 and what is no number break the line");
	ok(has(">1e-6</text>") && has(">0.0001</text>") &&
	   has(">0.01</text>"), "each decade has a tick");
}

static void test_ticks(void)
{
	static const struct seen_svg_point points[] = {
		{ 1 / 1e20, 1 }, { 1e7, 1.5 },
	};
	struct seen_svg_plot plot = plot_of(points, ARRAY_SIZE(points));

	plot.x.log = true;
	plot.y.percent = true;
	plot.y.max = 1.5;
	draw(&plot);
	ok(count("text-anchor=\"middle\"") < 12 && has(">1e-20</text>"),
	   "of many decades some have a tick");
	ok(has(">0%</text>") && has(">25%</text>") && has(">150%</text>") &&
	   !has(">175%</text>"), "quarters from 0 to 150 percent");
}

static void test_beyond(void)
{
	static const struct seen_svg_point points[] = {
		{ -1, 1 }, { 1, 1 }, { 3, 1 }, { 1, INFINITY },
	};
	struct seen_svg_plot plot = plot_of(points, ARRAY_SIZE(points));

	plot.x.max = 2;
	series.dots = true;
	draw(&plot);
	ok(count("<circle") == 2, "what lies beyond the axes is not shown");
}

static void test_nothing(void)
{
	static const struct seen_svg_point one = { 5, 5 };
	struct seen_svg_plot plot = plot_of(NULL, 0);

	draw(&plot);
	ok(has("<path class=\"line c0\" d=\"\"/>") && !has("nan") &&
	   !has("inf"), "no point at all");
	plot = plot_of(&one, 1);
	plot.y.log = true;
	draw(&plot);
	ok(has("d=\"M84.0") && !has("nan") && !has("inf"), "a single point");
}

static void test_text(void)
{
	struct seen_svg_plot plot = plot_of(NULL, 0);

	plot.title = "<a> & b";
	plot.caption = "one\n\nthree";
	series.label = "p < q";
	draw(&plot);
	ok(count("&lt;a&gt; &amp; b") == 2 && has(">p &lt; q</text>") &&
	   !has("<a>"), "text is escaped");
	ok(has(">one</text>") && has("></text>") && has(">three</text>") &&
	   has("viewBox=\"0 0 640 464\""), "a caption of three lines");
}

static void test_failure(void)
{
	struct seen_svg_plot plot = plot_of(NULL, 0);

	ok(seen_svg_save("/dev/full", &plot) == -1 &&
	   seen_svg_save("/nowhere/at/all.svg", &plot) == -1,
	   "a file that cannot be written is reported");
}

int main(void)
{
	printf("TAP version 13\n1..13\n");
	test_places();
	test_log();
	test_ticks();
	test_beyond();
	test_nothing();
	test_text();
	test_failure();
	free(drawn);
	return failures || results != 13;
}
