/* SPDX-License-Identifier: GPL-2.0 */
/* A bar on standard error while a long load runs, if that is a terminal. */
#ifndef SEENCTL_PROGRESS_H
#define SEENCTL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct progress - how far a load has come
 * @shown: there is a terminal
 * @drawn: something stands there
 * @total: bytes to read, 0: not known
 * @next: ns of the clock when to draw again
 * @noun: what is counted; keys, unless told otherwise
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
