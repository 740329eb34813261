/* SPDX-License-Identifier: GPL-2.0 */
/* The name that a wrong word was probably meant to be. Inside of libseen. */
#ifndef LIBSEEN_SUGGEST_H
#define LIBSEEN_SUGGEST_H

#include <stddef.h>

/* The name of entry @i of @in; NULL behind the last one. */
typedef const char *(*seen_suggest_fn)(size_t i, const void *in);

/**
 * seen_suggest() - the name that is most like a word
 * @word: that is no name
 * @name: returns the names
 * @in: handed to @name
 *
 * Distances are of optimal string alignment: insertions, deletions, replacements and swaps
 * of neighbours. One is allowed for three bytes of @word, and at most two.
 *
 * Return: the name with the least distance; else the only name that begins with @word;
 * else NULL.
 */
const char *seen_suggest(const char *word, seen_suggest_fn name, const void *in);

#endif
