/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEENCTL_COMPLETE_H
#define SEENCTL_COMPLETE_H

#include "seenctl.h"

/* The word that asks for completion, instead of an object */
#define COMPLETE	"__complete"

/**
 * complete() - print the words that may complete the last word of a command line
 * @args: COMPLETE, "words" and the words after "seenctl", without quotes; or COMPLETE, "line",
 *        the characters at which the shell breaks words, and the line up to the cursor
 *
 * Words are printed one a line: after "words" as they are, after "line" as the shell reads them.
 * The last line is for the shell: "files", "folders" or "programs" if these fit, too, otherwise
 * "none"; then "joined" if a word may continue after an offered word.
 *
 * Return: DONE or USAGE.
 */
int complete(struct args *args);

#endif
