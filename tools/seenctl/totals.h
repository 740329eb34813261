/* SPDX-License-Identifier: GPL-2.0 */
/* What has become of keys, by answer. */
#ifndef SEENCTL_TOTALS_H
#define SEENCTL_TOTALS_H

#include "seenctl.h"

/**
 * struct totals - keys that were answered
 * @answer: how many, by enum seen_key_result
 * @skipped: lines that were bad
 */
struct totals {
	uint64_t answer[SEEN_KEY_RESULT_MAX + 1];
	uint64_t skipped;
};

/* totals_count() - one more; @answer: enum seen_key_result */
void totals_count(struct totals *totals, unsigned int answer);

/* totals_add() - the answer to a request for keys that were added */
void totals_add(struct totals *totals, const struct seen_keys *keys);

/* totals_keys() - of all answers */
uint64_t totals_keys(const struct totals *totals);

/* totals_tell() - by -s and in JSON */
void totals_tell(const struct totals *totals);

/**
 * totals_summary() - the last line of a load, for people at a terminal
 * @totals: of keys that were added
 * @each: each key was stored, also where it was there already
 */
void totals_summary(const struct totals *totals, bool each);

#endif
