// SPDX-License-Identifier: GPL-2.0
/* The log lines of an outage that lasts, ends, or comes and goes. */
#include "../../tools/seend/group.h"
#include "../../tools/seend/outage.h"
#include "tap.h"

#define NOW	(1000 * NS_PER_SEC)

/* Failures twice a second for @seconds; @works: each attempt after a failure succeeds. */
static unsigned int lines(struct outage *outage, unsigned int seconds, bool works, uint64_t now)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < 2 * seconds; i++) {
		now += NS_PER_SEC / 4;
		count += outage_look(outage, true, false, now) != OUTAGE_NONE;
		now += NS_PER_SEC / 4;
		count += outage_look(outage, false, works, now) != OUTAGE_NONE;
	}
	return count;
}

int main(void)
{
	struct outage outage = { 0 };

	tap_begin(9);
	ok(outage_look(&outage, false, true, NOW) == OUTAGE_NONE, "no outage");
	ok(outage_look(&outage, true, false, NOW) == OUTAGE_BEGINS, "it begins");
	ok(!lines(&outage, 59, false, NOW), "nothing is logged for a minute");
	ok(lines(&outage, 600, false, NOW + 59 * NS_PER_SEC) == 10, "then once a minute");
	ok(outage_look(&outage, false, true, NOW + 660 * NS_PER_SEC) == OUTAGE_NONE,
	   "a success is not the end yet");
	ok(outage_look(&outage, false, true, NOW + 670 * NS_PER_SEC) == OUTAGE_ENDS,
	   "ten seconds without a failure are");
	ok(outage_look(&outage, false, true, NOW + 671 * NS_PER_SEC) == OUTAGE_NONE,
	   "the end is logged once");
	ok(lines(&outage, 59, true, NOW + 700 * NS_PER_SEC) == 1,
	   "a server that fails after each success has one outage");
	ok(outage_look(&outage, false, false, NOW + 800 * NS_PER_SEC) == OUTAGE_NONE,
	   "an outage without attempts does not end");
	return tap_end();
}
