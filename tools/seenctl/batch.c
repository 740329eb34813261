// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seenctl.h"

#define WORDS_MAX	512

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/*
 * Cuts one word off @at, in place; quotes hold blanks together. Returns what
 * follows it, or NULL: a quote is not closed.
 */
static char *cut(char *at)
{
	char *to = at, quote = '\0';

	for (; *at && (quote || !blank(*at)); at++) {
		if (*at == quote)
			quote = '\0';
		else if (!quote && (*at == '\'' || *at == '"'))
			quote = *at;
		else
			*to++ = *at;
	}
	if (quote)
		return NULL;
	if (*at)
		at++;
	*to = '\0';
	return at;
}

/* Splits a line at blanks up to a "#"; DONE or USAGE. */
static int split(char *at, struct args *args)
{
	for (args->argc = 0;; args->argc++) {
		while (blank(*at))
			at++;
		if (!*at || *at == '#')
			return DONE;
		if (args->argc == WORDS_MAX)
			return usage("more than %d words", WORDS_MAX);
		args->argv[args->argc] = at;
		at = cut(at);
		if (!at)
			return usage("a quote is not closed");
	}
}

static int run_lines(FILE *file)
{
	char *words[WORDS_MAX], *line = NULL;
	struct args args;
	size_t size = 0;
	int status = DONE, seen = DONE;

	while (!status && getline(&line, &size, file) >= 0) {
		ctl.line++;
		args.argv = words;
		status = split(line, &args);
		if (!status && args.argc)
			status = run_command(&args);
		if (status == NOT_SEEN) {
			seen = NOT_SEEN;
			status = DONE;
		}
	}
	free(line);
	return status ? status : seen;
}

int run_batch(const char *path)
{
	bool from_stdin = !strcmp(path, "-");
	FILE *file = from_stdin ? stdin : fopen(path, "re");
	int status;

	if (ctl.json)
		json_open(NULL, '[');
	if (!file)
		return refused("%s: %s", path, strerror(errno));
	ctl.batch = path;
	status = run_lines(file);
	if (ferror(file))
		status = refused("%s", strerror(errno));
	if (!from_stdin)
		fclose(file);
	ctl.batch = NULL;
	return status;
}
