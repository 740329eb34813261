// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuckoo_window.h"
#include "keycount.h"
#include "map.h"
#include "model.h"

static const struct seen_secret secret = { { 0x736565, 0x6e } };
static const struct seen_span span = { .first = { 0 }, .len = 2 };

void require(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

void model_of(struct model *model, struct seen_set *set, bool precise)
{
	*model = (struct model) {
		.set = set, .precise = precise, .swept = test_clock,
	};
}

bool model_key(const struct model *model, u32 key, struct seen_item *item)
{
	const struct seen_geometry *geo = &model->set->geo;
	u8 bytes[8] = { 0, key, 2, 3, 4, 5, 6, 7 };
	u32 len = geo->kind == SEEN_SET_MAP ? 2 + key % 7 : 2;

	return seen_item_make(geo, &secret, &span, bytes, len, item);
}

static bool is_sketch(const struct model *model)
{
	return !seen_set_can_test_and_add(&model->set->geo);
}

/* Each tick and each rotation begins an epoch. */
static u64 epoch_now(const struct model *model)
{
	u64 tick = model->set->geo.tick;

	return tick ? test_clock / tick + model->rotations : 0;
}

/* Number of epochs after which a key is still seen, from window and tick. */
static u64 lifetime(const struct model *model)
{
	const struct seen_geometry *geo = &model->set->geo;

	return geo->tick ? (geo->window + geo->tick - 1) / geo->tick : 0;
}

static bool lives(const struct model *model, u64 epoch)
{
	return epoch_now(model) - epoch <= lifetime(model);
}

/* A set that is swept in time never answers STALE. */
bool model_stale(const struct model *model)
{
	u64 period = seen_set_sweep_period(&model->set->geo);

	return period && test_clock - model->swept >= period;
}

/*
 * Ticks without a sweep after which young and old entries cannot be distinguished: with stamps,
 * the number of stamps less two windows; with epochs, half of the number of epochs.
 */
static u64 late_after(const struct model *model)
{
	const struct seen_geometry *geo = &model->set->geo;

	if (geo->kind == SEEN_SET_CUCKOO_WINDOW)
		return SEEN_STAMPS - 2 * geo->ticks;
	return 1ULL << (SEEN_EPOCH_BITS - 1);
}

static void forget(struct model *model, bool maybe)
{
	struct known *k;
	u32 key;

	for (key = 0; key < KEYS; key++) {
		k = &model->known[key];
		k->there = false;
		k->maybe = maybe;
		memset(k->counted, 0, sizeof(k->counted));
	}
	model->unsure = maybe;
}

/* A pass over the whole table treats all entries as expired if it began after late_after(). */
static void lose(struct model *model, u64 began)
{
	u64 tick = model->set->geo.tick, late;

	if (!tick)
		return;
	late = late_after(model);
	if ((began - model->swept) / tick >= late)
		forget(model, false);
	else if ((test_clock - model->swept) / tick + 1 + model->rotations >= late)
		forget(model, true);
}

void model_swept(struct model *model, bool whole)
{
	lose(model, whole ? model->sweeping : model->swept);
}

void model_exported(struct model *model)
{
	lose(model, test_clock);
}

static u32 counted(const struct model *model, const struct known *k)
{
	u32 i, sum = 0;

	for (i = 0; i < EPOCHS; i++)
		if (k->counted[i] && lives(model, k->counted_in[i]))
			sum += k->counted[i];
	return sum;
}

/* Least number of copies, or least count, of a key. */
static u32 least(const struct model *model, u32 key)
{
	const struct known *k = &model->known[key];

	if (is_sketch(model))
		return counted(model, k);
	return k->there && lives(model, k->epoch) ? k->copies : 0;
}

static bool is_lossy(const struct model *model)
{
	return model->lossy || seen_set_evicted(model->set);
}

static u32 threshold(const struct model *model)
{
	return model->set->geo.threshold ?: 1;
}

static bool must_be_seen(const struct model *model, u32 key)
{
	if (model->set->geo.kind == SEEN_SET_CMM)
		return false;	/* its counts may be too low */
	return least(model, key) >= threshold(model) && !is_lossy(model);
}

/* With each import a key may stay one tick longer. */
static bool may_live(const struct model *model, const struct known *k)
{
	return k->there &&
	       epoch_now(model) - k->epoch <= lifetime(model) + model->imports;
}

static bool must_be_new(const struct model *model, u32 key)
{
	const struct known *k = &model->known[key];

	return model->precise && !k->maybe &&
	       least(model, key) < threshold(model) &&
	       !(model->imports && may_live(model, k));
}

void model_tested(const struct model *model, u32 key, enum seen_result result)
{
	if (result == SEEN_STALE) {
		require(model_stale(model), "stale, and swept in time");
		return;
	}
	require(result != SEEN_NEW || !must_be_seen(model, key),
		"a false negative");
	require(result != SEEN_SEEN || !must_be_new(model, key),
		"seen, and never stored or expired");
}

static bool has_copies(const struct model *model)
{
	u32 key;

	for (key = 0; key < KEYS; key++)
		if (model->known[key].copies > 1)
			return true;
	return false;
}

/* Is every slot occupied in which a key can be stored? */
static bool is_crowded(const struct model *model, u32 key)
{
	struct seen_time now = seen_cuckoo_window_time(model->set);
	struct seen_place place;
	struct seen_item item;
	u32 slot;

	model_key(model, key, &item);
	place = seen_cuckoo_window_place(model->set, item.hash);
	for (slot = 0; slot < place.slots; slot++)
		if (seen_cuckoo_window_age(model->set, &place, slot, &now) >
		    model->set->geo.ticks)
			return false;
	return true;
}

/*
 * A set must have room for its capacity, except for copies and estimated loads. If this
 * depends on chance, the probability of failure is below 10^-10 for so few keys:
 * Documentation/theory. All copies of a key share two buckets. A merge of entries with stamps
 * does not choose the emptier bucket.
 */
static void check_full(const struct model *model, u32 key)
{
	const struct seen_geometry *geo = &model->set->geo;

	switch (geo->kind) {
	case SEEN_SET_BLOCKED:
	case SEEN_SET_CLASSIC:
	case SEEN_SET_BLOOM_WINDOW:
		require(model->estimated || model->stored >= geo->capacity,
			"full before its capacity");
		break;
	case SEEN_SET_MAP:
		require(model->strained || seen_map_torn(model->set) ||
			model->stored >= geo->capacity,
			"a map is full before its capacity");
		break;
	case SEEN_SET_CUCKOO:
		require(model->strained || has_copies(model) ||
			seen_set_entries(model->set) >= geo->capacity,
			"a cuckoo filter is full before its capacity");
		break;
	case SEEN_SET_CUCKOO_WINDOW:
		require(!geo->evict && is_crowded(model, key),
			"full, and there is a free slot");
		require(model->estimated ||
			seen_set_entries(model->set) >= geo->capacity,
			"a cuckoo filter with a window is full before its capacity");
		break;
	case SEEN_SET_BITMAP:
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		require(false, "full, and never can be");
		break;
	default:
		break;
	}
}

static void count_key(struct model *model, struct known *k)
{
	u64 epoch = epoch_now(model);
	u32 i = epoch % EPOCHS;

	if (k->counted_in[i] != epoch)
		k->counted[i] = 0;
	k->counted_in[i] = epoch;
	k->counted[i]++;
}

static bool keeps_copies(const struct model *model)
{
	return model->set->geo.kind == SEEN_SET_CUCKOO ||
	       model->set->geo.kind == SEEN_SET_COUNTING;
}

/* Store a key; a stored key is renewed only if @again. */
static void store(struct model *model, u32 key, bool again)
{
	struct known *k = &model->known[key];
	bool had = least(model, key);

	if (had && !again)
		return;
	k->there = true;
	k->epoch = epoch_now(model);
	k->copies = had && keeps_copies(model) ? k->copies + 1 : 1;
	if (k->copies > SEEN_COUNTING_MAX)
		k->copies = SEEN_COUNTING_MAX;
}

/*
 * A key that is seen by mistake is not stored. Only kinds that never remove keys guarantee that
 * it stays seen.
 */
static bool is_kept(const struct model *model, bool restart)
{
	switch (model->set->geo.kind) {
	case SEEN_SET_BLOCKED:
	case SEEN_SET_CLASSIC:
		return true;
	case SEEN_SET_MAP:
	case SEEN_SET_BITMAP:
		return false;
	default:
		return restart || model->set->geo.refresh;
	}
}

void model_added(struct model *model, u32 key, bool restart,
		 enum seen_result result)
{
	struct known *k = &model->known[key];
	bool counting = model->set->geo.kind == SEEN_SET_COUNTING;

	if (result == SEEN_STALE || !is_sketch(model))
		model_tested(model, key, result);
	if (result == SEEN_FULL)
		check_full(model, key);
	if (result == SEEN_COPIES)
		require(restart && (!model->precise || k->copies >= 4 ||
				    model->strained), "copies are refused");
	if (result == SEEN_STALE)
		return;
	if (is_sketch(model)) {
		count_key(model, k);
		return;
	}
	if (result == SEEN_NEW) {
		model->stored++;
		k->value = 0;
		/*
		 * The key was evicted or lost in a merge, and is stored again. In a counting filter
		 * a stored key below the threshold is new, too.
		 */
		if (!counting)
			k->there = false;
		store(model, key, counting);
	} else if (result == SEEN_SEEN && is_kept(model, restart)) {
		store(model, key, restart || model->set->geo.refresh);
	}
}

void model_put(struct model *model, u32 key, u32 value,
	       enum seen_result result)
{
	model_added(model, key, false, result);
	if (result != SEEN_FULL)
		model->known[key].value = value;
}

bool model_may_del(const struct model *model, u32 key)
{
	return model->precise ? !model->known[key].maybe : least(model, key);
}

/*
 * With stamps, and after a merge, two keys with the same fingerprint share an entry: deleting one
 * deletes the other, too.
 */
static bool may_share(const struct model *model)
{
	if (model->precise)
		return false;
	return model->set->geo.kind == SEEN_SET_CUCKOO_WINDOW ||
	       (model->set->geo.kind == SEEN_SET_CUCKOO && model->estimated);
}

static void forget_shared(struct model *model)
{
	bool counts = seen_set_can_count(&model->set->geo);
	struct seen_item item;
	struct known *k;
	u32 key, left;

	for (key = 0; key < KEYS; key++) {
		k = &model->known[key];
		model_key(model, key, &item);
		left = counts ? seen_item_count(model->set, &item) :
		       seen_item_test(model->set, &item) == SEEN_SEEN;
		if (k->copies > left)
			k->copies = left;
		k->there = k->there && k->copies;
	}
}

void model_deleted(struct model *model, u32 key, enum seen_result result)
{
	struct known *k = &model->known[key];
	u32 had = least(model, key);

	if (result == SEEN_STALE) {
		require(model_stale(model), "stale, and swept in time");
		return;
	}
	require(result != SEEN_ABSENT || !had || is_lossy(model),
		"a key that is there is not deleted");
	require(result != SEEN_SEEN || had || !model->precise || k->maybe,
		"a key that is not there is deleted");
	if (!had || result != SEEN_SEEN)
		return;
	if (model->set->geo.kind == SEEN_SET_COUNTING && had == SEEN_COUNTING_MAX)
		return;
	model->stored--;
	k->copies--;
	k->there = k->copies;
	/* After a merge the key may have been in both buckets. */
	if (model->set->geo.kind == SEEN_SET_CUCKOO_WINDOW)
		k->maybe = model->estimated;
	if (may_share(model))
		forget_shared(model);
}

/* At most one of two epochs with the same index is alive. */
static void merge_counted(const struct model *from, struct known *t,
			  const struct known *f)
{
	u32 i;

	for (i = 0; i < EPOCHS; i++) {
		if (!f->counted[i] || !lives(from, f->counted_in[i]))
			continue;
		if (t->counted_in[i] != f->counted_in[i])
			t->counted[i] = 0;
		t->counted_in[i] = f->counted_in[i];
		t->counted[i] += f->counted[i];
	}
}

static void merge_key(struct model *to, const struct model *from, u32 key)
{
	u32 mine = least(to, key), copies = least(from, key);
	const struct known *f = &from->known[key];
	u64 age = epoch_now(from) - f->epoch;
	struct known *t = &to->known[key];

	t->maybe = t->maybe || f->maybe;
	if (is_sketch(to)) {
		merge_counted(from, t, f);
		return;
	}
	if (!copies)
		return;
	if (!mine) {
		to->stored++;
		t->value = f->value;
	}
	if (!mine || epoch_now(to) - t->epoch > age)
		t->epoch = epoch_now(to) - age;
	t->there = true;
	if (to->set->geo.kind == SEEN_SET_COUNTING)
		t->copies = mine + copies < SEEN_COUNTING_MAX ? mine + copies :
							SEEN_COUNTING_MAX;
	else
		t->copies = mine > copies ? mine : copies;
}

void model_merged(struct model *to, const struct model *from, bool whole)
{
	u32 key;

	to->estimated = true;
	to->strained = to->strained || from->strained || !whole;
	to->precise = to->precise && from->precise && whole;
	to->lossy = to->lossy || is_lossy(from);
	if (from->imports > to->imports)
		to->imports = from->imports;
	for (key = 0; whole && key < KEYS; key++)
		merge_key(to, from, key);
}

static void check_count(const struct model *model, u32 key,
			const struct seen_item *item)
{
	u32 count = seen_item_count(model->set, item);

	if (model->set->geo.kind == SEEN_SET_CMM || model_stale(model))
		return;
	require(count >= least(model, key), "a count is too low");
	if (model->set->geo.kind == SEEN_SET_CUCKOO && model->precise)
		require(count == least(model, key), "a count is not exact");
}

static void check_value(const struct model *model, u32 key,
			const struct seen_item *item)
{
	u32 value;
	bool there = seen_item_value(model->set, item, &value);

	require(there == least(model, key) || model->strained,
		"a map has a key, or has it not");
	require(!there || value == model->known[key].value || model->strained,
		"a map has another value");
}

static u64 copies_in_all(const struct model *model)
{
	u64 sum = 0;
	u32 key;

	for (key = 0; key < KEYS; key++)
		sum += least(model, key);
	return sum;
}

static void check_totals(const struct model *model)
{
	u64 entries = seen_set_entries(model->set);
	u64 at = 0, used = 0, room = 0;

	do
		at = seen_set_used(model->set, at, 64, &used, &room);
	while (at);
	require(used <= room, "more is in use than there is");
	switch (model->set->geo.kind) {
	case SEEN_SET_CUCKOO:
	case SEEN_SET_MAP:
	case SEEN_SET_BITMAP:
		require(model->strained || may_share(model) ||
			entries == copies_in_all(model),
			"what is stored is not what is counted");
		break;
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		/* The rows of a conservative sketch do not sum up to the number of adds. */
		require(model_stale(model) || model->unsure ||
			(model->set->geo.conservative && model->estimated) ||
			seen_set_total(model->set) == copies_in_all(model),
			"what was counted in all is not what was added");
		break;
	default:
		break;
	}
}

void model_check(const struct model *model)
{
	struct seen_item item;
	u32 key;

	for (key = 0; key < KEYS; key++) {
		if (!model_key(model, key, &item))
			continue;
		model_tested(model, key, seen_item_test(model->set, &item));
		if (seen_set_can_count(&model->set->geo))
			check_count(model, key, &item);
		if (model->set->geo.kind == SEEN_SET_MAP)
			check_value(model, key, &item);
	}
	check_totals(model);
}
