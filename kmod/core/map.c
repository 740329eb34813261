// SPDX-License-Identifier: GPL-2.0
/* To be written. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "internal.h"
#include "kinds.h"
#include "map.h"

bool seen_map_test(struct seen_set *set, const struct seen_item *item, u32 *value) { return false; }
enum seen_result seen_map_add(struct seen_set *set, const struct seen_item *item, u32 value, bool replace) { return SEEN_FULL; }
enum seen_result seen_map_del(struct seen_set *set, const struct seen_item *item) { return SEEN_ABSENT; }
bool seen_map_torn(const struct seen_set *set) { return false; }
u32 seen_map_used(const struct seen_set *set, u64 block) { return 0; }
enum seen_plan_error seen_map_plan(struct seen_geometry *geo) { return SEEN_PLAN_SIZE; }
u64 seen_map_bytes(const struct seen_geometry *geo) { return 64; }
void seen_map_init(struct seen_set *set) { }
void seen_map_rehash_begin(struct seen_set *set, struct seen_map_table *table) { }
u64 seen_map_rehash_step(struct seen_set *set, u64 from, u64 count) { return 0; }
bool seen_map_rehash_end(struct seen_set *set, struct seen_map_table *old) { return false; }
u64 seen_map_walk(struct seen_set *set, u64 from, u64 count, void (*tell)(void *context, const void *key, u32 len, u32 value), void *context) { return 0; }
