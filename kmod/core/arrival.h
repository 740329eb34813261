/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Verdicts that depend on the port, for sets with stamps (SEEN_SET_CUCKOO_WINDOW).
 *
 * A key has an entry D, and an entry Dp for each port on which it was recorded. Dp's
 * fingerprint is D's fingerprint XOR the port number, so the port of the first arrival
 * can be read back from the table.
 *
 * All entries of a key lie in the same pair of buckets and are tested and stored in one
 * lock section. So if two CPUs process the same key from one port at the same time,
 * neither of them sees an arrival on another port.
 *
 * Direction of error: a false positive reports a new frame as a duplicate.
 */
#ifndef SEEN_CORE_ARRIVAL_H
#define SEEN_CORE_ARRIVAL_H

#include "table.h"

/* Ports are numbered from 1; needs fingerprints of at least 16 bits. */
#define SEEN_ARRIVAL_MAX	1023

enum seen_arrival_result {
	SEEN_ARRIVAL_NEW,		/* not seen within the window; now stored */
	SEEN_ARRIVAL_REPEAT,	/* seen before, but not a duplicate by the rule */
	SEEN_ARRIVAL_DUP_SAME,	/* duplicate of an arrival on the same port */
	SEEN_ARRIVAL_DUP_OTHER,	/* duplicate of an arrival on another port */
	SEEN_ARRIVAL_FULL,		/* no room for D or Dp: nothing stored */
	SEEN_ARRIVAL_STALE,	/* not judged: the sweep is late */
};

/**
 * struct seen_arrival_rule - when a copy counts as a duplicate
 * @same: ticks: a copy on a port where the key was recorded within this time is a
 *        duplicate; 0: never
 * @other: ticks: a copy is a duplicate if the key arrived on another port within this
 *         time; at least 1
 * @restamp: a frame that is let through restamps D and Dp, at most once per tick. If
 *           not set, the stamps keep the first sighting; with geo.refresh, each
 *           sighting restamps those of D and Dp that exist.
 * @extend: with @restamp: a duplicate on a recorded port restamps Dp, so that @same
 *          counts from the last copy, not from the last copy that was let through
 *
 * verdict        same             other            restamp  extend
 * dup            geo.ticks        geo.ticks        no       no
 * other-port     0                geo.ticks        no       no
 * profile relay  100 ms in ticks  geo.ticks        yes      yes
 * loop, no sign  0                500 ms in ticks  yes      no
 * loop, a sign   100 ms in ticks  500 ms in ticks  yes      no
 */
struct seen_arrival_rule {
	u32 same;
	u32 other;
	bool restamp;
	bool extend;
};

/**
 * struct seen_arrival_answer - a verdict and its evidence
 * @result: the verdict
 * @first: port on which the key arrived first, 0 if unknown
 * @since: ns on the clock of seen_now(): start of the tick in which D was stamped, see
 *         @restamp of struct seen_arrival_rule; 0 if D is not alive
 * @pending: set by seen_arrival_peek(): seen_arrival_commit() has something to write
 * @renewed: set by seen_arrival_commit(), only if the set @reports: D got its first new
 *           stamp in this half of a window
 */
struct seen_arrival_answer {
	enum seen_arrival_result result;
	u32 first;
	u64 since;
	bool pending;
	bool renewed;
};

/**
 * seen_arrival_capacity() - number of keys, each on one port, that fit into a set
 * @geo: geometry of the set
 *
 * Each of these keys takes two entries in the same two buckets, which fills the buckets
 * less evenly than two keys do. With an endless stream of new keys, at 3/10 of the
 * capacity 7 of 10^9 keys found no room; at 2/5, 4 of 10^5.
 *
 * Return: keys.
 */
static inline u64 seen_arrival_capacity(const struct seen_geometry *geo)
{
	return geo->capacity * 3 / 10;
}

/**
 * seen_arrival_peek() - compute the current verdict without a write
 * @set: set of kind SEEN_SET_CUCKOO_WINDOW
 * @hash: hash of the key, without the port
 * @port: 1 to SEEN_ARRIVAL_MAX
 * @rule: when a copy is a duplicate; NULL: as seen_arrival_record()
 *
 * Takes no lock unless it loses several races with writers in a row.
 *
 * Context: any but hard interrupt.
 * Return: the answer; if @pending is set, only seen_arrival_commit() returns the final
 * verdict.
 */
struct seen_arrival_answer seen_arrival_peek(struct seen_set *set, u64 hash, u32 port,
					     const struct seen_arrival_rule *rule);

/**
 * seen_arrival_commit() - compute the verdict and store the entries in one lock section
 * @set: as for seen_arrival_peek()
 * @hash: as for seen_arrival_peek()
 * @port: as for seen_arrival_peek()
 * @rule: as for seen_arrival_peek()
 *
 * If several CPUs commit the same new key, exactly one of them gets SEEN_ARRIVAL_NEW.
 *
 * Context: any but hard interrupt.
 * Return: the final answer.
 */
struct seen_arrival_answer seen_arrival_commit(struct seen_set *set, u64 hash,
					       u32 port,
					       const struct seen_arrival_rule *rule);

/**
 * seen_arrival_record() - store a key's arrival on a port without judging it
 * @set: as for seen_arrival_peek()
 * @hash: as for seen_arrival_peek()
 * @port: as for seen_arrival_peek()
 *
 * For frames that the bridge itself sends. Stamps D and Dp with the current tick.
 *
 * Context: any but hard interrupt.
 * Return: the answer, with the result SEEN_ARRIVAL_NEW or SEEN_ARRIVAL_REPEAT if stored;
 * SEEN_ARRIVAL_FULL or SEEN_ARRIVAL_STALE if not.
 */
struct seen_arrival_answer seen_arrival_record(struct seen_set *set, u64 hash, u32 port);

/**
 * seen_arrival_ticks() - convert a time span to ticks for a rule, rounded up
 * @geo: geometry of the set
 * @ns: at most geo->window
 *
 * Return: ticks, at most geo->ticks.
 */
u32 seen_arrival_ticks(const struct seen_geometry *geo, u64 ns);

#endif
