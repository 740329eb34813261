// SPDX-License-Identifier: GPL-2.0
/*
 * Blocked Bloom filter with a window. A line holds three generations of five 32-bit
 * lanes each, and the epoch of the newest generation. A generation lasts a tick of W/2,
 * where W is the window, so a key is seen for at least W and at most W plus a tick. The
 * i-th bit of a key lies in lane i % 5, at the same position in each generation; a
 * lookup compares all three generations at once.
 *
 * Four generations of 128 bits, with ticks of W/3, would need more room for the same
 * rate if all keys arrive in one tick: 43.5 bits per key against 34.6 at 1 %, 59.5
 * against 47.7 at 0.3 %, 76 against 59 at 0.1 %.
 *
 * Epochs: the generation of epoch x lies in slot x % 3. The next writer that stores
 * into a line first brings the line up to date, under its stripe, by the clock at that
 * moment: it clears the lanes of expired epochs, then publishes the new epoch, then
 * sets bits. The epoch of a line never decreases: if it is ahead of a caller's clock,
 * the caller read the clock too early. A reader judges the lanes by its own clock and
 * never clears them. It looks again if the epoch has changed meanwhile, because the
 * lanes that it read may belong to another generation.
 *
 * A line stores the low 32 bits of its epoch, a count (keycount.h) only 28. The sweep
 * keeps both younger than half of the smaller range; if the sweep is late, nothing is
 * judged or stored.
 *
 * Direction of error: a new key is reported as seen, at the planned rate.
 */
#include "age.h"
#include "block.h"
#include "clock.h"
#include "fetch.h"
#include "keycount.h"
#include "kinds.h"
#include "unit.h"

#define LANES		5
#define LANE_BITS_LOG	5
#define LANE_BITS	32
#define BITS_MAX	12
#define TRIES		4
/* One bit for each generation. */
#define ALL		(U32_MAX >> (32 - SEEN_GENERATIONS))
/* If the last sweep began this many epochs ago, the epoch of a count is ambiguous. */
#define LATE		(1U << (SEEN_EPOCH_BITS - 1))

struct line {
	u32 epoch;
	u32 lane[SEEN_GENERATIONS * LANES];
};

/* A key's line with its stripe, and the key's bits in the lanes of each generation. */
struct place {
	struct line *line;
	struct seen_stripe *stripe;
	u32 mask[LANES];
};

/**
 * struct view - a line at one moment
 * @now: current epoch; never below @epoch
 * @epoch: epoch of the line's newest generation
 * @found: bit i: generation @epoch - i is alive and holds the key
 */
struct view {
	u64 now;
	u64 epoch;
	u32 found;
};

static struct line *window_line_at(const struct seen_set *set, u64 line)
{
	return (struct line *)set->table + line;
}

/*
 * Bit number @turn of the key, which lies in lane @turn % LANES; 0 if the key has fewer
 * bits.
 */
static __always_inline u32 window_lane_bit(u64 mix, u32 hashes, u32 turn)
{
	u32 there = hashes > turn;

	return there << (mix >> LANE_BITS_LOG * turn) % LANE_BITS;
}

static __always_inline u32 window_lane_mask(u64 mix, u32 hashes, u32 lane)
{
	u32 mask = window_lane_bit(mix, hashes, lane) |
		   window_lane_bit(mix, hashes, lane + LANES);

	/* A hash has enough bits for twelve positions only. */
	if (lane < BITS_MAX - 2 * LANES)
		mask |= window_lane_bit(mix, hashes, lane + 2 * LANES);
	return mask;
}

static __always_inline struct place window_locate(const struct seen_set *set, u64 hash)
{
	u64 line = seen_set_block(set, hash);
	u32 hashes = set->geo.hashes;
	u64 mix = seen_remix(hash);

	seen_fetch(window_line_at(set, line));
	return (struct place) {
		.line = window_line_at(set, line),
		.stripe = seen_set_stripe(set, line),
		.mask = {
			window_lane_mask(mix, hashes, 0),
			window_lane_mask(mix, hashes, 1),
			window_lane_mask(mix, hashes, 2),
			window_lane_mask(mix, hashes, 3),
			window_lane_mask(mix, hashes, 4),
		},
	};
}

/*
 * The first epoch of a set is 3, so that zeroed lines, with epoch 0, have expired.
 * Epochs have 64 bits, so they do not wrap while the clock runs.
 */
u64 seen_generation_epoch(const struct seen_set *set)
{
	return seen_now() / set->geo.tick - set->born + SEEN_GENERATIONS +
	       READ_ONCE(set->skip);
}

bool seen_generation_stale(const struct seen_set *set, u64 now)
{
	u64 swept = READ_ONCE(set->swept);

	return now > swept && now - swept >= LATE;
}

/* Extend the 32 bits of a line's epoch to the 64-bit epoch that is nearest to @now. */
static u64 window_widen(u32 epoch, u64 now)
{
	return now + (s32)(epoch - (u32)now);
}

/* The key's bits that a slot lacks. Written out: the compiler does not unroll loops at -O2. */
static __always_inline u32 window_missing(const u32 *mask, const u32 *lane)
{
	return (mask[0] & ~READ_ONCE(lane[0])) |
	       (mask[1] & ~READ_ONCE(lane[1])) |
	       (mask[2] & ~READ_ONCE(lane[2])) |
	       (mask[3] & ~READ_ONCE(lane[3])) |
	       (mask[4] & ~READ_ONCE(lane[4]));
}

/* Bit s: slot s holds all of @place's bits. */
static __always_inline u32 window_compare(const struct place *place)
{
	const u32 *lane = place->line->lane;
	const u32 *mask = place->mask;

	return (u32)!window_missing(mask, lane) |
	       (u32)!window_missing(mask, lane + LANES) << 1 |
	       (u32)!window_missing(mask, lane + 2 * LANES) << 2;
}

/*
 * The live generations of a line, as a bitmap like @found of struct view. Without a
 * branch, as in window_by_age(): a mispredicted branch that waits for the line costs as
 * much as the cache miss itself.
 */
static __always_inline u32 window_alive(const struct view *view)
{
	u64 age = view->now - view->epoch;

	return ALL >> (age < SEEN_GENERATIONS ? age : SEEN_GENERATIONS);
}

/*
 * Convert a bitmap of slots to a bitmap of ages: slot @epoch % 3 becomes bit 0, older
 * epochs follow. In @slots repeated twice these are the three bits from @epoch % 3 + 1
 * on, in reverse order.
 */
static __always_inline u32 window_by_age(u32 slots, u64 epoch)
{
	u32 row = (slots | slots << SEEN_GENERATIONS) >>
		  (epoch % SEEN_GENERATIONS + 1);

	return (row >> 2 & 1) | (row & 2) | (row & 1) << 2;
}

static __always_inline void window_judge(u32 epoch, u32 slots, u64 now,
					 struct view *view)
{
	view->epoch = window_widen(epoch, now);
	view->now = now < view->epoch ? view->epoch : now;
	view->found = window_by_age(slots, view->epoch) & window_alive(view);
}

/* Caller holds the stripe. */
static void window_look_held(const struct seen_set *set, const struct place *place,
			     struct view *view)
{
	window_judge(READ_ONCE(place->line->epoch), window_compare(place),
		     seen_generation_epoch(set), view);
}

static __always_inline void window_look(const struct seen_set *set,
					const struct place *place, struct view *view)
{
	u64 now = seen_generation_epoch(set);
	u32 epoch, slots;
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		/*
		 * Pairs with the release in window_bring_up(): lanes are of this epoch
		 * or later.
		 */
		epoch = smp_load_acquire(&place->line->epoch);
		slots = window_compare(place);
		/*
		 * Pairs with smp_wmb() in window_bring_up(): a reader that has seen
		 * bits of a later epoch also sees a new epoch.
		 */
		smp_rmb();
		if (READ_ONCE(place->line->epoch) == epoch) {
			window_judge(epoch, slots, now, view);
			return;
		}
	}

	seen_stripe_lock(place->stripe);
	window_look_held(set, place, view);
	seen_stripe_unlock(place->stripe);
}

enum seen_result seen_generation_test(const struct seen_set *set, u64 hash)
{
	const struct place place = window_locate(set, hash);
	struct view view;

	window_look(set, &place, &view);
	if (seen_generation_stale(set, view.now))
		return SEEN_STALE;
	return view.found ? SEEN_SEEN : SEEN_NEW;
}

/* Caller holds the stripe; @epoch is not above @now. */
static void window_bring_up(struct line *line, u64 epoch, u64 now)
{
	u64 over;
	int i;

	if (epoch == now)
		return;
	/* The last three epochs use all slots. */
	if (now - epoch > SEEN_GENERATIONS)
		epoch = now - SEEN_GENERATIONS;
	for (over = epoch + 1; over <= now; over++)
		for (i = 0; i < LANES; i++)
			WRITE_ONCE(line->lane[over % SEEN_GENERATIONS * LANES +
					      i], 0);
	/* A reader of the new epoch sees its lanes cleared. Pairs with window_look(). */
	smp_store_release(&line->epoch, (u32)now);
	/*
	 * A reader of a bit of the new generation sees the new epoch. Pairs with
	 * window_look().
	 */
	smp_wmb();
}

/* @epoch: of the generation that stores the key; one of the last three */
static void window_store(const struct place *place, const struct view *view,
			 u64 epoch)
{
	u32 *lane = place->line->lane + epoch % SEEN_GENERATIONS * LANES;
	int i;

	window_bring_up(place->line, view->epoch, view->now);
	for (i = 0; i < LANES; i++)
		WRITE_ONCE(lane[i], lane[i] | place->mask[i]);
}

/* Is the key in the current generation already? */
static bool window_fresh(const struct view *view)
{
	return view->epoch == view->now && view->found & 1;
}

/*
 * True if there is nothing to store: the key is found, and @restart is not set or the
 * key is in the current generation already.
 */
static bool window_settled(const struct view *view, bool restart)
{
	return view->found && (!restart || window_fresh(view));
}

/* The newest generation that holds the key: a key that restarts is no longer counted there. */
static u64 window_newest(const struct view *view)
{
	u64 epoch = view->epoch;
	u32 found;

	for (found = view->found; !(found & 1); found >>= 1)
		epoch--;
	return epoch;
}

/* Caller holds the stripe. */
static enum seen_result window_add(struct seen_set *set, const struct place *place,
				   bool restart)
{
	struct view view;

	window_look_held(set, place, &view);
	if (seen_generation_stale(set, view.now))
		return SEEN_STALE;
	if (window_settled(&view, restart))
		return SEEN_SEEN;
	if (!view.found && !READ_ONCE(set->mirrors) &&
	    seen_keycount_keys(set, view.now) >= set->geo.capacity)
		return SEEN_FULL;

	window_store(place, &view, view.now);
	if (!view.found) {
		seen_keycount_count(set, place->stripe, view.now);
		return SEEN_NEW;
	}
	seen_keycount_move(set, place->stripe, window_newest(&view), view.now);
	return READ_ONCE(set->reports) ? SEEN_RENEWED : SEEN_SEEN;
}

enum seen_result seen_generation_add(struct seen_set *set, u64 hash,
				     bool restart)
{
	enum seen_result result;
	const struct place place = window_locate(set, hash);
	struct view view;

	window_look(set, &place, &view);
	if (seen_generation_stale(set, view.now))
		return SEEN_STALE;
	if (window_settled(&view, restart))
		return SEEN_SEEN;

	seen_stripe_lock(place.stripe);
	result = window_add(set, &place, restart);
	seen_stripe_unlock(place.stripe);
	return result;
}

/*
 * Caller holds the stripe. @tick: seen_age_tick() of the sighting. The clock is read before
 * the epoch, so a tick in between makes the key younger, not older. So do rotations.
 */
static enum seen_result window_add_aged(struct seen_set *set, const struct place *place,
					u64 tick)
{
	u64 age = seen_now() / set->geo.tick - tick;
	struct view view;
	u64 epoch;

	window_look_held(set, place, &view);
	if (seen_generation_stale(set, view.now))
		return SEEN_STALE;
	if (age >= SEEN_GENERATIONS)
		return SEEN_EXPIRED;
	epoch = view.now - age;
	if (view.found && window_newest(&view) >= epoch)
		return SEEN_SEEN;
	if (!view.found && !READ_ONCE(set->mirrors) &&
	    seen_keycount_keys(set, view.now) >= set->geo.capacity)
		return SEEN_FULL;

	window_store(place, &view, epoch);
	/* Not by the stripe's pending count, which is that of the current generation. */
	seen_keycount_settle(set, place->stripe, view.now);
	if (view.found)
		seen_keycount_add(&set->keys, window_newest(&view), -1);
	seen_keycount_add(&set->keys, epoch, 1);
	return view.found ? SEEN_SEEN : SEEN_NEW;
}

enum seen_result seen_generation_add_aged(struct seen_set *set, u64 hash, u64 age)
{
	u64 tick = seen_age_tick(&set->geo, age, seen_now());
	const struct place place = window_locate(set, hash);
	enum seen_result result;

	seen_stripe_lock(place.stripe);
	result = window_add_aged(set, &place, tick);
	seen_stripe_unlock(place.stripe);
	return result;
}

/*
 * If all generations of a line have expired, or the sweep is late, clear the line and
 * set it to the current epoch.
 */
void seen_generation_sweep(struct seen_set *set, u64 line)
{
	struct seen_stripe *stripe = seen_set_stripe(set, line);
	struct line *l = window_line_at(set, line);
	u64 now, epoch;

	seen_stripe_lock(stripe);
	now = seen_generation_epoch(set);
	epoch = window_widen(l->epoch, now);
	if (seen_generation_stale(set, now))
		epoch = now - SEEN_GENERATIONS;
	if (epoch < now && now - epoch >= SEEN_GENERATIONS)
		window_bring_up(l, epoch, now);
	seen_keycount_settle(set, stripe, now);
	seen_stripe_unlock(stripe);
}

u32 seen_generation_used(const struct seen_set *set, u64 line)
{
	u64 now = seen_generation_epoch(set);
	struct line *l = window_line_at(set, line);
	struct view view;
	u32 bits = 0;
	u32 slot;
	int i;

	window_judge(READ_ONCE(l->epoch), ~0U, now, &view);
	for (; view.found; view.found >>= 1, view.epoch--) {
		slot = view.epoch % SEEN_GENERATIONS;
		for (i = 0; i < LANES; i++)
			bits += seen_weight(READ_ONCE(l->lane[slot * LANES + i]));
	}
	return bits;
}

/* Write the generations by age, the current one first; expired ones are zeros. */
void seen_generation_export(const struct seen_set *set, u64 line, u8 *to)
{
	struct seen_stripe *stripe = seen_set_stripe(set, line);
	struct line *l = window_line_at(set, line);
	struct view view;
	u32 i, lane, slot;
	u64 age;

	for (i = 0; i < SEEN_GENERATIONS * LANES; i++)
		seen_unit_put(to + 4 * i, 4, 0);
	seen_stripe_lock(stripe);
	window_judge(l->epoch, ~0U, seen_generation_epoch(set), &view);
	if (seen_generation_stale(set, view.now))
		view.found = 0;
	for (i = 0; view.found >> i; i++) {
		age = view.now - view.epoch + i;
		slot = (view.epoch - i) % SEEN_GENERATIONS;
		for (lane = 0; lane < LANES; lane++)
			seen_unit_put(to + 4 * (age * LANES + lane), 4,
				      l->lane[slot * LANES + lane]);
	}
	seen_stripe_unlock(stripe);
}

static void window_absorb(struct line *line, u64 epoch, const u8 *unit)
{
	u32 *lane = line->lane + epoch % SEEN_GENERATIONS * LANES;
	u32 i;

	for (i = 0; i < LANES; i++)
		WRITE_ONCE(lane[i], lane[i] | seen_unit_get(unit + 4 * i, 4));
}

void seen_generation_absorb(struct seen_set *set, u64 line, const u8 *unit,
			    u64 age)
{
	struct seen_stripe *stripe = seen_set_stripe(set, line);
	struct line *l = window_line_at(set, line);
	struct view view;
	u64 ticks;
	u32 i;

	seen_stripe_lock(stripe);
	window_judge(l->epoch, ~0U, seen_generation_epoch(set), &view);
	window_bring_up(l, view.epoch, view.now);
	for (i = 0; i < SEEN_GENERATIONS; i++) {
		ticks = seen_unit_age(&set->geo, i, age, seen_now());
		if (ticks < SEEN_GENERATIONS)
			window_absorb(l, view.now - ticks, unit + 4 * LANES * i);
	}
	seen_stripe_unlock(stripe);
}
