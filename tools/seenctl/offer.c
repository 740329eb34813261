// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/key_field.h"
#include "offer.h"
#include "word.h"

struct offers offers = { .begun = "", .paths = "none" };

/*
 * A line is one word, so a word with a line break cannot be printed, and a terminal obeys other
 * control characters. In double quotes no character keeps bash from expanding "!".
 */
static bool offer_is_safe(const char *word)
{
	if (offers.quote == '"' && strchr(word, '!'))
		return false;
	for (; *word; word++)
		if ((unsigned char)*word < ' ' || *word == 0x7f)
			return false;
	return true;
}

static bool offer_is_special(char c)
{
	return strchr(" \"'\\`$&|;<>()[]{}*?!#~^", c);
}

/* Print a character as the shell reads it, within the open quote. */
static void offer_put(char c)
{
	if (offers.quote == '\'' && c == '\'')
		fputs("'\\''", stdout);
	else if (offers.quote == '"' && strchr("\"\\`$", c))
		printf("\\%c", c);
	else if (!offers.quote && offer_is_special(c))
		printf("\\%c", c);
	else
		putchar(c);
}

void offer_text(const char *text, size_t len)
{
	const char *end = offers.begun + offers.kept;
	char word[512];

	if (strncmp(text, end, strlen(end)) || strlen(end) > len ||
	    (size_t)snprintf(word, sizeof(word), "%.*s%.*s", (int)offers.kept,
			     offers.begun, (int)len, text) >= sizeof(word))
		return;
	if (!offer_is_safe(word))
		return;
	offers.any++;
	if (!offers.quoted) {
		puts(word);
		return;
	}
	for (const char *at = word + offers.cut; *at; at++)
		offer_put(*at);
	putchar('\n');
}

void offer(const char *word)
{
	offer_text(word, strlen(word));
}

void offer_names(const struct seen_names *names)
{
	const char *word;

	for (size_t i = 0; (word = word_value(i, names)); i++)
		offer(word);
}

/* Is the word, or field, already in the list? */
static bool offer_is_given(const char *word)
{
	const char *at = offers.begun, *end = offers.begun + offers.kept;
	size_t len = strcspn(word, "/");

	for (; at < end; at += strcspn(at, ",") + 1)
		if (strcspn(at, ",/:") == len && !memcmp(at, word, len))
			return true;
	return false;
}

static void offer_in_place(const char *word)
{
	if (!offer_is_given(word))
		offer(word);
}

/* Complete only the part after the last comma. */
static void offer_in_list(void)
{
	const char *comma = strrchr(offers.begun + offers.kept, ',');

	if (comma)
		offers.kept = comma + 1 - offers.begun;
	offers.joined = true;
}

static void offer_lengths(const char *field)
{
	static const char *const lengths[] = { "*", "8", "16", "24", "32", "48", "56", "64" };
	char word[16];

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		snprintf(word, sizeof(word), "%s/%s", field, lengths[i]);
		offer_in_place(word);
	}
}

void offer_key(bool whole)
{
	size_t before = offers.kept;
	const char *word;

	offer_in_list();
	whole &= offers.kept == before;
	for (size_t i = 0; (word = seen_key_word(i, whole)); i++)
		offer_in_place(word);
	if (strchr(offers.begun + offers.kept, '/')) {
		offer_lengths("src");
		offer_lengths("dst");
	}
}

void offer_events(void)
{
	const char *word;

	offer_in_list();
	for (size_t i = 0; (word = word_value(i, &seen_events)); i++)
		offer_in_place(word);
}

void offer_end(void)
{
	printf("%s%s\n", offers.paths, offers.joined ? " joined" : "");
}
