/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set: one filter's table with the operations that all kinds share. It works
 * on memory that its owner allocated, on hashes that its owner made, and on
 * the clock of clock.h. The whole test-and-add protocol is in here, so that
 * what userspace tests is what the kernel runs.
 *
 * Direction of error: every kind may call a new key seen (a false positive),
 * at the promised rate; none calls a key new that it has stored, inside window
 * and capacity. A new key that is called seen by mistake is not stored, since
 * it cannot be told from an old one: with a window it is seen for as long as
 * what it was mistaken for, or, with refresh, for a window of its own.
 *
 * Concurrency: any number of callers, in any context but hard interrupt, at
 * the same time, without a lock of their own. Test takes no lock unless it
 * lost to writers several times in a row. seen_set_init() and the freeing of
 * the memory are the owner's to order (RCU in the kernel).
 */
#ifndef SEEN_CORE_SET_H
#define SEEN_CORE_SET_H

#include "plan.h"
#include "siphash.h"
#include "stripe.h"

enum seen_result {
	SEEN_NEW,	/* was not in the set; an add has stored it */
	SEEN_SEEN,	/* was in the set */
	SEEN_FULL,	/* was not in the set, and is not stored: no room */
	SEEN_COPIES,	/* not stored: eight copies are there */
	SEEN_ABSENT,	/* nothing to delete */
	SEEN_STALE,	/* not known: the sweep is late, let it pass */
};

/**
 * struct seen_keycount - keys stored
 * @batch: pending keys of a stripe that are added here at once
 * @max: counting: counters in use from which on it is full
 * @count: keys, [0] alone without generations; counting: counters in use. With
 *         generations: the low 36 bits
 *         count the generation of which the upper 28 are the epoch, at index
 *         epoch % 4, which goes on evenly where the epoch wraps.
 *         Short by what the stripes still hold in @pending: at most 1/8 of the
 *         capacity, so that "full" never comes early.
 */
struct seen_keycount {
	u32 batch;
	u64 max;
	atomic64_t count[SEEN_GENERATIONS + 1];
};

/**
 * struct seen_set_map - what a map has beside its table
 * @next: the table of a rehash, or NULL; under the mover lock, as @failed
 * @torn: an add has failed for want of other hashes
 * @failed: the rehash has
 */
struct seen_set_map {
	void *next;
	bool torn;
	bool failed;
};

/* Does a set with stamps need its sweep? See cuckoo_window.c. */
enum seen_rest {
	SEEN_REST_AWAKE,
	SEEN_REST_WOKEN,	/* the sweep must start again */
	SEEN_REST_DOZING,	/* one sweep found it empty */
	SEEN_REST_ASLEEP,	/* it is empty: nothing can become stale */
};

/**
 * struct seen_set - a table and what goes with it
 * @table: seen_geometry_bytes() of memory, 64-byte aligned; map: a rehash puts
 *         another one in its place
 * @stripes: @stripe_mask + 1 of them
 * @mirror: what is stored here goes there as well; see snapshot.h
 * @stripe_mask: picks the stripe of a line or bucket from its index
 * @skip: windowed Bloom: generations ended early by seen_set_rotate()
 * @geo: the geometry, constant after init but for @evict
 * @born: windowed Bloom: the tick that its epochs are counted from
 * @rotated: windowed Bloom: ns, when seen_set_rotate() last was called, and
 *           when before that
 * @swept: with a window: the tick, or epoch, in which the last whole sweep
 *         began
 * @sweeping: the same of the sweep that is under way
 * @rest: with stamps: enum seen_rest
 * @left: with stamps: the sweep that is under way has found an entry that is alive
 * @shortest: with a window: the least age, in ns, at which a live entry had to
 *            go since seen_set_effective() last asked; U64_MAX: none
 * @mover: held by the one that moves fingerprints, or rotates; outermost
 * @crowded: cuckoo: a search has found no room, and nothing was deleted since;
 *           the next searches are short
 * @keys: stored
 * @map: SEEN_SET_MAP: what map.h says
 * @top: sketches: seen_top_bytes() of zeroed memory, or NULL; see top.h
 * @total: sketches: all that was counted; by generation like @keys
 * @merges: sketches: merges into it that have begun, and that have ended
 * @judges: the mirror knows whose key was new
 * @mirrors: it is another one's mirror, and takes keys beyond its capacity
 * @front: an export's: moves do not cross this unit, see snapshot.h; 0: none is
 *         under way; under @mover
 * @exported: cookie of the latest export, 0 as soon as it is torn
 * @exports: cookies given
 *
 * What each packet reads comes first, in one line up to the geometry's @blocks, where
 * next to nothing is written.
 */
struct seen_set {
	void *table;
	struct seen_stripe *stripes;
	struct seen_set *mirror;
	u32 stripe_mask;
	u32 skip;
	struct seen_geometry geo;
	u64 born;
	u64 rotated[2];
	u64 swept;
	u64 sweeping;
	u32 rest;
	bool left;
	u64 shortest;
	spinlock_t mover;	/* who moves fingerprints, or rotates */
	bool crowded;
	struct seen_keycount keys;
	struct seen_set_map map;
	void *top;
	struct seen_keycount total;
	atomic64_t merges[2];
	bool judges;
	bool mirrors;
	u64 front;
	u64 exported;
	u64 exports;
};

/**
 * seen_set_init() - make an empty set
 * @set: to fill
 * @geo: as seen_plan() left it
 * @table: seen_geometry_bytes() of zeroed memory, 64-byte aligned
 * @stripes: seen_geometry_stripes() of them, uninitialised
 *
 * Context: process; nobody else knows @set yet.
 */
void seen_set_init(struct seen_set *set, const struct seen_geometry *geo,
		   void *table, struct seen_stripe *stripes);

/**
 * seen_set_test() - is this key in the set?
 * @set: the set
 * @hash: seen_siphash13() of the key
 *
 * Return: SEEN_SEEN, SEEN_NEW (not in it) or SEEN_STALE.
 */
enum seen_result seen_set_test(struct seen_set *set, u64 hash);

/**
 * seen_set_test_and_add() - was this key in the set? From now on it is
 * @set: the set
 * @hash: of the key
 *
 * However many callers bring the same new key at the same time, exactly one is
 * told SEEN_NEW. A key that is seen costs no lock and no write (but with
 * refresh, a write at most once a tick).
 *
 * Return: SEEN_NEW, SEEN_SEEN, SEEN_FULL or SEEN_STALE.
 */
enum seen_result seen_set_test_and_add(struct seen_set *set, u64 hash);

/**
 * seen_set_add() - store a key, cuckoo: one more copy of it
 * @set: the set
 * @hash: of the key
 *
 * A windowed set restarts the key's window. An add that fails leaves the table
 * bit for bit as it was.
 *
 * Return: SEEN_NEW, SEEN_SEEN (stored, and had been there), SEEN_FULL,
 * SEEN_COPIES or SEEN_STALE.
 */
enum seen_result seen_set_add(struct seen_set *set, u64 hash);

/* seen_set_can_count() - does it know how often a key is in it, or came? */
bool seen_set_can_count(const struct seen_geometry *geo);

/**
 * seen_set_add_count() - store one more copy of a key, and count
 * @set: the set, seen_set_can_count()
 * @hash: of the key
 * @max: copies to be there at most, above 1, so that a key that comes all the
 *        time does not take what room others need
 * @copies: out: that are there now, in one step with the store; it may count
 *          those of a key that it takes for the same. Of a key whose buckets are
 *          one (in tables of odd size one key in as many as there are buckets)
 *          there are four at most. Counting: at 15 it is 15 or more
 *
 * Return: as seen_set_add().
 */
enum seen_result seen_set_add_count(struct seen_set *set, u64 hash, u32 max,
				    u32 *copies);

/**
 * seen_set_count() - copies of a key
 * @set: the set, seen_set_can_count()
 * @hash: of the key
 *
 * Cuckoo takes the locks of the key's two buckets. Never fewer than were added;
 * counting: up to 15.
 */
u32 seen_set_count(struct seen_set *set, u64 hash);

/**
 * seen_set_del() - remove one copy of a key
 * @set: the set, seen_set_can_del()
 * @hash: of a key that was added; deleting a key that never was may remove
 *        another one's fingerprint, or take from its counters
 *
 * A counter that has stuck is not lowered: such a key is there for good.
 *
 * Return: SEEN_SEEN (removed), SEEN_ABSENT or SEEN_STALE.
 */
enum seen_result seen_set_del(struct seen_set *set, u64 hash);

bool seen_set_can_del(const struct seen_geometry *geo);

/* seen_set_can_test_and_add() - sketches only count */
bool seen_set_can_test_and_add(const struct seen_geometry *geo);

/* seen_set_count_max() - where counts end; 0: it has none */
u32 seen_set_count_max(const struct seen_geometry *geo);

/**
 * seen_set_sweep() - clear what has expired, so that no stamp or epoch wraps
 * @set: the set
 * @from: first block
 * @count: blocks at most
 *
 * Each block is visited under its stripe. The caller works through the table
 * in slices, from 0 to the end, at least once in seen_set_sweep_period().
 *
 * Context: process; any length of slice is bounded by @count.
 * Return: the next block, or 0 after the last.
 */
u64 seen_set_sweep(struct seen_set *set, u64 from, u64 count);

/**
 * seen_set_stale() - is the sweep so late that nothing is judged?
 * @set: the set
 *
 * A sweep that finds it so cannot tell what is young from what is over, and clears
 * both.
 *
 * Context: any.
 */
bool seen_set_stale(const struct seen_set *set);

/**
 * seen_set_asleep() - is it empty, and needs no sweep until a key is stored?
 * @set: the set
 *
 * Said after two whole sweeps that found nothing. The sweeps may go on all the same.
 *
 * Context: any.
 */
bool seen_set_asleep(const struct seen_set *set);

/**
 * seen_set_woken() - has a key been stored while it was asleep?
 * @set: the set
 *
 * To be asked soon after each key that was stored. Sweeps that were given up must begin
 * again within seen_set_sweep_period().
 *
 * Context: any.
 * Return: true once each time.
 */
bool seen_set_woken(struct seen_set *set);

/**
 * seen_set_sweep_due() - have rotations used up the time until the next sweep?
 * @set: the set
 */
bool seen_set_sweep_due(const struct seen_set *set);

/**
 * seen_set_sweep_period() - how often a whole sweep must end
 * @geo: as seen_plan() left it
 *
 * Return: ns, a quarter of the range of stamps or epochs; 0: never needed.
 */
u64 seen_set_sweep_period(const struct seen_geometry *geo);

/**
 * seen_set_used() - count bits set or slots taken (alive), and all there are
 * @set: the set
 * @from: first unit: a line, a bucket, a column of counters, or (classic, bitmap)
 *        512 bits
 * @count: units at most
 * @used: what is found is added
 * @room: so is what there is
 *
 * Return: the next unit, or 0 after the last.
 */
u64 seen_set_used(struct seen_set *set, u64 from, u64 count,
		  u64 *used, u64 *room);

/**
 * seen_set_entries() - keys stored and alive
 * @set: the set
 *
 * Bloom kinds count what was new to them, cuckoo the copies. With stamps
 * nobody is told when a key expires: a sample of the table is looked at. Of
 * a counting filter it is what so many counters in use mean, right to a few times
 * the root of it. Sketches estimate how many distinct keys they have counted (in
 * the window), from a sample of their counters. Where none of those is empty, at
 * about seven keys a column and more, that says only that there are at least so
 * many.
 *
 * Context: any; bounded.
 */
u64 seen_set_entries(struct seen_set *set);

/**
 * seen_set_full() - is there no more room?
 * @set: the set
 *
 * Bloom kinds and maps count their new keys; at capacity a test-and-add answers
 * SEEN_FULL for what it has not seen. Counting is full when as many counters are
 * in use as so many keys and, for chance, four times the root of them take.
 * Cuckoo is full from a failing add to the next del. With stamps each pair of
 * buckets is full for itself, and a bitmap never is: false. Nor is a sketch: what it
 * counts beyond its capacity makes its error larger.
 */
bool seen_set_full(struct seen_set *set);

/**
 * seen_set_rotate() - end the oldest generation of a windowed Bloom filter now
 * @set: of SEEN_SET_BLOOM_WINDOW
 *
 * Makes room at the price of the window: policy "rotate".
 *
 * Context: @set->mover is held.
 */
void seen_set_rotate(struct seen_set *set);

/* seen_set_total() - sketches: all that was counted, in the window */
u64 seen_set_total(const struct seen_set *set);

/**
 * seen_set_total_raise() - sketches: at least so much was counted
 * @set: after seen_set_import_end(), known to nobody
 * @total: of the set that was exported, not trusted
 *
 * Counters do not show all of it: conservative adds raise few of them, and each stops
 * at 2^32 - 1. The difference counts as of the present tick.
 */
void seen_set_total_raise(struct seen_set *set, u64 total);

/* seen_set_evicted() - live entries that had to go since the set was made */
u64 seen_set_evicted(const struct seen_set *set);

/**
 * seen_set_effective() - the window that was kept lately
 * @set: a set with a window
 *
 * Return: ns; below the promise only if live entries had to go since this was
 * last asked.
 */
u64 seen_set_effective(struct seen_set *set);

#endif
