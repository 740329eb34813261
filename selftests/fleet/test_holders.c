// SPDX-License-Identifier: GPL-2.0
/* The table of holders: entries that were made are found, and only old ones are replaced. */
#include <stdlib.h>

#include "../../tools/seend/holders.h"
#include "tap.h"

#define OLDEST	1000000
#define NOW	2000000
#define HASH	0x1234

static struct holders *holders;

static bool make(uint64_t hash, uint32_t who, uint64_t when)
{
	return holders_make(holders, hash, who, when, OLDEST);
}

/* The entries of a key and of its first holder lie side by side. */
static void test_pair(void)
{
	ok(make(HASH, HOLDER_KEY, NOW) && make(HASH, HOLDER_FIRST, NOW), "a key and its holder");
	ok(holders_find(holders, HASH, HOLDER_KEY) && holders_find(holders, HASH, HOLDER_FIRST),
	   "both are found");
	ok(holders->used == 2, "two entries are used");
}

static void test_late(void)
{
	ok(make(HASH + 1, HOLDER_KEY, OLDEST - 1) && make(HASH + 1, HOLDER_FIRST, OLDEST - 1) &&
	   holders_find(holders, HASH + 1, HOLDER_KEY), "a late key and its holder");
}

static void test_full(void)
{
	uint32_t who = HOLDER_FIRST;
	struct holder *key;

	while (make(HASH, who, NOW))
		who++;
	ok(who > HOLDER_FIRST + 100, "many holders of a key");
	key = holders_find(holders, HASH, HOLDER_KEY);
	ok(key && holders_find(holders, HASH, HOLDER_FIRST), "without room none is replaced");
	holders_find(holders, HASH, HOLDER_FIRST + 1)->when = OLDEST - 1;
	ok(make(HASH, who, NOW), "an old holder is replaced");
	ok(!holders_find(holders, HASH, HOLDER_FIRST + 1), "it is not found");
}

int main(void)
{
	holders = calloc(1, sizeof(*holders));
	tap_begin(8);
	test_pair();
	test_late();
	test_full();
	free(holders);
	return tap_end();
}
