/* SPDX-License-Identifier: GPL-2.0 */
/* Processes that send: messages, and devices that come and go beside them. */
#ifndef WORKER_H
#define WORKER_H

#include "judge.h"
#include "space.h"

/**
 * worker_run() - send messages, and judge the answers
 * @space: where to
 * @family: number of the family
 * @seed: of all that is drawn
 * @messages: how many
 * @port: the first of some that its sockets are bound to
 * @tally: what came of it
 */
void worker_run(const struct space *space, uint16_t family, uint64_t seed,
		uint32_t messages, uint32_t port, struct tally *tally);

/* devices_run() - let devices come and go, @changes times */
void devices_run(const struct space *space, uint64_t seed, uint32_t changes);

#endif
