// SPDX-License-Identifier: GPL-2.0
#include "bits.h"

void bits_put(struct bit_writer *bits, uint64_t value, unsigned int count)
{
	while (count) {
		unsigned int part = 8 - bits->count;

		part = part < count ? part : count;
		bits->byte |= (value & ((1U << part) - 1)) << bits->count;
		bits->count += part;
		value >>= part;
		count -= part;
		if (bits->count == 8) {
			put_number(bits->to, bits->byte, 1);
			bits->byte = 0;
			bits->count = 0;
		}
	}
}

void rice_put(struct bit_writer *bits, uint64_t value, unsigned int low)
{
	for (uint64_t quotient = value >> low; quotient && !bits->to->full; quotient--)
		bits_put(bits, 1, 1);
	bits_put(bits, 0, 1);
	bits_put(bits, value, low);
}

void bit_writer_end(struct bit_writer *bits)
{
	if (bits->count)
		bits_put(bits, 0, 8 - bits->count);
}

uint64_t bits_get(struct bit_cursor *bits, unsigned int count)
{
	uint64_t value = 0;

	for (unsigned int have = 0; have < count;) {
		unsigned int part;

		if (!bits->count) {
			bits->byte = get_number(bits->from, 1);
			if (bits->from->bad)
				return 0;
			bits->count = 8;
		}
		part = count - have < bits->count ? count - have : bits->count;
		value |= (uint64_t)(bits->byte & ((1U << part) - 1)) << have;
		bits->byte >>= part;
		bits->count -= part;
		have += part;
	}
	return value;
}

uint64_t rice_get(struct bit_cursor *bits, unsigned int low)
{
	uint64_t most = UINT64_MAX >> low, quotient = 0;

	while (bits_get(bits, 1)) {
		if (quotient == most) {
			bits->from->bad = true;
			return 0;
		}
		quotient++;
	}
	return quotient << low | bits_get(bits, low);
}

void bit_cursor_end(struct bit_cursor *bits)
{
	if (bits->count && bits->byte)
		bits->from->bad = true;
	bits->count = 0;
}
