/* SPDX-License-Identifier: GPL-2.0 */
/* Processes that send: messages, and devices that come and go beside them. */
#ifndef WORKER_H
#define WORKER_H

#include "judge.h"
#include "ledger.h"
#include "space.h"

/**
 * worker_run() - send messages, and judge the answers
 * @space: where to
 * @family: number of the family
 * @seed: of all that is drawn
 * @messages: how many
 * @owner: number of the process, of all of them
 * @tally: what came of it
 * @own: OWN filters of this process, as acknowledged
 */
void worker_run(const struct space *space, uint16_t family, uint64_t seed,
		uint32_t messages, uint32_t owner, struct tally *tally,
		struct ledger *own);

/* devices_run() - let devices come and go, @changes times */
void devices_run(const struct space *space, uint64_t seed, uint32_t changes);

#endif
