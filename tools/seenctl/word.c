// SPDX-License-Identifier: GPL-2.0
/* Resolve abbreviations and aliases on the command line, and suggest names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "word.h"

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

/* Does @word abbreviate @name, or an alias of @name? */
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

const char *word_alias(size_t i, seen_suggest_fn name, const void *in)
{
	const char *candidate;

	for (size_t at = 0; at < ARRAY_SIZE(aliases); at++)
		for (size_t j = 0; (candidate = name(j, in)); j++)
			if (!strcmp(aliases[at].name, candidate) && !i--)
				return aliases[at].word;
	return NULL;
}

int word_find(const char *word, seen_suggest_fn name, const void *in, bool first)
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

/* Return the names that @word may abbreviate as text: "a, b, c". */
static char *candidates(const char *word, seen_suggest_fn name, const void *in)
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

int word_ambiguous(const char *word, seen_suggest_fn name, const void *in)
{
	char *text = candidates(word, name, in);

	usage("\"%s\" is ambiguous: %s", word, text ? text : "several names");
	free(text);
	return USAGE;
}

static size_t beginnings(const char *word, seen_suggest_fn name, const void *in)
{
	const char *candidate;
	size_t count = 0;

	for (size_t i = 0; (candidate = name(i, in)); i++)
		count += begins(candidate, word);
	return count;
}

/* Print: , did you mean "a", "b" or "c"? @count: number of names that begin with @word. */
static void hint_all(FILE *to, const char *word, size_t count, seen_suggest_fn name,
		     const void *in)
{
	const char *candidate, *before = ", did you mean ";

	for (size_t i = 0; (candidate = name(i, in)); i++) {
		if (!begins(candidate, word))
			continue;
		fprintf(to, "%s\"%s\"", before, candidate);
		before = --count == 1 ? " or " : ", ";
	}
	fputc('?', to);
}

char *word_hint(const char *word, seen_suggest_fn name, const void *in)
{
	const char *meant = seen_suggest(word, name, in);
	size_t size, count = *word ? beginnings(word, name, in) : 0;
	char *text = NULL;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (meant)
		fprintf(to, ", did you mean \"%s\"?", meant);
	else if (count)
		hint_all(to, word, count, name, in);
	fclose(to);
	return text;
}

int word_unknown(const char *kind, const char *word, seen_suggest_fn name,
		 const void *in)
{
	char *hint = word_hint(word, name, in);

	if (hint && *hint)
		usage("unknown %s \"%s\"%s", kind, word, hint);
	else
		usage("unknown %s \"%s\" (seenctl %s%shelp)", kind, word, ctl.object,
		      *ctl.object ? " " : "");
	free(hint);
	return USAGE;
}

/* The name that users of iproute2, ipset and other tools may mean by @word, or NULL. */
static const char *synonym(const char *word, seen_suggest_fn name, const void *in)
{
	static const struct {
		const char *word;
		const char *name;
	} others[] = {
		{ "rm", "del" }, { "remove", "del" }, { "destroy", "del" },
		{ "create", "add" }, { "new", "add" }, { "insert", "add" },
		{ "info", "show" }, { "get", "show" }, { "dump", "show" },
		{ "print", "show" }, { "clear", "flush" }, { "mv", "rename" },
		{ "change", "set" }, { "modify", "set" },
		{ "check", "test" }, { "lookup", "test" }, { "query", "test" },
	};
	const char *candidate;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (strcmp(others[i].word, word))
			continue;
		for (size_t at = 0; (candidate = name(at, in)); at++)
			if (!strcmp(candidate, others[i].name))
				return candidate;
	}
	return NULL;
}

int word_no_command(const char *word, seen_suggest_fn name, const void *in)
{
	const char *meant = synonym(word, name, in);
	char *hint = meant ? NULL : word_hint(word, name, in);
	char *all = candidates("", name, in);

	if (meant)
		usage("unknown command \"%s\", did you mean \"%s\"?", word, meant);
	else if (hint && *hint)
		usage("unknown command \"%s\"%s", word, hint);
	else
		usage("unknown command \"%s\" (%s)", word, all ? all : "");
	free(hint);
	free(all);
	return USAGE;
}

const char *word_value(size_t i, const void *in)
{
	const struct seen_names *names = in;
	size_t at = 0;

	for (unsigned int number = 0; number < names->count; number++)
		if (names->word[number] && at++ == i)
			return names->word[number];
	return NULL;
}

/* Return the values as text, with "none" at the end. */
static char *list_values(const struct seen_names *names)
{
	const char *word, *none = NULL;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	bool more = false;

	if (!to)
		return NULL;
	for (size_t i = 0; (word = word_value(i, names)); i++) {
		if (!strcmp(word, "none")) {
			none = word;
			continue;
		}
		fprintf(to, "%s%s", more ? ", " : "", word);
		more = true;
	}
	if (none)
		fprintf(to, ", %s", none);
	fclose(to);
	return text;
}

int word_no_value(const char *kind, const char *word, const struct seen_names *names)
{
	char *hint = word_hint(word, word_value, names), *list = list_values(names);

	usage("unknown %s \"%s\" (%s)%s", kind, word, list ? list : "", hint ? hint : "");
	free(hint);
	free(list);
	return USAGE;
}
