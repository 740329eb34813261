// SPDX-License-Identifier: GPL-2.0
/*
 * lines COUNT KINDS: print COUNT lines, each a URL, drawn from KINDS different ones. The output
 * is the same each time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators". */
static uint64_t mix(uint64_t number)
{
	number += 0x9e3779b97f4a7c15;
	number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
	number = (number ^ number >> 27) * 0x94d049bb133111eb;
	return number ^ number >> 31;
}

int main(int argc, char **argv)
{
	uint64_t count, kinds;

	if (argc != 3)
		return 2;
	count = strtoull(argv[1], NULL, 0);
	kinds = strtoull(argv[2], NULL, 0);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t kind = mix(i) % kinds, page = mix(~kind);

		printf("https://www.site-%ju.example/%jx/page-%ju.html\n",
		       page % 50000, page >> 28, kind);
	}
	return fflush(stdout) || ferror(stdout);
}
