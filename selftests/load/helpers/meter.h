/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that all who send, and the one who gives commands, have mapped: how many
 * frames have gone, and the longest gap between two of them.
 */
#ifndef METER_H
#define METER_H

#include "../../net/helpers/numbers.h"

#define METER_CPUS	8

/**
 * struct meter - of a sender
 * @frames: sent so far
 * @longest: ns between two frames, since @round was told
 * @lead: the most frames that the others sent between two of this one, since then
 * @round: of which @longest and @lead are
 */
struct meter {
	uint64_t frames;
	uint64_t longest;
	uint64_t lead;
	uint32_t round;
} __attribute__((aligned(64)));

/**
 * struct meters - the file
 * @round: told by who reads: measure anew
 * @of: each sender's
 */
struct meters {
	uint32_t round;
	struct meter of[METER_CPUS];
};

/* meters_map() - the file, made if it is not there */
struct meters *meters_map(const char *path);

/* meter_frames() - that a sender has sent so far */
uint64_t meter_frames(const struct meters *meters, uint32_t cpu);

/* ns() - of a clock that never goes back */
uint64_t ns(void);

#endif
