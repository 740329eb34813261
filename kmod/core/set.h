/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set: one filter's table with the operations that all kinds share. The owner
 * supplies the memory, the hashes, and the clock of clock.h. The whole test-and-add
 * protocol is in core/, so userspace tests run the code that the kernel runs.
 *
 * Direction of error: every kind but bitmap and map may report a new key as seen (a
 * false positive), at the promised rate. No kind but cmm reports a key as new that it
 * has stored, inside window and capacity. A new key that is reported as seen by mistake
 * is not stored, because the set cannot distinguish it from an old one. With a window
 * it is seen for as long as the key that it was mistaken for, or, with refresh, for a
 * window of its own.
 *
 * Concurrency: any number of callers, in any context but hard interrupt, at the same
 * time, without a lock of their own. Test takes no lock unless it loses several races
 * with writers in a row. The owner must order seen_set_init() and the freeing of the
 * memory against all other calls (by RCU in the kernel).
 */
#ifndef SEEN_CORE_SET_H
#define SEEN_CORE_SET_H

#include "plan.h"
#include "siphash.h"
#include "table.h"

/**
 * seen_set_init() - make an empty set
 * @set: out
 * @geo: geometry from seen_plan()
 * @table: seen_geometry_bytes() of zeroed memory, 64-byte aligned
 * @stripes: seen_geometry_stripes() stripes in zeroed memory
 *
 * Context: process; @set is not yet in use.
 */
void seen_set_init(struct seen_set *set, const struct seen_geometry *geo,
		   void *table, struct seen_stripe *stripes);

/**
 * seen_set_test() - is this key in the set?
 * @set: the set
 * @hash: seen_siphash13() of the key
 *
 * Return: SEEN_SEEN, SEEN_NEW (not in the set) or SEEN_STALE.
 */
enum seen_result seen_set_test(struct seen_set *set, u64 hash);

/**
 * seen_set_test_and_add() - was this key in the set? If not, store it
 * @set: the set
 * @hash: hash of the key
 *
 * If several callers add the same new key at the same time, exactly one of them gets
 * SEEN_NEW. A key that is seen takes no lock and causes no write (with refresh: at most
 * one write per tick).
 *
 * Return: SEEN_NEW, SEEN_SEEN, SEEN_FULL or SEEN_STALE; SEEN_RENEWED only if the set
 * @reports.
 */
enum seen_result seen_set_test_and_add(struct seen_set *set, u64 hash);

/**
 * seen_set_add() - store a key; cuckoo and counting: one more copy of it
 * @set: the set
 * @hash: hash of the key
 *
 * A windowed set restarts the key's window. An add that fails leaves the table bit for
 * bit as it was.
 *
 * Return: SEEN_NEW, SEEN_SEEN (stored; was present before), SEEN_FULL, SEEN_COPIES or
 * SEEN_STALE; SEEN_RENEWED only if the set @reports.
 */
enum seen_result seen_set_add(struct seen_set *set, u64 hash);

/**
 * seen_set_add_aged() - store a key that was seen some time ago
 * @set: a set for which seen_set_can_test_and_add() is true
 * @hash: hash of the key
 * @age: ns since the key was seen; ignored without a window
 *
 * With a window the key expires as if it had been stored @age ago: after its window, and at
 * most a tick later. A present key is renewed if this sighting is later than the one
 * that is stored, with and without geo.refresh, and never gets older. Without a window
 * this is seen_set_test_and_add(). Policy "evict" evicts no entry that is younger than
 * the key.
 *
 * If several callers add the same new key at the same time, by this or by another
 * function, exactly one of them gets SEEN_NEW.
 *
 * Return: SEEN_NEW, SEEN_SEEN (present; renewed or not), SEEN_FULL, SEEN_STALE or
 * SEEN_EXPIRED (older than the window: nothing stored).
 */
enum seen_result seen_set_add_aged(struct seen_set *set, u64 hash, u64 age);

/* seen_set_can_count() - does this kind count how often a key was stored? */
bool seen_set_can_count(const struct seen_geometry *geo);

/**
 * seen_set_add_count() - store one more copy of a key, and count its copies
 * @set: a set for which seen_set_can_count() is true
 * @hash: hash of the key
 * @max: cuckoo: maximum number of copies, above 1; it keeps a frequent key from using
 *       up the room of other keys
 * @copies: out: copies now, counted in one step with the store. Cuckoo: copies of
 *          another key with the same fingerprint and buckets are included. In a table
 *          of n buckets, n odd, one key in n has only one bucket, and so four copies at
 *          most. Counting: 15 means 15 or more
 *
 * Return: as seen_set_add().
 */
enum seen_result seen_set_add_count(struct seen_set *set, u64 hash, u32 max,
				    u32 *copies);

/**
 * seen_set_count() - copies of a key
 * @set: a set for which seen_set_can_count() is true
 * @hash: hash of the key
 *
 * Cuckoo takes the locks of the key's two buckets.
 *
 * Return: copies, never fewer than were stored (SEEN_SET_CMM: maybe fewer); counting:
 * at most 15.
 */
u32 seen_set_count(struct seen_set *set, u64 hash);

/**
 * seen_set_del() - remove one copy of a key
 * @set: a set for which seen_set_can_del() is true
 * @hash: hash of a key that was added; deleting any other key may remove the
 *        fingerprint of an added key, or lower its counters
 *
 * A counter that sticks is not lowered: its keys cannot be removed.
 *
 * Return: SEEN_SEEN (removed), SEEN_ABSENT or SEEN_STALE.
 */
enum seen_result seen_set_del(struct seen_set *set, u64 hash);

bool seen_set_can_del(const struct seen_geometry *geo);

/* seen_set_can_test_and_add() - false for sketches, which only count */
bool seen_set_can_test_and_add(const struct seen_geometry *geo);

/* seen_set_count_max() - the highest possible count; 0: the kind does not count */
u32 seen_set_count_max(const struct seen_geometry *geo);

/**
 * seen_set_sweep() - clear expired entries, so that no stamp or epoch wraps
 * @set: the set
 * @from: first block
 * @count: maximum number of blocks
 *
 * The caller sweeps the table in slices, from 0 to the end, at least once per
 * seen_set_sweep_period().
 *
 * Context: process; bounded by @count.
 * Return: the next block, or 0 after the last.
 */
u64 seen_set_sweep(struct seen_set *set, u64 from, u64 count);

/**
 * seen_set_stale() - is the sweep so late that nothing is judged?
 * @set: the set
 *
 * If a sweep finds the set in this state, it cannot distinguish live entries from
 * expired ones and clears both.
 *
 * Context: any.
 */
bool seen_set_stale(const struct seen_set *set);

/**
 * seen_set_asleep() - is the set empty? Then it needs no sweep until a key is stored
 * @set: the set
 *
 * True after two whole sweeps in a row that found no entry. Further sweeps are
 * harmless.
 *
 * Context: any.
 */
bool seen_set_asleep(const struct seen_set *set);

/**
 * seen_set_woken() - was a key stored while the set was asleep?
 * @set: the set
 *
 * Call it soon after each key that is stored. If the caller stopped sweeping, it must
 * start again within seen_set_sweep_period().
 *
 * Context: any.
 * Return: true once for each time that the set was woken.
 */
bool seen_set_woken(struct seen_set *set);

/**
 * seen_set_sweep_due() - have rotations used up the time until the next sweep?
 * @set: the set
 */
bool seen_set_sweep_due(const struct seen_set *set);

/**
 * seen_set_sweep_period() - the time within which a whole sweep must end
 * @geo: geometry from seen_plan()
 *
 * Return: ns, a quarter of the range of stamps or epochs; 0: no sweep is needed.
 */
u64 seen_set_sweep_period(const struct seen_geometry *geo);

/**
 * seen_set_used() - count the bits, slots or counters: those in use, and all
 * @set: the set
 * @from: first unit: a line, a bucket, a column of counters, or (classic, bitmap) 512
 *        bits
 * @count: maximum number of units
 * @used: in and out: the number in use is added
 * @room: in and out: the number that exists is added
 *
 * Return: the next unit, or 0 after the last.
 */
u64 seen_set_used(struct seen_set *set, u64 from, u64 count,
		  u64 *used, u64 *room);

/**
 * seen_set_entries() - number of keys that are stored and alive
 * @set: the set
 *
 * Bloom kinds count the keys that were new to them, cuckoo counts copies. With stamps
 * nothing reports that a key expires, so the number is estimated from a sample of the
 * table. For a counting filter it is computed from the counters in use; the error is a
 * few times its square root. Sketches estimate how many distinct keys they have counted
 * (in the window), from a sample of their counters. If no counter of the sample is 0
 * (from about seven keys per column on), the estimate is only a lower bound.
 *
 * Context: any; bounded.
 */
u64 seen_set_entries(struct seen_set *set);

/**
 * seen_set_full() - is there no more room?
 * @set: the set
 *
 * Bloom kinds and maps count their new keys; at capacity a test-and-add returns
 * SEEN_FULL for a key that is not seen. Counting is full when as many counters are in
 * use as @capacity keys take, plus a margin of 4 sqrt(@capacity / @hashes) keys for
 * chance. Cuckoo is full from a failed add until the next del. The answer is always
 * false for kinds with stamps, where each pair of buckets fills up on its own, for
 * bitmaps, which are never full, and for sketches, whose error grows beyond the
 * capacity.
 */
bool seen_set_full(struct seen_set *set);

/**
 * seen_set_rotate() - end the oldest generation of a windowed Bloom filter now
 * @set: set of kind SEEN_SET_BLOOM_WINDOW
 *
 * Makes room by shortening the window: policy "rotate".
 *
 * Context: caller holds @set->mover.
 */
void seen_set_rotate(struct seen_set *set);

/* seen_set_total() - sketches: sum of all counts in the window */
u64 seen_set_total(const struct seen_set *set);

/**
 * seen_set_total_raise() - sketches: raise the sum of all counts to at least @total
 * @set: after seen_set_import_end(), not yet in use
 * @total: seen_set_total() of the set that was exported, not trusted
 *
 * The counters do not show the whole sum: conservative adds raise few of them, and each
 * stops at 2^32 - 1. The difference counts in the current tick.
 */
void seen_set_total_raise(struct seen_set *set, u64 total);

/* seen_set_evicted() - number of live entries evicted since the set was made */
u64 seen_set_evicted(const struct seen_set *set);

/**
 * seen_set_effective() - the shortest window that was kept since the last call
 * @set: a set with a window
 *
 * Return: ns; below geo.window only if a live entry was evicted, or a generation was
 * rotated, since the last call.
 */
u64 seen_set_effective(struct seen_set *set);

#endif
