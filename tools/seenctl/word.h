/* SPDX-License-Identifier: GPL-2.0 */
/* Resolve abbreviations and aliases on the command line, and suggest names. */
#ifndef SEENCTL_WORD_H
#define SEENCTL_WORD_H

#include "../lib/suggest.h"
#include "seenctl.h"

enum {
	WORD_UNKNOWN = -1,
	WORD_AMBIGUOUS = -2,
};

/**
 * word_find() - find a name by the name itself, an alias, or an abbreviation of either
 * @word: the word on the command line
 * @name: returns the names
 * @in: argument of @name
 * @first: if @word abbreviates several names, choose the first
 *
 * Return: index of the name, WORD_UNKNOWN or WORD_AMBIGUOUS.
 */
int word_find(const char *word, seen_suggest_fn name, const void *in, bool first);

/* word_alias() - an alias of a name in @name; NULL after the last one */
const char *word_alias(size_t i, seen_suggest_fn name, const void *in);

/**
 * word_hint() - suggest names for a wrong word
 * @word: the word on the command line
 * @name: returns the names
 * @in: argument of @name
 *
 * Return: the text ', did you mean "NAME"?' with a name that is similar to @word, or with
 * all names that begin with @word; "" if no name fits; NULL without memory. The caller
 * frees the text.
 */
char *word_hint(const char *word, seen_suggest_fn name, const void *in);

/* word_value() - returns the names of a struct seen_names; a seen_suggest_fn */
const char *word_value(size_t i, const void *in);

/* Print an error message and return USAGE. @kind: noun for the word, such as "command". */
int word_ambiguous(const char *word, seen_suggest_fn name, const void *in);
int word_unknown(const char *kind, const char *word, seen_suggest_fn name,
		 const void *in);
/* word_no_command() - as word_unknown(), knows synonyms of other tools, and lists the commands */
int word_no_command(const char *word, seen_suggest_fn name, const void *in);
/* word_no_value() - as word_unknown(), and lists the values; @kind: such as "type" */
int word_no_value(const char *kind, const char *word, const struct seen_names *names);

#endif
