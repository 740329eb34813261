/* SPDX-License-Identifier: GPL-2.0 */
/* The visible state of a namespace as text. The text is the same if nothing has changed. */
#ifndef STATE_H
#define STATE_H

#include "libseen.h"

/*
 * state_read() - read filters and their tables, guards and allow lists, attribute by attribute.
 * Left out are ids of filters and devices, which differ each time, tables whose ticks end during
 * the test, and the place of an entry in a map.
 *
 * Return: the text, which the caller frees.
 */
char *state_read(struct seen_client *client);

/* state_differ() - print the first line in which two states differ */
void state_differ(const char *was, const char *is);

#endif
