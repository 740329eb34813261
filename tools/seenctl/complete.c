// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "complete.h"
#include "live.h"
#include "offer.h"
#include "option.h"
#include "shell_line.h"
#include "syntax.h"
#include "word.h"

static void offer_all(seen_suggest_fn name, const void *in)
{
	const char *word;

	for (size_t i = 0; (word = name(i, in)); i++)
		offer(word);
}

static void complete_value(char letter)
{
	if (letter == 'n')
		live_offer_spaces();
	else
		offers.paths = "files";
}

/* Complete VALUE of -OPTION=VALUE. */
static void complete_attached(const char *word, const char *equals)
{
	char option[32];

	offers.kept = equals + 1 - word;
	snprintf(option, sizeof(option), "%.*s", (int)(equals - word), word);
	if (option_awaits(option) == 'n')
		live_offer_spaces();
	else if (!strcmp(option, "-c") || !strcmp(option + strspn(option, "-"), "color"))
		offer_names(&option_colors);
}

static void offer_options(const char *dashes, bool other)
{
	const char *name;
	char text[32];

	for (size_t i = 0; (name = option_word(i, other)); i++) {
		snprintf(text, sizeof(text), "%s%s", dashes, name);
		offer(text);
	}
}

static void complete_option(const char *word)
{
	const char *dashes = word[0] && word[1] == '-' ? "--" : "-";
	const char *equals = strchr(word, '=');

	if (equals)
		complete_attached(word, equals);
	else
		offer_options(dashes, false);
	if (!equals && !offers.any)
		offer_options(dashes, true);
}

static void complete_object(const char *word)
{
	if (word[0] != '-') {
		offer_all(object_name, NULL);
		offer("help");
	}
	if (!word[0] || word[0] == '-')
		complete_option(word);
}

/* Aliases are offered only if no command fits, because they would not help otherwise. */
static void complete_command(const struct object *object)
{
	const char *alias;

	offer_all(command_name, object);
	for (size_t i = 0; !offers.any && (alias = word_alias(i, command_name, object)); i++)
		offer(alias);
}

static const struct object *object_of(const char *word)
{
	int found = word_find(word, object_name, NULL, true);

	return found < 0 ? NULL : object_at(found);
}

static void complete_help(struct args *args)
{
	const char *word = args_next(args);
	const struct object *object = object_of(word);

	if (!args->argc)
		offer_all(object_name, NULL);
	else if (args->argc == 1 && object && *object->command->name)
		offer_all(command_name, object);
}

/* @args: the words after the object. */
static void complete_words(const struct object *object, struct args *args)
{
	const char *word = *args->argv;
	int found;

	if (args->argc == 1)
		offer("help");
	if (!*object->command->name) {
		syntax_complete(object, object->command, args);
		return;
	}
	if (args->argc == 1) {
		complete_command(object);
		return;
	}
	args_next(args);
	if (!strcmp(word, "help")) {
		if (args->argc == 1)
			complete_command(object);
		return;
	}
	found = word_find(word, command_name, object, false);
	if (found >= 0)
		syntax_complete(object, &object->command[found], args);
}

/* Skip the options. Returns the letter of the option whose value is completed, or '\0'. */
static char skip_options(struct args *args)
{
	while (args->argc > 1 && args->argv[0][0] == '-' && args->argv[0][1]) {
		const char *word = args_next(args), *equals = strchr(word, '=');
		char letter;

		if (!strcmp(word, "--"))
			break;
		letter = option_awaits(word);
		if (letter && args->argc == 1)
			return letter;
		if (letter == 'n')
			live_netns(*args->argv);
		if (letter)
			args_next(args);
		if (equals && strspn(word, "-") + strlen("netns") == (size_t)(equals - word) &&
		    !strncmp(word + strspn(word, "-"), "netns", 5))
			live_netns(equals + 1);
	}
	return '\0';
}

static void complete_line(struct args *args)
{
	const struct object *object;
	char letter = skip_options(args);
	const char *word;

	if (letter) {
		complete_value(letter);
		return;
	}
	if (args->argc == 1) {
		complete_object(*args->argv);
		return;
	}
	word = args_next(args);
	object = object_of(word);
	if (!strcmp(word, "help"))
		complete_help(args);
	else if (object)
		complete_words(object, args);
}

static int complete_split(struct args *args)
{
	static struct shell_line line;
	const char *breaks = args_next(args);
	char *text = (char *)args_next(args);

	if (!text || !shell_line_split(&line, text, breaks))
		return usage("line: required");
	offers.quoted = true;
	offers.quote = line.quote;
	offers.cut = line.cut;
	*args = (struct args) { line.count - 1, line.words + 1 };
	if (line.path || line.count < 2) {
		offers.paths = line.path ? "files" : "none";
		args->argc = 0;
	}
	return DONE;
}

int complete(struct args *args)
{
	const char *form;
	int status = DONE;

	args_next(args);
	form = args_next(args);
	if (form && !strcmp(form, "line"))
		status = complete_split(args);
	if (status)
		return status;
	if (args->argc) {
		offers.begun = args->argv[args->argc - 1];
		complete_line(args);
	}
	offer_end();
	return DONE;
}
