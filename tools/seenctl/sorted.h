/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places by hash, for more of them than memory holds: an external merge sort that is
 * never finished. New pairs go to a hash table of fixed size. A full table becomes a
 * sorted file; two files of one size are merged into one of twice the size (Bentley and
 * Saxe, "Decomposable Searching Problems I: Static-to-Dynamic Transformation", 1980).
 * All writes are sequential, and n pairs are in at most log2(n / 2^19) files.
 */
#ifndef SEENCTL_SORTED_H
#define SEENCTL_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A pair. @place is not 0. */
struct sorted_pair {
	uint64_t hash;
	uint64_t place;
};

struct sorted;

/**
 * sorted_open() - an empty set
 * @folder: for temporary files, which have no names; must stay
 *
 * Return: the set, or NULL: no memory.
 */
struct sorted *sorted_open(const char *folder);
void sorted_close(struct sorted *sorted);

/**
 * sorted_add() - add a pair
 * @sorted: the set
 * @pair: the pair
 *
 * Return: 0 or a negative errno; then the pair was not added, and the set still finds
 * all others.
 */
int sorted_add(struct sorted *sorted, const struct sorted_pair *pair);

/**
 * sorted_find() - call a function for each place of a hash until it does not return 0
 * @sorted: the set
 * @hash: the hash
 * @match: the function
 * @context: handed to it
 *
 * Return: what @match returned last, or 0.
 */
int sorted_find(const struct sorted *sorted, uint64_t hash,
		int (*match)(uint64_t place, void *context), void *context);

#endif
