/* SPDX-License-Identifier: GPL-2.0 */
/* What a program has where this version of the library has nothing. */
#ifndef SEEN_RESERVED_H
#define SEEN_RESERVED_H

#include "libseen.h"

/*
 * seen_filter_fault() - what this library cannot read in a program's structure: reserved
 * members that are not 0, counts beyond their arrays, and texts without an end. NULL: nothing
 */
const char *seen_filter_fault(const struct seen_filter_config *config);

/* seen_keys_fault() - the same of keys, whose records must fill what is used of the data */
const char *seen_keys_fault(const struct seen_keys *keys);

/* seen_guard_fault() - the same of a guard, and unknown bits of what is given */
const char *seen_guard_fault(const struct seen_guard_config *config);

/* seen_guard_id_fault() - the same of a guard's place */
const char *seen_guard_id_fault(const struct seen_guard_id *id);

#endif
