/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of "seenctl fleet". */
#ifndef SEENCTL_FLEET_H
#define SEENCTL_FLEET_H

#include "fleet_status.h"

/* fleet_show.c: fleet_tell() - print groups; @only: this one; NULL: all, those with faults first */
void fleet_tell(const struct fleet *fleet, const struct fleet_group *only);

/* fleet_lacks_keys() - may keys of other hosts be missing on this host? */
bool fleet_lacks_keys(const struct fleet_group *group);

/* fleet_ask.c: command "ask" */
int fleet_ask(struct args *args);

/* fleet.c: read_socket() - param.read for --socket; param.into: a const char pointer */
int read_socket(const struct param *param, const char *value);

#endif
