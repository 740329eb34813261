/* SPDX-License-Identifier: GPL-2.0 */
/* Local filters of tables that are in memory. Inside of libseen. */
#ifndef LIBSEEN_LOCAL_OPEN_H
#define LIBSEEN_LOCAL_OPEN_H

#include "local.h"
#include "table.h"

/* seen_local_take() - a filter of a table, whole or not at all */
int seen_local_take(struct seen_local **local, const struct seen_table *table);

#endif
