// SPDX-License-Identifier: GPL-2.0
/* Plans of sketches and of their lists: they follow the formulas, or are refused. */
#include <math.h>
#include <string.h>

#include "sketch.h"
#include "test.h"
#include "top.h"

static struct seen_geometry request(enum seen_set_kind kind, u64 capacity,
				    u64 fpp, u64 window)
{
	return (struct seen_geometry) {
		.kind = kind,
		.capacity = capacity,
		.fpp = fpp,
		.window = window,
	};
}

static u64 next_capacity(u64 n)
{
	return n < 1000 ? n + 1 : n + n / 10;
}

static u64 next_fpp(u64 fpp)
{
	return fpp - (fpp / 10 ? fpp / 10 : 1);
}

static bool as_the_formula(const struct seen_geometry *geo)
{
	long double columns = ceill(expl(1) * geo->capacity);
	long double rows = ceill(-logl((long double)geo->fpp / FPP_ONE));
	u64 counter = geo->window ? 24 : 4;
	u64 bytes = geo->blocks * geo->hashes * counter;

	if (geo->kind == SEEN_SET_CMM && rows < 3)
		rows = 3;
	return geo->blocks == (u64)columns && geo->hashes == (u32)rows &&
	       geo->hashes <= SEEN_SKETCH_ROWS &&
	       seen_geometry_bytes(geo) == (bytes + 63) / 64 * 64 &&
	       seen_geometry_units(geo) == geo->blocks &&
	       geo->tick == (geo->window + 1) / 2 &&
	       geo->ticks == (geo->window ? 2 : 0);
}

static void test_formula(enum seen_set_kind kind, u64 window, const char *name)
{
	u64 n, fpp, wrong = 0, plans = 0;
	struct seen_geometry geo;
	u32 stripes;

	for (n = 1; n < SEEN_BLOCKS_MAX / 3; n = next_capacity(n))
		for (fpp = SEEN_FPP_MAX; fpp; fpp = next_fpp(fpp), plans++) {
			geo = request(kind, n, fpp, window);
			wrong += seen_plan(&geo, MIN_TICK) != SEEN_PLAN_OK ||
				 !as_the_formula(&geo);
			stripes = seen_geometry_stripes(&geo);
			wrong += !stripes || stripes > 1024 ||
				 (stripes & (stripes - 1));
			if (n > 1000)
				fpp -= fpp / 2;
		}
	ok(plans && !wrong, "%s: e n columns, ln 1/p rows: %llu plans", name,
	   (unsigned long long)plans);
}

static void test_known(void)
{
	struct seen_geometry geo = request(SEEN_SET_CMS, 100000, FPP_ONE / 100,
					   0);

	ok(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK && geo.blocks == 271829 &&
	   geo.hashes == 5 && seen_geometry_bytes(&geo) == 5436608,
	   "cms: 1/100000 at 1 %% takes 5 rows of 271829");
	geo = request(SEEN_SET_CMS, 1, SEEN_FPP_MAX, 0);
	ok(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK && geo.blocks == 3 &&
	   geo.hashes == 1, "cms: the smallest is a row of 3");
	geo = request(SEEN_SET_CMM, 1, SEEN_FPP_MAX, 0);
	ok(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK && geo.blocks == 3 &&
	   geo.hashes == 3, "cmm: the smallest has three rows");
	geo = request(SEEN_SET_CMM, 1000, 1, SECOND);
	geo.conservative = true;
	ok(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK && geo.hashes == 28 &&
	   !geo.conservative, "cmm: 28 rows at most, and no conservative update");
}

static void test_top(void)
{
	struct seen_geometry geo = request(SEEN_SET_CMS, 1000, FPP_ONE / 100,
					   0);
	bool none;

	none = seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK &&
	       !seen_top_bytes(&geo);
	geo.top = SEEN_TOP_MAX_KEYS;
	geo.key_bytes = SEEN_ITEM_KEY_MAX;
	ok(none && seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK &&
	   seen_top_bytes(&geo) == 512 * SEEN_TOP_MAX_KEYS,
	   "a list takes 512 bytes a key");
}

static const struct refusal {
	const char *why;
	enum seen_plan_error error;
	struct seen_geometry request;
} refusals[] = {
	{ "no capacity", SEEN_PLAN_CAPACITY,
	  { .kind = SEEN_SET_CMS, .fpp = 1000 } },
	{ "a capacity beyond the most", SEEN_PLAN_CAPACITY,
	  { .kind = SEEN_SET_CMM, .capacity = SEEN_CAPACITY_MAX + 1,
	    .fpp = 1000 } },
	{ "no rate", SEEN_PLAN_FPP,
	  { .kind = SEEN_SET_CMS, .capacity = 1000 } },
	{ "a rate above one half", SEEN_PLAN_FPP,
	  { .kind = SEEN_SET_CMM, .capacity = 1000,
	    .fpp = SEEN_FPP_MAX + 1 } },
	{ "more than 2^32 columns", SEEN_PLAN_SIZE,
	  { .kind = SEEN_SET_CMS, .capacity = 1600000000,
	    .fpp = FPP_ONE / 100 } },
	{ "the most of all", SEEN_PLAN_SIZE,
	  { .kind = SEEN_SET_CMM, .capacity = SEEN_CAPACITY_MAX, .fpp = 1,
	    .window = SECOND } },
	{ "fingerprints", SEEN_PLAN_FP_BITS,
	  { .kind = SEEN_SET_CMS, .capacity = 1000, .fp_bits = 16,
	    .fpp = FPP_ONE / 100 } },
	{ "a window of three jiffies in two ticks", SEEN_PLAN_WINDOW,
	  { .kind = SEEN_SET_CMS, .capacity = 1000, .fpp = FPP_ONE / 100,
	    .window = 2 * MIN_TICK - 2 } },
	{ "a window beyond the longest", SEEN_PLAN_WINDOW_LONG,
	  { .kind = SEEN_SET_CMM, .capacity = 1000, .fpp = FPP_ONE / 100,
	    .window = SEEN_WINDOW_MAX + 1 } },
	{ "a list too long", SEEN_PLAN_TOP,
	  { .kind = SEEN_SET_CMS, .capacity = 1000, .fpp = FPP_ONE / 100,
	    .top = SEEN_TOP_MAX_KEYS + 1, .key_bytes = 4 } },
	{ "a list of keys without bytes", SEEN_PLAN_KEY_BYTES,
	  { .kind = SEEN_SET_CMS, .capacity = 1000, .fpp = FPP_ONE / 100,
	    .top = 1 } },
	{ "a list of keys too long", SEEN_PLAN_KEY_BYTES,
	  { .kind = SEEN_SET_CMM, .capacity = 1000, .fpp = FPP_ONE / 100,
	    .top = 1, .key_bytes = SEEN_ITEM_KEY_MAX + 1 } },
	{ "a list beside a Bloom filter", SEEN_PLAN_TOP,
	  { .kind = SEEN_SET_BLOCKED, .capacity = 1000, .fpp = FPP_ONE / 100,
	    .top = 1, .key_bytes = 4 } },
	{ "a list beside a cuckoo filter", SEEN_PLAN_TOP,
	  { .kind = SEEN_SET_CUCKOO, .capacity = 1000, .fpp = FPP_ONE / 100,
	    .top = 1, .key_bytes = 4 } },
};

static void test_refusal(const struct refusal *r)
{
	struct seen_geometry geo = r->request;
	enum seen_plan_error error = seen_plan(&geo, MIN_TICK);

	ok(error == r->error && !memcmp(&geo, &r->request, sizeof(geo)),
	   "refused for %d, unchanged: %s", r->error, r->why);
}

int main(void)
{
	u32 i;

	test_begin(4 + 4 + 1 + ARRAY_SIZE(refusals));
	test_formula(SEEN_SET_CMS, 0, "cms");
	test_formula(SEEN_SET_CMS, SECOND, "cms with a window");
	test_formula(SEEN_SET_CMM, 0, "cmm");
	test_formula(SEEN_SET_CMM, SECOND, "cmm with a window");
	test_known();
	test_top();
	for (i = 0; i < ARRAY_SIZE(refusals); i++)
		test_refusal(&refusals[i]);
	return test_end();
}
