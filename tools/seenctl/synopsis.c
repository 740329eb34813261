// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "synopsis.h"

#define PARTS_MAX	1024

static const char reference[] = ", as of ";

/* The longest synopsis has about 100 parts, and a completion parses few of them. */
static struct part pool[PARTS_MAX];
static size_t pool_used;

/* parse_ends() keeps the pool from running out. */
static struct part *part_new(void)
{
	return &pool[pool_used++];
}

bool part_is(const struct part *part, const char *word)
{
	return part->text && strlen(word) == part->len &&
	       !memcmp(part->text, word, part->len);
}

bool part_is_value(const struct part *part)
{
	return part->text && isupper((unsigned char)*part->text);
}

/* "[" within a word belongs to it, as in GROUP[/BITS]. */
static size_t word_len(const char *text)
{
	size_t len = 0, depth = 0;

	for (; text[len]; len++) {
		char c = text[len];

		if (!depth && (strchr("\n |{}],<>", c) || !strncmp(text + len, "...", 3)))
			break;
		depth += c == '[';
		depth -= c == ']';
	}
	return len;
}

static struct part *parse_sequence(const char **at);

static struct part *parse_group(const char **at)
{
	struct part *group = part_new(), **into = &group->choice;

	group->optional = **at == '[';
	do {
		++*at;
		*into = parse_sequence(at);
		if (*into)
			into = &(*into)->other;
	} while (**at == '|');
	*at += **at == '}' || **at == ']';
	return group;
}

static struct part *parse_part(const char **at)
{
	struct part *part;

	if (**at == '{' || **at == '[')
		return parse_group(at);
	part = part_new();
	part->text = *at;
	part->len = word_len(*at);
	*at += part->len;
	return part;
}

static void skip_blanks(const char **at)
{
	*at += strspn(*at, "\n ");
}

/* A redirection, a reference or the next form ends a sequence, too. Groups nest a few times. */
static bool parse_ends(const char *at)
{
	return !*at || strchr("|]},<>", *at) || !strncmp(at, "...", 3) ||
	       !strncmp(at, "seenctl ", 8) || pool_used > PARTS_MAX - 16;
}

static struct part *parse_sequence(const char **at)
{
	struct part *first = NULL, **into = &first, *last = NULL, *part;

	for (skip_blanks(at); !parse_ends(*at); skip_blanks(at)) {
		part = parse_part(at);
		if (!strncmp(*at, "...", 3)) {
			part->repeats = true;
			*at += 3;
		}
		if (last && last->text && !part_is_value(last) && !last->value &&
		    !part->optional) {
			last->value = part;
			continue;
		}
		*into = part;
		into = &part->next;
		last = part;
	}
	return first;
}

static size_t parse_forms(const char *at, struct part **form)
{
	size_t count = 0;

	while (at && count < SYNOPSIS_FORMS_MAX) {
		form[count++] = parse_sequence(&at);
		at = strstr(at, "seenctl ");
		/* Behind the names of object and command. */
		for (int i = 0; at && i < 3; i++) {
			at = strchr(at, ' ');
			at += !!at;
		}
	}
	return count;
}

/* The command that "as of OBJECT COMMAND" names. */
static const struct command *find_reference(const char *at)
{
	const struct object *object;
	char name[64];

	for (size_t i = 0; (object = object_at(i)); i++) {
		for (size_t j = 0; j < object->commands; j++) {
			snprintf(name, sizeof(name), "%s %s", object->name,
				 object->command[j].name);
			if (!strcmp(at, name))
				return &object->command[j];
		}
	}
	return NULL;
}

size_t synopsis_parse(const struct command *command, struct part **form)
{
	const char *at = strstr(command->synopsis, reference);
	const struct command *other = at ? find_reference(at + strlen(reference)) : NULL;
	struct part *head;
	size_t count;

	if (!other)
		return parse_forms(command->synopsis, form);
	count = parse_forms(other->synopsis, form);
	for (size_t i = 0; i < count; i++) {
		at = command->synopsis;
		head = parse_part(&at);
		head->next = form[i] ? form[i]->next : NULL;
		form[i] = head;
	}
	return count;
}

/* Find the word with a group after it. */
static const char *find_spelled(const char *synopsis, const struct part *word)
{
	const char *at = synopsis;

	for (; (at = strstr(at, " {")); at++)
		if (at - synopsis > (ptrdiff_t)word->len &&
		    !memcmp(at - word->len, word->text, word->len) &&
		    strchr(" [{|", at[-(ptrdiff_t)word->len - 1]))
			return at + 1;
	return NULL;
}

struct part *synopsis_spelled(const struct part *word)
{
	const struct object *object;
	const char *at;

	for (size_t i = 0; (object = object_at(i)); i++) {
		for (size_t j = 0; j < object->commands; j++) {
			at = find_spelled(object->command[j].synopsis, word);
			if (at)
				return parse_group(&at);
		}
	}
	return NULL;
}
