/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Verdicts that know ports, for sets with stamps (SEEN_SET_CUCKOO_WINDOW).
 *
 * Two entries stand for a key: the digest D, and the digest with a port, Dp.
 * Both lie in the same pair of buckets and are tested and stored in one lock
 * section, so two CPUs that bring the same key on one port never take it for
 * another port's. Dp's fingerprint is D's, exclusive-or the port's number: so
 * the port that was first can be read back from the table.
 *
 * Direction of error: a false positive calls a new frame a duplicate.
 */
#ifndef SEEN_CORE_ARRIVAL_H
#define SEEN_CORE_ARRIVAL_H

#include "table.h"

/* Ports are numbered from 1; needs fingerprints of at least 16 bits. */
#define SEEN_ARRIVAL_MAX	1023

enum seen_arrival_result {
	SEEN_ARRIVAL_NEW,		/* never seen within the window; now stored */
	SEEN_ARRIVAL_REPEAT,	/* seen, and not a duplicate by this rule */
	SEEN_ARRIVAL_DUP_SAME,	/* a duplicate, seen on this port */
	SEEN_ARRIVAL_DUP_OTHER,	/* a duplicate, first seen on another port */
	SEEN_ARRIVAL_FULL,		/* new, and no room: not stored */
	SEEN_ARRIVAL_STALE,	/* not judged: the sweep is late */
};

/**
 * struct seen_arrival_rule - what makes a duplicate
 * @same: ticks: a copy on its own port within this is a duplicate; 0: never
 * @other: ticks: a copy from another port within this is one; at least 1
 * @restamp: a frame that is let through restamps D and Dp, at most once a tick.
 *           Not set: the first sighting is kept, and with geo.refresh the last:
 *           each sighting restamps what is there of D and Dp.
 * @extend: with @restamp: a duplicate on a recorded port restamps Dp, so that @same
 *          counts from the last copy, and not from the last one that passed
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
 * @first: the port on which the key was first seen, 0 if not known
 * @since: ns of seen_now()'s clock: start of the tick in which the key was
 *         last let through (with geo.refresh: sighted); 0 for new keys, and
 *         where only the port's own entry is left
 * @pending: set by seen_arrival_peek(): seen_arrival_commit() has something to write
 */
struct seen_arrival_answer {
	enum seen_arrival_result result;
	u32 first;
	u64 since;
	bool pending;
};

/**
 * seen_arrival_capacity() - how many keys with their ports a set is good for
 * @geo: of the set
 *
 * Such a key takes two entries, in the same two buckets: that fills buckets
 * less evenly than two keys do. At 3/10 of the capacity, for ever, 7 of 10^9
 * keys found no room; at 2/5, 4 of 10^5.
 */
static inline u64 seen_arrival_capacity(const struct seen_geometry *geo)
{
	return geo->capacity * 3 / 10;
}

/**
 * seen_arrival_peek() - the verdict as it stands, without a lock or a write
 * @set: of SEEN_SET_CUCKOO_WINDOW
 * @hash: of the key, without the port
 * @port: 1 to SEEN_ARRIVAL_MAX
 * @rule: what makes a duplicate
 *
 * Context: any but hard interrupt.
 * Return: the answer; where @pending is set it is final only from
 * seen_arrival_commit().
 */
struct seen_arrival_answer seen_arrival_peek(struct seen_set *set, u64 hash, u32 port,
					     const struct seen_arrival_rule *rule);

/**
 * seen_arrival_commit() - the verdict, and its storage, in one lock section
 * @set: as there
 * @hash: as there
 * @port: as there
 * @rule: as there
 *
 * However many CPUs bring the same new key, exactly one is told SEEN_ARRIVAL_NEW.
 *
 * Context: any but hard interrupt.
 * Return: the answer, final.
 */
struct seen_arrival_answer seen_arrival_commit(struct seen_set *set, u64 hash,
					       u32 port,
					       const struct seen_arrival_rule *rule);

/**
 * seen_arrival_record() - note a key on a port without judging it
 * @set: as there
 * @hash: as there
 * @port: as there
 *
 * For what the bridge itself sends: stamps D and Dp with the present.
 *
 * Return: SEEN_ARRIVAL_NEW, SEEN_ARRIVAL_REPEAT, or what kept it from being noted:
 * SEEN_ARRIVAL_FULL, SEEN_ARRIVAL_STALE.
 */
enum seen_arrival_result seen_arrival_record(struct seen_set *set, u64 hash,
					     u32 port);

/**
 * seen_arrival_ticks() - a time span as a rule's ticks, rounded up
 * @geo: of the set
 * @ns: at most geo->window
 */
u32 seen_arrival_ticks(const struct seen_geometry *geo, u64 ns);

#endif
