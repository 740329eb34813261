// SPDX-License-Identifier: GPL-2.0
/*
 * curves FOLDER: fills sets, measures how often they err, and writes that to
 * FOLDER/curves.csv, with the rates that tools/lib/rate.c predicts. theory.py draws the
 * plots. The same code writes the same file: keys and the clock are fixed.
 */
#include <errno.h>
#include <string.h>

#include "curves.h"
#include "pattern.h"

static int fail(const char *folder)
{
	fprintf(stderr, "curves: %s: %s\n", folder, strerror(errno));
	return 1;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: curves FOLDER\n", stderr);
		return 2;
	}
	if (curves_open(argv[1]))
		return fail(argv[1]);
	seen_pattern_init();
	clock_set(1000 * SECOND);
	curves_rates();
	curves_merges();
	curves_loads();
	curves_sketches();
	curves_trails();
	return curves_close() ? fail(argv[1]) : 0;
}
