// SPDX-License-Identifier: GPL-2.0
/*
 * Processes eight bytes at a time (Kounavis and Berry, "Novel table lookup-based algorithms
 * for high-performance CRC generation", 2008). Debian packages no C library for CRC-32C.
 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "crc32c.h"

/* The polynomial 0x1edc6f41, bits reversed. */
#define POLYNOMIAL	0x82f63b78

static uint32_t table[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		table[0][i] = crc;
	}
	for (int n = 1; n < 8; n++)
		for (int i = 0; i < 256; i++)
			table[n][i] = table[n - 1][i] >> 8 ^
				      table[0][table[n - 1][i] & 0xff];
}

static uint32_t word(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t eight(uint32_t crc, const uint8_t *p)
{
	uint32_t low = crc ^ word(p);
	uint32_t high = word(p + 4);
	uint32_t result = 0;

	for (int i = 0; i < 4; i++) {
		result ^= table[7 - i][low >> 8 * i & 0xff];
		result ^= table[3 - i][high >> 8 * i & 0xff];
	}
	return result;
}

static uint32_t by_tables(uint32_t crc, const uint8_t *p, size_t len)
{
	pthread_once(&once, fill);
	for (; len >= 8; len -= 8, p += 8)
		crc = eight(crc, p);
	for (; len; len--, p++)
		crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
	return crc;
}

#ifdef __x86_64__
/* With the CPU's CRC32 instruction, five times as fast as the tables. */
__attribute__((__target__("sse4.2")))
static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t len)
{
	uint64_t bytes;

	for (; len >= 8; len -= 8, p += 8) {
		memcpy(&bytes, p, sizeof(bytes));
		crc = __builtin_ia32_crc32di(crc, bytes);
	}
	for (; len; len--, p++)
		crc = __builtin_ia32_crc32qi(crc, *p);
	return crc;
}

static bool has_instruction(void)
{
	return __builtin_cpu_supports("sse4.2");
}
#else
static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t len)
{
	return by_tables(crc, p, len);
}

static bool has_instruction(void)
{
	return false;
}
#endif

uint32_t seen_crc32c(uint32_t crc, const void *data, size_t len)
{
	return ~(has_instruction() ? by_instruction(~crc, data, len) :
				     by_tables(~crc, data, len));
}
