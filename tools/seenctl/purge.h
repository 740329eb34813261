/* SPDX-License-Identifier: GPL-2.0 */
/* Delete all guards or filters of a network namespace, and print each. */
#ifndef SEENCTL_PURGE_H
#define SEENCTL_PURGE_H

struct args;

/* purge_netns() - set the namespace to print with each guard and filter; NULL: print none */
void purge_netns(const char *name);

/* Both need a connection to the kernel and return the exit status. */
int purge_guards(void);
/* purge_filters() - filters in use are kept, and printed with the reason */
int purge_filters(void);

/* purge_all() - the command "del all"; @purge: one of the two; returns the exit status */
int purge_all(struct args *args, int (*purge)(void));

#endif
