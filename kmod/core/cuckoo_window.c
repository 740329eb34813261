// SPDX-License-Identifier: GPL-2.0
/*
 * Fingerprints with time stamps, for keys with a window.
 *
 * A bucket is a word of eight 8-bit stamps and eight fingerprints. A key has one bucket
 * in the left half of the table and one in the right half. It is stored in the emptier
 * one, on a tie in the left one, and it is never moved: this choice alone keeps the
 * buckets evenly filled (Vocking, "How Asymmetry Helps Load Balancing", 2003; figures
 * in plan.c).
 *
 * A stamp is 1 + tick % 255; 0 is an empty slot. An entry is alive while its age is at
 * most geo.ticks: for at least the window, and for at most a tick longer. Ages are
 * known modulo 255, so the sweep clears expired entries before they could look young
 * again. After a whole sweep that began in tick s, no entry is older than now - s +
 * geo.ticks. As long as this bound stays below 255 - geo.ticks, no age is wrong;
 * otherwise the sweep is late, and nothing is judged or stored (SEEN_STALE). The last
 * geo.ticks values are left for a stamp that is ahead of its reader's clock; such a
 * stamp counts as age 0.
 *
 * An empty table needs no sweep. A sweep that finds no live entry lets the set doze.
 * The next such sweep lets it sleep, unless a key was stored in between: a writer that
 * stores a key wakes the set, with the key's stripe held. After the first of these
 * sweeps each stripe is locked once. So the second sweep finds every key whose store
 * began before that lock, and every later store wakes the set.
 *
 * Readers read both buckets and the clock while no writer changes the buckets, so their
 * answer is correct for one moment.
 *
 * Direction of error: a new key is reported as seen, with a probability of 16 * load /
 * 2^fp_bits. If both buckets of a new key are full: with geo.evict the oldest entry is
 * evicted early, which is counted and shows in the effective window; without it the new
 * key is refused.
 */
#include <linux/build_bug.h>
#include <linux/log2.h>
#include "age.h"
#include "clock.h"
#include "cuckoo_window.h"
#include "kinds.h"
#include "slots.h"

/* The bucket of a slot of @place; stamp_slot_of() is the slot's index in this bucket. */
static u64 *stamp_bucket_of(const struct seen_place *place, u32 slot)
{
	return place->bucket[slot / SEEN_CUCKOO_WINDOW_SLOTS];
}

static u32 stamp_slot_of(u32 slot)
{
	return slot % SEEN_CUCKOO_WINDOW_SLOTS;
}

/* 2^8 = 1 modulo 255, so a number and the sum of its 16-bit parts have the same remainder. */
static u32 stamp_of(u64 tick)
{
	u64 sum = (tick >> 32) + (u32)tick;

	sum = (sum >> 16) + (sum & 0xffff);
	return 1 + (u32)sum % SEEN_STAMPS;
}

static struct seen_time stamp_time_at(const struct seen_set *set, u64 clock)
{
	u64 tick = clock / set->geo.tick;

	return (struct seen_time) { .tick = tick, .stamp = stamp_of(tick) };
}

struct seen_time seen_cuckoo_window_time(const struct seen_set *set)
{
	return stamp_time_at(set, seen_now());
}

/* Ticks since the last whole sweep began. */
static u64 stamp_unswept(const struct seen_set *set, const struct seen_time *now)
{
	u64 swept = READ_ONCE(set->swept);

	return now->tick > swept ? now->tick - swept : 0;
}

static bool stamp_is_late(const struct seen_set *set, const struct seen_time *now)
{
	return stamp_unswept(set, now) >= SEEN_STAMPS - 2 * set->geo.ticks;
}

bool seen_cuckoo_window_stale(const struct seen_set *set, const struct seen_time *now)
{
	u32 rest;

	if (!stamp_is_late(set, now))
		return false;
	/* Pairs with stamp_wake(): if the set was woken, @swept is new, so check again. */
	rest = smp_load_acquire(&set->rest);
	return rest != SEEN_REST_ASLEEP && stamp_is_late(set, now);
}

/* Caller holds a key's stripe. */
static void stamp_wake(struct seen_set *set)
{
	u32 rest = READ_ONCE(set->rest);

	while (rest == SEEN_REST_DOZING)
		if (try_cmpxchg(&set->rest, &rest, SEEN_REST_AWAKE))
			return;
	if (rest != SEEN_REST_ASLEEP)
		return;
	WRITE_ONCE(set->swept, seen_now() / set->geo.tick);
	/* Orders @swept before @rest; pairs with seen_cuckoo_window_stale(). */
	try_cmpxchg(&set->rest, &rest, SEEN_REST_WOKEN);
}

static u32 stamp_age_of(const struct seen_geometry *geo, u32 stamp,
			const struct seen_time *now)
{
	u32 age;

	if (!stamp)
		return U32_MAX;
	age = now->stamp - stamp + (now->stamp < stamp ? SEEN_STAMPS : 0);
	return age < SEEN_STAMPS - geo->ticks ? age : 0;
}

u32 seen_cuckoo_window_age(const struct seen_set *set, const struct seen_place *place,
			   u32 slot, const struct seen_time *now)
{
	u64 stamps = READ_ONCE(*stamp_bucket_of(place, slot));

	return stamp_age_of(&set->geo, seen_stamp_get(stamps, stamp_slot_of(slot)), now);
}

u32 seen_cuckoo_window_fp(const struct seen_set *set, const struct seen_place *place,
			  u32 slot)
{
	return seen_slots_fp(stamp_bucket_of(place, slot), set->geo.fp_bits,
			     stamp_slot_of(slot));
}

/*
 * Load the stamps before the search for the fingerprint: they may lie in another cache
 * line, and then the two misses overlap.
 */
static __always_inline struct seen_entry stamp_find(const struct seen_set *set,
						    const struct seen_place *place,
						    u32 bits, u32 fp,
						    const struct seen_time *now)
{
	struct seen_entry entry = { SEEN_SLOT_NONE, U32_MAX };
	const u64 stamps[] = { READ_ONCE(*place->bucket[0]),
			       READ_ONCE(*place->bucket[1]) };
	u32 map, slot, age;

	map = seen_slots_match(place->bucket[0], bits, fp);
	if (place->slots > SEEN_CUCKOO_WINDOW_SLOTS)
		map |= seen_slots_match(place->bucket[1], bits, fp) <<
		       SEEN_CUCKOO_WINDOW_SLOTS;

	for (; map; map &= map - 1) {
		slot = ilog2(map & -map);
		age = stamp_age_of(&set->geo,
				   seen_stamp_get(stamps[slot / SEEN_CUCKOO_WINDOW_SLOTS],
						  stamp_slot_of(slot)), now);
		if (age <= set->geo.ticks && age < entry.age)
			entry = (struct seen_entry) { slot, age };
	}
	return entry;
}

/* One case for each width, so that the compiler knows it. */
struct seen_entry seen_cuckoo_window_find(const struct seen_set *set,
					  const struct seen_place *place, u32 fp,
					  const struct seen_time *now)
{
	switch (set->geo.fp_bits) {
	case 8:
		return stamp_find(set, place, 8, fp, now);
	case 12:
	case 16:
		return stamp_find(set, place, 16, fp, now);
	case 24:
		return stamp_find(set, place, 24, fp, now);
	default:
		return stamp_find(set, place, 32, fp, now);
	}
}

/* Live stamps, and stamps ahead of the clock, are fewer than all stamps. */
static_assert(2 * SEEN_CUCKOO_WINDOW_TICKS + 1 < SEEN_STAMPS);

/*
 * The highest bit of each live stamp of a bucket. The values of live stamps are one
 * range, from geo.ticks before @now to geo.ticks after it. If the range wraps past the
 * largest stamp, it contains 0, the stamp of an empty slot, which is then left out.
 */
static u64 stamp_alive(const struct seen_geometry *geo, u64 stamps,
		       const struct seen_time *now)
{
	u32 first = now->stamp - geo->ticks;
	u32 span = 2 * geo->ticks;

	if (now->stamp <= geo->ticks) {
		first += SEEN_STAMPS;
		span++;
	} else if (now->stamp + geo->ticks > SEEN_STAMPS) {
		span++;
	}
	return seen_bytes_up_to(seen_bytes_less(stamps, first), span) &
	       ~seen_lanes_equal(stamps, 8, 0);
}

/* The highest bit of each stamp of a bucket whose slot a new entry may use. */
static u64 stamp_vacant(const struct seen_set *set, const struct seen_place *place,
			u32 first, u32 taken, const struct seen_time *now)
{
	u64 stamps = READ_ONCE(*stamp_bucket_of(place, first));
	u64 map = ~stamp_alive(&set->geo, stamps, now) & seen_lanes_ones(8) << 7;

	return taken - first < SEEN_CUCKOO_WINDOW_SLOTS ?
	       seen_stamp_put(map, stamp_slot_of(taken), 0) : map;
}

static u32 stamp_oldest(const struct seen_set *set, const struct seen_place *place,
			u32 taken, const struct seen_time *now)
{
	struct seen_entry entry = { SEEN_SLOT_NONE, 0 };
	u32 slot, age;

	for (slot = 0; slot < place->slots; slot++) {
		age = seen_cuckoo_window_age(set, place, slot, now);
		if (slot != taken &&
		    (entry.slot == SEEN_SLOT_NONE || age > entry.age))
			entry = (struct seen_entry) { slot, age };
	}
	return entry.slot;
}

u32 seen_cuckoo_window_pick(const struct seen_set *set,
			    const struct seen_place *place, u32 taken,
			    const struct seen_time *now)
{
	u64 left = stamp_vacant(set, place, 0, taken, now);
	u64 right = place->slots > SEEN_CUCKOO_WINDOW_SLOTS ?
		    stamp_vacant(set, place, SEEN_CUCKOO_WINDOW_SLOTS, taken, now) : 0;

	if (left && seen_bytes_count(left) >= seen_bytes_count(right))
		return ilog2(left) / 8;
	if (right)
		return SEEN_CUCKOO_WINDOW_SLOTS + ilog2(right) / 8;
	return READ_ONCE(set->geo.evict) ? stamp_oldest(set, place, taken, now) :
					   SEEN_SLOT_NONE;
}

/*
 * Count the eviction of a live entry. Its key was stored at the end of its tick at the
 * latest, so it was kept for at least its age minus a tick.
 */
static void stamp_evict(struct seen_set *set, struct seen_stripe *stripe, u32 age)
{
	u64 kept = age ? (age - 1) * set->geo.tick : 0;
	u64 shortest = READ_ONCE(set->shortest);

	WRITE_ONCE(stripe->evicted, stripe->evicted + 1);
	while (kept < shortest &&
	       !try_cmpxchg(&set->shortest, &shortest, kept))
		;
}

void seen_cuckoo_window_stamp(const struct seen_place *place, u32 slot, u32 stamp)
{
	u64 *stamps = stamp_bucket_of(place, slot);

	WRITE_ONCE(*stamps, seen_stamp_put(READ_ONCE(*stamps), stamp_slot_of(slot),
					   stamp));
}

void seen_cuckoo_window_put(struct seen_set *set, const struct seen_place *place,
			    u32 slot, u32 fp, u32 stamp, const struct seen_time *now)
{
	u32 age = seen_cuckoo_window_age(set, place, slot, now);

	if (unlikely(READ_ONCE(set->rest) >= SEEN_REST_DOZING))
		stamp_wake(set);
	if (age <= set->geo.ticks)
		stamp_evict(set, place->pair.a, age);
	seen_slots_set_fp(stamp_bucket_of(place, slot), set->geo.fp_bits,
			  stamp_slot_of(slot), fp);
	seen_cuckoo_window_stamp(place, slot, stamp);
}

void seen_cuckoo_window_store(struct seen_set *set, const struct seen_place *place,
			      u32 slot, u32 fp, const struct seen_time *now)
{
	seen_cuckoo_window_put(set, place, slot, fp, now->stamp, now);
}

/* The entry that a reader found, and the clock and sequence counts at that moment. */
struct sight {
	struct seen_time now;
	struct seen_entry entry;
	u64 clock;
	struct seen_pair_seq seq;
};

static void stamp_look_now(const struct seen_set *set, const struct seen_place *place,
			   struct sight *sight)
{
	sight->clock = seen_now();
	sight->now = stamp_time_at(set, sight->clock);
	sight->entry = seen_cuckoo_window_find(set, place, place->fp, &sight->now);
}

static void stamp_look(const struct seen_set *set, const struct seen_place *place,
		       struct sight *sight)
{
	int tries;

	for (tries = 0; tries < SEEN_PAIR_TRIES; tries++) {
		sight->seq = seen_pair_look(&place->pair);
		stamp_look_now(set, place, sight);
		if (seen_pair_calm(&place->pair, sight->seq))
			return;
	}

	seen_pair_lock(&place->pair);
	stamp_look_now(set, place, sight);
	seen_pair_unlock(&place->pair);
	/* An odd count makes stamp_add() look again. */
	sight->seq.a = 1;
}

/*
 * The clock is divided into halves of a window, as the generations of a Bloom filter are. The
 * first renewal in each half is reported, so a key that is reported never lags behind its
 * last sighting by half a window, however often it is seen. An age is compared with the
 * half's age, because a stamp that is older than the clock has no tick.
 */
bool seen_cuckoo_window_renews(const struct seen_set *set, u32 age,
			       const struct seen_time *now)
{
	u32 half = set->geo.ticks / 2 ?: 1;

	return READ_ONCE(set->reports) && age > now->tick % half;
}

static enum seen_result stamp_answer(const struct seen_set *set,
				     const struct sight *sight)
{
	if (seen_cuckoo_window_stale(set, &sight->now))
		return SEEN_STALE;
	return seen_entry_alive(sight->entry) ? SEEN_SEEN : SEEN_NEW;
}

enum seen_result seen_cuckoo_window_test(struct seen_set *set, u64 hash)
{
	const struct seen_place place = seen_cuckoo_window_place(set, hash);
	struct sight sight;

	stamp_look(set, &place, &sight);
	return stamp_answer(set, &sight);
}

/*
 * Caller holds the pair. If no writer came since the caller looked, and the clock still
 * reads the same, @sight is still valid. An entry that was stamped in this tick is not
 * written.
 */
static enum seen_result stamp_add(struct seen_set *set,
				  const struct seen_place *place,
				  struct sight *sight, bool restart)
{
	enum seen_result result;
	u32 slot;

	if (seen_now() != sight->clock ||
	    !seen_pair_calm(&place->pair, sight->seq))
		stamp_look_now(set, place, sight);
	result = stamp_answer(set, sight);
	if (result == SEEN_SEEN && restart && sight->entry.age) {
		seen_pair_write_begin(&place->pair);
		seen_cuckoo_window_stamp(place, sight->entry.slot, sight->now.stamp);
		seen_pair_write_end(&place->pair);
		return seen_cuckoo_window_renews(set, sight->entry.age, &sight->now) ?
		       SEEN_RENEWED : SEEN_SEEN;
	}
	if (result != SEEN_NEW)
		return result;

	slot = seen_cuckoo_window_pick(set, place, SEEN_SLOT_NONE, &sight->now);
	if (slot == SEEN_SLOT_NONE)
		return SEEN_FULL;
	seen_pair_write_begin(&place->pair);
	seen_cuckoo_window_store(set, place, slot, place->fp, &sight->now);
	seen_pair_write_end(&place->pair);
	return SEEN_NEW;
}

enum seen_result seen_cuckoo_window_add(struct seen_set *set, u64 hash, bool restart)
{
	const struct seen_place place = seen_cuckoo_window_place(set, hash);
	enum seen_result result;
	struct sight sight;

	stamp_look(set, &place, &sight);
	result = stamp_answer(set, &sight);
	if (result == SEEN_STALE ||
	    (result == SEEN_SEEN && !(restart && sight.entry.age)))
		return result;

	seen_pair_lock(&place.pair);
	result = stamp_add(set, &place, &sight, restart);
	seen_pair_unlock(&place.pair);
	return result;
}

/* The stamp of the tick that is @age ticks before @now, at most geo.ticks. */
static u32 stamp_before(const struct seen_time *now, u32 age)
{
	return now->stamp > age ? now->stamp - age : now->stamp + SEEN_STAMPS - age;
}

/*
 * Caller holds the pair. @tick: seen_age_tick() of the sighting. An entry is stamped only
 * if it gets younger. A live entry that is younger than the key is not evicted for it.
 */
static enum seen_result stamp_add_aged(struct seen_set *set,
				       const struct seen_place *place, u64 tick)
{
	enum seen_result result;
	struct sight sight;
	u32 slot;
	u64 age;

	stamp_look_now(set, place, &sight);
	age = sight.now.tick - tick;
	result = stamp_answer(set, &sight);
	if (result == SEEN_STALE)
		return SEEN_STALE;
	if (age > set->geo.ticks)
		return SEEN_EXPIRED;
	slot = sight.entry.slot;
	if (result == SEEN_SEEN && sight.entry.age <= age)
		return SEEN_SEEN;
	if (result == SEEN_NEW)
		slot = seen_cuckoo_window_pick(set, place, SEEN_SLOT_NONE, &sight.now);
	if (result == SEEN_NEW &&
	    (slot == SEEN_SLOT_NONE ||
	     seen_cuckoo_window_age(set, place, slot, &sight.now) < age))
		return SEEN_FULL;

	seen_pair_write_begin(&place->pair);
	if (result == SEEN_SEEN)
		seen_cuckoo_window_stamp(place, slot, stamp_before(&sight.now, age));
	else
		seen_cuckoo_window_put(set, place, slot, place->fp,
				       stamp_before(&sight.now, age), &sight.now);
	seen_pair_write_end(&place->pair);
	return result;
}

enum seen_result seen_cuckoo_window_add_aged(struct seen_set *set, u64 hash, u64 age)
{
	const struct seen_place place = seen_cuckoo_window_place(set, hash);
	u64 tick = seen_age_tick(&set->geo, age, seen_now());
	enum seen_result result;

	seen_pair_lock(&place.pair);
	result = stamp_add_aged(set, &place, tick);
	seen_pair_unlock(&place.pair);
	return result;
}

/* Caller holds the pair, and has deleted the key's entry. A key is stored once. */
static bool stamp_has_twin(const struct seen_set *set, const struct seen_place *place,
			   const struct seen_time *now)
{
	return READ_ONCE(set->reports) &&
	       seen_entry_alive(seen_cuckoo_window_find(set, place, place->fp, now));
}

enum seen_result seen_cuckoo_window_del(struct seen_set *set, u64 hash)
{
	const struct seen_place place = seen_cuckoo_window_place(set, hash);
	enum seen_result result;
	struct sight sight;

	seen_pair_lock(&place.pair);
	stamp_look_now(set, &place, &sight);
	result = stamp_answer(set, &sight);
	if (result == SEEN_SEEN) {
		seen_pair_write_begin(&place.pair);
		seen_cuckoo_window_stamp(&place, sight.entry.slot, 0);
		seen_pair_write_end(&place.pair);
		if (stamp_has_twin(set, &place, &sight.now))
			result = SEEN_TWIN;
	}
	seen_pair_unlock(&place.pair);
	return result == SEEN_NEW ? SEEN_ABSENT : result;
}

u32 seen_cuckoo_window_used(const struct seen_set *set, u64 bucket)
{
	const struct seen_time now = seen_cuckoo_window_time(set);
	u64 stamps = READ_ONCE(*seen_cuckoo_window_bucket(set, bucket));

	return seen_bytes_count(stamp_alive(&set->geo, stamps, &now));
}

/*
 * The stamps that a sweep leaves in a bucket. A sweep that is late cannot distinguish
 * young stamps from very old ones and clears all of them.
 */
static u64 stamp_sweep(const struct seen_set *set, u64 stamps,
		       const struct seen_time *now)
{
	if (seen_cuckoo_window_stale(set, now))
		return 0;
	return stamps & (stamp_alive(&set->geo, stamps, now) >> 7) * 0xff;
}

void seen_cuckoo_window_sweep(struct seen_set *set, u64 bucket)
{
	struct seen_stripe *stripe = seen_set_stripe(set, bucket);
	u64 *at = seen_cuckoo_window_bucket(set, bucket);
	u64 stamps = READ_ONCE(*at), kept;
	struct seen_time now;

	/*
	 * Most buckets need no lock and no clearing; a stamp that is stored from here
	 * on is young.
	 */
	if (!stamps)
		return;
	now = seen_cuckoo_window_time(set);
	kept = stamp_sweep(set, stamps, &now);
	set->left |= kept;
	if (kept == stamps)
		return;
	seen_stripe_lock(stripe);
	now = seen_cuckoo_window_time(set);
	stamps = READ_ONCE(*at);
	kept = stamp_sweep(set, stamps, &now);
	set->left |= kept;
	if (kept != stamps) {
		raw_write_seqcount_begin(&stripe->seq);
		WRITE_ONCE(*at, kept);
		raw_write_seqcount_end(&stripe->seq);
	}
	seen_stripe_unlock(stripe);
}

/*
 * Wait for each writer that holds a stripe now. A later writer sees what the caller wrote
 * before.
 */
static void stamp_pass_stripes(struct seen_set *set)
{
	u32 i;

	for (i = 0; i <= set->stripe_mask; i++) {
		seen_stripe_lock(&set->stripes[i]);
		seen_stripe_unlock(&set->stripes[i]);
	}
}

void seen_cuckoo_window_swept(struct seen_set *set)
{
	u32 rest = READ_ONCE(set->rest);

	if (rest == SEEN_REST_DOZING)
		try_cmpxchg(&set->rest, &rest, set->left ? SEEN_REST_AWAKE :
							   SEEN_REST_ASLEEP);
	else if (rest != SEEN_REST_ASLEEP && !set->left &&
		 try_cmpxchg(&set->rest, &rest, SEEN_REST_DOZING))
		stamp_pass_stripes(set);
}
