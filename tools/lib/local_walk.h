/* SPDX-License-Identifier: GPL-2.0 */
/* The keys in an exact filter. Internal to libseen and seenctl. */
#ifndef LIBSEEN_LOCAL_WALK_H
#define LIBSEEN_LOCAL_WALK_H

#include "local.h"

/* The error for a type other than map and bitmap. */
#define SEEN_NO_WALK_TEXT \
	"type %s stores no keys that could be listed; use map or bitmap"

/* Callback: a canonical key, and its value in a map; a result other than 0 ends the walk. */
typedef int (*seen_tell_fn)(const uint8_t *key, size_t len, uint32_t value,
			    void *context);

/**
 * seen_local_walk() - list the keys of a map or a bitmap, in ascending order of their bytes
 * @local: the filter; no other thread may use it
 * @tell: called for each key
 * @context: passed to @tell
 *
 * Return: 0; the result of @tell; -EOPNOTSUPP: the type stores no keys; -ENOMEM.
 */
int seen_local_walk(struct seen_local *local, seen_tell_fn tell, void *context);

#endif
