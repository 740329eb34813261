// SPDX-License-Identifier: GPL-2.0
/*
 * Prints kmod/core/plan_table.h, for blocked Bloom filters: for each quarter of a bit per
 * key the best number of bits or counters that a key sets, and the rate in 10^-12. The
 * largest possible number of lines stands for infinitely many. With fewer lines the keys
 * spread more evenly over them, so the rate is lower.
 */
#include <math.h>
#include <stdio.h>

#include "plan.h"
#include "rate.h"

#define QUARTERS_MAX	256	/* 64 bits a key */

struct layout {
	const char *name;
	enum seen_set_kind kind;
	unsigned int hashes_min;
	unsigned int hashes_step;
	unsigned int hashes_max;
};

static const struct layout layouts[] = {
	{ "blocked_steps", SEEN_SET_BLOCKED, 3, 3, 12 },
	{ "generation_steps", SEEN_SET_BLOOM_WINDOW, 1, 1, 12 },
	{ "counting_steps", SEEN_SET_COUNTING, 1, 1, 8 },
};

/* Rounded up to five digits, so that no libm's last bit shows. */
static unsigned long long units(double rate)
{
	double units = rate * 1e12;
	double digit = pow(10, fmax(0, floor(log10(units)) - 4));

	return (unsigned long long)(ceil(units / digit) * digit);
}

static double best(const struct layout *l, int quarters, unsigned int *hashes)
{
	struct seen_geometry geo = {
		.kind = l->kind,
		.blocks = SEEN_BLOCKS_MAX,
	};
	u64 keys = geo.blocks * SEEN_LINE_BITS * 4 / quarters;
	double least = 2;
	double rate;

	for (geo.hashes = l->hashes_min; geo.hashes <= l->hashes_max;
	     geo.hashes += l->hashes_step) {
		rate = seen_rate(&geo, keys);
		if (rate >= least)
			continue;
		least = rate;
		*hashes = geo.hashes;
	}
	return least;
}

static void print(const struct layout *l)
{
	unsigned long long rate, last = 2 * SEEN_FPP_MAX;
	unsigned int hashes = 0;
	int column = 0;
	int q;

	printf("\nstatic const struct seen_plan_step %s[] = {", l->name);
	for (q = 1; q <= QUARTERS_MAX; q++) {
		rate = units(best(l, q, &hashes));
		if (last > SEEN_FPP_MAX && rate > SEEN_FPP_MAX)
			continue;
		printf("%s{ %d, %u, %lluULL },", column++ % 2 ? " " : "\n\t",
		       q, hashes, rate);
		last = rate;
	}
	printf("\n};\n");
}

int main(void)
{
	unsigned int i;

	printf("/* SPDX-License-Identifier: GPL-2.0 */\n"
	       "/* Made by selftests/core/gen_plan_table.c: do not edit. */\n"
	       "#ifndef SEEN_CORE_PLAN_TABLE_H\n"
	       "#define SEEN_CORE_PLAN_TABLE_H\n\n"
	       "/* Quarters of a bit a key, what a key sets, rate in 10^-12. */\n"
	       "struct seen_plan_step {\n"
	       "\tu16 quarters;\n"
	       "\tu16 hashes;\n"
	       "\tu64 fpp;\n"
	       "};\n");
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		print(&layouts[i]);
	printf("\n#endif\n");
	return 0;
}
