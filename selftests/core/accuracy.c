// SPDX-License-Identifier: GPL-2.0
/*
 * accuracy FOLDER [first]: measures the figures of Documentation/accuracy.md, each sketch
 * on each stream, and writes them as CSV and as plots. "first": only the first rows.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "svg.h"
#include "zipf.h"

#define CAPTION	"By exact count, from a power of two to the next.\n" \
		"Lines: a small sketch; dots: one ten times as large.\n" \
		"Errors of 0 are not shown."

enum { EVENTS = 10000000, KEYS = 1000000 };

static const double skews[] = { 0.8, 1.1, 1.5 };
static const u64 capacities[] = { 100000, 10000 };

static const struct sketch {
	enum seen_set_kind kind;
	bool conservative;
	const char *name;
} sketches[] = {
	{ SEEN_SET_CMS, false, "cms" },
	{ SEEN_SET_CMS, true, "cms conservative" },
	{ SEEN_SET_CMM, false, "cmm" },
};

enum {
	SKEWS = ARRAY_SIZE(skews),
	SIZES = ARRAY_SIZE(capacities),
	SKETCHES = ARRAY_SIZE(sketches),
};

static const char *folder;

static void fail(const char *name)
{
	fprintf(stderr, "%s/%s: %s\n", folder, name, strerror(errno));
	exit(1);
}

static void path_of(char *path, size_t bytes, const char *name)
{
	snprintf(path, bytes, "%s/%s", folder, name);
}

static FILE *create(const char *name)
{
	char path[512];
	FILE *file;

	path_of(path, sizeof(path), name);
	file = fopen(path, "w");
	if (!file)
		fail(name);
	return file;
}

static void finish(FILE *file, const char *name)
{
	if (fclose(file))
		fail(name);
}

static struct seen_geometry request(u32 size, u32 sketch)
{
	return (struct seen_geometry) {
		.kind = sketches[sketch].kind,
		.conservative = sketches[sketch].conservative,
		.capacity = capacities[size],
		.fpp = FPP_ONE / 100,
	};
}

static double recall(const struct zipf_result *r)
{
	return r->heavy ? 100.0 * (r->heavy - r->missed) / r->heavy : 100;
}

static void write_head(FILE *csv)
{
	fprintf(csv,
		"s,capacity,sketch,events,keys,distinct,estimated,bound,beyond,promised,under,error_heavy,error_middle,error_tail,heavy,recall,false_alarms,top,top_in_place\n");
}

static void write_row(FILE *csv, const struct zipf *zipf, u32 size, u32 sketch,
		      const struct zipf_result *r)
{
	fprintf(csv,
		"%g,%llu,%s,%llu,%llu,%llu,%llu,%g,%g,0.01,%llu,%g,%g,%g,%llu,%g,%llu,%llu,%llu\n",
		zipf->skew, (unsigned long long)capacities[size],
		sketches[sketch].name, (unsigned long long)zipf->events,
		(unsigned long long)zipf->keys,
		(unsigned long long)r->distinct,
		(unsigned long long)r->entries, r->bound, zipf_beyond(r),
		(unsigned long long)r->under, zipf_mean(&r->part[HEAVY]),
		zipf_mean(&r->part[MIDDLE]), zipf_mean(&r->part[TAIL]),
		(unsigned long long)r->heavy, recall(r),
		(unsigned long long)r->false_alarms,
		(unsigned long long)r->listed, (unsigned long long)r->order);
}

/* Errors by exact count: keys that came 2^i to 2^(i + 1) - 1 times. */
static size_t curve(const struct zipf_result *r, struct seen_svg_point *points)
{
	size_t count = 0;
	u32 i;

	for (i = 1; i < ZIPF_CLASSES; i++) {
		if (!r->class[i].keys)
			continue;
		points[count].x = ldexp(1, i - 1);
		points[count++].y = zipf_mean(&r->class[i]);
	}
	return count;
}

static void plot(const char *name, double skew,
		 const struct zipf_result result[SIZES][SKETCHES])
{
	static struct seen_svg_point points[SIZES][SKETCHES][ZIPF_CLASSES];
	struct seen_svg_series series[SIZES * SKETCHES];
	char labels[SIZES * SKETCHES][64];
	char title[128], path[512];
	struct seen_svg_plot plot = {
		.title = title,
		.caption = CAPTION,
		.x = { .title = "exact count", .log = true },
		.y = { .title = "mean absolute error", .log = true },
		.series = series,
	};
	u32 i, j;

	snprintf(title, sizeof(title),
		 "%d M events of %d M keys, Zipf s = %.1f", EVENTS / 1000000,
		 KEYS / 1000000, skew);
	for (i = 0; i < SIZES; i++)
		for (j = 0; j < SKETCHES; j++, plot.count++) {
			snprintf(labels[plot.count], sizeof(*labels),
				 "%s, capacity %llu", sketches[j].name,
				 (unsigned long long)capacities[i]);
			series[plot.count] = (struct seen_svg_series) {
				.label = labels[plot.count],
				.dots = !i,
				.colour = j,
				.points = points[i][j],
				.count = curve(&result[i][j], points[i][j]),
			};
		}
	path_of(path, sizeof(path), name);
	if (seen_svg_save(path, &plot))
		fail(name);
}

static void measure(FILE *csv, double skew, u32 sizes,
		    struct zipf_result result[SIZES][SKETCHES])
{
	struct zipf *zipf = zipf_new(skew, KEYS, EVENTS);
	u32 i, j;

	for (i = 0; i < sizes; i++)
		for (j = 0; j < SKETCHES; j++) {
			zipf_measure(zipf, request(i, j), &result[i][j]);
			write_row(csv, zipf, i, j, &result[i][j]);
		}
	zipf_free(zipf);
}

static void measure_all(FILE *csv)
{
	struct zipf_result result[SIZES][SKETCHES];
	char name[32];
	u32 i;

	for (i = 0; i < SKEWS; i++) {
		measure(csv, skews[i], SIZES, result);
		snprintf(name, sizeof(name), "accuracy-%.1f.svg", skews[i]);
		plot(name, skews[i], result);
	}
}

int main(int argc, char **argv)
{
	struct zipf_result first[SIZES][SKETCHES];
	FILE *csv;

	if (argc != 2 && (argc != 3 || strcmp(argv[2], "first"))) {
		fprintf(stderr, "usage: accuracy FOLDER [first]\n");
		return 2;
	}
	folder = argv[1];
	test_seed();
	csv = create("accuracy.csv");
	write_head(csv);
	if (argc == 3)
		measure(csv, skews[0], 1, first);
	else
		measure_all(csv);
	finish(csv, "accuracy.csv");
	return 0;
}
