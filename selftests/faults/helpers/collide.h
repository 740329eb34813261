/* SPDX-License-Identifier: GPL-2.0 */
/* The place of a map's key, computed by the kernel's own code. */
#ifndef COLLIDE_H
#define COLLIDE_H

#include <stdint.h>

/* Number of keys with the same two buckets, and of slots in these buckets. */
#define COLLIDE_KEYS	9
#define COLLIDE_SLOTS	8

/**
 * collide_place() - the two buckets of a key in a new map, as one number
 * @secret: the filter's secret, 16 bytes
 * @blocks: number of the filter's blocks
 * @key: the key
 * @len: length of the key in bytes
 */
uint64_t collide_place(const uint8_t *secret, uint64_t blocks,
		       const uint8_t *key, uint16_t len);

#endif
