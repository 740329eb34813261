// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "curves.h"

static FILE *csv;

int curves_open(const char *folder)
{
	char path[512];

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

void curves_add(const char *plot, const char *name, const struct curves_figure *figures,
		u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		fprintf(csv, "%s,%s,%g,%.3g,", plot, name, figures[i].x, figures[i].predicted);
		if (isnan(figures[i].measured))
			fputs("-\n", csv);
		else
			fprintf(csv, "%.3g\n", figures[i].measured);
	}
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
