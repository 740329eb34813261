// SPDX-License-Identifier: GPL-2.0
/* The name that a word of the command line stands for, and what was probably meant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "word.h"

/* Longer words get no suggestion. */
#define WORD_MAX	32

static const struct {
	const char *word;
	const char *name;
} aliases[] = {
	{ "delete", "del" },
	{ "list", "show" },
	{ "ls", "show" },
};

static bool begins(const char *name, const char *word)
{
	return !strncmp(name, word, strlen(word));
}

/* Does @word, or an alias that it begins, stand for @name? */
static bool stands_for(const char *word, const char *name)
{
	if (begins(name, word))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(aliases[i].name, name) && begins(aliases[i].word, word))
			return true;
	return false;
}

static bool is_alias(const char *word, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(aliases[i].word, word) && !strcmp(aliases[i].name, name))
			return true;
	return false;
}

int word_find(const char *word, word_name_fn name, const void *in, bool first)
{
	const char *candidate;
	int found = WORD_UNKNOWN;

	for (size_t i = 0; (candidate = name(i, in)); i++) {
		if (!strcmp(candidate, word) || is_alias(word, candidate))
			return i;
		if (!stands_for(word, candidate))
			continue;
		if (found == WORD_UNKNOWN)
			found = i;
		else if (!first)
			found = WORD_AMBIGUOUS;
	}
	return *word ? found : WORD_UNKNOWN;
}

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/*
 * Insertions, deletions, replacements and swaps of neighbours that turn @a into @b, which
 * have at most WORD_MAX bytes. Optimal string alignment: of row i the last three are kept.
 */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int rows[3][WORD_MAX + 1];
	size_t len = strlen(b);

	for (size_t j = 0; j <= len; j++)
		rows[0][j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		unsigned int *row = rows[i % 3], *above = rows[(i + 2) % 3];

		row[0] = i;
		for (size_t j = 1; j <= len; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]),
				       1 + least(above[j], row[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = least(row[j],
					       rows[(i + 1) % 3][j - 2] + 1);
		}
	}
	return rows[strlen(a) % 3][len];
}

const char *word_suggest(const char *word, word_name_fn name, const void *in)
{
	size_t len = strlen(word);
	unsigned int best = len / 3 < 2 ? len / 3 : 2;
	const char *candidate, *found = NULL;

	if (len > WORD_MAX)
		return NULL;
	for (size_t i = 0; (candidate = name(i, in)); i++) {
		unsigned int off;

		if (strlen(candidate) > WORD_MAX)
			continue;
		off = distance(word, candidate);
		if (off > best || (found && off == best))
			continue;
		best = off;
		found = candidate;
	}
	return found;
}

/* "a, b, c": the names that @word may stand for. */
static char *candidates(const char *word, word_name_fn name, const void *in)
{
	const char *candidate;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	bool more = false;

	if (!to)
		return NULL;
	for (size_t i = 0; (candidate = name(i, in)); i++) {
		if (!stands_for(word, candidate))
			continue;
		fprintf(to, "%s%s", more ? ", " : "", candidate);
		more = true;
	}
	fclose(to);
	return text;
}

int word_ambiguous(const char *word, word_name_fn name, const void *in)
{
	char *text = candidates(word, name, in);

	usage("\"%s\" is ambiguous: %s", word, text ? text : "several names");
	free(text);
	return USAGE;
}

int word_unknown(const char *kind, const char *word, word_name_fn name,
		 const void *in)
{
	const char *meant = word_suggest(word, name, in);

	if (meant)
		return usage("unknown %s \"%s\", did you mean \"%s\"?", kind,
			     word, meant);
	return usage("unknown %s \"%s\" (seenctl %s%shelp)", kind, word,
		     ctl.object, *ctl.object ? " " : "");
}
