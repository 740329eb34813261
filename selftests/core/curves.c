// SPDX-License-Identifier: GPL-2.0
/*
 * curves FOLDER: fills sets, measures their error rates, and plots them together with the
 * predictions of tools/lib/rate.c: the plots of Documentation/theory, with all figures in
 * curves.csv. Keys and the clock are fixed, so the same code writes the same files.
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
	return curves_close() ? fail(argv[1]) : 0;
}
