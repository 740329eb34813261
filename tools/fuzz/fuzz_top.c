// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: a sketch's list of heaviest keys, compared with an exact count of each key. The
 * sketch is so large that its counts are exact, too; the list has few buckets, so that keys
 * compete.
 *
 * A list must have each key at most once, with all its bytes and with the sketch's present count.
 * The heaviest key must be first; equally heavy keys must have a fixed order. A shorter list must
 * be the beginning of a longer one. No key may be listed after its window. If a key that was
 * counted in the current epoch is missing, its bucket must have eight other keys that are at least
 * as heavy; a difference of a sixteenth is allowed, because counts in the list may lag by that.
 */
#include <string.h>

#include "clock.h"
#include "kinds.h"
#include "model.h"
#include "sketch.h"
#include "top.h"

#define OPS_MAX		400
/* Keys in a bucket, and the part of a count by which the list may lag. */
#define SLOTS		8
#define LAG		16
/* Most buckets. */
#define TOP_MAX		6
#define LIST_MAX	(TOP_MAX * SLOTS + 1)
#define CLOCK_MAX	0x4000000000000000ULL

/**
 * struct counted - the counts of a key
 * @count: count in an epoch, at index epoch % EPOCHS
 * @in: the epoch at that index
 * @noted: epoch in which the key was last counted
 * @came: the key was counted
 */
struct counted {
	u32 count[EPOCHS];
	u64 in[EPOCHS];
	u64 noted;
	bool came;
};

static struct seen_set *set;
static struct counted keys[KEYS];
static u64 swept, sweeping, sweep_at;
static struct seen_top_entry list[LIST_MAX];

struct input {
	const u8 *at;
	const u8 *end;
};

static u8 next(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

/* A key's length and all of its bytes depend on its number. */
static struct seen_item item_of(u32 key)
{
	struct seen_item item = {
		.hash = hash_of(4, key), .len = 1 + key % SEEN_ITEM_KEY_MAX,
	};

	memset(item.key, key, item.len);
	return item;
}

static u64 epoch_now(void)
{
	return set->geo.tick ? seen_now() / set->geo.tick : 0;
}

/* A window has two ticks; the current tick is the third. */
static bool lives(u64 epoch)
{
	return epoch_now() - epoch < SEEN_GENERATIONS;
}

static u32 count_of(u32 key)
{
	const struct counted *c = &keys[key];
	u32 i, sum = 0;

	for (i = 0; i < EPOCHS; i++)
		if (lives(c->in[i]))
			sum += c->count[i];
	return sum;
}

static void count(u32 key)
{
	struct counted *c = &keys[key];
	u64 epoch = epoch_now();
	u32 i = epoch % EPOCHS;

	if (c->in[i] != epoch)
		c->count[i] = 0;
	c->in[i] = epoch;
	c->count[i]++;
	c->noted = epoch;
	c->came = true;
}

static bool is_late(void)
{
	u64 period = seen_set_sweep_period(&set->geo);

	return period && seen_now() - swept >= period;
}

static void add(u32 key)
{
	struct seen_item item = item_of(key);
	enum seen_result result;
	u32 told = 0;

	result = seen_item_add_count(set, &item, 0, &told);
	if (result == SEEN_STALE) {
		require(is_late(), "stale, and swept in time");
		return;
	}
	count(key);
	if (set->geo.kind == SEEN_SET_CMS)
		require(told == count_of(key), "a key is counted wrongly");
}

/* --- the list --------------------------------------------------------------------- */

static bool is_before(const struct seen_top_entry *a,
		      const struct seen_top_entry *b)
{
	return a->count > b->count ||
	       (a->count == b->count && a->item.hash > b->item.hash);
}

static u32 key_of(const struct seen_item *item)
{
	struct seen_item want;
	u32 key;

	for (key = 0; key < KEYS; key++) {
		want = item_of(key);
		if (want.hash == item->hash && want.len == item->len &&
		    !memcmp(want.key, item->key, sizeof(want.key)))
			return key;
	}
	require(false, "a key that never came, or not whole, is listed");
	return 0;
}

static void check_entry(const struct seen_top_entry *entry, bool *listed)
{
	u32 key = key_of(&entry->item);

	require(!listed[key], "a key is listed twice");
	listed[key] = true;
	require(entry->count, "a key whose window is over is listed");
	require(entry->count == seen_item_count(set, &entry->item),
		"a key is listed with another count");
	if (set->geo.kind == SEEN_SET_CMS)
		require(entry->count == count_of(key),
			"a listed key is counted wrongly");
}

static u64 bucket_of(u32 key)
{
	return seen_range64(seen_sketch_hash(hash_of(4, key),
					     SEEN_SKETCH_ROWS + 1),
			    set->geo.top);
}

/* Number of listed keys of the same bucket that may have displaced this one. */
static u32 rivals(u32 key, const bool *listed)
{
	u32 least = count_of(key), found = 0, other, heavy;

	for (other = 0; other < KEYS; other++) {
		heavy = count_of(other);
		found += listed[other] && bucket_of(other) == bucket_of(key) &&
			 heavy + heavy / LAG >= least;
	}
	return found;
}

/* Not for cmm, which subtracts noise from the counts. */
static void check_missing(const bool *listed)
{
	u32 key;

	if (set->geo.kind != SEEN_SET_CMS)
		return;
	for (key = 0; key < KEYS; key++)
		if (!listed[key] && keys[key].came &&
		    keys[key].noted == epoch_now())
			require(rivals(key, listed) >= SLOTS,
				"a heavy key is not listed");
}

static void check_shorter(u32 most, u32 count)
{
	static struct seen_top_entry shorter[LIST_MAX];
	u32 i, got = seen_top_list(set, shorter, most);

	require(got == (most < count ? most : count),
		"a shorter list has another length");
	for (i = 0; i < got; i++)
		require(shorter[i].count == list[i].count &&
			shorter[i].item.hash == list[i].item.hash,
			"a shorter list is not the first of a longer one");
}

static void check_list(u32 most)
{
	bool listed[KEYS] = {};
	u32 i, count;

	count = seen_top_list(set, list, LIST_MAX);
	require(count <= set->geo.top * SLOTS, "more is listed than there is");
	if (seen_sketch_stale(set)) {
		require(is_late() && !count, "listed, and not known");
		return;
	}
	for (i = 0; i < count; i++) {
		check_entry(&list[i], listed);
		require(!i || is_before(&list[i - 1], &list[i]),
			"a lighter key is listed before a heavier one");
	}
	check_missing(listed);
	check_shorter(most % LIST_MAX, count);
}

/* --- the sequence ----------------------------------------------------------------- */

static void sweep(u64 count)
{
	if (!sweep_at)
		sweeping = seen_now();
	sweep_at = seen_set_sweep(set, sweep_at, count);
	if (!sweep_at)
		swept = sweeping;
}

static void pass_time(struct input *in)
{
	u64 tick = set->geo.tick ?: SECOND;
	u8 what = next(in), by = next(in);
	u64 ns;

	switch (what % 4) {
	case 0:
		ns = tick / 16 * (by % 16);
		break;
	case 1:		/* the last ns of a tick, or the first */
		ns = tick - test_clock % tick - by % 2;
		break;
	case 2:
		ns = tick * (by % 5);
		break;
	default:	/* so far that a sweep is late */
		ns = tick * by << what / 4 % 33;
	}
	if (ns < CLOCK_MAX - test_clock)
		clock_add(ns);
}

static void step(struct input *in)
{
	u8 op = next(in), arg, times, i;

	switch (op % 8) {
	case 0:
		add(next(in) % KEYS);
		break;
	case 1:
	case 2:
		arg = next(in) % KEYS;
		for (times = next(in); times; times--)
			add(arg);
		break;
	case 3:		/* keys of increasing or decreasing weight */
		arg = next(in);
		for (times = next(in) % 32; times; times--, arg++)
			for (i = op & 64 ? times : 32 - times; i; i--)
				add(arg % KEYS);
		break;
	case 4:
		pass_time(in);
		break;
	case 5:
		sweep(op & 64 ? ~0ULL : 1 + next(in));
		break;
	default:
		check_list(next(in));
	}
}

static bool plan(struct input *in, struct seen_geometry *geo)
{
	u8 flags = next(in);

	*geo = (struct seen_geometry) {
		.kind = flags & 1 ? SEEN_SET_CMM : SEEN_SET_CMS,
		.capacity = 1000,
		.fpp = FPP_ONE / 1000,
		.window = flags & 2 ? SECOND : 0,
		.conservative = (flags & 5) == 4,
		.top = 1 + flags / 8 % TOP_MAX,
		.key_bytes = SEEN_ITEM_KEY_MAX,
	};
	return !seen_plan(geo, MIN_TICK);
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
	u64 bytes;
	u32 i;

	clock_set(1000 * SECOND);
	if (!plan(&in, &geo))
		return 0;
	set = set_new(&geo);
	bytes = seen_top_bytes(&geo);
	set->top = aligned_alloc(SEEN_LINE_BYTES, bytes);
	memset(set->top, 0, bytes);
	memset(keys, 0, sizeof(keys));
	swept = seen_now();
	sweep_at = 0;
	for (i = 0; i < OPS_MAX && in.at < in.end; i++)
		step(&in);
	check_list(7);
	free(set->top);
	set_free(set);
	return 0;
}
