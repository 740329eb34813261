/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of text that fit a terminal of 80 columns. put() and its relatives continue such a line,
 * and break it before a word that does not fit. With -oneline no line is broken.
 */
#ifndef SEENCTL_WRAP_H
#define SEENCTL_WRAP_H

#include <stdbool.h>

#include "seenctl.h"

/* Columns of a line. */
#define WRAP_WIDTH	80
/* Blanks before the rest of a broken line. */
#define WRAP_INDENT	8

/* wrap_begin() - print the begin of a line, and break the line where necessary from now on */
void wrap_begin(const char *format, ...) __printf(1, 2);

/* wrap_next() - the same for a further line of the same object; with -oneline after a "\" */
void wrap_next(const char *format, ...) __printf(1, 2);

/* wrap_end() - end the line; later lines are not broken */
void wrap_end(void);

/* wrap_on() - is there a line that wrap_begin() has begun? */
bool wrap_on(void);

/*
 * wrap_add() - print a blank and a text that is broken only at its commas, and only if it does
 * not fit a line of its own
 */
void wrap_add(const char *text);

/* wrap_words() - print a text that may be broken at each blank */
void wrap_words(const char *format, ...) __printf(1, 2);

/* wrap_len() - columns of a text, without its color sequences */
unsigned int wrap_len(const char *text);

#endif
