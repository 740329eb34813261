// SPDX-License-Identifier: GPL-2.0
/*
 * Options in the style of iproute2. A word with one or two dashes is a long option if an
 * option has this name. Otherwise a word with one dash is a cluster of short options. The
 * value of a short option is the next word, so its letter must be the last one.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"
#include "option.h"
#include "word.h"

enum value { NONE, NEEDED, MAYBE };

/* @other: another name of an option in the help */
struct option {
	const char *name;
	char letter;
	enum value value;
	bool other;
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
	{ "statistics", 's', NONE, true },
	{ "stats", 's', NONE },
	{ "Version", 'V', NONE },
	{ "version", 'V', NONE, true },
};

static const char *option_name(size_t i, const void *in)
{
	(void)in;
	return i < ARRAY_SIZE(options) ? options[i].name : NULL;
}

/* -exist, which is named as in ipset, has no short form; its letter is internal. */
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

const char *option_word(size_t i, bool other)
{
	for (size_t at = 0; at < ARRAY_SIZE(options); at++)
		if (options[at].other == other && !i--)
			return options[at].name;
	return NULL;
}

char option_awaits(const char *word)
{
	const char *name = word + 1 + (word[1] == '-');
	const struct option *option = option_of_name(name, strlen(name));

	if (!option && word[1] != '-')
		option = option_of_letter(word[strlen(word) - 1]);
	return option && option->value == NEEDED ? option->letter : '\0';
}

/* The short option that differs from @letter only by its case, or 0. */
static char other_case(char letter)
{
	char other = islower(letter) ? toupper(letter) : tolower(letter);

	return other != letter && option_of_letter(other) ? other : 0;
}

/* @len: bytes of the option's name after @dashes dashes; "=VALUE" may follow. */
static int unknown_option(const char *word, size_t dashes, size_t len, const char *why)
{
	char *name = strndup(word + dashes, len);
	const char *meant = name && len > 1 ? seen_suggest(name, option_name, NULL) : NULL;

	free(name);
	if (meant)
		return usage("unknown option \"%s\", did you mean \"%.*s%s%s\"?", word,
			     (int)dashes, word, meant, word + dashes + len);
	if (dashes == 1 && len == 1 && other_case(word[1]))
		return usage("unknown option \"%s\", did you mean \"-%c\"?", word,
			     other_case(word[1]));
	return usage("unknown option \"%s\" (%s)", word, why);
}

static const char *const color_words[] = { "always", "auto", "never" };
const struct seen_names option_colors = { ARRAY_SIZE(color_words), color_words };

static int read_color(const char *when)
{
	switch (when ? seen_value(&option_colors, when) : 0) {
	case 0:
		ctl.color = true;
		return DONE;
	case 1:
		ctl.color = color_auto();
		return DONE;
	case 2:
		ctl.color = false;
		return DONE;
	}
	return word_no_value("color", when, &option_colors);
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

/* Check that each letter is an option, and that only the last one needs a value. */
static int check_cluster(const char *word)
{
	size_t len = strcspn(word + 1, "=");
	char why[64];

	for (const char *at = word + 1; *at; at++) {
		const struct option *option = option_of_letter(*at);

		if (option && option->value == MAYBE && at[1] == '=')
			break;
		if (option && (option->value != NEEDED || !at[1]))
			continue;
		if (*at == '=' && at - word > 1)
			return usage("%.*s takes no value", (int)(at - word), word);
		if (option)
			snprintf(why, sizeof(why),
				 "-%c must be last; its value is the next word", *at);
		else if (len > 1)
			snprintf(why, sizeof(why), "-%c is not an option; run seenctl help", *at);
		else
			snprintf(why, sizeof(why), "seenctl help");
		return unknown_option(word, 1, len, why);
	}
	return DONE;
}

static int set_value(const char *option, int len, char letter, const char *value,
		     struct request *request)
{
	if (!value || !*value)
		return usage("%.*s: value required", len, option);
	return option_set(letter, value, request);
}

/* Set all options of a cluster, even after an error, so that -j applies. */
static int read_cluster(const char *word, struct args *args,
			struct request *request)
{
	int status = check_cluster(word);

	for (const char *at = word + 1; *at; at++) {
		const struct option *option = option_of_letter(*at);
		const char text[] = { '-', *at };
		int set = DONE;

		if (!option)
			continue;
		if (option->value == MAYBE && at[1] == '=')
			return set_value(text, 2, *at, at + 2, request) ?: status;
		if (option->value != NEEDED)
			set = option_set(*at, NULL, request);
		else if (!status)
			set = set_value(text, 2, *at, args_next(args), request);
		status = status ?: set;
	}
	return status;
}

/* @name: the part of @word after the dashes; "=VALUE" may follow. */
static int read_long(const struct option *option, const char *word, const char *name,
		     struct args *args, struct request *request)
{
	int len = name - word + strlen(option->name);

	if (!word[len] && option->value != NEEDED)
		return option_set(option->letter, NULL, request);
	if (option->value == NONE)
		return usage("%.*s takes no value", len, word);
	return set_value(word, len, option->letter,
			 word[len] ? word + len + 1 : args_next(args), request);
}

static int read_option(const char *word, struct args *args,
		       struct request *request)
{
	const char *name = word + 1 + (word[1] == '-');
	size_t len = strcspn(name, "=");
	const struct option *option = option_of_name(name, len);

	if (option)
		return read_long(option, word, name, args, request);
	if (word[1] == '-')
		return unknown_option(word, 2, len, "seenctl help");
	return read_cluster(word, args, request);
}

/* Options end before "-" and at "--". Read all of them, even after an error; see read_cluster(). */
int options_read(struct args *args, struct request *request)
{
	int status = DONE;

	ctl.color = color_auto();
	while (args->argc && **args->argv == '-' && (*args->argv)[1]) {
		const char *word = args_next(args);

		if (!strcmp(word, "--"))
			break;
		status = read_option(word, args, request) ?: status;
	}
	return status;
}
