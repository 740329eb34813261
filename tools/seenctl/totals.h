/* SPDX-License-Identifier: GPL-2.0 */
/* Count keys by the answer to them. */
#ifndef SEENCTL_TOTALS_H
#define SEENCTL_TOTALS_H

#include "seenctl.h"

/**
 * struct totals - numbers of keys
 * @answer: number of keys for each enum seen_key_result
 * @skipped: number of bad lines
 */
struct totals {
	uint64_t answer[SEEN_KEY_RESULT_MAX + 1];
	uint64_t skipped;
};

/* totals_count() - count one key; @answer: enum seen_key_result */
void totals_count(struct totals *totals, unsigned int answer);

/* totals_add() - count the keys of an answered request that adds keys */
void totals_add(struct totals *totals, const struct seen_keys *keys);

/* totals_keys() - number of keys with any answer */
uint64_t totals_keys(const struct totals *totals);

/* totals_tell() - print the numbers, with -stats or -json only */
void totals_tell(const struct totals *totals);

/**
 * totals_summary() - print one line at the end of a load, if standard error is a terminal
 * @totals: numbers of the added keys
 * @each: keys that existed were stored again, and count as added
 */
void totals_summary(const struct totals *totals, bool each);

#endif
