/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots: a set's table as bytes that have the same meaning on other machines and
 * later.
 *
 * The byte order is little-endian. Every time (stamp, epoch) is an age in ticks before
 * the moment of the export: 0 is the current tick. Expired entries are all zeros. A
 * table is a row of units, each of seen_snapshot_unit_bytes(): those of
 * seen_geometry_units(), or the slots of a map. In classic and bitmap the last unit is
 * padded with zeros. Documentation/snapshot.md has each kind's unit byte by byte.
 *
 * Consistency: an export runs while other CPUs write. It contains every key that was
 * added before it began and was not deleted and has not expired. For this, moves in
 * cuckoo filters and maps avoid crossing the front of the export. A move that has to
 * cross it tears the export, and the exporter starts again.
 */
#ifndef SEEN_CORE_SNAPSHOT_H
#define SEEN_CORE_SNAPSHOT_H

#include "set.h"

/* seen_snapshot_unit_bytes() - bytes of one unit in a snapshot; map: of one slot */
u32 seen_snapshot_unit_bytes(const struct seen_geometry *geo);

/**
 * seen_geometry_check() - check a geometry that does not come from seen_plan()
 * @geo: every member is set, as in an import
 *
 * Return: NULL, or the name of the member that does not fit the others.
 */
const char *seen_geometry_check(const struct seen_geometry *geo);

/**
 * seen_set_export_begin() - start an export: from now on moves avoid its front
 * @set: the set
 *
 * If entries of this kind move, this tears an export that is under way. An export that
 * is not finished needs no cleanup.
 *
 * Context: process. Return: the cookie of the export.
 */
u64 seen_set_export_begin(struct seen_set *set);

/**
 * seen_set_export() - export the next units
 * @set: the set
 * @cookie: from seen_set_export_begin()
 * @from: first unit
 * @count: maximum number of units
 * @to: out: @count * seen_snapshot_unit_bytes()
 * @next: out: the next unit, or 0 after the last, which ends the export
 *
 * Context: process; holds locks for one unit, or for 32 units of a kind whose entries
 * move.
 * Return: false if the export was torn: start again.
 */
bool seen_set_export(struct seen_set *set, u64 cookie, u64 from, u64 count,
		     u8 *to, u64 *next);

/**
 * seen_set_import() - put units into a set that is not yet in use
 * @set: empty before the first unit; the caller needs no lock
 * @from: first unit; each unit is given once
 * @count: number of units
 * @bytes: the units, as exported; not trusted
 * @age: ns since the start of the tick in which the export ended; if only the end is
 *       known, ns since the end, and keys may live a tick longer
 *
 * Keys of a windowed set that have expired since the export are left out. No key
 * expires early; because of rounding some live a tick longer.
 *
 * Context: process.
 * Return: false if no export can contain these bytes (a stamp or an epoch out of range,
 * bits after the last, a key not in its place).
 */
bool seen_set_import(struct seen_set *set, u64 from, u64 count,
		     const u8 *bytes, u64 age);

/**
 * seen_snapshot_keys_valid() - is each key stored under its own hash?
 * @geo: geometry of the set
 * @secret: secret of the set's hash
 * @count: number of units
 * @bytes: the units, as exported; not trusted
 *
 * Only maps hold keys. A key under another key's hash could never be found or deleted.
 */
bool seen_snapshot_keys_valid(const struct seen_geometry *geo,
			      const struct seen_secret *secret, u64 count,
			      const u8 *bytes);

/* seen_set_import_end() - call after all units: counts the keys of the set */
void seen_set_import_end(struct seen_set *set);

/* seen_set_can_merge() - NULL, or the parameter that prevents merging two geometries */
const char *seen_set_can_merge(const struct seen_geometry *to,
			       const struct seen_geometry *from);

enum seen_merge {
	SEEN_MERGE_OK,
	SEEN_MERGE_TORN,	/* start again with unit 0 */
	SEEN_MERGE_FULL,	/* an entry found no room; the entries before it did */
};

/**
 * seen_set_merge_begin() - other sets will be merged into this one
 * @to: the set; it may be in use
 *
 * The caller must call seen_set_merge_end(), also if it aborts the merge.
 */
void seen_set_merge_begin(struct seen_set *to);

/**
 * seen_set_merge() - merge some units of another set
 * @to: set of the same geometry and secret, between begin and end; it may be in use
 * @from: the other set; it may be in use, but without an export or another merge of it
 * @at: first unit of @from
 * @count: maximum number of units
 * @next: out: the next unit, or 0 after the last
 *
 * Bloom kinds are merged by OR. Counters and sketches are added; the sums stick at
 * their maximum. Cuckoo kinds and maps are merged entry by entry: a key gets the larger
 * number of copies, or the younger stamp, of both sets. If entries move, a move may
 * tear the merge like an export; the next merge of the same units adds only keys that
 * were added in the meantime.
 *
 * Context: process; bounded by @count.
 * Return: SEEN_MERGE_OK, or why the merge cannot continue.
 */
enum seen_merge seen_set_merge(struct seen_set *to, struct seen_set *from,
			       u64 at, u64 count, u64 *next);

/* seen_set_merge_end() - ends a merge: counts the keys of @to */
void seen_set_merge_end(struct seen_set *to);

/**
 * seen_set_merge_room() - would @to and @from together keep the promise?
 * @to: one set
 * @from: the other set
 * @at: first unit of @from
 * @count: maximum number of units
 * @keys: out after the last unit: keys in both together, at most; above geo.capacity, a
 *        merge would break the promise. Keep it between calls.
 *
 * Return: the next unit, or 0 after the last.
 */
u64 seen_set_merge_room(struct seen_set *to, struct seen_set *from, u64 at,
			u64 count, u64 *keys);

/* seen_set_can_fold() - NULL, or the parameter that prevents folding */
const char *seen_set_can_fold(const struct seen_geometry *geo);

/**
 * seen_fold_plan() - find the smallest size that keeps the promised rate
 * @set: the set; its current keys count, not its capacity
 * @keys: number of keys that must fit, those in @set included
 * @folded: out: geometry of the smaller set; its capacity is @keys, or the number of
 *          keys in @set if that is higher
 *
 * Return: false if the set cannot be smaller.
 */
bool seen_fold_plan(struct seen_set *set, u64 keys,
		    struct seen_geometry *folded);

/**
 * seen_set_mirror() - from now on store each key in another set as well
 * @set: set of a kind that can be folded
 * @mirror: set with a folded geometry; NULL: stop
 *
 * A mirror is never full, because a key that found room in @set must not be missing
 * when the mirror has taken the place of @set.
 *
 * Context: process. After it has set a mirror, the caller waits for all writers that
 * began before (in the kernel by synchronize_rcu()); before it removes the mirror, it
 * waits for all writers of @set.
 */
void seen_set_mirror(struct seen_set *set, struct seen_set *mirror);

/**
 * seen_set_mirror_judges() - from now on the mirror decides whether a key was new
 * @set: it has a mirror, into which all of it was folded
 *
 * Must not be called before all units were folded: folding may copy a key into the mirror
 * before the add that stored the key reaches the mirror. That add would find the key there
 * and report it as seen, so no add would report it as new. Must be called before the
 * mirror takes the place of @set, because then other CPUs add keys to the mirror alone.
 * Between this call and that replacement the caller waits for all writers that began
 * before this call.
 *
 * Context: process; see seen_set_mirror().
 */
void seen_set_mirror_judges(struct seen_set *set);

/*
 * seen_set_fold() - OR units of @from into its mirror @to, @count of them from @at on;
 * returns the next unit, or 0 after the last
 */
u64 seen_set_fold(struct seen_set *from, struct seen_set *to, u64 at,
		  u64 count);

#endif
