/* SPDX-License-Identifier: GPL-2.0 */
/* The name that a word of the command line stands for, and what was probably meant. */
#ifndef SEENCTL_WORD_H
#define SEENCTL_WORD_H

#include "seenctl.h"

enum {
	WORD_UNKNOWN = -1,
	WORD_AMBIGUOUS = -2,
};

/* The name of entry @i of @in; NULL behind the last. */
typedef const char *(*word_name_fn)(size_t i, const void *in);

/**
 * word_find() - the entry that a word is the name of, or an alias or the beginning of one
 * @word: from the command line
 * @name: the names
 * @in: handed to @name
 * @first: of several names that begin so, the first one is meant
 *
 * Return: the entry, WORD_UNKNOWN or WORD_AMBIGUOUS.
 */
int word_find(const char *word, word_name_fn name, const void *in, bool first);

/* word_suggest() - the name that @word is probably a misspelling of, or NULL */
const char *word_suggest(const char *word, word_name_fn name, const void *in);

/* Errors, printed; both return USAGE. @kind: such as "command". */
int word_ambiguous(const char *word, word_name_fn name, const void *in);
int word_unknown(const char *kind, const char *word, word_name_fn name,
		 const void *in);

#endif
