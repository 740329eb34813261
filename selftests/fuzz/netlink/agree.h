/* SPDX-License-Identifier: GPL-2.0 */
/* Does a filter say and hold what the kernel has acknowledged? */
#ifndef AGREE_H
#define AGREE_H

#include "audit.h"
#include "units.h"

/* A window, in ns, whose sweep is never late, however busy the machine. */
#define SWEPT_IN_TIME	60000000000

/**
 * agree_check() - hold a filter that one process alone has against its ledger
 * @audit: counts what disagrees
 * @space: where it is
 * @filter: as listed
 * @units: its table, or NULL
 * @ledger: of it; told the lookups that this makes
 */
void agree_check(struct audit *audit, const struct space *space,
		 const struct item *filter, const struct units *units,
		 struct ledger *ledger);

#endif
