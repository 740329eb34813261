// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: operations on two sets of one kind: keys are added and deleted, the clock jumps,
 * generations are ended, tables are exported and imported, merged and folded. Each answer must
 * be that of an exact model; an add that fails must change no bit.
 */
#include <string.h>

#include "map_keys.h"
#include "model.h"
#include "sets.h"

#define OPS_MAX		400
/* Capacity of a windowed Bloom filter in which the model's keys are few. */
#define PRECISE		2000
/* The clock stops there, so that it does not overflow 64 bits. */
#define CLOCK_MAX	0x4000000000000000ULL
/* Tables up to this size are compared before and after a failed add. */
#define COPIED_MAX	4096

/**
 * struct request - a kind of set
 * @geo: its geometry; a @geo.window other than 0: it has a window
 * @precise: false positives are so rare that no key of the model is one
 */
static const struct {
	struct seen_geometry geo;
	bool precise;
} requests[] = {
	{ { SEEN_SET_BLOCKED, .fpp = FPP_ONE / 100 } },
	{ { SEEN_SET_BLOCKED, .fpp = FPP_ONE / 10000 } },
	{ { SEEN_SET_CLASSIC, .fpp = FPP_ONE / 10 } },
	{ { SEEN_SET_CLASSIC, .fpp = FPP_ONE / 1000000000 }, true },
	{ { SEEN_SET_BLOOM_WINDOW, .fpp = FPP_ONE / 10, .window = 1 } },
	{ { SEEN_SET_BLOOM_WINDOW, .fpp = FPP_ONE / 1000, .window = 1 } },
	{ { SEEN_SET_CUCKOO, .fp_bits = 8 } },
	{ { SEEN_SET_CUCKOO, .fp_bits = 12 } },
	{ { SEEN_SET_CUCKOO, .fp_bits = 16 } },
	{ { SEEN_SET_CUCKOO, .fp_bits = 24 }, true },
	{ { SEEN_SET_CUCKOO, .fp_bits = 32 }, true },
	{ { SEEN_SET_CUCKOO_WINDOW, .fp_bits = 8, .window = 1 } },
	{ { SEEN_SET_CUCKOO_WINDOW, .fp_bits = 12, .window = 1 } },
	{ { SEEN_SET_CUCKOO_WINDOW, .fp_bits = 16, .window = 1 } },
	{ { SEEN_SET_CUCKOO_WINDOW, .fp_bits = 24, .window = 1 }, true },
	{ { SEEN_SET_CUCKOO_WINDOW, .fp_bits = 32, .window = 1 }, true },
	{ { SEEN_SET_BITMAP }, true },
	{ { SEEN_SET_COUNTING, .fpp = FPP_ONE / 10 } },
	{ { SEEN_SET_COUNTING, .fpp = FPP_ONE / 100 } },
	{ { SEEN_SET_MAP, .key_bytes = 8 }, true },
	{ { SEEN_SET_CMS, .fpp = FPP_ONE / 100 } },
	{ { SEEN_SET_CMS, .fpp = FPP_ONE / 10, .window = 1 } },
	{ { SEEN_SET_CMM, .fpp = FPP_ONE / 10 } },
	{ { SEEN_SET_CMM, .fpp = FPP_ONE / 100, .window = 1 } },
};

static const u64 windows[] = {
	SECOND, 200 * MS, 7 * SECOND + 3, HOUR,
};

/* The unread rest of an input; at its end, next() returns 0. */
struct input {
	const u8 *at;
	const u8 *end;
};

static struct model models[2];
static u64 rehashes;

static u8 next(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

/* Small tables become crowded; large ones have no false positives. */
static u64 capacity_of(enum seen_set_kind kind, u8 byte)
{
	if (kind == SEEN_SET_CMS || kind == SEEN_SET_CMM)
		return 1 + byte % 24;
	if (kind == SEEN_SET_BLOOM_WINDOW && byte >= 150)
		return PRECISE;
	return 1 + byte % 150;
}

static bool plan(struct input *in, struct seen_geometry *geo, bool *precise)
{
	u32 which = next(in) % ARRAY_SIZE(requests);
	u8 flags;

	*geo = requests[which].geo;
	geo->capacity = capacity_of(geo->kind, next(in));
	flags = next(in);
	if (geo->window)
		geo->window = windows[flags % ARRAY_SIZE(windows)];
	geo->refresh = geo->window && (flags & 4);
	geo->evict = geo->kind == SEEN_SET_CUCKOO_WINDOW && (flags & 8);
	geo->conservative = geo->kind == SEEN_SET_CMS && (flags & 16);
	if (seen_set_can_count(geo) && geo->kind != SEEN_SET_CUCKOO)
		geo->threshold = flags >> 5;
	*precise = requests[which].precise ||
		   (geo->kind == SEEN_SET_BLOOM_WINDOW &&
		    geo->capacity == PRECISE && geo->fpp == FPP_ONE / 1000);
	return !seen_plan(geo, MIN_TICK);
}

static void sweep(struct model *model, u64 count)
{
	if (!model->sweep_at)
		model->sweeping = test_clock;
	model->sweep_at = seen_set_sweep(model->set, model->sweep_at, count);
	model_swept(model, !model->sweep_at);
	if (!model->sweep_at)
		model->swept = model->sweeping;
}

/* Advance the clock by parts of a tick, by ticks, or so far that stamps and epochs wrap. */
static void pass_time(struct input *in)
{
	u64 tick = models[0].set->geo.tick ?: SECOND;
	u8 what = next(in), by = next(in);
	u64 ns;

	switch (what % 5) {
	case 0:
		ns = tick / 16 * (by % 16);
		break;
	case 1:
		ns = tick * (by % 64);
		break;
	case 2:		/* the last ns of a tick, or the first */
		ns = tick - test_clock % tick - by % 2;
		break;
	case 3:		/* just before or after a window ends */
		ns = models[0].set->geo.window + tick * (by / 2 % 3) - by % 2;
		break;
	default:
		ns = tick * by;
		if (__builtin_mul_overflow(ns, 1ULL << what / 4 % 33, &ns))
			return;
	}
	if (ns < CLOCK_MAX - test_clock)
		clock_add(ns);
}

/* Replace the set; the clock and the model's keys stay. */
static void replace(struct model *model, struct seen_set *set)
{
	model->lossy = model->lossy || seen_set_evicted(model->set);
	set_free(model->set);
	model->set = set;
	model->swept = test_clock;
	model->sweep_at = 0;
}

static void export_import(struct model *model, struct input *in)
{
	u8 *table = export_all(model->set, 1 + next(in) % 9);
	u64 phase = seen_unit_now(&model->set->geo);
	struct seen_set *set;
	u64 before;

	require(table, "an export that nobody disturbs is torn");
	model_exported(model);
	require(!seen_geometry_check(&model->set->geo),
		"a geometry that was planned is refused");
	before = test_clock;
	if (next(in) & 1)
		pass_time(in);
	set = import_all(&model->set->geo, table, phase + test_clock - before);
	require(set, "what was exported is refused");
	free(table);
	replace(model, set);
	model->estimated = true;
	model->imports++;
}

static void merge(struct model *to, struct model *from, struct input *in)
{
	bool whole;

	if (seen_set_can_merge(&to->set->geo, &from->set->geo) ||
	    model_stale(to) || model_stale(from))
		return;
	merge_room(to->set, from->set);
	whole = merge_all(to->set, from->set, 1 + next(in) % 9);
	if (seen_map_torn(to->set))
		to->lossy = true;
	model_merged(to, from, whole);
}

static void add_key(struct model *model, u32 key, bool restart);

/* Keys are added during the fold, and stored in both tables. */
static void fold(struct model *model, struct input *in)
{
	struct seen_geometry geo;
	struct seen_set *folded;
	u64 at = 0;

	if (seen_set_can_fold(&model->set->geo) ||
	    !seen_fold_plan(model->set, next(in) % KEYS, &geo))
		return;
	folded = set_new(&geo);
	model->precise = false;
	model->estimated = true;
	seen_set_mirror(model->set, folded);
	do {
		add_key(model, next(in) % KEYS, false);
		at = seen_set_fold(model->set, folded, at, 1 + next(in));
	} while (at);
	seen_set_mirror_judges(model->set);
	add_key(model, next(in) % KEYS, false);
	seen_set_mirror(model->set, NULL);
	replace(model, folded);
}

static void flush(struct model *model)
{
	struct seen_set *set = set_new(&model->set->geo);
	bool precise = model->precise;

	set_free(model->set);
	model_of(model, set, precise);
}

static void rotate(struct model *model)
{
	if (model->set->geo.kind != SEEN_SET_BLOOM_WINDOW)
		return;
	seen_set_rotate(model->set);
	model->rotations++;
}

/* Rehash a map, which may have refused a key because of a cycle in its hashes. */
static void rehash(struct model *model)
{
	if (model->set->geo.kind != SEEN_SET_MAP)
		return;
	while (!map_rehash(model->set, ++rehashes))
		;
}

static void put_key(struct model *model, u32 key, u32 value)
{
	struct seen_item item;

	if (model->set->geo.kind != SEEN_SET_MAP ||
	    !model_key(model, key, &item))
		return;
	model_put(model, key, value, seen_item_put(model->set, &item, value));
}

static void add_key(struct model *model, u32 key, bool restart)
{
	enum seen_result result;
	struct seen_item item;
	void *before = NULL;

	if (!model_key(model, key, &item))
		return;
	if (seen_geometry_bytes(&model->set->geo) <= COPIED_MAX)
		before = copy_table(model->set);
	if (restart || !seen_set_can_test_and_add(&model->set->geo))
		result = seen_item_add(model->set, &item);
	else
		result = seen_item_test_and_add(model->set, &item);
	if (before && (result == SEEN_FULL || result == SEEN_STALE ||
		       result == SEEN_COPIES))
		require(same_table(model->set, before),
			"what was not stored has changed the table");
	free(before);
	model_added(model, key, restart && model->set->geo.kind != SEEN_SET_MAP,
		    result);
}

static void del_key(struct model *model, u32 key)
{
	struct seen_item item;

	if (!seen_set_can_del(&model->set->geo) ||
	    !model_key(model, key, &item) || !model_may_del(model, key))
		return;
	model_deleted(model, key, seen_item_del(model->set, &item));
}

static void test_key(struct model *model, u32 key)
{
	struct seen_item item;

	if (model_key(model, key, &item))
		model_tested(model, key, seen_item_test(model->set, &item));
}

/* Add consecutive keys, so that a table becomes crowded. */
static void add_many(struct model *model, u32 first, u32 count, bool restart)
{
	while (count--)
		add_key(model, first++ % KEYS, restart);
}

static void step(struct input *in)
{
	u8 op = next(in), arg;
	struct model *model = &models[op >> 7];

	switch (op % 16) {
	case 0:
	case 1:
		add_key(model, next(in) % KEYS, false);
		break;
	case 2:
		add_key(model, next(in) % KEYS, true);
		break;
	case 3:
		arg = next(in);
		add_many(model, arg, next(in) % 64, op & 64);
		break;
	case 4:
	case 5:
		del_key(model, next(in) % KEYS);
		break;
	case 6:
		test_key(model, next(in) % KEYS);
		break;
	case 7:
		arg = next(in);
		put_key(model, arg % KEYS, next(in));
		break;
	case 8:
	case 9:
		pass_time(in);
		break;
	case 10:
		sweep(model, op & 64 ? ~0ULL : 1 + next(in) % 16);
		break;
	case 11:
		export_import(model, in);
		break;
	case 12:
		merge(model, model == models ? models + 1 : models, in);
		break;
	case 13:
		fold(model, in);
		break;
	case 14:
		if (op & 64)
			rotate(model);
		else
			rehash(model);
		break;
	case 15:
		if (op & 64)
			flush(model);
		else
			model_check(model);
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	test_seed();
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, data + size };
	struct seen_geometry geo;
	bool precise;
	u32 i;

	clock_set(1000 * SECOND);
	if (!plan(&in, &geo, &precise))
		return 0;
	for (i = 0; i < 2; i++)
		model_of(&models[i], set_new(&geo), precise);
	for (i = 0; i < OPS_MAX && in.at < in.end; i++)
		step(&in);
	for (i = 0; i < 2; i++) {
		model_check(&models[i]);
		set_free(models[i].set);
	}
	return 0;
}
