/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEENCTL_GUARD_H
#define SEENCTL_GUARD_H

#include "seenctl.h"

/* guard.c: guard_read_id() - read the required words "{dev | bridge} NAME"; DONE or USAGE */
int guard_read_id(struct args *args, struct seen_guard_id *id);

/* guard_ports.c: guard_ports_text() - print the ports, and end the line; @ports may be NULL */
void guard_ports_text(const struct seen_ports *ports);

/* Commands of "seenctl guard". */
int guard_add(struct args *args);
int guard_set(struct args *args);
int guard_replace(struct args *args);

#endif
