// SPDX-License-Identifier: GPL-2.0
/*
 * Sketches: d rows of w counters. A key has one counter in each row, which it shares
 * with other keys. sketch.h has their layout.
 *
 * Count-min (Cormode and Muthukrishnan, "An improved data stream summary: the count-min
 * sketch and its applications", 2005): the minimum of a key's counters. In one row
 * other keys add N/w to it on average, where N is the sum of all counts. They add more
 * than e N/w (N/capacity, as w = e * capacity) with a probability of at most 1/e
 * (Markov's inequality), and in all d rows with a probability of at most 1/e^d.
 *
 * Count-mean-min (Deng and Rafiei, "New estimation algorithms for streaming data:
 * count-min can do more", 2007): on average (N - c)/(w - 1) of a counter c comes from
 * other keys. The answer is the median of c over the rows, less this noise, but never
 * above count-min's answer. (The corrected value grows with c, so the median may be
 * taken before the correction.) The answer exceeds the true count by more than
 * N/capacity as rarely as count-min's. It is at most N/(w - 1) below the true count,
 * because no counter is below the true count. So both kinds keep the same promise.
 *
 * Conservative update (Estan and Varghese, "New directions in traffic measurement and
 * accounting", 2002): an add raises a key's counters only to their minimum plus one.
 *
 * Direction of error. Count-min: never below the number of adds that ended before the
 * lookup began and (with a window W) came at most W before the end of the lookup. A
 * plain add raises each counter of the key by one, whatever other CPUs do at the same
 * time. Count-mean-min: either direction.
 *
 * Why conservative adds of different keys need no common lock: within a generation a
 * counter never decreases. Adds of one key are serialised by the stripe that its hash
 * chooses. Suppose that i - 1 of them have ended and that each of the key's counters is
 * at least i - 1, which is true for i = 1. The i-th add reads at least i - 1 from all
 * of them, so it raises all of them to at least i. Concurrent writers can only have
 * raised the values that it read, or raise them further: the compare-and-exchange never
 * replaces a count by a lower one. Two adds of the same key at once would both raise 5
 * to 6, so they need the stripe.
 *
 * Window: a generation lasts a tick of W/2. The first add in a new generation replaces
 * a word of an expired one; readers add up the live ones. An add whose generation has
 * expired while it was under way starts again. Each generation is a sketch of its own,
 * so the minimum is taken in each.
 */
#include <linux/atomic.h>

#include "block.h"
#include "kinds.h"
#include "log.h"
#include "sketch.h"
#include "total.h"

/* Columns in a sample. */
#define SAMPLE			1024

/* Indexes of a key's counters, one in each row. */
struct place {
	u64 counter[SEEN_SKETCH_ROWS];
};

/**
 * struct view - values of a key's counters
 * @row: for each row, the sum of the live generations
 * @least: count-min's answer
 */
struct view {
	u64 row[SEEN_SKETCH_ROWS];
	u64 least;
};

u64 seen_sketch_epoch(const struct seen_set *set)
{
	return set->geo.tick ? seen_generation_epoch(set) : 0;
}

bool seen_sketch_stale(const struct seen_set *set)
{
	return set->geo.tick &&
	       seen_generation_stale(set, seen_generation_epoch(set));
}

static u64 sketch_index_of(const struct seen_set *set, u64 column, u32 row)
{
	return column * set->geo.hashes + row;
}

static void sketch_locate(const struct seen_set *set, u64 hash, struct place *place)
{
	u64 column;
	u32 row;

	for (row = 0; row < set->geo.hashes; row++) {
		column = seen_range64(seen_sketch_hash(hash, row + 1),
				      set->geo.blocks);
		place->counter[row] = sketch_index_of(set, column, row);
	}
}

static u64 *sketch_word_at(const struct seen_set *set, u64 counter, u32 slot)
{
	return (u64 *)set->table + counter * SEEN_GENERATIONS + slot;
}

/* Number of epochs that a word is behind @epoch; negative if it is ahead. */
static s32 sketch_age(u64 word, u64 epoch)
{
	return (u32)epoch - (u32)(word >> 32);
}

/* True also for a word ahead of @epoch: then the caller read the clock too early. */
static bool sketch_alive(u64 word, u64 epoch)
{
	return sketch_age(word, epoch) < SEEN_GENERATIONS;
}

/* Count in a slot of a counter; 0 if the slot's generation is not alive. */
static u32 sketch_load(const struct seen_set *set, u64 counter, u32 slot, u64 epoch)
{
	u64 word;

	if (!set->geo.tick)
		return READ_ONCE(((u32 *)set->table)[counter]);
	word = READ_ONCE(*sketch_word_at(set, counter, slot));
	return sketch_alive(word, epoch) ? (u32)word : 0;
}

/* Count of a counter in exactly @epoch. */
static u32 sketch_load_epoch(const struct seen_set *set, u64 counter, u64 epoch)
{
	u64 word;

	if (!set->geo.tick)
		return sketch_load(set, counter, 0, epoch);
	word = READ_ONCE(*sketch_word_at(set, counter, epoch % SEEN_GENERATIONS));
	return sketch_age(word, epoch) ? 0 : (u32)word;
}

static u32 sketch_add_up(u32 count, u32 more)
{
	return more < U32_MAX - count ? count + more : U32_MAX;
}

/* Add @more, then raise to at least @least. */
static u32 sketch_change(u32 count, u32 more, u32 least)
{
	count = sketch_add_up(count, more);
	return count < least ? least : count;
}

static void sketch_change_counter(u32 *counter, u32 more, u32 least)
{
	u32 old = READ_ONCE(*counter);
	u32 new;

	do {
		new = sketch_change(old, more, least);
	} while (new != old && !try_cmpxchg(counter, &old, new));
}

/* Does not change a word that is ahead: then @epoch has expired for good. */
static void sketch_change_word(u64 *word, u64 epoch, u32 more, u32 least)
{
	u64 old = READ_ONCE(*word);
	u64 new;

	do {
		if (old && sketch_age(old, epoch) < 0)
			return;
		new = epoch << 32 | sketch_change(sketch_age(old, epoch) ? 0 : (u32)old,
						  more, least);
	} while (new != old && !try_cmpxchg(word, &old, new));
}

static void sketch_store(struct seen_set *set, u64 counter, u64 epoch, u32 more,
			 u32 least)
{
	if (set->geo.tick)
		sketch_change_word(sketch_word_at(set, counter, epoch % SEEN_GENERATIONS),
				   epoch, more, least);
	else
		sketch_change_counter((u32 *)set->table + counter, more, least);
}

static void sketch_add_to(struct seen_set *set, const struct place *place, u64 epoch)
{
	u32 row;

	for (row = 0; row < set->geo.hashes; row++)
		sketch_store(set, place->counter[row], epoch, 1, 0);
}

static u64 sketch_add_plain(struct seen_set *set, const struct place *place)
{
	u64 epoch = seen_sketch_epoch(set);

	sketch_add_to(set, place, epoch);
	return epoch;
}

/*
 * Number of merges that have begun; negative if a merge is, or may be, under way. The
 * order of the two reads does not matter: at least as many merges as returned have
 * ended, and the caller checks later whether another one has begun.
 */
static s64 sketch_merges_begun(const struct seen_set *set)
{
	s64 ended = atomic64_read(&set->merges[1]);

	return atomic64_read(&set->merges[0]) == ended ? ended : -1;
}

/*
 * Caller holds the key's stripe. While another sketch is merged into this one, some of
 * the key's counters include the merged counts and some do not yet: then a raise to
 * their minimum plus one would be lost. In this case a plain add follows.
 */
static u64 sketch_add_conservative(struct seen_set *set, const struct place *place)
{
	u64 epoch = seen_sketch_epoch(set);
	s64 merges = sketch_merges_begun(set);
	u32 least = U32_MAX;
	u32 row, count;

	/*
	 * Pairs with seen_sketch_merge_end(): the counters include all merges that have
	 * ended.
	 */
	smp_rmb();
	for (row = 0; row < set->geo.hashes; row++) {
		count = sketch_load_epoch(set, place->counter[row], epoch);
		if (count < least)
			least = count;
	}
	least = sketch_add_up(least, 1);
	for (row = 0; row < set->geo.hashes; row++)
		sketch_store(set, place->counter[row], epoch, 0, least);
	/*
	 * Pairs with seen_sketch_merge_begin(): a merge that begins later sees the
	 * raise; if this add has read counts of a merge, the read below sees that this
	 * merge has begun.
	 */
	smp_mb();
	if (merges < 0 || atomic64_read(&set->merges[0]) != merges)
		sketch_add_to(set, place, epoch);
	return epoch;
}

static bool sketch_over(const struct seen_set *set, u64 epoch)
{
	return seen_sketch_epoch(set) - epoch >= SEEN_GENERATIONS;
}

static void sketch_look(const struct seen_set *set, const struct place *place,
			struct view *view)
{
	u64 epoch = seen_sketch_epoch(set);
	u32 slots = seen_sketch_generations(&set->geo);
	u32 row, slot, count, least;

	view->least = 0;
	for (row = 0; row < set->geo.hashes; row++)
		view->row[row] = 0;
	for (slot = 0; slot < slots; slot++) {
		least = U32_MAX;
		for (row = 0; row < set->geo.hashes; row++) {
			count = sketch_load(set, place->counter[row], slot, epoch);
			view->row[row] += count;
			if (count < least)
				least = count;
		}
		view->least += least;
	}
}

static u64 sketch_median(u64 *row, u32 rows)
{
	u32 i, at;
	u64 sum;

	for (i = 1; i < rows; i++) {
		sum = row[i];
		for (at = i; at && row[at - 1] > sum; at--)
			row[at] = row[at - 1];
		row[at] = sum;
	}
	return (row[(rows - 1) / 2] + row[rows / 2]) / 2;
}

static u64 sketch_mean_min(const struct seen_set *set, struct view *view)
{
	u64 total = seen_total(set, seen_sketch_epoch(set));
	u64 count = sketch_median(view->row, set->geo.hashes);
	u64 columns = set->geo.blocks - 1;
	u64 noise = 0;

	if (total > count)
		noise = (total - count + columns / 2) / columns;
	count = count > noise ? count - noise : 0;
	return count < view->least ? count : view->least;
}

static u32 sketch_answer(const struct seen_set *set, const struct place *place)
{
	struct view view;
	u64 count;

	sketch_look(set, place, &view);
	count = set->geo.kind == SEEN_SET_CMM ? sketch_mean_min(set, &view) :
						view.least;
	return count < U32_MAX ? count : U32_MAX;
}

u32 seen_sketch_count(const struct seen_set *set, u64 hash)
{
	struct place place;

	if (seen_sketch_stale(set))
		return 0;
	sketch_locate(set, hash, &place);
	return sketch_answer(set, &place);
}

/*
 * Returns at least 1 for a key that it counted, even if the noise is higher; 0 if the
 * sweep is late.
 */
u32 seen_sketch_add(struct seen_set *set, u64 hash)
{
	struct seen_stripe *stripe = seen_set_stripe(set, hash);
	struct place place;
	u64 epoch;
	u32 count;

	if (seen_sketch_stale(set))
		return 0;
	sketch_locate(set, hash, &place);
	if (set->geo.conservative) {
		seen_stripe_lock(stripe);
		do {
			epoch = sketch_add_conservative(set, &place);
		} while (sketch_over(set, epoch));
		count = sketch_answer(set, &place);
		seen_stripe_unlock(stripe);
	} else {
		do {
			epoch = sketch_add_plain(set, &place);
		} while (sketch_over(set, epoch));
		count = sketch_answer(set, &place);
	}
	seen_total_count(set, stripe, epoch);
	return count ? count : 1;
}

u32 seen_sketch_get(const struct seen_set *set, u64 column, u32 row, u64 epoch)
{
	return sketch_load_epoch(set, sketch_index_of(set, column, row), epoch);
}

void seen_sketch_put(struct seen_set *set, u64 column, u32 row, u64 epoch,
		     u32 count)
{
	sketch_store(set, sketch_index_of(set, column, row), epoch, count, 0);
}

void seen_sketch_merge_begin(struct seen_set *set)
{
	atomic64_inc(&set->merges[0]);
	/* Pairs with sketch_add_conservative(). */
	smp_mb();
}

void seen_sketch_merge_end(struct seen_set *set)
{
	/*
	 * Pairs with sketch_add_conservative(): an add that sees this end sees the
	 * merged counts.
	 */
	smp_mb();
	atomic64_inc(&set->merges[1]);
}

u32 seen_sketch_used(const struct seen_set *set, u64 column)
{
	u64 epoch = seen_sketch_epoch(set);
	u32 slots = seen_sketch_generations(&set->geo);
	u32 used = 0;
	u32 row, slot;
	u64 counter;

	for (row = 0; row < set->geo.hashes; row++) {
		counter = sketch_index_of(set, column, row);
		for (slot = 0; slot < slots; slot++)
			if (sketch_load(set, counter, slot, epoch))
				break;
		used += slot < slots;
	}
	return used;
}

u64 seen_sketch_total(const struct seen_set *set)
{
	u64 epoch = seen_sketch_epoch(set);

	return seen_total(set, epoch) + seen_total_pending(set, epoch);
}

/*
 * Linear counting (Whang, Vander-Zanden and Taylor, 1990): n keys leave a share of
 * e^(-n/w) of a row's counters empty.
 */
u64 seen_sketch_entries(const struct seen_set *set)
{
	u64 columns = set->geo.blocks;
	u64 looks = columns < SAMPLE ? columns : SAMPLE;
	u64 room = looks * set->geo.hashes;
	u64 total = seen_sketch_total(set);
	u64 empty = room;
	u64 keys, i;

	for (i = 0; i < looks; i++)
		empty -= seen_sketch_used(set, i * columns / looks);
	keys = seen_multiply_shift(columns,
				   seen_ln_ratio(room, empty ? empty : 1),
				   SEEN_LOG_SHIFT);
	if (keys > total)
		return total;
	return total && !keys ? 1 : keys;
}

/* While the sweep is late, nothing is judged: clear every word. */
void seen_sketch_sweep(struct seen_set *set, u64 column)
{
	u64 words = (u64)set->geo.hashes * SEEN_GENERATIONS;
	u64 *word = (u64 *)set->table + column * words;
	bool stale = seen_sketch_stale(set);
	u64 epoch = seen_sketch_epoch(set);
	u64 old, i;

	if (!set->geo.tick)
		return;
	for (i = 0; i < words; i++) {
		old = READ_ONCE(word[i]);
		if (old && (stale || !sketch_alive(old, epoch)))
			try_cmpxchg(&word[i], &old, 0);
	}
}
