// SPDX-License-Identifier: GPL-2.0
/*
 * Sets: set.h's operations for all kinds. Calls are direct, because each indirect call
 * costs a retpoline.
 */
#include "clock.h"
#include "cuckoo_window.h"
#include "keycount.h"
#include "kinds.h"
#include "set.h"
#include "sketch.h"
#include "total.h"

#define LINE_WORDS	(SEEN_LINE_BITS / 64)
/* Ticks after which stamps and epochs wrap; see cuckoo_window.c, bloom_window.c. */
#define STAMP_RANGE	255
#define EPOCH_RANGE	((u64)1 << SEEN_EPOCH_BITS)
/* Buckets in a sample: an error of about 1 %. */
#define SAMPLE		1024

/* Current tick or epoch, by which sweeps are timed; 0 without a window. */
static u64 set_present(const struct seen_set *set)
{
	switch (set->geo.kind) {
	case SEEN_SET_BLOOM_WINDOW:
		return seen_generation_epoch(set);
	case SEEN_SET_CUCKOO_WINDOW:
		return seen_now() / set->geo.tick;
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return set->geo.tick ? seen_generation_epoch(set) : 0;
	default:
		return 0;
	}
}

void seen_set_init(struct seen_set *set, const struct seen_geometry *geo,
		   void *table, struct seen_stripe *stripes)
{
	u32 count = seen_geometry_stripes(geo);
	u32 i;

	*set = (struct seen_set) {
		.geo = *geo,
		.table = table,
		.stripes = stripes,
		.stripe_mask = count - 1,
		.born = geo->tick ? seen_now() / geo->tick : 0,
		.shortest = U64_MAX,
	};
	set->swept = set_present(set);
	spin_lock_init(&set->mover);
	seen_keycount_init(set, geo->kind == SEEN_SET_COUNTING ?
				seen_counting_max(geo) : geo->capacity);
	for (i = 0; i < count; i++) {
		spin_lock_init(&stripes[i].lock);
		seqcount_init(&stripes[i].seq);
		stripes[i].pending = 0;
		stripes[i].pending_epoch = 0;
	}
	seen_total_init(set);
}

static enum seen_result set_found(bool seen)
{
	return seen ? SEEN_SEEN : SEEN_NEW;
}

static bool set_reaches(const struct seen_set *set, u32 count)
{
	return count >= (set->geo.threshold ? set->geo.threshold : 1);
}

enum seen_result seen_set_test(struct seen_set *set, u64 hash)
{
	u32 count;

	switch (set->geo.kind) {
	case SEEN_SET_BLOCKED:
		return set_found(seen_blocked_test(set, hash));
	case SEEN_SET_CLASSIC:
		return set_found(seen_classic_test(set, hash));
	case SEEN_SET_BLOOM_WINDOW:
		return seen_generation_test(set, hash);
	case SEEN_SET_CUCKOO:
		return set_found(seen_cuckoo_test(set, hash));
	case SEEN_SET_CUCKOO_WINDOW:
		return seen_cuckoo_window_test(set, hash);
	case SEEN_SET_BITMAP:
		return set_found(seen_bitmap_test(set, hash));
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		count = seen_sketch_count(set, hash);
		/*
		 * The count is also 0 if the sweep is late. If a late sweep has ended
		 * since, 0 is right.
		 */
		if (!count && seen_sketch_stale(set))
			return SEEN_STALE;
		return set_found(set_reaches(set, count));
	case SEEN_SET_COUNTING:
		return set_found(set_reaches(set, seen_counting_count(set, hash)));
	case SEEN_SET_MAP:
		break;	/* needs the key's bytes: map.h */
	}
	return SEEN_NEW;
}

/* @restart: for a present key, store another copy or restart its window */
static enum seen_result set_add(struct seen_set *set, u64 hash, bool restart)
{
	u32 copies;

	switch (set->geo.kind) {
	case SEEN_SET_BLOCKED:
		return seen_blocked_add(set, hash);
	case SEEN_SET_CLASSIC:
		return seen_classic_add(set, hash);
	case SEEN_SET_BLOOM_WINDOW:
		return seen_generation_add(set, hash,
					   restart || set->geo.refresh);
	case SEEN_SET_CUCKOO:
		return seen_cuckoo_add(set, hash,
				       restart ? SEEN_CUCKOO_COPIES : 1,
				       &copies);
	case SEEN_SET_CUCKOO_WINDOW:
		return seen_cuckoo_window_add(set, hash,
					      restart || set->geo.refresh);
	case SEEN_SET_BITMAP:
		return seen_bitmap_add(set, hash);
	case SEEN_SET_COUNTING:
		return seen_counting_add(set, hash, !restart, &copies);
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		copies = seen_sketch_add(set, hash);
		return copies ? set_found(set_reaches(set, copies)) : SEEN_STALE;
	case SEEN_SET_MAP:
		break;	/* needs the key's bytes: map.h */
	}
	return SEEN_FULL;
}

/*
 * A key that was stored goes to the mirror, too. The mirror will replace @set, and
 * another CPU may find the key there already. So the mirror decides whether the key was
 * new, if seen_set_mirror_judges() was called before the key was stored in @set. Before
 * that call a new key starts its window in the mirror, even if the mirror reports the key
 * as seen.
 */
static enum seen_result set_add_to_both(struct seen_set *set,
					struct seen_set *mirror, u64 hash,
					bool restart)
{
	/* Read before the key is in @set; pairs with seen_set_mirror_judges(). */
	bool judges = smp_load_acquire(&set->judges);
	enum seen_result result = set_add(set, hash, restart);
	enum seen_result answer;

	if (result != SEEN_NEW && result != SEEN_RENEWED &&
	    !(result == SEEN_SEEN && (restart || set->geo.refresh)))
		return result;
	if (result == SEEN_NEW && !judges)
		restart = true;
	answer = set_add(mirror, hash, restart);
	return result == SEEN_NEW && judges ? answer : result;
}

static enum seen_result set_add_all(struct seen_set *set, u64 hash, bool restart)
{
	/* Pairs with seen_set_mirror(). */
	struct seen_set *mirror = smp_load_acquire(&set->mirror);

	if (likely(!mirror))
		return set_add(set, hash, restart);
	return set_add_to_both(set, mirror, hash, restart);
}

enum seen_result seen_set_test_and_add(struct seen_set *set, u64 hash)
{
	return set_add_all(set, hash, false);
}

enum seen_result seen_set_add(struct seen_set *set, u64 hash)
{
	return set_add_all(set, hash, true);
}

bool seen_set_can_count(const struct seen_geometry *geo)
{
	switch (geo->kind) {
	case SEEN_SET_CUCKOO:
	case SEEN_SET_COUNTING:
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return true;
	default:
		return false;
	}
}

enum seen_result seen_set_add_count(struct seen_set *set, u64 hash, u32 max,
				    u32 *copies)
{
	switch (set->geo.kind) {
	case SEEN_SET_CUCKOO:
		return seen_cuckoo_add(set, hash, max, copies);
	case SEEN_SET_COUNTING:
		return seen_counting_add(set, hash, false, copies);
	default:
		*copies = seen_sketch_add(set, hash);
		return *copies ? set_found(*copies > 1) : SEEN_STALE;
	}
}

u32 seen_set_count(struct seen_set *set, u64 hash)
{
	switch (set->geo.kind) {
	case SEEN_SET_CUCKOO:
		return seen_cuckoo_count(set, hash);
	case SEEN_SET_COUNTING:
		return seen_counting_count(set, hash);
	default:
		return seen_sketch_count(set, hash);
	}
}

u32 seen_set_count_max(const struct seen_geometry *geo)
{
	switch (geo->kind) {
	case SEEN_SET_CUCKOO:
		return SEEN_CUCKOO_COPIES;
	case SEEN_SET_COUNTING:
		return SEEN_COUNTING_MAX;
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return U32_MAX;
	default:
		return 0;
	}
}

bool seen_set_can_del(const struct seen_geometry *geo)
{
	switch (geo->kind) {
	case SEEN_SET_CUCKOO:
	case SEEN_SET_CUCKOO_WINDOW:
	case SEEN_SET_BITMAP:
	case SEEN_SET_COUNTING:
	case SEEN_SET_MAP:
		return true;
	default:
		return false;
	}
}

bool seen_set_can_test_and_add(const struct seen_geometry *geo)
{
	return geo->kind != SEEN_SET_CMS && geo->kind != SEEN_SET_CMM;
}

enum seen_result seen_set_del(struct seen_set *set, u64 hash)
{
	switch (set->geo.kind) {
	case SEEN_SET_CUCKOO:
		return seen_cuckoo_del(set, hash);
	case SEEN_SET_CUCKOO_WINDOW:
		return seen_cuckoo_window_del(set, hash);
	case SEEN_SET_BITMAP:
		return seen_bitmap_del(set, hash);
	case SEEN_SET_COUNTING:
		return seen_counting_del(set, hash);
	default:
		return SEEN_ABSENT;
	}
}

static bool set_is_sketch(const struct seen_set *set)
{
	return set->geo.kind == SEEN_SET_CMS || set->geo.kind == SEEN_SET_CMM;
}

static void set_sweep_block(struct seen_set *set, u64 block)
{
	if (set->geo.kind == SEEN_SET_BLOOM_WINDOW)
		seen_generation_sweep(set, block);
	else if (set->geo.kind == SEEN_SET_CUCKOO_WINDOW)
		seen_cuckoo_window_sweep(set, block);
	else if (set_is_sketch(set))
		seen_sketch_sweep(set, block);
}

u64 seen_set_sweep(struct seen_set *set, u64 from, u64 count)
{
	u64 left = set->geo.blocks - from;
	u64 end = from + (count < left ? count : left);

	if (!from) {
		set->sweeping = set_present(set);
		set->left = false;
		if (set->geo.kind == SEEN_SET_BLOOM_WINDOW)
			seen_keycount_sweep(set, set->sweeping);
		else if (set_is_sketch(set) && set->geo.tick)
			seen_total_sweep(set, set->sweeping,
					 seen_sketch_stale(set));
	}
	for (; from < end; from++)
		set_sweep_block(set, from);
	if (from < set->geo.blocks)
		return from;
	WRITE_ONCE(set->swept, set->sweeping);
	if (set->geo.kind == SEEN_SET_CUCKOO_WINDOW)
		seen_cuckoo_window_swept(set);
	return 0;
}

bool seen_set_asleep(const struct seen_set *set)
{
	return READ_ONCE(set->rest) == SEEN_REST_ASLEEP;
}

bool seen_set_woken(struct seen_set *set)
{
	u32 rest = READ_ONCE(set->rest);

	return rest == SEEN_REST_WOKEN &&
	       try_cmpxchg(&set->rest, &rest, SEEN_REST_AWAKE);
}

bool seen_set_stale(const struct seen_set *set)
{
	struct seen_time now;

	switch (set->geo.kind) {
	case SEEN_SET_CUCKOO_WINDOW:
		now = seen_cuckoo_window_time(set);
		return seen_cuckoo_window_stale(set, &now);
	case SEEN_SET_BLOOM_WINDOW:
		return seen_generation_stale(set, seen_generation_epoch(set));
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return seen_sketch_stale(set);
	default:
		return false;
	}
}

bool seen_set_sweep_due(const struct seen_set *set)
{
	u64 now = set_present(set), swept = READ_ONCE(set->swept);

	return set->geo.kind == SEEN_SET_BLOOM_WINDOW && now > swept &&
	       now - swept >= EPOCH_RANGE / 4;
}

u64 seen_set_sweep_period(const struct seen_geometry *geo)
{
	u64 ticks;

	if (!geo->tick)
		return 0;
	if (geo->kind == SEEN_SET_CUCKOO_WINDOW)
		ticks = STAMP_RANGE / 4;
	else
		ticks = EPOCH_RANGE / 4;
	/* Longer than the clock can run: no sweep is needed. */
	return geo->tick > U64_MAX / ticks ? 0 : ticks * geo->tick;
}

static u32 set_line_used(const struct seen_set *set, u64 line)
{
	const u64 *word = (const u64 *)set->table + line * LINE_WORDS;
	u32 bits = 0;
	int i;

	for (i = 0; i < LINE_WORDS; i++)
		bits += seen_weight(READ_ONCE(word[i]));
	return bits;
}

static u32 set_unit_used(struct seen_set *set, u64 unit)
{
	switch (set->geo.kind) {
	case SEEN_SET_BLOCKED:
	case SEEN_SET_CLASSIC:
		return set_line_used(set, unit);
	case SEEN_SET_BLOOM_WINDOW:
		return seen_generation_used(set, unit);
	case SEEN_SET_CUCKOO:
		return seen_cuckoo_used(set, unit);
	case SEEN_SET_CUCKOO_WINDOW:
		return seen_cuckoo_window_used(set, unit);
	case SEEN_SET_BITMAP:
		return set_line_used(set, unit);
	case SEEN_SET_COUNTING:
		return seen_counting_used(set, unit);
	case SEEN_SET_MAP:
		return seen_map_used(set, unit);
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return seen_sketch_used(set, unit);
	}
	return 0;
}

/* The last unit of a table of bits may be partial. */
static u32 set_unit_room(const struct seen_set *set, u64 unit)
{
	u64 left = set->geo.blocks - unit * SEEN_LINE_BITS;

	switch (set->geo.kind) {
	case SEEN_SET_BLOCKED:
		return SEEN_LINE_BITS;
	case SEEN_SET_CLASSIC:
	case SEEN_SET_BITMAP:
		return left < SEEN_LINE_BITS ? left : SEEN_LINE_BITS;
	case SEEN_SET_BLOOM_WINDOW:
		return SEEN_GENERATIONS * SEEN_GENERATION_BITS;
	case SEEN_SET_CUCKOO:
		return SEEN_CUCKOO_SLOTS;
	case SEEN_SET_CUCKOO_WINDOW:
		return SEEN_CUCKOO_WINDOW_SLOTS;
	case SEEN_SET_COUNTING:
		return SEEN_COUNTERS;
	case SEEN_SET_MAP:
		return SEEN_MAP_SLOTS;
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return set->geo.hashes;
	}
	return 0;
}

u64 seen_set_used(struct seen_set *set, u64 from, u64 count,
		  u64 *used, u64 *room)
{
	u64 units = seen_geometry_units(&set->geo);
	u64 left = units - from;
	u64 end = from + (count < left ? count : left);

	for (; from < end; from++) {
		*used += set_unit_used(set, from);
		*room += set_unit_room(set, from);
	}
	return from < units ? from : 0;
}

static u64 set_sample(struct seen_set *set)
{
	u64 blocks = set->geo.blocks;
	u64 looks = blocks < SAMPLE ? blocks : SAMPLE;
	u64 used = 0;
	u64 i;

	for (i = 0; i < looks; i++)
		used += set_unit_used(set, i * blocks / looks);
	return used * blocks / looks;
}

u64 seen_set_entries(struct seen_set *set)
{
	u64 now = set_present(set);

	if (set_is_sketch(set))
		return seen_sketch_entries(set);
	if (set->geo.kind == SEEN_SET_CUCKOO_WINDOW)
		return set_sample(set);
	if (set->geo.kind == SEEN_SET_COUNTING)
		return seen_counting_keys(&set->geo, seen_keycount_entries(set, now));
	return seen_keycount_entries(set, now);
}

bool seen_set_full(struct seen_set *set)
{
	if (READ_ONCE(set->mirrors))
		return false;
	switch (set->geo.kind) {
	case SEEN_SET_CUCKOO:
		return READ_ONCE(set->crowded);
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
	case SEEN_SET_CUCKOO_WINDOW:
	case SEEN_SET_BITMAP:
		return false;
	default:
		return seen_keycount_keys(set, set_present(set)) >= set->keys.max;
	}
}

static void set_shorten(struct seen_set *set, u64 kept)
{
	if (kept < READ_ONCE(set->shortest))
		WRITE_ONCE(set->shortest, kept);
}

/*
 * A generation is dropped when the third one after it begins, so a key that was stored
 * at its end is kept for the two generations in between. A rotation divides the current
 * generation into two parts. So it shortens two such pairs: the previous generation with
 * the first part, and the two parts.
 */
void seen_set_rotate(struct seen_set *set)
{
	u64 now = seen_now();
	u64 tick = set->geo.tick;
	u64 natural = now - now % tick;
	u64 last = set->rotated[0];
	u64 before = natural < tick ? 0 : natural - tick;
	u64 begun = natural;

	if (last > natural) {
		begun = last;
		before = set->rotated[1] > natural ? set->rotated[1] : natural;
	} else if (last > before) {
		before = last;
	}
	set_shorten(set, now - before);
	set_shorten(set, natural + tick - begun);
	set->rotated[1] = last;
	set->rotated[0] = now;
	WRITE_ONCE(set->skip, set->skip + 1);
}

u64 seen_set_total(const struct seen_set *set)
{
	return seen_sketch_total(set);
}

void seen_set_total_raise(struct seen_set *set, u64 total)
{
	seen_total_raise(set, seen_sketch_epoch(set), total);
}

u64 seen_set_evicted(const struct seen_set *set)
{
	u64 evicted = 0;
	u32 i;

	for (i = 0; i <= set->stripe_mask; i++)
		evicted += READ_ONCE(set->stripes[i].evicted);
	return evicted;
}

u64 seen_set_effective(struct seen_set *set)
{
	u64 kept = xchg(&set->shortest, U64_MAX);

	return kept < set->geo.window ? kept : set->geo.window;
}
