/* SPDX-License-Identifier: GPL-2.0 */
/* Little-endian numbers in snapshot files, at any alignment. */
#ifndef LIBSEEN_NUMBER_H
#define LIBSEEN_NUMBER_H

#include <stdint.h>

static inline void number_put(uint8_t *to, unsigned int bytes, uint64_t value)
{
	for (unsigned int i = 0; i < bytes; i++)
		to[i] = value >> 8 * i;
}

static inline uint64_t number_get(const uint8_t *from, unsigned int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | from[bytes];
	return value;
}

#endif
