/* SPDX-License-Identifier: GPL-2.0 */
/* A set of keys in memory, exactly. */
#ifndef SEENCTL_EXACT_H
#define SEENCTL_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct exact - a set; empty if it is zero */
struct exact {
	void *tree;
};

/* exact_add() - false: no memory */
bool exact_add(struct exact *exact, const uint8_t *key, size_t len);
bool exact_has(const struct exact *exact, const uint8_t *key, size_t len);
void exact_free(struct exact *exact);

#endif
