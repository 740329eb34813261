// SPDX-License-Identifier: GPL-2.0
/*
 * accuracy FOLDER [first]: sends each stream through each sketch, and writes the figures of
 * Documentation/accuracy.md: accuracy.csv, a row for each sketch, and accuracy-counts.csv,
 * the mean error by exact count. first: only the first stream and capacity.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "zipf.h"

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

static FILE *create(const char *name)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
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

/* Keys with an exact count of 2^i to 2^(i + 1) - 1 are one class. */
static void write_classes(FILE *counts, const struct zipf *zipf, u32 size, u32 sketch,
			  const struct zipf_result *r)
{
	u32 i;

	for (i = 1; i < ZIPF_CLASSES; i++)
		if (r->class[i].keys)
			fprintf(counts, "%g,%llu,%s,%.0f,%llu,%g\n", zipf->skew,
				(unsigned long long)capacities[size], sketches[sketch].name,
				ldexp(1, i - 1), (unsigned long long)r->class[i].keys,
				zipf_mean(&r->class[i]));
}

static void measure(FILE *csv, FILE *counts, double skew, u32 sizes)
{
	struct zipf *zipf = zipf_new(skew, KEYS, EVENTS);
	struct zipf_result result;
	u32 i, j;

	for (i = 0; i < sizes; i++)
		for (j = 0; j < SKETCHES; j++) {
			zipf_measure(zipf, request(i, j), &result);
			write_row(csv, zipf, i, j, &result);
			write_classes(counts, zipf, i, j, &result);
		}
	zipf_free(zipf);
}

int main(int argc, char **argv)
{
	bool first = argc == 3;
	FILE *csv, *counts;
	u32 i;

	if (argc != 2 && (argc != 3 || strcmp(argv[2], "first"))) {
		fprintf(stderr, "usage: accuracy FOLDER [first]\n");
		return 2;
	}
	folder = argv[1];
	test_seed();
	csv = create("accuracy.csv");
	write_head(csv);
	counts = create("accuracy-counts.csv");
	fputs("s,capacity,sketch,count,keys,error\n", counts);
	for (i = 0; i < (first ? 1 : SKEWS); i++)
		measure(csv, counts, skews[i], first ? 1 : SIZES);
	finish(csv, "accuracy.csv");
	finish(counts, "accuracy-counts.csv");
	return 0;
}
