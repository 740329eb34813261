/* SPDX-License-Identifier: GPL-2.0 */
/* Processes that send messages, or change devices meanwhile. */
#ifndef WORKER_H
#define WORKER_H

#include "judge.h"
#include "ledger.h"
#include "space.h"

/**
 * worker_run() - send messages, and judge the answers
 * @space: namespace
 * @family: number of the family
 * @seed: seed of all random choices
 * @messages: number of messages
 * @owner: number of the process, unique over all namespaces
 * @tally: totals of the answers
 * @own: OWN ledgers of this process
 */
void worker_run(const struct space *space, uint16_t family, uint64_t seed,
		uint32_t messages, uint32_t owner, struct tally *tally,
		struct ledger *own);

/* devices_run() - create, move and delete devices, @changes times */
void devices_run(const struct space *space, uint64_t seed, uint32_t changes);

#endif
