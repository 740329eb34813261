/* SPDX-License-Identifier: GPL-2.0 */
/* Work that takes long in the kernel, and its effect on the streams. */
#ifndef WORK_H
#define WORK_H

#include "meter.h"

#define MIB		1048576ULL
/* Polls of a millisecond each, after which an event that must occur counts as lost. */
#define POLLS		120000

/**
 * struct work - work that takes long; each function gets the number of bytes
 * @what: name
 * @before: prepares it, or NULL
 * @run: the part that is measured
 * @rest: waits until the memory that @run left is freed, or NULL
 * @after: cleans up, or NULL
 */
struct work {
	const char *what;
	void (*before)(uint64_t bytes);
	void (*run)(uint64_t bytes);
	void (*rest)(uint64_t bytes);
	void (*after)(uint64_t bytes);
};

/**
 * struct tally - measurements of repeated work; all times in ns
 * @times: number of runs
 * @longest: longest run
 * @took: all runs together
 * @watched: all runs together, and the time shortly after them
 * @gap: longest time between two frames of a stream in @watched
 * @lead: the most frames that other streams sent between two frames of one, in @watched
 * @frames: frames of each stream that passed during the runs
 */
struct tally {
	uint64_t times;
	uint64_t longest;
	uint64_t took;
	uint64_t watched;
	uint64_t gap;
	uint64_t lead;
	uint64_t frames[METER_CPUS];
};

/* work_begin() - set the streams that work_measure() watches, one on each CPU */
void work_begin(struct meters *meters, uint32_t cpus);

/* work_measure() - run @work once and add the measurements to @tally */
void work_measure(const struct work *work, uint64_t bytes,
		  struct tally *tally);

/* wait_more() - sleep a millisecond while polling; ends the program after POLLS calls */
void wait_more(uint32_t *polls, const char *what);

/* plain.c: work of the kernel that is comparable to a command, without the module */
extern const struct work plain_dump, plain_make, plain_free, plain_replace,
			 plain_read, plain_copy, plain_files, plain_ask;

#endif
