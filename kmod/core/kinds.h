/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of the kinds that set.c and its floor call. Semantics: set.h. */
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

/* bloom_window.c: SEEN_SET_BLOOM_WINDOW. @restart: an old key's window too. */
enum seen_result seen_generation_test(const struct seen_set *set, u64 hash);
enum seen_result seen_generation_add(struct seen_set *set, u64 hash,
				     bool restart);
void seen_generation_sweep(struct seen_set *set, u64 line);
/* The present epoch; a generation lasts a tick, or less if it was rotated. */
u64 seen_generation_epoch(const struct seen_set *set);
/* Is the sweep so late that an epoch's bits may mean another one? */
bool seen_generation_stale(const struct seen_set *set, u64 now);
u32 seen_generation_used(const struct seen_set *set, u64 line);
/* A unit of a snapshot, and the same put into a line; see snapshot.h. */
void seen_generation_export(const struct seen_set *set, u64 line, u8 *to);
void seen_generation_absorb(struct seen_set *set, u64 line, const u8 *unit,
			    u64 age);

/*
 * cuckoo.c: SEEN_SET_CUCKOO. @max: store one more where fewer copies are; @copies:
 * that are there then, unless @max is 1.
 */
bool seen_cuckoo_test(struct seen_set *set, u64 hash);
enum seen_result seen_cuckoo_add(struct seen_set *set, u64 hash, u32 max,
				 u32 *copies);
u32 seen_cuckoo_count(struct seen_set *set, u64 hash);
enum seen_result seen_cuckoo_del(struct seen_set *set, u64 hash);
u32 seen_cuckoo_used(const struct seen_set *set, u64 bucket);
/*
 * The same for what lies in a bucket of this set, or of another one of the same
 * geometry: its key is not needed. Adds one if there are fewer than @max.
 */
u32 seen_cuckoo_count_entry(struct seen_set *set, u64 bucket, u32 fp);
enum seen_result seen_cuckoo_add_entry(struct seen_set *set, u64 bucket, u32 fp,
				       u32 max);

/* cuckoo_window.c: SEEN_SET_CUCKOO_WINDOW. @restart: an old key's window too. */
enum seen_result seen_cuckoo_window_test(struct seen_set *set, u64 hash);
enum seen_result seen_cuckoo_window_add(struct seen_set *set, u64 hash, bool restart);
enum seen_result seen_cuckoo_window_del(struct seen_set *set, u64 hash);
u32 seen_cuckoo_window_used(const struct seen_set *set, u64 bucket);
void seen_cuckoo_window_sweep(struct seen_set *set, u64 bucket);
/* seen_cuckoo_window_swept() - a whole sweep has ended: may the set sleep? */
void seen_cuckoo_window_swept(struct seen_set *set);

/* cuckoo_window_unit.c: a unit of a snapshot, and the same put into a bucket. */
u32 seen_cuckoo_window_unit_bytes(const struct seen_geometry *geo);
void seen_cuckoo_window_export(const struct seen_set *set, u64 bucket, u8 *to);
bool seen_cuckoo_window_valid(const struct seen_geometry *geo, const u8 *unit);
void seen_cuckoo_window_import(struct seen_set *set, u64 bucket, const u8 *unit,
			       u64 age);
/* False: no room. */
bool seen_cuckoo_window_absorb(struct seen_set *set, u64 bucket, const u8 *unit,
			       u64 age);

/* bitmap.c: SEEN_SET_BITMAP. A hash is a number below geo.capacity. */
bool seen_bitmap_test(const struct seen_set *set, u64 number);
enum seen_result seen_bitmap_add(struct seen_set *set, u64 number);
enum seen_result seen_bitmap_del(struct seen_set *set, u64 number);

/*
 * counting.c: SEEN_SET_COUNTING. @if_new: store only what is not seen; @count: what
 * the key has now. SEEN_SEEN is what had a count of geo.threshold before.
 */
u32 seen_counting_count(const struct seen_set *set, u64 hash);
enum seen_result seen_counting_add(struct seen_set *set, u64 hash, bool if_new,
				   u32 *count);
enum seen_result seen_counting_del(struct seen_set *set, u64 hash);
u32 seen_counting_used(const struct seen_set *set, u64 block);
/* Keys that use so many counters in the mean. */
u64 seen_counting_keys(const struct seen_geometry *geo, u64 used);
/* Counters in use from which on a set is full. */
u64 seen_counting_max(const struct seen_geometry *geo);

/*
 * sketch.c: SEEN_SET_CMS and SEEN_SET_CMM. An add answers 0, and has not counted,
 * if the sweep is late; the same of a count is no answer.
 */
bool seen_sketch_stale(const struct seen_set *set);
u32 seen_sketch_count(const struct seen_set *set, u64 hash);
u32 seen_sketch_add(struct seen_set *set, u64 hash);
/* Keys counted in the window, estimated from a sample. */
u64 seen_sketch_entries(const struct seen_set *set);
/* Counters in use of a column, in the window. */
u32 seen_sketch_used(const struct seen_set *set, u64 column);
void seen_sketch_sweep(struct seen_set *set, u64 column);
/* All that was counted in the window. */
u64 seen_sketch_total(const struct seen_set *set);

/* sketch_unit.c: a unit of a snapshot, and the same added to a column */
u32 seen_sketch_unit_bytes(const struct seen_geometry *geo);
void seen_sketch_export(const struct seen_set *set, u64 column, u8 *to);
void seen_sketch_absorb(struct seen_set *set, u64 column, const u8 *unit,
			u64 age);

/*
 * map_unit.c: the same of a slot; read under the mover lock. A key that is there
 * keeps its value; not in an @import, since a key that moved, or was deleted and
 * added, while the export went on is in it twice: the later value is right. In
 * place of one that was deleted another may have come, so that there may be more
 * keys than the capacity. False: it is no entry, or finds no room.
 */
u32 seen_map_unit_bytes(const struct seen_geometry *geo);
void seen_map_export(const struct seen_set *set, u64 slot, u8 *to);
bool seen_map_absorb(struct seen_set *set, const u8 *unit, bool import);

/* seen_snapshot_keys_valid() of a map */
bool seen_map_keys_valid(const struct seen_geometry *geo,
			 const struct seen_secret *secret, u64 count,
			 const u8 *bytes);

/* map.c: SEEN_SET_MAP, see map.h; slots taken in a block */
u32 seen_map_used(struct seen_set *set, u64 block);

#endif
