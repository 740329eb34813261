// SPDX-License-Identifier: GPL-2.0
/*
 * packets COUNT RATE: write a pcap of COUNT packets, RATE a second: UDP over IPv4 on Ethernet,
 * each packet twice, a millisecond apart. The output is the same each time.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME		216	/* a multiple of four: records have no gaps */
#define COPY_AFTER	1000	/* microseconds */

struct record {
	uint32_t seconds;
	uint32_t micro;
	uint32_t captured;
	uint32_t length;
	uint8_t frame[FRAME];
};

static const uint8_t head[] = {
	2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0,	/* Ethernet */
	0x45, 0, 0, FRAME - 14, 0, 0, 0, 0, 64, 17, 0, 0,
	192, 0, 2, 1, 192, 0, 2, 2,
	3, 232, 7, 208, 0, FRAME - 34, 0, 0,		/* UDP */
};

static void fill(struct record *record, uint32_t number, uint64_t micro)
{
	uint32_t big = htonl(number);

	record->seconds = 1000000000 + micro / 1000000;
	record->micro = micro % 1000000;
	record->captured = FRAME;
	record->length = FRAME;
	memcpy(record->frame, head, sizeof(head));
	memcpy(record->frame + 18, (uint8_t *)&big + 2, 2);
	memcpy(record->frame + sizeof(head), &big, sizeof(big));
}

int main(int argc, char **argv)
{
	static const uint32_t file[] = { 0xa1b2c3d4, 4 << 16 | 2, 0, 0, 65535, 1 };
	uint64_t count, rate, behind;
	struct record record = { 0 };

	if (argc != 3)
		return 2;
	count = strtoull(argv[1], NULL, 0) / 2;
	rate = strtoull(argv[2], NULL, 0) / 2;
	behind = rate * COPY_AFTER / 1000000;
	fwrite(file, sizeof(file), 1, stdout);
	for (uint64_t i = 0; i < count + behind; i++) {
		uint64_t micro = i * 1000000 / rate;

		if (i < count) {
			fill(&record, i, micro);
			fwrite(&record, sizeof(record), 1, stdout);
		}
		if (i >= behind) {
			fill(&record, i - behind, micro);
			fwrite(&record, sizeof(record), 1, stdout);
		}
	}
	return fflush(stdout) || ferror(stdout);
}
