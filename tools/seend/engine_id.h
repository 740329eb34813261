/* SPDX-License-Identifier: GPL-2.0 */
/* The id of an entry in a stream of the engine. */
#ifndef SEEND_ENGINE_ID_H
#define SEEND_ENGINE_ID_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct engine_id - as Redis prints it: MS-SEQ
 * @ms: milliseconds of the engine's clock
 * @seq: number within that millisecond
 */
struct engine_id {
	uint64_t ms;
	uint64_t seq;
};

/* engine_id_compare() - below 0, 0 or above 0 */
static inline int engine_id_compare(struct engine_id a, struct engine_id b)
{
	if (a.ms != b.ms)
		return a.ms < b.ms ? -1 : 1;
	return (a.seq > b.seq) - (a.seq < b.seq);
}

#endif
