// SPDX-License-Identifier: GPL-2.0
/*
 * Options, as the tools of iproute2 read them: a word with one dash or two is a long
 * option if there is one of that name, else a word with one dash is a cluster of short
 * ones.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "option.h"
#include "word.h"

enum value { NONE, NEEDED, MAYBE };

struct option {
	const char *name;
	char letter;
	enum value value;
};

static const struct option options[] = {
	{ "batch", 'b', NEEDED },
	{ "color", 'c', MAYBE },
	{ "exist", 'e', NONE },
	{ "help", 'h', NONE },
	{ "json", 'j', NONE },
	{ "netns", 'n', NEEDED },
	{ "oneline", 'o', NONE },
	{ "pretty", 'p', NONE },
	{ "statistics", 's', NONE },
	{ "stats", 's', NONE },
	{ "Version", 'V', NONE },
	{ "version", 'V', NONE },
};

static const char *option_name(size_t i, const void *in)
{
	(void)in;
	return i < ARRAY_SIZE(options) ? options[i].name : NULL;
}

/* -exist is a word of ipset's, and has no letter. */
static const struct option *option_of_letter(char letter)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].letter == letter && letter != 'e')
			return &options[i];
	return NULL;
}

static const struct option *option_of_name(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (!strncmp(options[i].name, name, len) && !options[i].name[len])
			return &options[i];
	return NULL;
}

/* @letter: which of a cluster it is, or 0. */
static int unknown_option(const char *word, char letter)
{
	const char *name = word + 1 + (word[1] == '-');
	const char *meant = word_suggest(name, option_name, NULL);

	if (meant && name[1])
		return usage("unknown option \"%s\", did you mean \"%.*s%s\"?", word,
			     (int)(name - word), word, meant);
	if (letter)
		return usage("unknown option \"-%c\" (seenctl help)", letter);
	return usage("unknown option \"%s\" (seenctl help)", word);
}

static int read_color(const char *when)
{
	if (!when || !strcmp(when, "always"))
		ctl.color = true;
	else if (!strcmp(when, "auto"))
		ctl.color = isatty(STDOUT_FILENO);
	else if (!strcmp(when, "never"))
		ctl.color = false;
	else
		return usage("unknown value \"%s\" of -color (always, auto, never)",
			     when);
	return DONE;
}

static int option_set(char letter, const char *value, struct request *request)
{
	switch (letter) {
	case 'b':
		request->batch = value;
		break;
	case 'c':
		return read_color(value);
	case 'e':
		ctl.exist = true;
		break;
	case 'h':
		request->help = true;
		break;
	case 'j':
		ctl.json = true;
		break;
	case 'n':
		request->netns = value;
		break;
	case 'o':
		ctl.oneline = true;
		break;
	case 'p':
		json_pretty();
		break;
	case 's':
		ctl.stats = true;
		break;
	default:
		request->version = true;
	}
	return DONE;
}

/* The letters behind one that needs a value are its value, else the next word is. */
static int read_cluster(const char *word, struct args *args,
			struct request *request)
{
	int status = DONE;

	for (const char *at = word + 1; *at; at++) {
		const struct option *option = option_of_letter(*at);
		const char *value = NULL;

		if (!option) {
			status = status ?: unknown_option(word, *at);
			continue;
		}
		if (option->value == NEEDED) {
			value = at[1] ? at + 1 : args_next(args);
			if (!value)
				return usage("-%c needs a value", *at);
		} else if (option->value == MAYBE && at[1] == '=') {
			value = at + 2;
		}
		status = option_set(*at, value, request) ?: status;
		if (value)
			break;
	}
	return status;
}

/* @name: of @word, behind its dashes; it may end with =VALUE. */
static int read_long(const struct option *option, const char *word,
		     struct args *args, struct request *request)
{
	const char *value = strchr(word, '=');

	value = value ? value + 1 : NULL;
	if (value && option->value == NONE)
		return usage("%.*s takes no value", (int)(value - 1 - word), word);
	if (!value && option->value == NEEDED)
		value = args_next(args);
	if (!value && option->value == NEEDED)
		return usage("%s needs a value", word);
	return option_set(option->letter, value, request);
}

static int read_option(const char *word, struct args *args,
		       struct request *request)
{
	const char *name = word + 1 + (word[1] == '-');
	const struct option *option = option_of_name(name, strcspn(name, "="));

	if (option)
		return read_long(option, word, args, request);
	if (word[1] == '-')
		return unknown_option(word, 0);
	return read_cluster(word, args, request);
}

/* "-" alone and what follows "--" are no options. All are read, also after a wrong one. */
int options_read(struct args *args, struct request *request)
{
	int status = DONE;

	while (args->argc && **args->argv == '-' && (*args->argv)[1]) {
		const char *word = args_next(args);

		if (!strcmp(word, "--"))
			break;
		status = read_option(word, args, request) ?: status;
	}
	return status;
}
