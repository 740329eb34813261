/* SPDX-License-Identifier: GPL-2.0 */
/* The log lines of an outage: when it begins, while it lasts, and when it has ended. */
#ifndef SEEND_OUTAGE_H
#define SEEND_OUTAGE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct outage - zeroed memory: no outage
 * @is: one was logged, and has not ended
 * @said: when it was logged last, ns
 * @failed: when the last failure was, ns
 */
struct outage {
	bool is;
	uint64_t said;
	uint64_t failed;
};

enum outage_news { OUTAGE_NONE, OUTAGE_BEGINS, OUTAGE_LASTS, OUTAGE_ENDS };

/**
 * outage_look() - what is to be logged now
 * @outage: see there
 * @failed: there was a failure since the last call
 * @works: the last attempt has succeeded
 * @now: ns
 *
 * An outage has ended if there was no failure for ten seconds, so that one that comes back each
 * second is one. A line is repeated once a minute.
 */
enum outage_news outage_look(struct outage *outage, bool failed, bool works, uint64_t now);

#endif
