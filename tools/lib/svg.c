// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <string.h>

#include "replace.h"
#include "svg.h"

#define COLOURS		6
/* Size of the picture, and borders of the area of the points, in the picture's units. */
#define WIDTH		640
#define LEFT		84
#define RIGHT		620
#define TOP		44
#define BOTTOM		324
#define ROW		20
/* Most steps of a linear axis, and most decades of a logarithmic one with a number each. */
#define STEPS		6
#define DECADES		8
#define NUMBER_LEN	32
/* Tolerance for rounding errors. */
#define SLACK		(1.0 / 1000000000)

/* The colours are distinguishable from each other on white and, lighter, on black. */
static const char style[] =
	"text{font:13px sans-serif;fill:#222}\n"
	".title{font-size:16px;font-weight:bold}\n"
	".page{fill:#fff}.grid{stroke:#ddd}.frame{fill:none;stroke:#666}\n"
	".line{fill:none;stroke-width:2}\n"
	".c0{stroke:#0065a8;fill:#0065a8}.c1{stroke:#c43d00;fill:#c43d00}\n"
	".c2{stroke:#007a58;fill:#007a58}.c3{stroke:#a03c80;fill:#a03c80}\n"
	".c4{stroke:#8a6d00;fill:#8a6d00}.c5{stroke:#555;fill:#555}\n"
	"@media(prefers-color-scheme:dark){\n"
	"text{fill:#ddd}.page{fill:#111}.grid{stroke:#333}.frame{stroke:#999}\n"
	".c0{stroke:#56b4e9;fill:#56b4e9}.c1{stroke:#ff8a50;fill:#ff8a50}\n"
	".c2{stroke:#2bc99a;fill:#2bc99a}.c3{stroke:#e08cc0;fill:#e08cc0}\n"
	".c4{stroke:#e5c100;fill:#e5c100}.c5{stroke:#aaa;fill:#aaa}\n"
	"}\n"
	".line{fill:none}\n";

/* An axis on the picture: @min is at coordinate @from, @max at @to. */
struct scale {
	const struct seen_svg_axis *axis;
	double min;
	double max;
	double from;
	double to;
};

static void escape(FILE *to, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", to);
			break;
		case '<':
			fputs("&lt;", to);
			break;
		case '>':
			fputs("&gt;", to);
			break;
		default:
			fputc(*text, to);
		}
	}
}

static void text_at(FILE *to, double x, double y, const char *more,
		    const char *text)
{
	fprintf(to, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, more);
	escape(to, text);
	fputs("</text>\n", to);
}

static void line(FILE *to, const char *class, double x1, double y1, double x2,
		 double y2)
{
	fprintf(to,
		"<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
		class, x1, y1, x2, y2);
}

static bool shown(const struct seen_svg_axis *axis, double value)
{
	return isfinite(value) && (!axis->log || value > 0);
}

/* A step of 1, 2, 2.5 or 5 times a power of ten, such that at most STEPS make up @range. */
static double step_of(double range)
{
	static const double parts[] = { 1, 2, 2.5, 5 };
	double power = pow(10, floor(log10(range / STEPS)));
	double least = range / STEPS / power - SLACK;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (least <= parts[i])
			return power * parts[i];
	return 10 * power;
}

/* Extend the axis to whole steps, or powers of ten. */
static void round_out(struct scale *scale)
{
	double step;

	if (scale->axis->log) {
		scale->min = pow(10, floor(log10(scale->min) + SLACK));
		scale->max = pow(10, ceil(log10(scale->max) - SLACK));
		scale->max = fmax(scale->max, 10 * scale->min);
		return;
	}
	if (scale->max <= scale->min)
		scale->max = scale->min + 1;
	step = step_of(scale->max - scale->min);
	scale->min = step * floor(scale->min / step + SLACK);
	scale->max = step * ceil(scale->max / step - SLACK);
}

static double value_of(const struct seen_svg_point *point, bool y)
{
	return y ? point->y : point->x;
}

static void from_points(struct scale *scale, const struct seen_svg_plot *plot,
			bool y)
{
	double value;
	bool any = false;
	size_t i, j;

	for (i = 0; i < plot->count; i++)
		for (j = 0; j < plot->series[i].count; j++) {
			value = value_of(&plot->series[i].points[j], y);
			if (!shown(scale->axis, value))
				continue;
			scale->min = any ? fmin(scale->min, value) : value;
			scale->max = any ? fmax(scale->max, value) : value;
			any = true;
		}
	if (!any) {
		scale->min = scale->axis->log ? 0.1 : 0;
		scale->max = 1;
	}
	round_out(scale);
}

static struct scale scale_of(const struct seen_svg_plot *plot, bool y)
{
	struct scale scale = {
		.axis = y ? &plot->y : &plot->x,
		.from = y ? BOTTOM : LEFT,
		.to = y ? TOP : RIGHT,
	};

	if (scale.axis->max > scale.axis->min &&
	    shown(scale.axis, scale.axis->min)) {
		scale.min = scale.axis->min;
		scale.max = scale.axis->max;
	} else {
		from_points(&scale, plot, y);
	}
	return scale;
}

static double svg_place(const struct scale *scale, double value)
{
	double part = (value - scale->min) / (scale->max - scale->min);

	if (scale->axis->log)
		part = log(value / scale->min) / log(scale->max / scale->min);
	return scale->from + part * (scale->to - scale->from);
}

static bool within(const struct scale *scale, double value)
{
	double slack = SLACK * (scale->max - scale->min);

	return shown(scale->axis, value) && value >= scale->min - slack &&
	       value <= scale->max + slack;
}

/* Write a number as "1e-6" instead of "1e-06", and as "1e6". */
static const char *number(char *text, const struct seen_svg_axis *axis,
			  double value)
{
	char *digits, *rest;

	snprintf(text, NUMBER_LEN, "%g%s", axis->percent ? 100 * value : value,
		 axis->percent ? "%" : "");
	digits = strchr(text, 'e');
	if (!digits)
		return text;
	digits++;
	rest = digits + 1;
	digits += *digits == '-';
	rest += strspn(rest, "0");
	memmove(digits, rest, strlen(rest) + 1);
	return text;
}

static void tick(FILE *to, const struct scale *scale, bool y, double value)
{
	double at = svg_place(scale, value);
	char text[NUMBER_LEN];

	number(text, scale->axis, value);
	if (y) {
		line(to, "grid", LEFT, at, RIGHT, at);
		text_at(to, LEFT - 8, at + 4, " text-anchor=\"end\"", text);
	} else {
		line(to, "grid", at, TOP, at, BOTTOM);
		text_at(to, at, BOTTOM + 18, " text-anchor=\"middle\"", text);
	}
}

/* With few decades, 2 and 5 have ticks, too; with many, only some powers of ten have one. */
static void log_ticks(FILE *to, const struct scale *scale, bool y)
{
	static const double few[] = { 1, 2, 5 };
	int first = floor(log10(scale->min) + SLACK);
	int last = floor(log10(scale->max) + SLACK);
	int each = (last - first) / DECADES + 1;
	size_t count = last - first < 3 ? 3 : 1;
	int power;

	for (power = first; power <= last; power += each)
		for (size_t i = 0; i < count; i++)
			if (within(scale, few[i] * pow(10, power)))
				tick(to, scale, y, few[i] * pow(10, power));
}

static void linear_ticks(FILE *to, const struct scale *scale, bool y)
{
	double step = step_of(scale->max - scale->min);
	double i;

	/* Count in whole steps, so that zero is exactly 0; adding 0.0 turns -0 into 0. */
	i = ceil(scale->min / step - SLACK) + 0.0;
	for (; within(scale, i * step); i++)
		tick(to, scale, y, i * step);
}

static void draw_axis(FILE *to, const struct scale *scale, bool y)
{
	char turn[80];

	if (scale->axis->log)
		log_ticks(to, scale, y);
	else
		linear_ticks(to, scale, y);
	if (!y) {
		text_at(to, (LEFT + RIGHT) / 2.0, BOTTOM + 40,
			" text-anchor=\"middle\"", scale->axis->title);
		return;
	}
	snprintf(turn, sizeof(turn),
		 " text-anchor=\"middle\" transform=\"rotate(-90 18 %d)\"",
		 (TOP + BOTTOM) / 2);
	text_at(to, 18, (TOP + BOTTOM) / 2.0, turn, scale->axis->title);
}

static void draw_dot(FILE *to, unsigned int colour, double x, double y)
{
	fprintf(to, "<circle class=\"c%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n",
		colour % COLOURS, x, y);
}

/* A point that is not shown breaks the line. */
static void draw_line(FILE *to, const struct seen_svg_series *series,
		      const struct scale *x, const struct scale *y)
{
	bool open = false;

	fprintf(to, "<path class=\"line c%u\" d=\"", series->colour % COLOURS);
	for (size_t i = 0; i < series->count; i++) {
		const struct seen_svg_point *point = &series->points[i];

		if (!within(x, point->x) || !within(y, point->y)) {
			open = false;
			continue;
		}
		fprintf(to, "%s%.1f %.1f", open ? "L" : "M",
			svg_place(x, point->x), svg_place(y, point->y));
		open = true;
	}
	fputs("\"/>\n", to);
}

static void draw_dots(FILE *to, const struct seen_svg_series *series,
		      const struct scale *x, const struct scale *y)
{
	for (size_t i = 0; i < series->count; i++) {
		const struct seen_svg_point *point = &series->points[i];

		if (within(x, point->x) && within(y, point->y))
			draw_dot(to, series->colour, svg_place(x, point->x),
				 svg_place(y, point->y));
	}
}

/* One row for each series: a sample and its label. */
static int draw_legend(FILE *to, const struct seen_svg_plot *plot, int y)
{
	for (size_t i = 0; i < plot->count; i++, y += ROW) {
		const struct seen_svg_series *series = &plot->series[i];
		char class[16];

		snprintf(class, sizeof(class), "line c%u",
			 series->colour % COLOURS);
		if (series->dots)
			draw_dot(to, series->colour, LEFT + 14, y - 4);
		else
			line(to, class, LEFT, y - 4, LEFT + 28, y - 4);
		text_at(to, LEFT + 38, y, "", series->label);
	}
	return y;
}

static void draw_caption(FILE *to, const char *caption, int y)
{
	char row[256];
	size_t len;

	for (; *caption; y += ROW) {
		len = strcspn(caption, "\n");
		snprintf(row, sizeof(row), "%.*s", (int)len, caption);
		text_at(to, LEFT, y, "", row);
		caption += len + (caption[len] == '\n');
	}
}

static int rows(const char *text)
{
	int count = 0;

	while (*text) {
		text += strcspn(text, "\n");
		text += *text == '\n';
		count++;
	}
	return count;
}

int seen_svg_write(FILE *to, const struct seen_svg_plot *plot)
{
	const char *caption = plot->caption ? plot->caption : "";
	int height = BOTTOM + 60 + ROW * (plot->count + rows(caption));
	struct scale x = scale_of(plot, false);
	struct scale y = scale_of(plot, true);
	int row = BOTTOM + 66;

	fprintf(to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n"
		"<title>", WIDTH, height, WIDTH, height);
	escape(to, plot->title);
	fprintf(to, "</title>\n<style>\n%s</style>\n", style);
	fprintf(to, "<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n",
		WIDTH, height);
	text_at(to, LEFT, 26, " class=\"title\"", plot->title);
	draw_axis(to, &x, false);
	draw_axis(to, &y, true);
	fprintf(to,
		"<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
		LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
	for (size_t i = 0; i < plot->count; i++) {
		if (plot->series[i].dots)
			draw_dots(to, &plot->series[i], &x, &y);
		else
			draw_line(to, &plot->series[i], &x, &y);
	}
	row = draw_legend(to, plot, row);
	draw_caption(to, caption, row);
	fputs("</svg>\n", to);
	return ferror(to) ? -1 : 0;
}

static int write_whole(FILE *to, const struct seen_svg_plot *plot)
{
	int err = seen_svg_write(to, plot) ? -errno : 0;

	if (fclose(to) && !err)
		err = -errno;
	return err;
}

int seen_svg_save(const char *path, const struct seen_svg_plot *plot)
{
	struct seen_replace to;
	int err = seen_replace_begin(&to, path, 0);
	FILE *stream;

	if (!err) {
		stream = seen_replace_stream(&to);
		err = stream ? write_whole(stream, plot) : -errno;
		err = seen_replace_end(&to, err);
	}
	errno = -err;
	return err ? -1 : 0;
}
