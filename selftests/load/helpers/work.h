/* SPDX-License-Identifier: GPL-2.0 */
/* What takes long in the kernel, and what becomes of the streams meanwhile. */
#ifndef WORK_H
#define WORK_H

#include "meter.h"

#define MIB		1048576ULL
/* Of a millisecond, until something that must come is taken for lost. */
#define POLLS		120000

/**
 * struct work - that takes long; each is given the bytes that it is about
 * @what: it does
 * @before: makes what it needs, or NULL
 * @run: is measured
 * @rest: waits until what @run has left behind is freed, or NULL
 * @after: clears up, or NULL
 */
struct work {
	const char *what;
	void (*before)(uint64_t bytes);
	void (*run)(uint64_t bytes);
	void (*rest)(uint64_t bytes);
	void (*after)(uint64_t bytes);
};

/**
 * struct tally - of work that was done some times
 * @times: that it was done
 * @longest: ns that it took
 * @took: ns, all times together
 * @watched: ns, all times together, and what came of them a little later
 * @gap: ns, the longest between two frames while that was watched
 * @lead: the most frames that other streams sent between two of one, in that time
 * @frames: that passed while it ran, of each stream
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

/* work_begin() - what work_measure() looks at: streams on so many CPUs */
void work_begin(struct meters *meters, uint32_t cpus);

/* work_measure() - do it once, and add that to @tally */
void work_measure(const struct work *work, uint64_t bytes,
		  struct tally *tally);

/* wait_more() - for what sends no event: a millisecond of @polls, which end */
void wait_more(uint32_t *polls, const char *what);

/* plain.c: what the kernel does by itself, without the module, and like a command */
extern const struct work plain_dump, plain_make, plain_free, plain_replace,
			 plain_read, plain_copy, plain_files, plain_ask;

#endif
