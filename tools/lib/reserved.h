/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of a program's structures for values that this version of the library cannot read. */
#ifndef SEEN_RESERVED_H
#define SEEN_RESERVED_H

#include "libseen.h"

/*
 * seen_filter_fault() - error text for reserved members that are not 0, counts beyond their
 * arrays, and texts that are not terminated; NULL: no error
 */
const char *seen_filter_fault(const struct seen_filter_config *config);

/* seen_keys_fault() - the same for keys; also if @count and @size do not match the records */
const char *seen_keys_fault(const struct seen_keys *keys);

/* seen_feed_fault() - the same for a feed */
const char *seen_feed_fault(const struct seen_feed_config *config);

/* seen_guard_fault() - the same for a guard; also for unknown bits in @given */
const char *seen_guard_fault(const struct seen_guard_config *config);

/* seen_guard_id_fault() - the same for a guard's device and hook */
const char *seen_guard_id_fault(const struct seen_guard_id *id);

#endif
