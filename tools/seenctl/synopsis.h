/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse the synopsis of a command, which is also its help: words, VALUES in capitals,
 * {one | of several}, [optional parts], and "..." after a part that may be repeated. A required
 * value or group after a word is the value of the word.
 */
#ifndef SEENCTL_SYNOPSIS_H
#define SEENCTL_SYNOPSIS_H

#include "seenctl.h"

/**
 * struct part - a part of a synopsis
 * @text: of a word or a VALUE; NULL: a group
 * @len: bytes of @text
 * @optional: the group is in brackets
 * @repeats: "..." follows
 * @value: a word: the part that must follow; may be NULL
 * @choice: a group: the first part of its first alternative
 * @other: the first part of an alternative: the first part of the next one
 * @next: the next part of the sequence
 */
struct part {
	const char *text;
	size_t len;
	bool optional;
	bool repeats;
	struct part *value;
	struct part *choice;
	struct part *other;
	struct part *next;
};

#define SYNOPSIS_FORMS_MAX	4

/**
 * synopsis_parse() - parse the forms of a command
 * @command: the command
 * @form: out: the first part of each form
 *
 * "as of OBJECT COMMAND" stands for all parts of that command but its first.
 *
 * Context: one thread.
 * Return: number of forms. The parts are valid until the program ends.
 */
size_t synopsis_parse(const struct command *command, struct part **form);

/*
 * synopsis_spelled() - the alternatives that any synopsis has for the value of @word; NULL: none.
 * Other synopses write only a letter for them, such as "action A".
 */
struct part *synopsis_spelled(const struct part *word);

/* part_is() - is the part this word? */
bool part_is(const struct part *part, const char *word);

/* part_is_value() - is the part a VALUE, which any word may stand for? */
bool part_is_value(const struct part *part);

#endif
