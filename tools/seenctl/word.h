/* SPDX-License-Identifier: GPL-2.0 */
/* The name that a word of the command line stands for, and what was probably meant. */
#ifndef SEENCTL_WORD_H
#define SEENCTL_WORD_H

#include "../lib/suggest.h"
#include "seenctl.h"

enum {
	WORD_UNKNOWN = -1,
	WORD_AMBIGUOUS = -2,
};

/**
 * word_find() - the entry that a word is the name of, or an alias or the beginning of one
 * @word: from the command line
 * @name: the names
 * @in: handed to @name
 * @first: of several names that begin so, the first one is meant
 *
 * Return: the entry, WORD_UNKNOWN or WORD_AMBIGUOUS.
 */
int word_find(const char *word, seen_suggest_fn name, const void *in, bool first);

/**
 * word_hint() - what a wrong word was probably meant to be
 * @word: that is no name
 * @name: the names
 * @in: handed to @name
 *
 * Return: ', did you mean "NAME"?', with all names that begin with @word if no name is
 * like it; "" if there is none of these. NULL: no memory. For free().
 */
char *word_hint(const char *word, seen_suggest_fn name, const void *in);

/* word_value() - the names that a struct seen_names has; a seen_suggest_fn */
const char *word_value(size_t i, const void *in);

/* Errors, printed; they return USAGE. @kind: such as "command". */
int word_ambiguous(const char *word, seen_suggest_fn name, const void *in);
int word_unknown(const char *kind, const char *word, seen_suggest_fn name,
		 const void *in);
/* word_no_value() - lists the values, too; @kind: such as "type" */
int word_no_value(const char *kind, const char *word, const struct seen_names *names);

#endif
