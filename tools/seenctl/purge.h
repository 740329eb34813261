/* SPDX-License-Identifier: GPL-2.0 */
/* All guards of a namespace, or all its filters, go; each is told. */
#ifndef SEENCTL_PURGE_H
#define SEENCTL_PURGE_H

struct args;

/*
 * purge_netns() - the namespace that is told with each guard and filter; NULL: it is the
 * caller's own
 */
void purge_netns(const char *name);

/* Connected; they return the exit status. */
int purge_guards(void);
/* purge_filters() - but for those in use, which are told, too, with the reason */
int purge_filters(void);

/* purge_all() - the command "del all": @purge is one of them; returns the exit status */
int purge_all(struct args *args, int (*purge)(void));

#endif
