/* SPDX-License-Identifier: GPL-2.0 */
/* The set of prefix lengths in a list of keys. Internal to libseen and seenctl. */
#ifndef LIBSEEN_KEY_LENGTHS_H
#define LIBSEEN_KEY_LENGTHS_H

#include "libseen.h"

/**
 * struct seen_key_lengths - prefix lengths, at most SEEN_LENGTHS_MAX
 * @at: offset of the prefix in a key, plus 1; 0: the key has no prefix of any length
 * @word: the lengths, as in struct seen_lengths (kmod/core/lengths.h)
 */
struct seen_key_lengths {
	uint32_t at;
	uint64_t word[3];
};

/* seen_key_lengths_open() - an empty set; false: keys of @spec have no prefix of any length */
bool seen_key_lengths_open(struct seen_key_lengths *held,
			   const struct seen_key_spec *spec);

/* seen_key_lengths_take() - add the lengths that a filter holds */
void seen_key_lengths_take(struct seen_key_lengths *held,
			   const struct seen_filter_info *info);

/**
 * seen_key_lengths_add() - add the length of a key's prefix
 * @held: the lengths
 * @key: canonical
 *
 * Return: true; false: the set already has SEEN_LENGTHS_MAX other lengths.
 */
bool seen_key_lengths_add(struct seen_key_lengths *held, const uint8_t *key);

/* seen_key_lengths_index() - a number for the length and the family of a key's prefix */
int seen_key_lengths_index(const struct seen_key_lengths *held,
			   const uint8_t *key);

/**
 * seen_key_lengths_walk() - cut a key's prefix to the next shorter length of the set
 * @held: the lengths
 * @key: canonical; changed
 * @index: before the first call: seen_key_lengths_index() of @key; then as the last call set it
 *
 * Return: true; false: there is no shorter length.
 */
bool seen_key_lengths_walk(const struct seen_key_lengths *held, uint8_t *key,
			   int *index);

#endif
