/* SPDX-License-Identifier: GPL-2.0 */
/* While nothing changes: do listings, single answers, exports, counters and memory agree? */
#ifndef AUDIT_H
#define AUDIT_H

#include "charge.h"
#include "ledger.h"

/**
 * struct audit - the input and the totals of an audit
 * @spaces: namespaces
 * @count: number of @spaces
 * @family: number of the family
 * @costs: bytes charged for each kind of object
 * @ledgers: OWN ledgers of each process
 * @processes: number of processes; process i is in namespace i % @count
 * @filters: filters checked
 * @guards: guards checked
 * @exports: filters whose units were counted
 * @tallied: filters compared with their ledgers
 * @keys: keys looked up that are known to be there, or not to be
 * @disagreements: number of disagreements; each is printed to standard error
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

/* disagree() - count and print a disagreement */
void disagree(struct audit *audit, const struct space *space,
	      const char *format, ...) __attribute__((format(printf, 3, 4)));

/* audit_run() - check all namespaces; no process may change anything meanwhile */
void audit_run(struct audit *audit);

/* audit_end() - delete all objects; then nothing may stay charged */
void audit_end(struct audit *audit);

#endif
