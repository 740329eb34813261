/* SPDX-License-Identifier: GPL-2.0 */
/* An exact set of keys in memory. A prefix in the set contains all keys that it covers. */
#ifndef SEENCTL_EXACT_H
#define SEENCTL_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/key_lengths.h"

/**
 * struct exact - a set of keys; all bytes 0 is an empty set
 * @tree: the keys
 * @lengths: prefix lengths of the keys; the caller adds them
 */
struct exact {
	void *tree;
	struct seen_key_lengths lengths;
};

/* exact_add() - copy a key into the set; false: no memory */
bool exact_add(struct exact *exact, const uint8_t *key, size_t len);
/* exact_has() - is the key, or a prefix that covers it, in the set? */
bool exact_has(const struct exact *exact, const uint8_t *key, size_t len);
void exact_free(struct exact *exact);

#endif
