// SPDX-License-Identifier: GPL-2.0
/*
 * The filters of kmod/core, called as the kernel calls them. This file is also compiled with the
 * kernel's options.
 */
#include "bench.h"
#include "clock.h"
#include "pattern.h"
#include "prefetch.h"
#include "set.h"

#define WINDOW		10000000000ULL
#define MIN_TICK	8000000ULL
#define BITS_MAX	12
#define FPP_ONE		(2 * SEEN_FPP_MAX)

__thread u32 bench_preempt_count;

static const struct seen_secret secret = { { 0x5eed, 0x5eed5eed } };
static u64 clock_now = WINDOW;

u64 seen_now(void)
{
	return READ_ONCE(clock_now);
}

/**
 * struct filter - a set with its memory
 * @set: the set
 * @step: ns between two new keys, so that a window has exactly the promised number of keys
 */
struct filter {
	struct seen_set set;
	u64 step;
};

typedef enum seen_result (*ask_fn)(struct seen_set *set, u64 hash);

/* The arguments are constants, so each call is compiled to a loop of its own. */
static __always_inline u64 each(struct filter *filter, const struct keys *keys, bool fenced,
				ask_fn ask, enum seen_result answer)
{
	u64 hits = 0;
	u64 i, hash;

	for (i = 0; i < keys->count; i++) {
		if (keys->hash)
			hash = keys->hash[i];
		else
			hash = seen_siphash13(keys->bytes + i * keys->len, keys->len, &secret);
		hits += ask(&filter->set, hash) == answer;
		if (fenced)
			fence();
	}
	return hits;
}

static u64 insert(void *self, const struct keys *keys)
{
	return keys->count - each(self, keys, false, seen_set_add, SEEN_FULL);
}

static u64 lookup(void *self, const struct keys *keys)
{
	return each(self, keys, false, seen_set_test, SEEN_SEEN);
}

static u64 lookup_serial(void *self, const struct keys *keys)
{
	return each(self, keys, true, seen_set_test, SEEN_SEEN);
}

static u64 fused(void *self, const struct keys *keys)
{
	return each(self, keys, false, seen_set_test_and_add, SEEN_SEEN);
}

static u64 fused_serial(void *self, const struct keys *keys)
{
	return each(self, keys, true, seen_set_test_and_add, SEEN_SEEN);
}

static u64 delete(void *self, const struct keys *keys)
{
	return each(self, keys, false, seen_set_del, SEEN_SEEN);
}

/* As the kernel handles the keys of a message: with prefetch. */
static u64 lookup_batch(void *self, const struct keys *keys)
{
	struct filter *filter = self;
	struct keys one = { .count = 1 };
	u64 at, ahead, hits = 0;

	for (ahead = 0; ahead < SEEN_AHEAD && ahead < keys->count; ahead++)
		seen_set_prefetch(&filter->set, keys->hash[ahead]);
	for (at = 0; at < keys->count; at++, ahead++) {
		if (ahead < keys->count)
			seen_set_prefetch(&filter->set, keys->hash[ahead]);
		one.hash = keys->hash + at;
		hits += lookup(self, &one);
	}
	return hits;
}

/* For filters with a window: time advances with each key. */
static __always_inline u64 pass(struct filter *filter, const struct keys *keys, bool fenced,
				ask_fn ask, enum seen_result answer)
{
	u64 hits = 0;
	u64 i;

	for (i = 0; i < keys->count; i++) {
		WRITE_ONCE(clock_now, clock_now + filter->step);
		hits += ask(&filter->set, keys->hash[i]) == answer;
		if (fenced)
			fence();
	}
	return hits;
}

static u64 pass_insert(void *self, const struct keys *keys)
{
	return keys->count - pass(self, keys, false, seen_set_add, SEEN_FULL);
}

static u64 pass_fused(void *self, const struct keys *keys)
{
	return pass(self, keys, false, seen_set_test_and_add, SEEN_SEEN);
}

static u64 pass_fused_serial(void *self, const struct keys *keys)
{
	return pass(self, keys, true, seen_set_test_and_add, SEEN_SEEN);
}

/* In the kernel a worker calls this. */
static void sweep(void *self)
{
	struct filter *filter = self;

	seen_set_sweep(&filter->set, 0, filter->set.geo.blocks);
}

static u64 stripe_bytes(const struct seen_geometry *geo)
{
	return seen_geometry_stripes(geo) * sizeof(struct seen_stripe);
}

static u64 filter_bytes(const void *self)
{
	const struct filter *filter = self;

	return seen_geometry_bytes(&filter->set.geo);
}

static void filter_destroy(void *self)
{
	struct filter *filter = self;
	const struct seen_geometry geo = filter->set.geo;

	memory_put(filter->set.stripes, stripe_bytes(&geo));
	memory_put(filter->set.table, seen_geometry_bytes(&geo));
	memory_put(filter, sizeof(*filter));
}

static void *filter_make(struct seen_geometry geo)
{
	struct filter *filter;

	if (seen_plan(&geo, MIN_TICK))
		return NULL;
	filter = memory_get(sizeof(*filter));
	seen_set_init(&filter->set, &geo, memory_get(seen_geometry_bytes(&geo)),
		      memory_get(stripe_bytes(&geo)));
	filter->step = (geo.window + geo.tick) / geo.capacity;
	return filter;
}

/* Makes a filter with the lowest rate that BITS bits per key allow. */
static void *make_bits(enum seen_set_kind kind, u64 capacity)
{
	struct seen_geometry geo, best = { .kind = kind };
	u64 fpp;

	for (fpp = SEEN_FPP_MAX; fpp; fpp -= fpp / 128 + 1) {
		geo = (struct seen_geometry) {
			.kind = kind,
			.capacity = capacity,
			.fpp = fpp,
		};
		if (seen_plan(&geo, MIN_TICK) ||
		    seen_geometry_bytes(&geo) * 8 > BITS_MAX * capacity + SEEN_LINE_BITS)
			break;
		best = geo;
	}
	return best.capacity ? filter_make(best) : NULL;
}

static void *make_bloom(u64 capacity, u32 len)
{
	return make_bits(SEEN_SET_BLOCKED, capacity);
}

static void *make_classic(u64 capacity, u32 len)
{
	return make_bits(SEEN_SET_CLASSIC, capacity);
}

static void *make_counting(u64 capacity, u32 len)
{
	return filter_make((struct seen_geometry) {
		.kind = SEEN_SET_COUNTING,
		.capacity = capacity,
		.fpp = FPP_ONE / 100,
	});
}

static void *make_cuckoo(u64 capacity, u32 len)
{
	return filter_make((struct seen_geometry) {
		.kind = SEEN_SET_CUCKOO,
		.capacity = capacity,
		.fp_bits = 16,
	});
}

static void *make_window(u64 capacity, u32 len)
{
	return filter_make((struct seen_geometry) {
		.kind = SEEN_SET_BLOOM_WINDOW,
		.capacity = capacity,
		.fpp = FPP_ONE / 100,
		.window = WINDOW,
	});
}

static void *make_cuckoo_window(u64 capacity, u32 len)
{
	return filter_make((struct seen_geometry) {
		.kind = SEEN_SET_CUCKOO_WINDOW,
		.capacity = capacity,
		.fpp = FPP_ONE / 1000000,
		.window = WINDOW,
	});
}

static void *make_count_min(u64 capacity, u32 len)
{
	return filter_make((struct seen_geometry) {
		.kind = SEEN_SET_CMS,
		.capacity = SKETCH_ERROR,
		.fpp = FPP_ONE * SKETCH_FPP,
	});
}

#define FILTER(label, from)						\
	.name = label, .exact = true, .make = from,			\
	.bytes = filter_bytes, .destroy = filter_destroy,		\
	.run[OP_LOOKUP] = lookup, .run[OP_LOOKUP_SERIAL] = lookup_serial
#define BY_HASH		.run[OP_LOOKUP_BATCH] = lookup_batch
#define PLAIN								\
	.run[OP_INSERT] = insert, .run[OP_FUSED] = fused,		\
	.run[OP_FUSED_SERIAL] = fused_serial
#define WINDOWED							\
	.window = true, .rest = sweep, .run[OP_INSERT] = pass_insert,	\
	.run[OP_FUSED] = pass_fused, .run[OP_FUSED_SERIAL] = pass_fused_serial
#define DELETING	.run[OP_DELETE] = delete

const struct contender contenders[] = {
	{ FILTER("seen bloom", make_bloom), BY_HASH, PLAIN },
	{ FILTER("seen classic", make_classic), BY_HASH, PLAIN },
	{ FILTER("seen counting", make_counting), BY_HASH, PLAIN, DELETING },
	{ FILTER("seen cuckoo 16", make_cuckoo), BY_HASH, PLAIN, DELETING },
	{ FILTER("seen bloom window", make_window), BY_HASH, WINDOWED },
	{ FILTER("seen cuckoo window", make_cuckoo_window), BY_HASH, WINDOWED },
	{ FILTER("seen count-min", make_count_min), .run[OP_INSERT] = insert },
	{ FILTER("seen count-min", make_count_min), .run[OP_INSERT] = insert,
	  .whole = true },
	{ FILTER("seen bloom", make_bloom), PLAIN, .whole = true },
	{ FILTER("seen cuckoo 16", make_cuckoo), PLAIN, DELETING, .whole = true },
	{ }
};

void contenders_init(bool huge)
{
	seen_pattern_init();
}
