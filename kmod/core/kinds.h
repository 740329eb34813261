/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of each kind, for set.c and the other files of its layer. Semantics: set.h. */
#ifndef SEEN_CORE_KINDS_H
#define SEEN_CORE_KINDS_H

#include "siphash.h"
#include "table.h"

/* bloom.c: SEEN_SET_BLOCKED */
bool seen_blocked_test(const struct seen_set *set, u64 hash);
enum seen_result seen_blocked_add(struct seen_set *set, u64 hash);

/* classic.c: SEEN_SET_CLASSIC */
bool seen_classic_test(const struct seen_set *set, u64 hash);
enum seen_result seen_classic_add(struct seen_set *set, u64 hash);

/* bloom_window.c: SEEN_SET_BLOOM_WINDOW. @restart: restart a present key's window, too. */
enum seen_result seen_generation_test(const struct seen_set *set, u64 hash);
enum seen_result seen_generation_add(struct seen_set *set, u64 hash,
				     bool restart);
/* See seen_set_add_aged(); @age is at most geo.window. */
enum seen_result seen_generation_add_aged(struct seen_set *set, u64 hash, u64 age);
void seen_generation_sweep(struct seen_set *set, u64 line);
/* Current epoch; a generation lasts a tick, or less if it was rotated. */
u64 seen_generation_epoch(const struct seen_set *set);
/* Is the sweep so late that the epoch of a count is ambiguous? */
bool seen_generation_stale(const struct seen_set *set, u64 now);
u32 seen_generation_used(const struct seen_set *set, u64 line);
/* Export a line as a unit of a snapshot, and merge a unit into a line; see snapshot.h. */
void seen_generation_export(const struct seen_set *set, u64 line, u8 *to);
void seen_generation_absorb(struct seen_set *set, u64 line, const u8 *unit,
			    u64 age);

/*
 * cuckoo.c: SEEN_SET_CUCKOO. @max: store a copy if fewer are present. @copies: out:
 * copies present afterwards; only valid if @max is above 1.
 */
bool seen_cuckoo_test(struct seen_set *set, u64 hash);
enum seen_result seen_cuckoo_add(struct seen_set *set, u64 hash, u32 max,
				 u32 *copies);
u32 seen_cuckoo_count(struct seen_set *set, u64 hash);
enum seen_result seen_cuckoo_del(struct seen_set *set, u64 hash);
u32 seen_cuckoo_used(const struct seen_set *set, u64 bucket);
/*
 * As seen_cuckoo_count() and seen_cuckoo_add(), for an entry by its bucket and
 * fingerprint, without its key. The entry may come from another set of the same
 * geometry.
 */
u32 seen_cuckoo_count_entry(struct seen_set *set, u64 bucket, u32 fp);
enum seen_result seen_cuckoo_add_entry(struct seen_set *set, u64 bucket, u32 fp,
				       u32 max);

/* cuckoo_window.c: SEEN_SET_CUCKOO_WINDOW. @restart: restart a present key's window, too. */
enum seen_result seen_cuckoo_window_test(struct seen_set *set, u64 hash);
enum seen_result seen_cuckoo_window_add(struct seen_set *set, u64 hash, bool restart);
/* See seen_set_add_aged(); @age is at most geo.window. */
enum seen_result seen_cuckoo_window_add_aged(struct seen_set *set, u64 hash, u64 age);
enum seen_result seen_cuckoo_window_del(struct seen_set *set, u64 hash);
u32 seen_cuckoo_window_used(const struct seen_set *set, u64 bucket);
void seen_cuckoo_window_sweep(struct seen_set *set, u64 bucket);
/*
 * seen_cuckoo_window_swept() - called after each whole sweep: decides whether the set
 * may sleep
 */
void seen_cuckoo_window_swept(struct seen_set *set);

/*
 * cuckoo_window_unit.c: export a bucket as a unit of a snapshot; check, import, merge a
 * unit.
 */
u32 seen_cuckoo_window_unit_bytes(const struct seen_geometry *geo);
void seen_cuckoo_window_export(const struct seen_set *set, u64 bucket, u8 *to);
bool seen_cuckoo_window_valid(const struct seen_geometry *geo, const u8 *unit);
void seen_cuckoo_window_import(struct seen_set *set, u64 bucket, const u8 *unit,
			       u64 age);
/* Return: false if an entry found no room. */
bool seen_cuckoo_window_absorb(struct seen_set *set, u64 bucket, const u8 *unit,
			       u64 age);

/* bitmap.c: SEEN_SET_BITMAP. @number is below geo.capacity. */
bool seen_bitmap_test(const struct seen_set *set, u64 number);
enum seen_result seen_bitmap_add(struct seen_set *set, u64 number);
enum seen_result seen_bitmap_del(struct seen_set *set, u64 number);

/*
 * counting.c: SEEN_SET_COUNTING. @if_new: store the key only if it is not seen. @count:
 * out: the key's count afterwards. An add returns SEEN_SEEN if the count was at least
 * geo.threshold before.
 */
u32 seen_counting_count(const struct seen_set *set, u64 hash);
enum seen_result seen_counting_add(struct seen_set *set, u64 hash, bool if_new,
				   u32 *count);
enum seen_result seen_counting_del(struct seen_set *set, u64 hash);
u32 seen_counting_used(const struct seen_set *set, u64 block);
/* Number of keys that use @used counters on average. */
u64 seen_counting_keys(const struct seen_geometry *geo, u64 used);
/* Number of counters in use at which a set is full. */
u64 seen_counting_max(const struct seen_geometry *geo);

/*
 * sketch.c: SEEN_SET_CMS and SEEN_SET_CMM. If the sweep is late, an add counts nothing
 * and returns 0, and seen_sketch_count() returns 0, too: check seen_sketch_stale().
 */
bool seen_sketch_stale(const struct seen_set *set);
u32 seen_sketch_count(const struct seen_set *set, u64 hash);
u32 seen_sketch_add(struct seen_set *set, u64 hash);
/* Number of distinct keys counted in the window, estimated from a sample. */
u64 seen_sketch_entries(const struct seen_set *set);
/* Number of counters of a column that are in use, in the window. */
u32 seen_sketch_used(const struct seen_set *set, u64 column);
void seen_sketch_sweep(struct seen_set *set, u64 column);
/* Sum of all counts in the window. */
u64 seen_sketch_total(const struct seen_set *set);

/* sketch_unit.c: export a column as a unit of a snapshot, and add a unit to a column. */
u32 seen_sketch_unit_bytes(const struct seen_geometry *geo);
void seen_sketch_export(const struct seen_set *set, u64 column, u8 *to);
void seen_sketch_absorb(struct seen_set *set, u64 column, const u8 *unit,
			u64 age);

/*
 * map_unit.c: export a slot as a unit of a snapshot, and store the entry of a unit.
 *
 * seen_map_export(): caller holds the mover lock.
 *
 * seen_map_absorb(): a key that is present keeps its value, unless @import is set. An
 * export contains a key twice if it moved, or was deleted and added again, during the
 * export; the later value is the right one. An import may exceed the capacity: the
 * export may contain deleted keys together with the keys that took their place. Return:
 * false if the unit is not a valid entry or finds no room.
 */
u32 seen_map_unit_bytes(const struct seen_geometry *geo);
void seen_map_export(const struct seen_set *set, u64 slot, u8 *to);
bool seen_map_absorb(struct seen_set *set, const u8 *unit, bool import);

/* seen_snapshot_keys_valid() for a map */
bool seen_map_keys_valid(const struct seen_geometry *geo,
			 const struct seen_secret *secret, u64 count,
			 const u8 *bytes);

/* map.c: number of slots in use in a bucket of SEEN_SET_MAP; other functions: map.h */
u32 seen_map_used(struct seen_set *set, u64 block);

#endif
