/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time in the header of a snapshot, to which the ages of its keys refer. A snapshot has the
 * wall clock of the host that made it. One that travels in a keyframe has the engine's clock
 * instead, so that the wall clocks of hosts do not matter.
 */
#ifndef SEEND_SNAPSHOT_TIME_H
#define SEEND_SNAPSHOT_TIME_H

#include <stddef.h>
#include <stdint.h>

/**
 * snapshot_shift() - add to the time in a snapshot's header
 * @bytes: the snapshot; one with a malformed header is not changed
 * @len: bytes of @bytes
 * @from: what the clock of the snapshot shows now, ns
 * @to: what the new clock shows now, ns
 */
void snapshot_shift(uint8_t *bytes, size_t len, uint64_t from, uint64_t to);

/* snapshot_clock() - the wall clock, ns, as in the header of a new snapshot */
uint64_t snapshot_clock(void);

#endif
