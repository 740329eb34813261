// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <string.h>

#include "curves.h"

#define PATH_LEN	512

static const char *place;
static FILE *csv;

int curves_open(const char *folder)
{
	char path[PATH_LEN];

	place = folder;
	snprintf(path, sizeof(path), "%s/curves.csv", folder);
	csv = fopen(path, "w");
	if (csv)
		fputs("plot,curve,x,predicted,measured\n", csv);
	return csv ? 0 : -1;
}

int curves_close(void)
{
	return fclose(csv);
}

void curves_begin(struct curves_plot *plot, const char *file,
		  const char *title)
{
	*plot = (struct curves_plot) { .file = file };
	plot->svg.title = title;
	plot->svg.series = plot->series;
}

static void record(const struct curves_plot *plot, const char *name,
		   const struct curves_figure *figure)
{
	fprintf(csv, "%s,%s,%g,%.3g,", plot->file, name, figure->x,
		figure->predicted);
	if (isnan(figure->measured))
		fputs("-\n", csv);
	else
		fprintf(csv, "%.3g\n", figure->measured);
}

static void add_series(struct curves_plot *plot, const char *name,
		       const char *what, const struct curves_figure *figures,
		       u32 count, bool measured)
{
	size_t at = plot->svg.count++;
	u32 i;

	for (i = 0; i < count; i++) {
		plot->points[at][i].x = figures[i].x;
		plot->points[at][i].y = measured ? figures[i].measured :
						   figures[i].predicted;
	}
	snprintf(plot->label[at], sizeof(plot->label[at]), "%s, %s", name, what);
	plot->series[at] = (struct seen_svg_series) {
		.label = plot->label[at],
		.dots = measured,
		.colour = plot->curves,
		.points = plot->points[at],
		.count = count,
	};
}

void curves_add(struct curves_plot *plot, const char *name, const char *expect,
		const struct curves_figure *figures, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		record(plot, name, &figures[i]);
	if (expect)
		add_series(plot, name, expect, figures, count, false);
	add_series(plot, name, "measured", figures, count, true);
	plot->curves++;
}

void curves_end(struct curves_plot *plot)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/%s.svg", place, plot->file);
	if (!seen_svg_save(path, &plot->svg))
		return;
	fprintf(stderr, "curves: %s: %s\n", path, strerror(errno));
	exit(1);
}

struct seen_set *curves_set(struct seen_geometry request, u64 capacity,
			    u64 most)
{
	request.capacity = capacity;
	if (seen_plan(&request, MIN_TICK)) {
		fprintf(stderr, "curves: kind %d: no plan\n", request.kind);
		exit(1);
	}
	request.capacity = most;
	return set_new(&request);
}
