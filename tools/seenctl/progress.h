/* SPDX-License-Identifier: GPL-2.0 */
/* A progress bar on standard error during a long load, if standard error is a terminal. */
#ifndef SEENCTL_PROGRESS_H
#define SEENCTL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct progress - a progress bar
 * @shown: standard error is a terminal that can overwrite a line
 * @drawn: the bar is on the terminal
 * @total: number of bytes of the input; 0: not known
 * @next: time of CLOCK_MONOTONIC of the next update, in ns
 * @noun: unit of the count, such as "keys", which progress_start() sets
 */
struct progress {
	bool shown;
	bool drawn;
	uint64_t total;
	uint64_t next;
	const char *noun;
};

void progress_start(struct progress *progress, int fd);
void progress_step(struct progress *progress, uint64_t bytes, uint64_t keys);
void progress_end(struct progress *progress);

#endif
