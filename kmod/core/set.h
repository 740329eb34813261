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
#include "table.h"

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
