/* SPDX-License-Identifier: GPL-2.0 */
/* All that can be told of a namespace, as text that is the same if nothing changed. */
#ifndef STATE_H
#define STATE_H

#include "libseen.h"

/*
 * state_read() - filters, guards, allow lists, and what is in filters, attribute by
 * attribute. Left out are the numbers of filters and devices, which do not come again,
 * what is in filters whose ticks end meanwhile, and where in a map an entry lies.
 *
 * Return: to be freed.
 */
char *state_read(struct seen_client *client);

/* state_differ() - print the first line in which they differ */
void state_differ(const char *was, const char *is);

#endif
