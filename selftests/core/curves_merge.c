// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>

#include "curves.h"
#include "rate.h"
#include "snapshot.h"

#define KEYS		50000	/* capacity of each set of a union */
#define EIGHTHS		8
#define LARGE		1000000	/* capacity of a set that is folded */
#define FEW		10000	/* keys in it */
#define UNITS		1000	/* at once */

struct curve {
	const char *union_name;
	const char *fold_name;
	struct seen_geometry request;
};

static const struct curve curves[] = {
	{ "union classic 1%", "fold classic 1%",
	  { .kind = SEEN_SET_CLASSIC, .fpp = FPP_ONE / 100 } },
	{ "union blocked 1%", "fold blocked 1%",
	  { .kind = SEEN_SET_BLOCKED, .fpp = FPP_ONE / 100 } },
};

static const u32 folds[] = { 2, 4, 8, 16, 32, 48, 64, 80, 100 };

static struct seen_set *filled(const struct curve *curve, u64 capacity,
			       u64 from, u64 to)
{
	struct seen_set *set = curves_set(curve->request, capacity,
					  2 * capacity);

	for (; from < to; from++)
		seen_set_add(set, hash_of(1, from));
	return set;
}

/* Halves of the keys in one and the other. */
static void unite(const struct curve *curve, struct curves_figure *figures)
{
	u64 each, at;
	u32 i;

	for (i = 0; i < EIGHTHS; i++) {
		struct seen_set *to, *from;

		reseed();
		figures[i].x = (i + 1) / 8.0;
		each = figures[i].x * KEYS;
		to = filled(curve, KEYS, 0, each);
		from = filled(curve, KEYS, each, 2 * each);
		at = 0;
		seen_set_merge_begin(to);
		do {
			seen_set_merge(to, from, at, UNITS, &at);
		} while (at);
		seen_set_merge_end(to);
		figures[i].predicted = seen_rate(&to->geo, 2 * each);
		figures[i].measured = curves_measure(to, figures[i].predicted,
						     2 + i);
		set_free(from);
		set_free(to);
	}
}

static void fold(const struct curve *curve, struct curves_figure *figures)
{
	struct seen_set *set, *small;
	struct seen_geometry geo;
	u64 at;
	u32 i;

	reseed();
	set = filled(curve, LARGE, 0, FEW);
	for (i = 0; i < ARRAY_SIZE(folds); i++) {
		geo = set->geo;
		geo.fold = folds[i];
		geo.span = set->geo.blocks;
		geo.blocks = (geo.span + folds[i] - 1) / folds[i];
		small = set_new(&geo);
		at = 0;
		do {
			at = seen_set_fold(set, small, at, UNITS);
		} while (at);
		figures[i].x = folds[i];
		figures[i].predicted = seen_rate(&geo, FEW);
		figures[i].measured = curves_measure(small,
						     figures[i].predicted,
						     2 + i);
		set_free(small);
	}
	set_free(set);
}

void curves_merges(void)
{
	struct curves_figure united[EIGHTHS], folded[ARRAY_SIZE(folds)];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(curves); i++) {
		unite(&curves[i], united);
		curves_add("union", curves[i].union_name, united, EIGHTHS);
	}
	for (i = 0; i < ARRAY_SIZE(curves); i++) {
		fold(&curves[i], folded);
		curves_add("fold", curves[i].fold_name, folded, ARRAY_SIZE(folds));
	}
}
