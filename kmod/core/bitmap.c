// SPDX-License-Identifier: GPL-2.0
/* To be written. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "internal.h"
#include "kinds.h"

bool seen_bitmap_test(const struct seen_set *set, u64 number) { return false; }
enum seen_result seen_bitmap_add(struct seen_set *set, u64 number) { return SEEN_FULL; }
enum seen_result seen_bitmap_del(struct seen_set *set, u64 number) { return SEEN_ABSENT; }
enum seen_plan_error seen_bitmap_plan(struct seen_geometry *geo) { return SEEN_PLAN_RANGE; }
u64 seen_bitmap_bytes(const struct seen_geometry *geo) { return 64; }
