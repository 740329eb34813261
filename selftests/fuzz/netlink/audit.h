/* SPDX-License-Identifier: GPL-2.0 */
/* Do listing, single answers, exports, counts and memory agree, all being quiet? */
#ifndef AUDIT_H
#define AUDIT_H

#include "charge.h"
#include "ledger.h"

/**
 * struct audit - what is compared, and how often it was
 * @spaces: namespaces, @count of them
 * @family: number of the family
 * @costs: of what is charged
 * @ledgers: OWN filters of each process, as acknowledged
 * @processes: how many; process i is in namespace i % @count
 * @filters: looked at
 * @guards: looked at
 * @exports: of which the units were counted
 * @tallied: filters that were held against their ledgers
 * @keys: that were asked for, and known to be there, or not to be
 * @disagreements: each told on standard error
 */
struct audit {
	const struct space *spaces;
	uint32_t count;
	uint16_t family;
	struct costs costs;
	struct ledger *ledgers;
	uint32_t processes;
	uint64_t filters;
	uint64_t guards;
	uint64_t exports;
	uint64_t tallied;
	uint64_t keys;
	uint64_t disagreements;
};

/* disagree() - count it, and tell */
void disagree(struct audit *audit, const struct space *space,
	      const char *format, ...) __attribute__((format(printf, 3, 4)));

/* audit_run() - all namespaces, in which nobody changes anything meanwhile */
void audit_run(struct audit *audit);

/* audit_end() - delete all there is; then nothing may be charged any more */
void audit_end(struct audit *audit);

#endif
