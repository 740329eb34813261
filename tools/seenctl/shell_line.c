// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "shell_line.h"

/**
 * struct split - the state of the split
 * @line: the result
 * @to: where the next character of the last word is written
 * @breaks: characters at which the shell breaks a word
 * @open: a word has begun
 */
struct split {
	struct shell_line *line;
	char *to;
	const char *breaks;
	bool open;
};

static bool split_begin(struct split *split)
{
	struct shell_line *line = split->line;

	if (split->open)
		return true;
	if (line->count == SHELL_WORDS_MAX)
		return false;
	line->words[line->count++] = split->to;
	line->cut = 0;
	split->open = true;
	return true;
}

/* The word after a redirection is no word of the command. */
static void split_end(struct split *split)
{
	struct shell_line *line = split->line;

	if (!split->open)
		return;
	*split->to++ = '\0';
	split->open = false;
	if (line->path)
		line->count--;
	line->path = false;
}

/* A number directly before the redirection is its file descriptor, or the file of another one. */
static void split_redirect(struct split *split)
{
	struct shell_line *line = split->line;
	const char *word;

	*split->to = '\0';
	word = split->open ? line->words[line->count - 1] : "";
	if (!line->path && *word && !word[strspn(word, "0123456789")])
		line->count--;
	split_end(split);
	line->path = true;
}

static void split_put(struct split *split, char c)
{
	struct shell_line *line = split->line;

	*split->to++ = c;
	if (!line->quote && strchr(split->breaks, c))
		line->cut = split->to - line->words[line->count - 1];
}

/* The shell completes the text after an open quote. */
static void split_quote(struct split *split, char quote)
{
	struct shell_line *line = split->line;

	line->quote = quote;
	line->cut = split->to - line->words[line->count - 1];
}

/* In double quotes a backslash stands for itself before other characters than these. */
static bool split_escapes(char quote, char next)
{
	return quote != '\'' && (!quote || !next || strchr("\"\\`$", next));
}

/* Read one character, or two after a backslash. Returns the next one, NULL: too many words. */
static const char *split_read(struct split *split, const char *at)
{
	struct shell_line *line = split->line;

	if (!line->quote && strchr(" \t\n", *at)) {
		split_end(split);
		return at + 1;
	}
	if (!line->quote && (*at == '<' || *at == '>')) {
		split_redirect(split);
		return at + 1;
	}
	if (!split_begin(split))
		return NULL;
	if (*at == '\\' && split_escapes(line->quote, at[1])) {
		if (at[1])
			*split->to++ = at[1];
		return at + (at[1] ? 2 : 1);
	}
	if (*at == line->quote)
		line->quote = '\0';
	else if (!line->quote && (*at == '\'' || *at == '"'))
		split_quote(split, *at);
	else
		split_put(split, *at);
	return at + 1;
}

bool shell_line_split(struct shell_line *line, char *text, const char *breaks)
{
	struct split split = { .line = line, .to = text, .breaks = breaks };
	const char *at = text;

	*line = (struct shell_line) {};
	while (*at) {
		at = split_read(&split, at);
		if (!at)
			return false;
	}
	if (!split_begin(&split))
		return false;
	*split.to = '\0';
	return true;
}
