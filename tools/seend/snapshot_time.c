// SPDX-License-Identifier: GPL-2.0
/* Documentation/snapshot.md has the places of the header. */
#include <time.h>

#include "../lib/crc32c.h"
#include "bytes.h"
#include "snapshot_time.h"

#define HEAD_LEN_AT	12
#define CRC_AT		16
#define TIME_AT		56
#define TIME_LEN	8

uint64_t snapshot_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static uint64_t snapshot_number(const uint8_t *bytes, size_t at, unsigned int len)
{
	struct cursor from = { bytes + at, len, false };

	return get_number(&from, len);
}

static void snapshot_set(uint8_t *bytes, size_t at, uint64_t value, unsigned int len)
{
	struct writer to = { bytes + at, len, 0, false };

	put_number(&to, value, len);
}

/* The CRC is of the header with these bytes as 0. */
static uint32_t snapshot_crc(uint8_t *bytes, size_t head)
{
	snapshot_set(bytes, CRC_AT, 0, 4);
	return seen_crc32c(0, bytes, head);
}

void snapshot_shift(uint8_t *bytes, size_t len, uint64_t from, uint64_t to)
{
	uint64_t head, crc;

	if (len < TIME_AT + TIME_LEN)
		return;
	head = snapshot_number(bytes, HEAD_LEN_AT, 4);
	if (head < TIME_AT + TIME_LEN || head > len)
		return;
	crc = snapshot_number(bytes, CRC_AT, 4);
	if (snapshot_crc(bytes, head) == crc) {
		snapshot_set(bytes, TIME_AT, snapshot_number(bytes, TIME_AT, TIME_LEN) + to - from,
			     TIME_LEN);
		crc = snapshot_crc(bytes, head);
	}
	snapshot_set(bytes, CRC_AT, crc, 4);
}
