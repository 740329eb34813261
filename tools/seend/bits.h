/* SPDX-License-Identifier: GPL-2.0 */
/* Bits in a buffer, and Rice codes of numbers: a quotient in unary, and the low bits. */
#ifndef SEEND_BITS_H
#define SEEND_BITS_H

#include "bytes.h"

/**
 * struct bit_writer - bits that are appended to a buffer
 * @to: the buffer; bit_writer_end() completes its last byte
 * @byte: bits of the next byte, the first one lowest
 * @count: bits in @byte, below 8
 */
struct bit_writer {
	struct writer *to;
	uint8_t byte;
	unsigned int count;
};

/**
 * struct bit_cursor - bits that are being read
 * @from: the bytes; @from.bad as for bytes
 * @byte: bits that are left of the last byte
 * @count: their number
 */
struct bit_cursor {
	struct cursor *from;
	uint8_t byte;
	unsigned int count;
};

/* bits_put() - append the @count low bits of a number, at most 64, the low ones first */
void bits_put(struct bit_writer *bits, uint64_t value, unsigned int count);

/* rice_put() - append a number as Rice code with @low low bits, at most 63 */
void rice_put(struct bit_writer *bits, uint64_t value, unsigned int low);

/* bit_writer_end() - fill the last byte with bits of 0 */
void bit_writer_end(struct bit_writer *bits);

uint64_t bits_get(struct bit_cursor *bits, unsigned int count);

/**
 * rice_get() - read a Rice code
 * @bits: from here
 * @low: number of low bits, at most 63
 *
 * Return: the number; 0, with bits->from->bad set, if it is incomplete or exceeds 64 bits.
 */
uint64_t rice_get(struct bit_cursor *bits, unsigned int low);

/* bit_cursor_end() - the rest of the last byte must be 0, else it is malformed */
void bit_cursor_end(struct bit_cursor *bits);

#endif
