// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "bytes.h"

void put_bytes(struct writer *to, const void *data, size_t len)
{
	if (to->full || len > to->room - to->used) {
		to->full = true;
		return;
	}
	if (len)
		memcpy(to->data + to->used, data, len);
	to->used += len;
}

void put_number(struct writer *to, uint64_t value, unsigned int bytes)
{
	uint8_t data[8];

	for (unsigned int i = 0; i < bytes; i++)
		data[i] = value >> 8 * i;
	put_bytes(to, data, bytes);
}

void put_varint(struct writer *to, uint64_t value)
{
	uint8_t data[VARINT_MAX];
	size_t len = 0;

	while (value >= 0x80) {
		data[len++] = value | 0x80;
		value >>= 7;
	}
	data[len++] = value;
	put_bytes(to, data, len);
}

const uint8_t *get_bytes(struct cursor *from, size_t len)
{
	const uint8_t *data = from->data;

	if (from->bad || len > from->left) {
		from->bad = true;
		return NULL;
	}
	from->data += len;
	from->left -= len;
	return data;
}

uint64_t get_number(struct cursor *from, unsigned int bytes)
{
	const uint8_t *data = get_bytes(from, bytes);
	uint64_t value = 0;

	for (unsigned int i = 0; data && i < bytes; i++)
		value |= (uint64_t)data[i] << 8 * i;
	return value;
}

uint64_t get_varint(struct cursor *from)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 64; shift += 7) {
		const uint8_t *data = get_bytes(from, 1);

		if (!data)
			return 0;
		/* The tenth byte has one bit; a last byte of 0 adds nothing to those before. */
		if ((shift == 63 && *data > 1) || (shift && !*data))
			break;
		value |= (uint64_t)(*data & 0x7f) << shift;
		if (*data < 0x80)
			return value;
	}
	from->bad = true;
	return 0;
}
