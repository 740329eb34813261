/* SPDX-License-Identifier: GPL-2.0 */
/* Suggests the name that an unknown word was probably meant to be. Internal to libseen. */
#ifndef LIBSEEN_SUGGEST_H
#define LIBSEEN_SUGGEST_H

#include <stddef.h>

/* Callback: the name of entry @i of @in; NULL after the last one. */
typedef const char *(*seen_suggest_fn)(size_t i, const void *in);

/**
 * seen_suggest() - find the name that is most similar to a word
 * @word: the word, which is not a name
 * @name: returns the names
 * @in: passed to @name
 *
 * Distances are of optimal string alignment: insertions, deletions, replacements and swaps of
 * neighbours. The distance may be at most a third of the length of @word, and at most two.
 *
 * Return: the name with the least distance; else the only name that begins with @word;
 * else NULL.
 */
const char *seen_suggest(const char *word, seen_suggest_fn name, const void *in);

#endif
