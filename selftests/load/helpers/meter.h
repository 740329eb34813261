/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that all senders and the program that runs commands map: the number of frames sent by
 * each sender, and the longest gap between two of them.
 */
#ifndef METER_H
#define METER_H

#include "../../net/helpers/numbers.h"

#define METER_CPUS	8

/**
 * struct meter - the counters of a sender
 * @frames: frames sent so far
 * @longest: longest time between two frames since the round began, in ns
 * @lead: the most frames that other senders sent between two frames, since then
 * @round: the round to which @longest and @lead belong
 */
struct meter {
	uint64_t frames;
	uint64_t longest;
	uint64_t lead;
	uint32_t round;
} __attribute__((aligned(64)));

/**
 * struct meters - the file
 * @round: incremented by the reader: the senders start a new measurement
 * @of: counters of each sender
 */
struct meters {
	uint32_t round;
	struct meter of[METER_CPUS];
};

/* meters_map() - map the file; create it if it does not exist */
struct meters *meters_map(const char *path);

/* meter_frames() - frames that a sender has sent so far */
uint64_t meter_frames(const struct meters *meters, uint32_t cpu);

/* ns() - monotonic time in ns */
uint64_t ns(void);

#endif
