// SPDX-License-Identifier: GPL-2.0
/* Plans: the textbook's sizes, the predicted rates keep the promise, and refused requests. */
#include <math.h>
#include <string.h>

#include "plan_text.h"
#include "rate.h"
#include "test.h"

static const char * const kind_name[] = {
	[SEEN_SET_BLOCKED] = "blocked",
	[SEEN_SET_CLASSIC] = "classic",
	[SEEN_SET_BLOOM_WINDOW] = "bloom with a window",
	[SEEN_SET_CUCKOO] = "cuckoo",
	[SEEN_SET_CUCKOO_WINDOW] = "cuckoo with a window",
	[SEEN_SET_BITMAP] = "bitmap",
	[SEEN_SET_COUNTING] = "counting",
	[SEEN_SET_MAP] = "map",
	[SEEN_SET_CMS] = "count-min",
	[SEEN_SET_CMM] = "count-mean-min",
};

/* Kinds that promise a rate of false positives. */
static const enum seen_set_kind rated[] = {
	SEEN_SET_BLOCKED, SEEN_SET_CLASSIC, SEEN_SET_BLOOM_WINDOW,
	SEEN_SET_CUCKOO, SEEN_SET_CUCKOO_WINDOW, SEEN_SET_COUNTING,
};

static bool windowed(enum seen_set_kind kind)
{
	return kind == SEEN_SET_BLOOM_WINDOW || kind == SEEN_SET_CUCKOO_WINDOW;
}

static struct seen_geometry request(enum seen_set_kind kind, u64 capacity,
				    u64 fpp)
{
	return (struct seen_geometry) {
		.kind = kind,
		.capacity = capacity,
		.fpp = fpp,
		.window = windowed(kind) ? SECOND : 0,
		.key_bytes = kind == SEEN_SET_MAP ? 16 : 0,
	};
}

/* Every small capacity, then in steps of a tenth to 2^34. */
static u64 next_capacity(u64 n)
{
	static u64 each;

	if (!each)
		each = scale(256);
	return n < each || n < 10 ? n + 1 : n + n / 10;
}

/* From a half down to 10^-12 in steps of a tenth. */
static u64 next_fpp(u64 fpp)
{
	return fpp - (fpp / 10 ? fpp / 10 : 1);
}

static void test_guava(void)
{
	struct seen_geometry geo = request(SEEN_SET_CLASSIC, 1000000,
					   FPP_ONE / 100);
	u64 n, fpp, wrong = 0, plans = 0;
	long double bits, p;

	ok(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK &&
	   geo.blocks == 9585058 && geo.hashes == 7,
	   "classic: a million keys at 1 %% take 9585058 bits and 7 hashes");

	for (n = 1; n <= SEEN_CAPACITY_MAX; n = next_capacity(n))
		for (fpp = SEEN_FPP_MAX; fpp; fpp = next_fpp(fpp)) {
			p = (long double)fpp / FPP_ONE;
			bits = -logl(p) * n / (logl(2) * logl(2));
			geo = request(SEEN_SET_CLASSIC, n, fpp);
			if (bits < 65536 || bits > SEEN_BLOCKS_MAX ||
			    seen_plan(&geo, MIN_TICK))
				continue;
			plans++;
			wrong += geo.blocks != (u64)bits ||
				 geo.hashes != lroundl(-log2l(p));
		}
	ok(plans && !wrong, "classic: %llu plans follow the formula",
	   (unsigned long long)plans);
}

struct tally {
	u64 plans;
	u64 above;	/* the predicted rate is above the promise */
	u64 wide;	/* more than 64 bits a key */
	u64 shape;	/* bytes, stripes or hashes make no sense */
	u64 order;	/* more keys, or a lower rate, take less */
	double worst;
};

/*
 * Within 64 bits a key; with stamps of 8 bits, at the load that they need, a
 * few more. Few keys need a line at least, or slots for chance.
 */
static bool wide(const struct seen_geometry *geo)
{
	double limit = geo->kind == SEEN_SET_CUCKOO_WINDOW ? 73 : 64;

	return geo->capacity > 65536 &&
	       8.0 * seen_geometry_bytes(geo) / geo->capacity > limit;
}

static void judge(const struct seen_geometry *geo, struct tally *t)
{
	double ratio = seen_rate(geo, geo->capacity) * FPP_ONE / geo->fpp;
	u32 stripes = seen_geometry_stripes(geo);

	t->plans++;
	/* Rounding k to an integer costs the classic filter up to 4 %. */
	t->above += ratio > (geo->kind == SEEN_SET_CLASSIC ? 1.05 : 1.0001);
	t->worst = fmax(t->worst, ratio);
	t->wide += wide(geo);
	t->shape += !geo->blocks || geo->blocks > SEEN_BLOCKS_MAX ||
		    !geo->hashes || seen_geometry_bytes(geo) % 64 ||
		    !stripes || stripes > 1024 || (stripes & (stripes - 1)) ||
		    !geo->tick != !windowed(geo->kind);
}

static void test_promises(enum seen_set_kind kind)
{
	struct tally t = { };
	struct seen_geometry geo;
	u64 n, fpp, bytes;

	for (n = 1; n <= SEEN_CAPACITY_MAX; n = next_capacity(n)) {
		bytes = 0;
		for (fpp = SEEN_FPP_MAX; fpp; fpp = next_fpp(fpp)) {
			geo = request(kind, n, fpp);
			if (seen_plan(&geo, MIN_TICK))
				continue;
			judge(&geo, &t);
			t.order += seen_geometry_bytes(&geo) < bytes;
			bytes = seen_geometry_bytes(&geo);
			/* The formulas for one line to a million keys do. */
			if (n > 1000000)
				fpp -= fpp / 2;
		}
	}
	note("%s: %llu plans, worst rate %.4f of the promised",
	     kind_name[kind], (unsigned long long)t.plans, t.worst);
	ok(t.plans && !t.above, "%s: the promised rates are kept, from one key",
	   kind_name[kind]);
	ok(!t.wide && !t.shape && !t.order,
	   "%s: a lower rate never takes less memory, and not too much",
	   kind_name[kind]);
}

static void test_growth(enum seen_set_kind kind)
{
	static const u64 rates[] = { FPP_ONE / 3, FPP_ONE / 100 };
	struct seen_geometry geo;
	u64 n, bytes, less = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rates); i++)
		for (n = 1, bytes = 0; n < 1000000; n = next_capacity(n)) {
			geo = request(kind, n, rates[i]);
			less += seen_plan(&geo, MIN_TICK) != SEEN_PLAN_OK ||
				seen_geometry_bytes(&geo) < bytes;
			bytes = seen_geometry_bytes(&geo);
		}
	ok(!less, "%s: more keys never take less memory", kind_name[kind]);
}

/* Sketches: what the sizes promise by Markov's inequality. */
static void test_excess(enum seen_set_kind kind)
{
	u64 n, fpp, plans = 0, above = 0;
	struct seen_geometry geo;

	for (n = 1; n <= SEEN_CAPACITY_MAX; n = next_capacity(n))
		for (fpp = SEEN_FPP_MAX; fpp; fpp = next_fpp(fpp)) {
			geo = request(kind, n, fpp);
			if (seen_plan(&geo, MIN_TICK))
				continue;
			plans++;
			above += seen_excess(&geo, 1) * FPP_ONE > fpp;
		}
	ok(plans && !above, "%s: errors above the bound are as rare as promised",
	   kind_name[kind]);
}

static const struct refusal {
	const char *why;
	enum seen_plan_error error;
	struct seen_geometry request;
} refusals[] = {
	{ "no keys", SEEN_PLAN_CAPACITY,
	  { .kind = SEEN_SET_BLOCKED, .fpp = 1000 } },
	{ "too many keys", SEEN_PLAN_CAPACITY,
	  { .kind = SEEN_SET_BLOCKED, .fpp = FPP_ONE / 10,
	    .capacity = SEEN_CAPACITY_MAX + 1 } },
	{ "no rate", SEEN_PLAN_FPP,
	  { .kind = SEEN_SET_BLOCKED, .capacity = 1000 } },
	{ "a rate above one half", SEEN_PLAN_FPP,
	  { .kind = SEEN_SET_BLOCKED, .capacity = 1000,
	    .fpp = SEEN_FPP_MAX + 1 } },
	{ "a rate of all ones", SEEN_PLAN_FPP,
	  { .kind = SEEN_SET_CUCKOO, .capacity = 1000, .fpp = U64_MAX } },
	{ "blocked at 10^-9", SEEN_PLAN_FPP_TYPE,
	  { .kind = SEEN_SET_BLOCKED, .capacity = 1000, .fpp = 1000 } },
	{ "bloom with a window at 10^-4", SEEN_PLAN_FPP_TYPE,
	  { .kind = SEEN_SET_BLOOM_WINDOW, .capacity = 1000,
	    .fpp = FPP_ONE / 10000, .window = SECOND } },
	{ "refresh at 10^-3: three generations of all keys",
	  SEEN_PLAN_FPP_TYPE,
	  { .kind = SEEN_SET_BLOOM_WINDOW, .capacity = 1000, .refresh = true,
	    .fpp = FPP_ONE / 1000, .window = SECOND } },
	{ "cuckoo at 10^-10", SEEN_PLAN_FPP_TYPE,
	  { .kind = SEEN_SET_CUCKOO, .capacity = 1000, .fpp = 100 } },
	{ "cuckoo with a window at 10^-10", SEEN_PLAN_FPP_NONE,
	  { .kind = SEEN_SET_CUCKOO_WINDOW, .capacity = 1000, .fpp = 100,
	    .window = SECOND } },
	{ "bloom with a window at 10^-10", SEEN_PLAN_FPP_NONE,
	  { .kind = SEEN_SET_BLOOM_WINDOW, .capacity = 1000, .fpp = 100,
	    .window = SECOND } },
	{ "fingerprints of 10 bits", SEEN_PLAN_FP_BITS,
	  { .kind = SEEN_SET_CUCKOO, .capacity = 1000, .fp_bits = 10 } },
	{ "fingerprints of 64 bits", SEEN_PLAN_FP_BITS,
	  { .kind = SEEN_SET_CUCKOO_WINDOW, .capacity = 1000, .fp_bits = 64,
	    .window = SECOND } },
	{ "fingerprints in a Bloom filter", SEEN_PLAN_FP_BITS,
	  { .kind = SEEN_SET_BLOCKED, .capacity = 1000, .fp_bits = 16,
	    .fpp = FPP_ONE / 100 } },
	{ "8 bits at 10^-3", SEEN_PLAN_FP_BITS_FPP,
	  { .kind = SEEN_SET_CUCKOO, .capacity = 1000, .fp_bits = 8,
	    .fpp = FPP_ONE / 1000 } },
	{ "24 bits with a window at 10^-8", SEEN_PLAN_FP_BITS_FPP,
	  { .kind = SEEN_SET_CUCKOO_WINDOW, .capacity = 1000, .fp_bits = 24,
	    .fpp = 10000, .window = SECOND } },
	{ "a window of one jiffy", SEEN_PLAN_WINDOW,
	  { .kind = SEEN_SET_CUCKOO_WINDOW, .capacity = 1000, .fpp = FPP_ONE / 1000,
	    .window = MIN_TICK - 1 } },
	{ "a window of three jiffies in two ticks", SEEN_PLAN_WINDOW,
	  { .kind = SEEN_SET_BLOOM_WINDOW, .capacity = 1000,
	    .fpp = FPP_ONE / 100, .window = 2 * MIN_TICK - 2 } },
	{ "a window and a tick that are 2^64 together", SEEN_PLAN_WINDOW_LONG,
	  { .kind = SEEN_SET_CUCKOO_WINDOW, .capacity = 1000, .fpp = FPP_ONE / 1000,
	    .window = 17568327689247192015ULL } },
	{ "a window beyond the longest", SEEN_PLAN_WINDOW_LONG,
	  { .kind = SEEN_SET_BLOOM_WINDOW, .capacity = 1000,
	    .fpp = FPP_ONE / 100, .window = SEEN_WINDOW_MAX + 1 } },
	{ "no window where there must be one", SEEN_PLAN_WINDOW,
	  { .kind = SEEN_SET_CUCKOO_WINDOW, .capacity = 1000,
	    .fpp = FPP_ONE / 100 } },
	{ "classic with a window", SEEN_PLAN_WINDOW_KIND,
	  { .kind = SEEN_SET_CLASSIC, .capacity = 1000, .fpp = FPP_ONE / 100,
	    .window = SECOND } },
	{ "counting at 10^-3", SEEN_PLAN_FPP_TYPE,
	  { .kind = SEEN_SET_COUNTING, .capacity = 1000,
	    .fpp = FPP_ONE / 1000 } },
	{ "counting without a rate", SEEN_PLAN_FPP,
	  { .kind = SEEN_SET_COUNTING, .capacity = 1000 } },
	{ "counting with a window", SEEN_PLAN_WINDOW_KIND,
	  { .kind = SEEN_SET_COUNTING, .capacity = 1000, .fpp = FPP_ONE / 100,
	    .window = SECOND } },
	{ "counting to sixteen", SEEN_PLAN_THRESHOLD,
	  { .kind = SEEN_SET_COUNTING, .capacity = 1000, .fpp = FPP_ONE / 100,
	    .threshold = SEEN_COUNTING_MAX + 1 } },
	{ "fingerprints in a counting filter", SEEN_PLAN_FP_BITS,
	  { .kind = SEEN_SET_COUNTING, .capacity = 1000, .fp_bits = 16,
	    .fpp = FPP_ONE / 100 } },
	{ "no numbers", SEEN_PLAN_CAPACITY, { .kind = SEEN_SET_BITMAP } },
	{ "2^32 numbers and one", SEEN_PLAN_RANGE,
	  { .kind = SEEN_SET_BITMAP, .capacity = SEEN_BLOCKS_MAX + 1 } },
	{ "2^64 numbers but one", SEEN_PLAN_RANGE,
	  { .kind = SEEN_SET_BITMAP, .capacity = U64_MAX } },
	{ "a bitmap with a window", SEEN_PLAN_WINDOW_KIND,
	  { .kind = SEEN_SET_BITMAP, .capacity = 1000, .window = SECOND } },
	{ "fingerprints in a bitmap", SEEN_PLAN_FP_BITS,
	  { .kind = SEEN_SET_BITMAP, .capacity = 1000, .fp_bits = 8 } },
	{ "2^34 keys in buckets of four", SEEN_PLAN_SIZE,
	  { .kind = SEEN_SET_CUCKOO, .capacity = SEEN_CAPACITY_MAX,
	    .fpp = FPP_ONE / 1000 } },
	{ "2^34 keys in a classic filter", SEEN_PLAN_SIZE,
	  { .kind = SEEN_SET_CLASSIC, .capacity = SEEN_CAPACITY_MAX,
	    .fpp = FPP_ONE / 1000 } },
};

static void test_refusal(const struct refusal *r)
{
	struct seen_geometry geo = r->request;
	enum seen_plan_error error = seen_plan(&geo, MIN_TICK);

	ok(error == r->error && !memcmp(&geo, &r->request, sizeof(geo)),
	   "refused for %d, unchanged: %s", r->error, r->why);
}

/* Can any kind for this request do it? */
static bool possible(const struct seen_geometry *asked)
{
	struct seen_geometry geo;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rated); i++) {
		if (windowed(rated[i]) != !!asked->window)
			continue;
		geo = *asked;
		geo.kind = rated[i];
		if (seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK)
			return true;
	}
	return false;
}

static void test_better(void)
{
	u64 type = 0, none = 0, wrong = 0;
	struct seen_geometry geo, better;
	enum seen_plan_error error;
	u64 fpp;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rated); i++)
		for (fpp = SEEN_FPP_MAX; fpp; fpp = next_fpp(fpp)) {
			geo = request(rated[i], 1 + random_below(1000000), fpp);
			error = seen_plan(&geo, MIN_TICK);
			if (!error)
				continue;
			if (error == SEEN_PLAN_FPP_TYPE) {
				type++;
				wrong += !seen_plan_better(&geo, MIN_TICK,
							   &better) ||
					 seen_rate(&better, geo.capacity) >
					 1.05 * fpp / FPP_ONE;
			} else {
				none++;
				wrong += error != SEEN_PLAN_FPP_NONE ||
					 possible(&geo);
			}
		}
	ok(type && none && !wrong,
	   "a rate that one kind cannot keep: another kind keeps it, or no kind: %llu, %llu",
	   (unsigned long long)type, (unsigned long long)none);
}

/* A fingerprint that is asked for, without a rate: its own comes out. */
static void test_fp_bits(enum seen_set_kind kind)
{
	static const u32 sizes[] = { 8, 12, 16, 24, 32 };
	struct seen_geometry geo;
	double rate;
	u64 wrong = 0;
	u64 n;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		for (n = 1; n < 1000000; n = next_capacity(n)) {
			geo = request(kind, n, 0);
			geo.fp_bits = sizes[i];
			if (seen_plan(&geo, MIN_TICK)) {
				wrong++;
				continue;
			}
			rate = seen_rate(&geo, n) * FPP_ONE;
			wrong += geo.fp_bits != sizes[i] || rate > geo.fpp ||
				 rate < 0.9 * geo.fpp - 2;
		}
	ok(!wrong, "%s: the rate of each fingerprint", kind_name[kind]);
}

/* A filter is saved with its fingerprint and its rate, and made again from both. */
static void test_restored(enum seen_set_kind kind)
{
	static const u32 sizes[] = { 8, 12, 16, 24, 32 };
	struct seen_geometry geo, again;
	u64 refused = 0, other = 0;
	u64 n;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		for (n = 1; n <= SEEN_CAPACITY_MAX; n = next_capacity(n)) {
			geo = request(kind, n, 0);
			geo.fp_bits = sizes[i];
			if (seen_plan(&geo, MIN_TICK))
				continue;
			again = request(kind, n, geo.fpp);
			again.fp_bits = sizes[i];
			if (seen_plan(&again, MIN_TICK))
				refused++;
			else
				other += again.blocks != geo.blocks || again.fpp != geo.fpp;
		}
	ok(!refused && !other,
	   "%s: fingerprint and rate give the same table again: %llu refused, %llu other",
	   kind_name[kind], (unsigned long long)refused, (unsigned long long)other);
}

static void test_ticks(void)
{
	static const u64 windows[] = {
		MIN_TICK, MIN_TICK + 1, 2 * MIN_TICK, 100 * MS, SECOND,
		SECOND + 1, 600 * SECOND, SEEN_WINDOW_MAX - 1, SEEN_WINDOW_MAX,
	};
	struct seen_geometry geo;
	u64 wrong = 0, plans = 0;
	int kind;
	u32 i;

	for (kind = SEEN_SET_BLOCKED; kind <= SEEN_SET_CUCKOO_WINDOW; kind++)
		for (i = 0; i < ARRAY_SIZE(windows); i++) {
			geo = request(kind, 1000, FPP_ONE / 100);
			geo.window = windows[i];
			if (seen_plan(&geo, MIN_TICK))
				continue;
			plans++;
			wrong += geo.tick < MIN_TICK || !geo.ticks ||
				 geo.ticks > SEEN_CUCKOO_WINDOW_TICKS ||
				 geo.tick < windows[i] / geo.ticks ||
				 geo.tick - 1 > windows[i] / geo.ticks;
		}
	ok(plans == 16 && !wrong, "ticks make up the window, rounded up");
}

/* A bit for each number, in whole lines; exact, whatever rate is asked for. */
static void test_bitmap(void)
{
	u64 n, fpp, wrong = 0, plans = 0;
	struct seen_geometry geo;

	for (n = 1; n <= SEEN_BLOCKS_MAX; n = next_capacity(n)) {
		fpp = random_below(FPP_ONE);
		geo = request(SEEN_SET_BITMAP, n, fpp);
		wrong += seen_plan(&geo, MIN_TICK) != SEEN_PLAN_OK ||
			 geo.blocks != n || geo.hashes != 1 || geo.fpp ||
			 seen_geometry_units(&geo) != (n + 511) / 512 ||
			 seen_geometry_bytes(&geo) != (n + 511) / 512 * 64 ||
			 seen_rate(&geo, n) > 0;
		plans++;
	}
	ok(plans && !wrong, "bitmap: a bit for each number, in whole lines");
}

/* So many keys that each quarter of a bit a key makes whole lines. */
static void test_counting(void)
{
	static const struct {
		u64 fpp;
		u32 quarters;
		u32 hashes;
	} plans[] = {
		{ FPP_ONE / 2, 24, 1 },
		{ FPP_ONE / 10, 81, 3 },
		{ FPP_ONE / 100, 175, 6 },
		{ FPP_ONE / 400, 250, 7 },
	};
	struct seen_geometry geo;
	u64 wrong = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(plans); i++) {
		geo = request(SEEN_SET_COUNTING, 512 * 1000, plans[i].fpp);
		wrong += seen_plan(&geo, MIN_TICK) != SEEN_PLAN_OK ||
			 geo.blocks != 250 * plans[i].quarters ||
			 geo.hashes != plans[i].hashes ||
			 seen_geometry_units(&geo) != geo.blocks;
	}
	geo = request(SEEN_SET_COUNTING, 1000, FPP_ONE / 100);
	geo.threshold = SEEN_COUNTING_MAX;
	ok(!wrong && seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK,
	   "counting: 43.75 bits a key and 6 counters at 1 %%");
}

static const struct {
	u64 fpp;
	const char *text;
} rates[] = {
	{ 1, "1e-12" }, { 10, "1e-11" }, { 25, "2.5e-11" }, { 999, "9.99e-10" },
	{ 1000, "1e-9" }, { 1050000, "1.05e-6" }, { 99999999, "9.99e-5" },
	{ 100000000, "0.0001" }, { 1000000000, "0.001" }, { 123456789012, "0.123" },
	{ SEEN_FPP_MAX, "0.5" }, { FPP_ONE - 1, "0.999" },
};

/* Is @use the way out that the text of a type other than bloom names? */
static bool test_use(enum seen_set_kind kind, u64 fpp, const char *use)
{
	struct seen_geometry geo = request(kind, 10, fpp);
	const char *text;

	if (seen_plan(&geo, MIN_TICK) != SEEN_PLAN_FPP_TYPE)
		return true;
	text = seen_plan_type_text(&geo, MIN_TICK);
	return strcmp(seen_plan_use(&geo, MIN_TICK), use) || !text ||
	       strlen(text) < strlen(use) ||
	       strcmp(text + strlen(text) - strlen(use), use);
}

static void test_texts(void)
{
	struct seen_geometry geo = request(SEEN_SET_BLOCKED, 10, 1);
	enum seen_plan_error error;
	char text[SEEN_PLAN_RATE_LEN];
	u32 i, wrong = 0;

	for (i = 0; i < ARRAY_SIZE(rates); i++)
		wrong += !!strcmp(seen_plan_rate_text(rates[i].fpp, text), rates[i].text);
	ok(!wrong, "rates as users write them");
	for (error = SEEN_PLAN_CAPACITY; error <= SEEN_PLAN_THRESHOLD; error++)
		wrong += error != SEEN_PLAN_FPP_TYPE &&
			 (!seen_plan_text(error) || !strstr(seen_plan_text(error), ": "));
	ok(!wrong, "each error has a text that names the parameter");
	wrong = seen_plan(&geo, MIN_TICK) != SEEN_PLAN_FPP_TYPE ||
		strcmp(seen_plan_use(&geo, MIN_TICK), "layout classic") ||
		seen_plan_type_text(&geo, MIN_TICK);
	wrong += test_use(SEEN_SET_COUNTING, 1000000, "type cuckoo");
	wrong += test_use(SEEN_SET_COUNTING, 10, "type bloom layout classic");
	wrong += test_use(SEEN_SET_CUCKOO, 1, "type bloom layout classic");
	ok(!wrong, "the type that keeps a rate that another does not");
}

/* For wrong values from the kernel the result is still a rate, and computed quickly. */
static void test_lies(void)
{
	static const u32 hashes[] = { 0, 1, 9, 47, 48, 74, 75, 600, U32_MAX };
	static const u64 many[] = { 0, 1, 1000, 1ULL << 54, U64_MAX };
	struct seen_geometry geo = { .fp_bits = 16 };
	u32 i, j, k, kind, wrong = 0;
	double rate;

	for (kind = SEEN_SET_BLOCKED; kind <= SEEN_SET_CMM; kind++)
		for (i = 0; i < ARRAY_SIZE(hashes); i++)
			for (j = 0; j < ARRAY_SIZE(many); j++)
				for (k = 0; k < ARRAY_SIZE(many); k++) {
					geo.kind = kind;
					geo.hashes = hashes[i];
					geo.blocks = many[j];
					rate = seen_rate(&geo, many[k]);
					wrong += !(rate >= 0 && rate <= 1);
				}
	ok(!wrong, "whatever the geometry, the rate is from 0 to 1");
	geo = (struct seen_geometry) { .kind = SEEN_SET_BLOCKED, .blocks = 9 };
	geo.hashes = 255;
	ok(seen_rate(&geo, 0) == 1, "1 for more bits than a line has room for");
}

int main(void)
{
	int kind;
	u32 i;

	test_begin(2 + 2 * ARRAY_SIZE(rated) + 10 + 2 + 2 + 2 +
		   ARRAY_SIZE(refusals) + 1 + 2 + 1 + 2 + 3);
	test_guava();
	for (i = 0; i < ARRAY_SIZE(rated); i++)
		test_promises(rated[i]);
	for (kind = SEEN_SET_BLOCKED; kind <= SEEN_SET_CMM; kind++)
		test_growth(kind);
	test_excess(SEEN_SET_CMS);
	test_excess(SEEN_SET_CMM);
	test_bitmap();
	test_counting();
	for (i = 0; i < ARRAY_SIZE(refusals); i++)
		test_refusal(&refusals[i]);
	test_better();
	test_fp_bits(SEEN_SET_CUCKOO);
	test_fp_bits(SEEN_SET_CUCKOO_WINDOW);
	test_restored(SEEN_SET_CUCKOO);
	test_restored(SEEN_SET_CUCKOO_WINDOW);
	test_ticks();
	test_lies();
	test_texts();
	return test_end();
}
