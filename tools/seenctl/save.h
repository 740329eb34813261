/* SPDX-License-Identifier: GPL-2.0 */
/* Print the state of a network namespace as seenctl commands, one per line. */
#ifndef SEENCTL_SAVE_H
#define SEENCTL_SAVE_H

#include <stdio.h>

#include "seenctl.h"

/**
 * struct save - a save that is in progress
 * @contents: folder for snapshots of the filters, or NULL
 * @secrets: print the secrets of the filters
 * @filters: all filters
 * @line: memory stream of the current command
 * @text: text of the current command
 * @size: size of @text
 */
struct save {
	const char *contents;
	bool secrets;
	struct seen_filters *filters;
	FILE *line;
	char *text;
	size_t size;
};

/* save_begin() - begin a command; words are added until save_end() prints it */
int save_begin(struct save *save, const char *command);
int save_end(struct save *save);

/* save_text() - add a word, quoted so that batch.c reads it as one word */
void save_text(const struct save *save, const char *text);
void save_word(const struct save *save, const char *word, const char *value);

/*
 * save_guard.c: save_guards() prints a command for each guard, some of them paused;
 * save_resumes() prints the commands that resume those guards
 */
int save_guards(struct save *save, const struct seen_guards *guards);
int save_resumes(struct save *save, const struct seen_guards *guards);

#endif
