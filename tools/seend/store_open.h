/* SPDX-License-Identifier: GPL-2.0 */
/* The store of this program. Tests of the daemon link another one. */
#ifndef SEEND_STORE_OPEN_H
#define SEEND_STORE_OPEN_H

#include "group.h"
#include "store.h"

/* Bytes for why a store cannot be used. */
#define STORE_ERROR	512

/**
 * store_open() - use the filter of a group
 * @group: its check is set; @group must stay
 * @filter: name
 * @folder: for temporary files
 * @error: out: STORE_ERROR bytes, a line for people, if NULL is returned
 */
struct store *store_open(struct group *group, const char *filter, const char *folder, char *error);

void store_close(struct store *store);

#endif
