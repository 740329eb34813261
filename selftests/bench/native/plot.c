// SPDX-License-Identifier: GPL-2.0
/*
 * plot FILE: draws the plot that standard input describes. Each line has a word (title, caption,
 * x, y) or the name of a series, a tab, and a value. The value of a series is its points, "X Y"
 * each, separated by tabs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"

#define SERIES	8
#define POINTS	16

static struct seen_svg_point points[SERIES][POINTS];
static struct seen_svg_series series[SERIES];
static struct seen_svg_plot plot = {
	.x = { .log = true },
	.y = { .log = true },
	.series = series,
};

static size_t read_points(struct seen_svg_point *to, char *words)
{
	size_t count = 0;
	char *word;

	for (word = strtok(words, "\t"); word && count < POINTS; word = strtok(NULL, "\t"))
		if (sscanf(word, "%lf %lf", &to[count].x, &to[count].y) == 2)
			count++;
	return count;
}

static void read_line(char *name, char *value)
{
	struct seen_svg_series *next = &series[plot.count];

	if (!strcmp(name, "title")) {
		plot.title = strdup(value);
	} else if (!strcmp(name, "caption")) {
		plot.caption = strdup(value);
	} else if (!strcmp(name, "x")) {
		plot.x.title = strdup(value);
	} else if (!strcmp(name, "y")) {
		plot.y.title = strdup(value);
	} else if (plot.count < SERIES) {
		next->label = strdup(name);
		next->colour = plot.count;
		next->points = points[plot.count];
		next->count = read_points(points[plot.count++], value);
	}
}

int main(int argc, char **argv)
{
	char line[1024];
	char *tab;

	if (argc != 2) {
		fprintf(stderr, "usage: plot FILE <LINES\n");
		return 2;
	}
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		tab = strchr(line, '\t');
		if (!tab)
			continue;
		*tab = '\0';
		read_line(line, tab + 1);
	}
	if (!seen_svg_save(argv[1], &plot))
		return 0;
	perror(argv[1]);
	return 1;
}
