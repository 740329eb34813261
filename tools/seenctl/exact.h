/* SPDX-License-Identifier: GPL-2.0 */
/* A set of keys in memory, exactly; a prefix of any length holds all that is in it. */
#ifndef SEENCTL_EXACT_H
#define SEENCTL_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/key_lengths.h"

/**
 * struct exact - a set; empty if it is zero
 * @tree: the keys
 * @lengths: lengths of their prefixes, which are the caller's to add
 */
struct exact {
	void *tree;
	struct seen_key_lengths lengths;
};

/* exact_add() - false: no memory */
bool exact_add(struct exact *exact, const uint8_t *key, size_t len);
/* exact_has() - is the key, or a prefix that holds all of it, in the set? */
bool exact_has(const struct exact *exact, const uint8_t *key, size_t len);
void exact_free(struct exact *exact);

#endif
