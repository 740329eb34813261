// SPDX-License-Identifier: GPL-2.0
#include "capture.h"

#define SECOND	UINT64_C(1000000000)
#define BINARY	0x80

/* Multiply, saturating at UINT64_MAX. */
static uint64_t product(uint64_t a, uint64_t b)
{
	uint64_t value;

	return __builtin_mul_overflow(a, b, &value) ? UINT64_MAX : value;
}

static uint64_t decimal(unsigned int digits, uint64_t stamp)
{
	for (; digits > 9 && stamp; digits--)
		stamp /= 10;
	for (; digits < 9; digits++)
		stamp = product(stamp, 10);
	return stamp;
}

static uint64_t binary(unsigned int bits, uint64_t stamp)
{
	uint64_t second = bits < 64 ? stamp >> bits : 0;
	uint64_t part = bits < 64 ? stamp & ~(~UINT64_C(0) << bits) : stamp;
	uint64_t ns, value;

	/* Keep 32 bits, so that the product fits. The bits that are cut off are below 1 ns. */
	if (bits > 32) {
		part = bits - 32 < 64 ? part >> (bits - 32) : 0;
		bits = 32;
	}
	ns = part * SECOND >> bits;
	return __builtin_add_overflow(product(second, SECOND), ns, &value) ?
	       UINT64_MAX : value;
}

static uint64_t shift(uint64_t time, int64_t seconds)
{
	uint64_t by = product(seconds < 0 ? -(uint64_t)seconds :
						   (uint64_t)seconds, SECOND);
	uint64_t value;

	if (seconds < 0)
		return time < by ? 0 : time - by;
	return __builtin_add_overflow(time, by, &value) ? UINT64_MAX : value;
}

uint64_t capture_time(const struct capture_unit *unit, uint64_t stamp)
{
	unsigned int digits = unit->resolution & ~BINARY;

	return shift(unit->resolution & BINARY ? binary(digits, stamp) :
						 decimal(digits, stamp),
		     unit->offset);
}
