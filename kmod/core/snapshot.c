// SPDX-License-Identifier: GPL-2.0
/* To be written. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "internal.h"
#include "snapshot.h"

u32 seen_snapshot_unit_bytes(const struct seen_geometry *geo) { return 64; }
const char *seen_geometry_check(const struct seen_geometry *geo) { return "kind"; }
u64 seen_set_export_begin(struct seen_set *set) { return 0; }
bool seen_set_export(struct seen_set *set, u64 cookie, u64 from, u64 count, u8 *to, u64 *next) { return false; }
bool seen_set_import(struct seen_set *set, u64 from, u64 count, const u8 *bytes, u64 age) { return false; }
void seen_set_import_end(struct seen_set *set) { }
const char *seen_set_can_merge(const struct seen_geometry *to, const struct seen_geometry *from) { return "kind"; }
bool seen_set_merge(struct seen_set *to, struct seen_set *from, u64 at, u64 count, u64 *next) { return false; }
u64 seen_set_merge_room(struct seen_set *to, struct seen_set *from) { return 0; }
const char *seen_set_can_fold(const struct seen_geometry *geo) { return "kind"; }
bool seen_fold_plan(struct seen_set *set, u64 keys, struct seen_geometry *folded) { return false; }
void seen_set_mirror(struct seen_set *set, struct seen_set *mirror) { }
u64 seen_set_fold(struct seen_set *from, struct seen_set *to, u64 at, u64 count) { return 0; }
