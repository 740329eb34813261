/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEENCTL_GUARD_H
#define SEENCTL_GUARD_H

#include "seenctl.h"

/* guard.c: guard_read_id() - "{ dev | bridge } NAME", which is required; DONE or USAGE */
int guard_read_id(struct args *args, struct seen_guard_id *id);

/* guard_add.c: guard_read() - the words of `guard add`; DONE or USAGE */
int guard_read(struct args *args, struct seen_guard_config *config);
/* guard_add.c: guard_make() - adds it, and prints notes; connected; the exit status */
int guard_make(const struct seen_guard_config *config);

/* Commands. */
int guard_add(struct args *args);
int guard_set(struct args *args);
int guard_replace(struct args *args);

#endif
