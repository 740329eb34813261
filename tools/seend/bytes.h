/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers and bytes in a buffer, little-endian. A bound that is reached is remembered. */
#ifndef SEEND_BYTES_H
#define SEEND_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest varint. */
#define VARINT_MAX	10

/**
 * struct writer - a buffer that is being written
 * @data: the buffer
 * @room: bytes of @data
 * @used: bytes that are written
 * @full: something did not fit, so that the content is useless
 */
struct writer {
	uint8_t *data;
	size_t room;
	size_t used;
	bool full;
};

/**
 * struct cursor - bytes that are being read
 * @data: the next byte
 * @left: bytes from @data on
 * @bad: more was read than there is, or a value is malformed; from then on every read returns 0
 */
struct cursor {
	const uint8_t *data;
	size_t left;
	bool bad;
};

/* put_number() - append the @bytes low bytes of a number, at most 8 */
void put_number(struct writer *to, uint64_t value, unsigned int bytes);

/* put_varint() - append a number of 7 bits a byte, the low ones first */
void put_varint(struct writer *to, uint64_t value);

void put_bytes(struct writer *to, const void *data, size_t len);

uint64_t get_number(struct cursor *from, unsigned int bytes);

/* get_varint() - read a number; one that is longer than necessary is malformed */
uint64_t get_varint(struct cursor *from);

/* get_bytes() - pass @len bytes; NULL: there are fewer */
const uint8_t *get_bytes(struct cursor *from, size_t len);

#endif
