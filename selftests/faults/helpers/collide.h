/* SPDX-License-Identifier: GPL-2.0 */
/* Where a map's keys lie, by the kernel's own code. */
#ifndef COLLIDE_H
#define COLLIDE_H

#include <stdint.h>

/* Keys of the same two buckets, and slots that these have. */
#define COLLIDE_KEYS	9
#define COLLIDE_SLOTS	8

/**
 * collide_place() - the two buckets of a key in a new map, as one number
 * @secret: sixteen bytes, the filter's
 * @blocks: that the filter has
 * @key: the key
 * @len: its bytes
 */
uint64_t collide_place(const uint8_t *secret, uint64_t blocks,
		       const uint8_t *key, uint16_t len);

#endif
