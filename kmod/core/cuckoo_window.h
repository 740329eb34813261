/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of SEEN_SET_CUCKOO_WINDOW that other files use: a key's place, its entries, the
 * time.
 */
#ifndef SEEN_CORE_CUCKOO_WINDOW_H
#define SEEN_CORE_CUCKOO_WINDOW_H

#include "block.h"
#include "pair.h"
#include "slots.h"

/* A stamp is 1 + tick % SEEN_STAMPS; 0 is an empty slot. */
#define SEEN_STAMPS		255
/* No slot. */
#define SEEN_SLOT_NONE		U32_MAX

/**
 * struct seen_place - the places where a key may lie
 * @bucket: its two buckets: slots 0 to 7 and slots 8 to 15
 * @slots: number of slots in both: 8 in a table of one bucket, else 16
 * @fp: fingerprint; may be 0, because the stamp marks an empty slot
 * @pair: stripes of both buckets
 */
struct seen_place {
	u64 *bucket[2];
	u32 slots;
	u32 fp;
	struct seen_pair pair;
};

/**
 * struct seen_time - one reading of the clock
 * @tick: ticks since the clock's zero
 * @stamp: stamp of entries that are stored in this tick
 */
struct seen_time {
	u64 tick;
	u32 stamp;
};

/**
 * struct seen_entry - result of a search for a fingerprint
 * @slot: its slot; SEEN_SLOT_NONE if no live entry has this fingerprint
 * @age: in ticks; U32_MAX if no live entry has this fingerprint
 */
struct seen_entry {
	u32 slot;
	u32 age;
};

static inline bool seen_entry_alive(struct seen_entry entry)
{
	return entry.slot != SEEN_SLOT_NONE;
}

static __always_inline u64 *seen_cuckoo_window_bucket(const struct seen_set *set,
						      u64 bucket)
{
	return (u64 *)set->table + bucket * seen_slots_words(set->geo.fp_bits);
}

/* Inlined, so that a key's place can stay in registers. */
static __always_inline struct seen_place
seen_cuckoo_window_place(const struct seen_set *set, u64 hash)
{
	u64 mixed = seen_remix(hash);
	u64 left = set->geo.blocks / 2;
	u64 right = set->geo.blocks - left;
	u64 i = seen_range(hash, left);
	u64 j = left + seen_range(mixed, right);
	struct seen_place place = {
		.fp = mixed & (U32_MAX >> (32 - set->geo.fp_bits)),
	};

	if (!left)	/* a table of one bucket: use it twice */
		i = j;
	place.slots = i == j ? SEEN_CUCKOO_WINDOW_SLOTS : 2 * SEEN_CUCKOO_WINDOW_SLOTS;
	place.bucket[0] = seen_cuckoo_window_bucket(set, i);
	place.bucket[1] = seen_cuckoo_window_bucket(set, j);
	place.pair.a = seen_set_stripe(set, i);
	place.pair.b = seen_set_stripe(set, j);
	return place;
}

struct seen_time seen_cuckoo_window_time(const struct seen_set *set);

/* seen_cuckoo_window_stale() - is the sweep so late that ages may be wrong? */
bool seen_cuckoo_window_stale(const struct seen_set *set, const struct seen_time *now);

/**
 * seen_cuckoo_window_age() - age of the entry in a slot
 * @set: the set
 * @place: place of the key
 * @slot: slot of @place
 * @now: current time
 *
 * Return: ticks; above geo.ticks if the slot is empty or the entry has expired.
 */
u32 seen_cuckoo_window_age(const struct seen_set *set, const struct seen_place *place,
			   u32 slot, const struct seen_time *now);

u32 seen_cuckoo_window_fp(const struct seen_set *set, const struct seen_place *place,
			  u32 slot);

/* seen_cuckoo_window_find() - the youngest live entry with @fp */
struct seen_entry seen_cuckoo_window_find(const struct seen_set *set,
					  const struct seen_place *place, u32 fp,
					  const struct seen_time *now);

/**
 * seen_cuckoo_window_pick() - choose the slot for a new entry
 * @set: the set
 * @place: place of the key
 * @taken: a slot that must not be chosen, or SEEN_SLOT_NONE
 * @now: current time
 *
 * Return: a free or expired slot in the emptier bucket. If both buckets are full: with
 * geo.evict the slot of the oldest entry, otherwise SEEN_SLOT_NONE.
 */
u32 seen_cuckoo_window_pick(const struct seen_set *set,
			    const struct seen_place *place, u32 taken,
			    const struct seen_time *now);

/**
 * seen_cuckoo_window_store() - store a fingerprint with the current stamp
 * @set: the set
 * @place: place of the key; caller is in a write section of its pair
 * @slot: from seen_cuckoo_window_pick()
 * @fp: the fingerprint
 * @now: current time
 *
 * If this overwrites a live entry, the entry counts as evicted.
 */
void seen_cuckoo_window_store(struct seen_set *set, const struct seen_place *place,
			      u32 slot, u32 fp, const struct seen_time *now);

/* seen_cuckoo_window_put() - as seen_cuckoo_window_store(), with stamp @stamp */
void seen_cuckoo_window_put(struct seen_set *set, const struct seen_place *place,
			    u32 slot, u32 fp, u32 stamp, const struct seen_time *now);

/**
 * seen_cuckoo_window_renews() - does a new stamp for an entry have to be reported?
 * @set: the set
 * @age: age of the entry in ticks before it was stamped, at most geo.ticks
 * @now: the time of the new stamp
 *
 * Return: true if the set @reports, and the entry was stamped before this half of a window.
 */
bool seen_cuckoo_window_renews(const struct seen_set *set, u32 age,
			       const struct seen_time *now);

/* seen_cuckoo_window_stamp() - set a slot's stamp; caller is in a write section of the pair */
void seen_cuckoo_window_stamp(const struct seen_place *place, u32 slot, u32 stamp);

#endif
