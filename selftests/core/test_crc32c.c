// SPDX-License-Identifier: GPL-2.0
/* CRC-32C: published values; the CPU's instruction compared with the tables. */
#include "test.h"
#include "crc32c.c"

#define BYTES	4096

static u8 data[BYTES];

/* Four examples of RFC 3720, B.4: by the chosen implementation, and by the tables. */
static void published(void)
{
	static const struct {
		u8 first;
		int step;
		u32 crc;
	} values[] = {
		{ 0x00, 0, 0x8a9136aa }, { 0xff, 0, 0x62a8ab43 },
		{ 0x00, 1, 0x46dd794e }, { 0x1f, -1, 0x113fdb5c },
	};
	int i, j;

	for (i = 0; i < 4; i++) {
		for (j = 0; j < 32; j++)
			data[j] = values[i].first + j * values[i].step;
		ok(seen_crc32c(0, data, 32) == values[i].crc, "RFC 3720, %d", i);
		ok(~by_tables(~0U, data, 32) == values[i].crc, "by tables");
	}
}

/* Any length, from any place, in any two parts. */
static void both_ways(void)
{
	int i, wrong = 0;

	if (!has_instruction()) {
		ok(true, "both ways # SKIP this CPU has one way");
		return;
	}
	for (i = 0; i < BYTES; i++)
		data[i] = random64();
	for (i = 0; i < 20000; i++) {
		u32 at = random_below(64), len = random_below(1024);
		u32 part = random_below(len + 1);
		u32 crc = by_tables(i, data + at, len);

		wrong += by_instruction(i, data + at, len) != crc;
		wrong += by_instruction(by_tables(i, data + at, part),
					data + at + part, len - part) != crc;
	}
	ok(!wrong, "20,000 times both ways agree");
}

int main(void)
{
	test_begin(9);
	published();
	both_ways();
	return test_end();
}
