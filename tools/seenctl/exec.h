/* SPDX-License-Identifier: GPL-2.0 */
/* Run a program, without a shell, and wait for its end. */
#ifndef SEENCTL_EXEC_H
#define SEENCTL_EXEC_H

#include <limits.h>

/**
 * exec_find() - find a program, and check that it can be started
 * @program: a path, or without "/" a name that is searched for in $PATH; shorter than PATH_MAX
 * @path: out: the path of the program
 *
 * Return: DONE, or REFUSED after an error message.
 */
int exec_find(const char *program, char path[PATH_MAX]);

/**
 * exec_run() - run a program to its end
 * @program: a path; the standard input of the program is /dev/null
 * @prepare: called in the new process, to set its environment
 * @context: for @prepare
 * @cause: why the program runs, for messages
 *
 * A message is printed if the program fails.
 *
 * Return: DONE, or REFUSED after an error message: the program cannot be started.
 */
int exec_run(const char *program, void (*prepare)(const void *context),
	     const void *context, const char *cause);

/* exec_clear() - remove the entries that begin with @prefix from the environment */
void exec_clear(const char *prefix);

#endif
