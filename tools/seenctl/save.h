/* SPDX-License-Identifier: GPL-2.0 */
/* A namespace as commands, line by line. */
#ifndef SEENCTL_SAVE_H
#define SEENCTL_SAVE_H

#include <stdio.h>

#include "seenctl.h"

/**
 * struct save - what is to be saved
 * @contents: folder for what is in the filters, or NULL
 * @secrets: tell them
 * @filters: all filters
 * @line: the command that is being written
 * @text: of it
 * @size: of that
 */
struct save {
	const char *contents;
	bool secrets;
	struct seen_filters *filters;
	FILE *line;
	char *text;
	size_t size;
};

/* save_begin() - a command, to which words are put until save_end() */
int save_begin(struct save *save, const char *command);
int save_end(struct save *save);

/* save_text() - a word, quoted so that batch.c reads it as one */
void save_text(const struct save *save, const char *text);
void save_word(const struct save *save, const char *word, const char *value);

/* save_guard.c: all guards; those that are left paused until save_resumes() */
int save_guards(struct save *save, const struct seen_guards *guards);
int save_resumes(struct save *save, const struct seen_guards *guards);

#endif
