// SPDX-License-Identifier: GPL-2.0
/*
 * How full tables of buckets were when an add first found no room: the worst of
 * many tables. The planned load must be below it.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "curves.h"
#include "map.h"

#define ADDS		200000	/* for each point, in as many tables as that makes */
#define FEW		10
#define STEPS		10

struct curve {
	const char *name;
	struct seen_geometry request;
};

static const struct curve curves[] = {
	{ "cuckoo load", { .kind = SEEN_SET_CUCKOO, .fp_bits = 16 } },
	{ "map load", { .kind = SEEN_SET_MAP, .key_bytes = 8 } },
};

static bool add(struct seen_set *set, u64 n)
{
	struct seen_item item = { .hash = hash_of(1, n), .len = sizeof(n) };

	if (set->geo.kind != SEEN_SET_MAP)
		return seen_set_add(set, item.hash) != SEEN_FULL;
	memcpy(item.key, &n, sizeof(n));
	return seen_map_add(set, &item, 0, false) != SEEN_FULL;
}

static double load_of(const struct seen_set *set, u64 keys)
{
	return (double)keys / (set->geo.blocks * SEEN_CUCKOO_SLOTS);
}

static double first_failure(const struct curve *curve, u64 capacity,
			    double *planned)
{
	struct seen_set *set;
	double load;
	u64 n = 0;

	reseed();
	set = curves_set(curve->request, capacity, 2 * capacity + 1000);
	while (add(set, n))
		n++;
	load = load_of(set, n);
	*planned = load_of(set, capacity);
	set_free(set);
	return load;
}

void curves_loads(void)
{
	struct curves_figure figures[STEPS];
	u64 capacity, table;
	u32 i, j;

	static_assert(SEEN_CUCKOO_SLOTS == SEEN_MAP_SLOTS, "slots");
	for (i = 0; i < ARRAY_SIZE(curves); i++) {
		for (j = 0, capacity = FEW; j < STEPS; j++, capacity *= 3) {
			struct curves_figure *f = &figures[j];

			*f = (struct curves_figure) { .x = capacity,
						      .measured = 1 };
			for (table = 0; table * capacity < ADDS; table++)
				f->measured = fmin(f->measured,
						   first_failure(&curves[i],
								 capacity,
								 &f->predicted));
		}
		curves_add("load", curves[i].name, figures, STEPS);
	}
}
