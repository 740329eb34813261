/* SPDX-License-Identifier: GPL-2.0 */
/* Complete the words of a command by its synopsis. */
#ifndef SEENCTL_SYNTAX_H
#define SEENCTL_SYNTAX_H

#include "seenctl.h"

/**
 * syntax_complete() - offer the words that may be the last word of a command
 * @object: the object
 * @command: its command
 * @args: the words after the command; the last one is completed
 */
void syntax_complete(const struct object *object, const struct command *command,
		     struct args *args);

#endif
