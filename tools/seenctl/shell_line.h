/* SPDX-License-Identifier: GPL-2.0 */
/* Split a command line as a shell does, up to the cursor. */
#ifndef SEENCTL_SHELL_LINE_H
#define SEENCTL_SHELL_LINE_H

#include "seenctl.h"

#define SHELL_WORDS_MAX	512

/**
 * struct shell_line - the words of a command line
 * @words: without quotes; the last one ends at the cursor, and may be empty
 * @count: number of @words
 * @quote: the quote that is open at the cursor, or '\0'
 * @cut: bytes of the last word up to its last break
 * @path: the last word is the file of a redirection
 */
struct shell_line {
	char *words[SHELL_WORDS_MAX];
	int count;
	char quote;
	size_t cut;
	bool path;
};

/**
 * shell_line_split() - split a command line
 * @line: out
 * @text: the line up to the cursor; it is changed, and holds the words afterwards
 * @breaks: characters at which the shell breaks a word for completion, such as ':'
 *
 * Quotes and backslashes are removed; nothing is expanded. Redirections are left out.
 *
 * Return: false if there are too many words.
 */
bool shell_line_split(struct shell_line *line, char *text, const char *breaks);

#endif
