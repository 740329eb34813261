// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "curves.h"
#include "rate.h"

#define KEYS		50000	/* capacity of each set */
#define EIGHTHS		12	/* of it are added, one after the other */
#define HITS		4000	/* so many are looked for */
#define PROBES_MIN	300000
#define PROBES_MAX	2000000
/* Fewer hits than that in all probes say nothing. */
#define HITS_MIN	100

struct curve {
	const char *name;
	struct seen_geometry request;
};

struct family {
	const char *plot;
	const struct curve *curves;
	u32 count;
};

#define FPP(_kind, _one_in)	{ .kind = SEEN_SET_##_kind, \
	.fpp = FPP_ONE / (_one_in) }
#define BITS(_kind, _bits)	{ .kind = SEEN_SET_##_kind, .fp_bits = (_bits) }
#define WINDOW(_one_in)		{ .kind = SEEN_SET_BLOOM_WINDOW, \
	.fpp = FPP_ONE / (_one_in), .window = SECOND }
#define CUCKOO_WINDOW(_bits)		{ .kind = SEEN_SET_CUCKOO_WINDOW, \
	.fp_bits = (_bits), .window = SECOND }

static const struct curve classic[] = {
	{ "classic 1%", FPP(CLASSIC, 100) },
	{ "classic 0.1%", FPP(CLASSIC, 1000) },
};

static const struct curve blocked[] = {
	{ "blocked 1%", FPP(BLOCKED, 100) },
	{ "blocked 0.1%", FPP(BLOCKED, 1000) },
};

static const struct curve window[] = {
	{ "window 1%", WINDOW(100) },
	{ "window 0.1%", WINDOW(1000) },
};

static const struct curve counting[] = {
	{ "counting 1%", FPP(COUNTING, 100) },
	{ "counting 10%", FPP(COUNTING, 10) },
};

static const struct curve cuckoo[] = {
	{ "cuckoo 8 bits", BITS(CUCKOO, 8) },
	{ "cuckoo 12 bits", BITS(CUCKOO, 12) },
	{ "cuckoo 16 bits", BITS(CUCKOO, 16) },
};

static const struct curve cuckoo_window[] = {
	{ "cuckoo-window 8 bits", CUCKOO_WINDOW(8) },
	{ "cuckoo-window 12 bits", CUCKOO_WINDOW(12) },
	{ "cuckoo-window 16 bits", CUCKOO_WINDOW(16) },
};

static const struct family families[] = {
	{ "classic", classic, ARRAY_SIZE(classic) },
	{ "blocked", blocked, ARRAY_SIZE(blocked) },
	{ "window", window, ARRAY_SIZE(window) },
	{ "counting", counting, ARRAY_SIZE(counting) },
	{ "cuckoo", cuckoo, ARRAY_SIZE(cuckoo) },
	{ "cuckoo-window", cuckoo_window, ARRAY_SIZE(cuckoo_window) },
};

double curves_measure(struct seen_set *set, double predicted, u32 family)
{
	u64 probes = fmin(fmax(HITS / predicted, PROBES_MIN), PROBES_MAX);
	u64 hits = 0;
	u64 i;

	for (i = 0; i < probes; i++)
		hits += seen_set_test(set, hash_of(family, i)) == SEEN_SEEN;
	return hits < HITS_MIN ? NAN : (double)hits / probes;
}

/* What found no room is not in it: cuckoo kinds end a little above 100 %. */
static void fill(const struct curve *curve, struct curves_figure *figures)
{
	struct seen_set *set;
	u64 added = 0, stored = 0;
	u32 i;

	reseed();
	set = curves_set(curve->request, KEYS, 2 * KEYS);
	for (i = 0; i < EIGHTHS; i++) {
		figures[i].x = (i + 1) / 8.0;
		for (; added < figures[i].x * KEYS; added++)
			stored += seen_set_add(set, hash_of(1, added)) !=
				  SEEN_FULL;
		figures[i].predicted = seen_rate(&set->geo, stored);
		figures[i].measured = curves_measure(set, figures[i].predicted,
						     2 + i);
	}
	set_free(set);
}

void curves_rates(void)
{
	struct curves_figure figures[EIGHTHS];
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		for (j = 0; j < families[i].count; j++) {
			fill(&families[i].curves[j], figures);
			curves_add(families[i].plot, families[i].curves[j].name, figures,
				   EIGHTHS);
		}
}
