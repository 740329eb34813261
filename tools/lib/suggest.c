// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "suggest.h"

/* Longer words get no suggestion. */
#define WORD_MAX	32

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* @a and @b have at most WORD_MAX bytes. Only the last three rows are kept. */
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

static const char *nearest(const char *word, seen_suggest_fn name, const void *in)
{
	unsigned int best = least(strlen(word) / 3, 2);
	const char *candidate, *found = NULL;

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

static const char *only_beginning(const char *word, seen_suggest_fn name, const void *in)
{
	const char *candidate, *found = NULL;

	for (size_t i = 0; (candidate = name(i, in)); i++) {
		if (strncmp(candidate, word, strlen(word)))
			continue;
		if (found && strcmp(found, candidate))
			return NULL;
		found = candidate;
	}
	return found;
}

const char *seen_suggest(const char *word, seen_suggest_fn name, const void *in)
{
	const char *found;

	if (!*word || strlen(word) > WORD_MAX)
		return NULL;
	found = nearest(word, name, in);
	return found ? found : only_beginning(word, name, in);
}
