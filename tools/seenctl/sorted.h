/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Find places, such as file offsets, by hash, for more places than fit in memory. New
 * pairs go to a hash table of fixed size. A full table becomes a sorted file; two files of
 * one size are merged into a file of twice the size (Bentley and Saxe, "Decomposable
 * Searching Problems I: Static-to-Dynamic Transformation", 1980). All writes are
 * sequential, and n pairs are in at most log2(n / 2^19) files.
 */
#ifndef SEENCTL_SORTED_H
#define SEENCTL_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash and its place. @place is not 0. */
struct sorted_pair {
	uint64_t hash;
	uint64_t place;
};

struct sorted;

/**
 * sorted_open() - create an empty set of pairs
 * @folder: folder for temporary files without names; the string must stay valid
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
 * Return: 0 or a negative errno. After an error the pair is not in the set, and the set
 * still finds all other pairs.
 */
int sorted_add(struct sorted *sorted, const struct sorted_pair *pair);

/**
 * sorted_find() - call a function for each place of a hash until it returns other than 0
 * @sorted: the set
 * @hash: the hash
 * @match: the function
 * @context: argument of @match
 *
 * Return: the last result of @match, or 0.
 */
int sorted_find(const struct sorted *sorted, uint64_t hash,
		int (*match)(uint64_t place, void *context), void *context);

#endif
