/* SPDX-License-Identifier: GPL-2.0 */
/* What kinds give to plan.c: their part of seen_plan(), which has checked the rest. */
#ifndef SEEN_CORE_KINDS_H
#define SEEN_CORE_KINDS_H

#include "plan.h"

enum seen_plan_error seen_map_plan(struct seen_geometry *geo);
enum seen_plan_error seen_sketch_plan(struct seen_geometry *geo);

/* Bytes of the table; units that seen_set_used() counts in are geo.blocks. */
u64 seen_map_bytes(const struct seen_geometry *geo);
u64 seen_sketch_bytes(const struct seen_geometry *geo);

#endif
