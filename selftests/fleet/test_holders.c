// SPDX-License-Identifier: GPL-2.0
/* The table of holders: entries that were made are found, and only old ones are replaced. */
#include <stdlib.h>

#include "../../tools/seend/holders.h"
#include "tap.h"

#define OLDEST	1000000
#define NOW	2000000
#define HASH	0x1234

static struct holders *holders;

static bool make(uint64_t hash, enum holder_kind kind, uint32_t who, uint64_t when)
{
	return holders_make(holders, hash, kind, who, when, OLDEST);
}

/* The entries of a key and of its first holder lie side by side. */
static void test_pair(void)
{
	ok(make(HASH, HOLDER_KEY, 0, NOW) && make(HASH, HOLDER_PUBLISHER, 0, NOW),
	   "a key and its holder");
	ok(holders_find(holders, HASH, HOLDER_KEY, 0) &&
	   holders_find(holders, HASH, HOLDER_PUBLISHER, 0), "both are found");
	ok(holders_count(holders, HOLDER_KEY) == 1 &&
	   holders_count(holders, HOLDER_PUBLISHER) == 1, "two entries are used");
}

static void test_late(void)
{
	ok(make(HASH + 1, HOLDER_KEY, 0, OLDEST - 1) &&
	   make(HASH + 1, HOLDER_PUBLISHER, 0, OLDEST - 1) &&
	   holders_find(holders, HASH + 1, HOLDER_KEY, 0), "a late key and its holder");
}

static void test_full(void)
{
	uint32_t who = 0;

	while (make(HASH, HOLDER_PUBLISHER, who, NOW))
		who++;
	ok(who > 100, "many holders of a key");
	ok(holders_find(holders, HASH, HOLDER_KEY, 0) &&
	   holders_find(holders, HASH, HOLDER_PUBLISHER, 0), "without room none is replaced");
	holders_find(holders, HASH, HOLDER_PUBLISHER, 1)->when = OLDEST - 1;
	ok(make(HASH, HOLDER_PUBLISHER, who, NOW), "an old holder is replaced");
	ok(!holders_find(holders, HASH, HOLDER_PUBLISHER, 1), "it is not found");
}

static void test_hold(void)
{
	ok(!holders_hold(holders, HASH + 7000, OLDEST), "nobody holds another key");
	make(HASH + 7000, HOLDER_KEY, 0, NOW);
	ok(!holders_hold(holders, HASH + 7000, OLDEST), "a key does not hold itself");
	make(HASH + 7000, HOLDER_PUBLISHER, 5, NOW);
	ok(holders_hold(holders, HASH + 7000, OLDEST), "a publisher holds it");
	ok(holders_count(holders, HOLDER_KEY) == 3, "keys are counted");
	ok(!holders_hold(holders, HASH + 7000, NOW + 1), "until its window ends");
}

int main(void)
{
	holders = calloc(1, sizeof(*holders));
	tap_begin(13);
	test_pair();
	test_late();
	test_full();
	test_hold();
	free(holders);
	return tap_end();
}
