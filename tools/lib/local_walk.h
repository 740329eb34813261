/* SPDX-License-Identifier: GPL-2.0 */
/* The keys that an exact filter holds. Inside of libseen and seenctl. */
#ifndef LIBSEEN_LOCAL_WALK_H
#define LIBSEEN_LOCAL_WALK_H

#include "local.h"

/* Of a type that is neither map nor bitmap. */
#define SEEN_NO_WALK_TEXT \
	"type %s stores no keys that could be listed; use map or bitmap"

/* A key, canonical, and what a map has for it; a return other than 0 ends the walk. */
typedef int (*seen_tell_fn)(const uint8_t *key, size_t len, uint32_t value,
			    void *context);

/**
 * seen_local_walk() - every key of a map or a bitmap, in ascending order of its bytes
 * @local: the filter; one thread alone
 * @tell: called for each key
 * @context: handed to it
 *
 * Return: 0, what @tell returned, or -errno: -EOPNOTSUPP: the type keeps no keys.
 */
int seen_local_walk(struct seen_local *local, seen_tell_fn tell, void *context);

#endif
