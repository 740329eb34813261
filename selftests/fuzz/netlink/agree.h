/* SPDX-License-Identifier: GPL-2.0 */
/* Does a filter report and contain what the kernel has acknowledged? */
#ifndef AGREE_H
#define AGREE_H

#include "audit.h"
#include "units.h"

/* In ns: the sweep of so long a window is never late, however busy the machine. */
#define SWEPT_IN_TIME	60000000000

/**
 * agree_check() - compare a filter that only one process changes with its ledger
 * @audit: counts disagreements
 * @space: its namespace
 * @filter: its attributes, as listed
 * @units: its table, or NULL
 * @ledger: its ledger; the lookups of this check are added to it
 */
void agree_check(struct audit *audit, const struct space *space,
		 const struct item *filter, const struct units *units,
		 struct ledger *ledger);

#endif
