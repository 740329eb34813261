// SPDX-License-Identifier: GPL-2.0
/*
 * The heaviest keys of a sketch; see top.h. The first cache lines of a bucket hold what
 * every add reads; the keys follow and are read only to store or list.
 *
 * Counts here may lag behind the sketch by a sixteenth, so that a heavy key does not
 * take the lock each time it arrives. With a window they would keep the counts of
 * expired keys. So the first key that comes to a bucket in a tick updates all counts of
 * the bucket from the sketch.
 */
#include "block.h"
#include "kinds.h"
#include "sketch.h"
#include "top.h"

#define SLOTS		8
/* A count is written again when it has grown by more than 1/LAG. */
#define LAG		16

/**
 * struct bucket - some heavy keys
 * @hash: hash of each key
 * @count: count of each key, at least 1; 0: the slot is free
 * @epoch: epoch in which the counts were read
 * @len: length of each key in bytes
 * @key: bytes of each key
 *
 * Written under the stripe of the bucket's index.
 */
struct bucket {
	u64 hash[SLOTS];
	u32 count[SLOTS];
	u64 epoch;
	u16 len[SLOTS];
	u8 key[SLOTS][SEEN_ITEM_KEY_MAX];
} __aligned(64);

u64 seen_top_bytes(const struct seen_geometry *geo)
{
	return geo->top * sizeof(struct bucket);
}

static u64 top_index_of(const struct seen_set *set, u64 hash)
{
	/* A hash that no row of the sketch uses. */
	return seen_range64(seen_sketch_hash(hash, SEEN_SKETCH_ROWS + 1),
			    set->geo.top);
}

static struct bucket *top_bucket_at(const struct seen_set *set, u64 i)
{
	return (struct bucket *)set->top + i;
}

/* The slot of a key; SLOTS if it is not in the bucket. */
static u32 top_find(const struct bucket *b, u64 hash)
{
	u32 i;

	for (i = 0; i < SLOTS; i++)
		if (READ_ONCE(b->hash[i]) == hash && READ_ONCE(b->count[i]))
			break;
	return i;
}

static u32 top_lightest(const struct bucket *b)
{
	u32 best = 0;
	u32 i;

	for (i = 1; i < SLOTS; i++)
		if (READ_ONCE(b->count[i]) < READ_ONCE(b->count[best]))
			best = i;
	return best;
}

/* Would this count change the bucket? Only a guess if the stripe is not held. */
static bool top_matters(const struct bucket *b, u64 hash, u32 count)
{
	u32 slot = top_find(b, hash);
	u32 old;

	if (slot == SLOTS)
		return count > READ_ONCE(b->count[top_lightest(b)]);
	old = READ_ONCE(b->count[slot]);
	return count > old && count - old > old / LAG;
}

/* Caller holds the stripe. */
static void top_recount(const struct seen_set *set, struct bucket *b)
{
	u64 epoch = seen_sketch_epoch(set);
	u32 i;

	if (b->epoch == epoch)
		return;
	for (i = 0; i < SLOTS; i++)
		if (b->count[i])
			WRITE_ONCE(b->count[i],
				   seen_sketch_count(set, b->hash[i]));
	WRITE_ONCE(b->epoch, epoch);
}

/* Caller holds the stripe. */
static void top_store(struct bucket *b, const struct seen_item *item, u32 count)
{
	u32 slot = top_find(b, item->hash);
	u32 i;

	if (slot == SLOTS) {
		slot = top_lightest(b);
		WRITE_ONCE(b->hash[slot], item->hash);
		b->len[slot] = item->len;
		for (i = 0; i < SEEN_ITEM_KEY_MAX; i++)
			b->key[slot][i] = item->key[i];
	}
	WRITE_ONCE(b->count[slot], count);
}

void seen_top_note(struct seen_set *set, const struct seen_item *item,
		   u32 count)
{
	u64 i = top_index_of(set, item->hash);
	struct seen_stripe *stripe = seen_set_stripe(set, i);
	struct bucket *b = top_bucket_at(set, i);

	if (READ_ONCE(b->epoch) == seen_sketch_epoch(set) &&
	    !top_matters(b, item->hash, count))
		return;

	seen_stripe_lock(stripe);
	top_recount(set, b);
	if (top_matters(b, item->hash, count))
		top_store(b, item, count);
	seen_stripe_unlock(stripe);
}

/* Copy the key in a slot under its stripe; false if the slot is free. */
static bool top_take(const struct seen_set *set, u64 i, u32 slot,
		     struct seen_item *item)
{
	struct seen_stripe *stripe = seen_set_stripe(set, i);
	const struct bucket *b = top_bucket_at(set, i);
	bool found;
	u32 j;

	seen_stripe_lock(stripe);
	found = b->count[slot];
	item->hash = b->hash[slot];
	item->len = b->len[slot];
	for (j = 0; j < SEEN_ITEM_KEY_MAX; j++)
		item->key[j] = b->key[slot][j];
	seen_stripe_unlock(stripe);
	return found;
}

/* By count; keys with equal counts by hash, so that the order is always the same. */
static bool top_heavier(const struct seen_top_entry *a,
			const struct seen_top_entry *b)
{
	return a->count != b->count ? a->count > b->count
				    : a->item.hash > b->item.hash;
}

/* A heap with the lightest entry first: let @entry sink from @at. */
static void top_sink(struct seen_top_entry *heap, u32 size, u32 at,
		     const struct seen_top_entry *entry)
{
	u32 child;

	for (; (child = 2 * at + 1) < size; at = child) {
		if (child + 1 < size && top_heavier(&heap[child], &heap[child + 1]))
			child++;
		if (!top_heavier(entry, &heap[child]))
			break;
		heap[at] = heap[child];
	}
	heap[at] = *entry;
}

static void top_rise(struct seen_top_entry *heap, u32 at,
		     const struct seen_top_entry *entry)
{
	u32 parent;

	for (; at; at = parent) {
		parent = (at - 1) / 2;
		if (!top_heavier(&heap[parent], entry))
			break;
		heap[at] = heap[parent];
	}
	heap[at] = *entry;
}

static u32 top_offer(struct seen_top_entry *list, u32 count, u32 max,
		     const struct seen_top_entry *entry)
{
	if (count < max)
		top_rise(list, count++, entry);
	else if (max && top_heavier(entry, &list[0]))
		top_sink(list, max, 0, entry);
	return count;
}

/* Heapsort: moves the lightest entry to the end, again and again. */
static void top_sort(struct seen_top_entry *list, u32 count)
{
	struct seen_top_entry last;

	while (count > 1) {
		last = list[--count];
		list[count] = list[0];
		top_sink(list, count, 0, &last);
	}
}

u32 seen_top_list(struct seen_set *set, struct seen_top_entry *list, u32 max)
{
	struct seen_top_entry entry;
	u32 count = 0;
	u32 i, slot;

	for (i = 0; i < set->geo.top; i++)
		for (slot = 0; slot < SLOTS; slot++) {
			if (!top_take(set, i, slot, &entry.item))
				continue;
			entry.count = seen_sketch_count(set, entry.item.hash);
			if (entry.count)
				count = top_offer(list, count, max, &entry);
		}
	top_sort(list, count);
	return count;
}
