/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots: a set's table as bytes that mean the same elsewhere and later.
 *
 * The order of bytes is little-endian, and every time in it (stamps, epochs) is
 * an age in ticks before the moment of the export: 0 is the present one. What
 * has expired is 0 throughout. A table is a row of units (seen_geometry_units()),
 * each of seen_snapshot_unit_bytes(), the same in every kind but classic and
 * bitmap, whose last unit is padded by zeroes. Documentation/snapshot.md has
 * each kind's unit byte by byte.
 *
 * Consistency: an export goes on while others write. No key that was added before
 * it began is missing, unless it was deleted or expired: a cuckoo kind's moves
 * avoid to cross the front of an export; one that must tears it, and then the
 * exporter begins again.
 */
#ifndef SEEN_CORE_SNAPSHOT_H
#define SEEN_CORE_SNAPSHOT_H

#include "set.h"

/* seen_snapshot_unit_bytes() - of one unit in a snapshot; map: of a slot */
u32 seen_snapshot_unit_bytes(const struct seen_geometry *geo);

/**
 * seen_geometry_check() - may a set have this geometry, which no plan made?
 * @geo: every member is given, as an import has it
 *
 * Return: NULL, or the name of the member that does not fit the others.
 */
const char *seen_geometry_check(const struct seen_geometry *geo);

/**
 * seen_set_export_begin() - from now on moves avoid the front
 * @set: the set
 *
 * An export that is under way is torn by this where entries move. Nothing has to be
 * undone if it is not ended.
 *
 * Context: process. Return: the cookie of the export.
 */
u64 seen_set_export_begin(struct seen_set *set);

/**
 * seen_set_export() - the next units
 * @set: the set
 * @cookie: from seen_set_export_begin()
 * @from: first unit
 * @count: units at most
 * @to: @count * seen_snapshot_unit_bytes()
 * @next: out: the next unit, or 0 after the last, which ends the export
 *
 * Context: process; holds locks for a unit, or for 32 of what moves.
 * Return: true, or false: it was torn, begin again.
 */
bool seen_set_export(struct seen_set *set, u64 cookie, u64 from, u64 count,
		     u8 *to, u64 *next);

/**
 * seen_set_import() - put units into a set that nobody else knows yet
 * @set: empty at the first unit; no lock of it is needed, nor taken where a unit
 *       goes in as it is
 * @from: first unit; each is given once
 * @count: units
 * @bytes: they, as exported; not trusted
 * @age: ns since the tick began in which the export ended; if only the end is
 *       known, ns since then: keys may live for a tick longer
 *
 * Keys of a windowed set that have expired since are left out. None goes before
 * its time; by rounding some live for a tick longer.
 *
 * Context: process.
 * Return: true, or false: these bytes are not what an export gives (a stamp or an
 * epoch out of range, bits behind the last, a key not in its place).
 */
bool seen_set_import(struct seen_set *set, u64 from, u64 count,
		     const u8 *bytes, u64 age);

/**
 * seen_snapshot_keys_valid() - is each key where it will be looked for?
 * @geo: of the set
 * @secret: its
 * @count: units
 * @bytes: they, as exported; not trusted
 *
 * Only maps have keys. One under another's hash would never be found, nor deleted.
 */
bool seen_snapshot_keys_valid(const struct seen_geometry *geo,
			      const struct seen_secret *secret, u64 count,
			      const u8 *bytes);

/* seen_set_import_end() - all units were given: count what is in them */
void seen_set_import_end(struct seen_set *set);

/* seen_set_can_merge() - NULL, or why two geometries cannot be merged */
const char *seen_set_can_merge(const struct seen_geometry *to,
			       const struct seen_geometry *from);

enum seen_merge {
	SEEN_MERGE_OK,
	SEEN_MERGE_TORN,	/* begin again with unit 0 */
	SEEN_MERGE_FULL,	/* an entry found no room; those before it did */
};

/**
 * seen_set_merge_begin() - other sets are merged into this one
 * @to: the set; others may use it meanwhile
 *
 * seen_set_merge_end() follows in any case, also where the merge is given up.
 */
void seen_set_merge_begin(struct seen_set *to);

/**
 * seen_set_merge() - add what is in some units of another set
 * @to: of the same geometry and secret, between begin and end
 * @from: the other; others may use it, but no export or other merge of it is under
 *        way
 * @at: first unit of @from
 * @count: units at most
 * @next: out: the next unit, or 0 after the last
 *
 * Bloom kinds by OR, counters and sketches by sums (which stick at their most),
 * cuckoo kinds and maps entry by entry: of a key as many copies, or as young a
 * stamp, as either had. Where entries move, a move may tear a merge as it does an
 * export. To merge such units again adds nothing but what has come meanwhile.
 *
 * Context: process; bounded by @count.
 */
enum seen_merge seen_set_merge(struct seen_set *to, struct seen_set *from,
			       u64 at, u64 count, u64 *next);

/* seen_set_merge_end() - count what is in @to now */
void seen_set_merge_end(struct seen_set *to);

/**
 * seen_set_merge_room() - would @to and @from together keep the promise?
 * @to: one
 * @from: the other
 * @at: first unit of @from
 * @count: units at most
 * @keys: out after the last: keys that are in both together at most; above
 *        geo.capacity: it would be broken
 *
 * Return: the next unit, or 0 after the last.
 */
u64 seen_set_merge_room(struct seen_set *to, struct seen_set *from, u64 at,
			u64 count, u64 *keys);

/* seen_set_can_fold() - NULL, or why this kind cannot be folded */
const char *seen_set_can_fold(const struct seen_geometry *geo);

/**
 * seen_fold_plan() - the smallest size that keeps the promised rate
 * @set: what is in it now counts, not its capacity
 * @keys: that shall fit in the end, those that are there included; at least those
 * @folded: out: geometry of the smaller set; its capacity is @keys
 *
 * Return: false: it cannot be smaller.
 */
bool seen_fold_plan(struct seen_set *set, u64 keys,
		    struct seen_geometry *folded);

/**
 * seen_set_mirror() - from now on each key that is stored in a set goes to another
 * one as well
 * @set: of a kind that folds
 * @mirror: of a folded geometry; NULL: no more
 *
 * As long as it is one, a mirror is never full: a key that found room in @set must
 * not be missing when the mirror has taken its place.
 *
 * Context: process. The caller waits (in the kernel by synchronize_rcu()): for
 * those who began to write before, once it has set a mirror; for all who write to
 * @set, before it takes the mirror away.
 */
void seen_set_mirror(struct seen_set *set, struct seen_set *mirror);

/**
 * seen_set_mirror_judges() - from now on the mirror decides whose key was new
 * @set: it has a mirror, into which all of it has been folded
 *
 * Not before: what is folded may be a key whose adder comes to the mirror later,
 * finds it there, and would not be told that it is new; nor would anybody. But
 * before the mirror takes the place of @set, where others bring keys to it alone:
 * those who began earlier are waited for in between.
 *
 * Context: process; as above.
 */
void seen_set_mirror_judges(struct seen_set *set);

/* seen_set_fold() - OR some units into the mirror; as seen_set_merge() */
u64 seen_set_fold(struct seen_set *from, struct seen_set *to, u64 at,
		  u64 count);

#endif
