// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define WIDTH		40
#define INTERVAL	100000000	/* ns */

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * UINT64_C(1000000000) + time.tv_nsec;
}

void progress_start(struct progress *progress, int fd)
{
	const char *terminal = getenv("TERM");
	struct stat stat;

	*progress = (struct progress) { .noun = "keys" };
	progress->shown = isatty(STDERR_FILENO) && terminal &&
			  strcmp(terminal, "dumb");
	if (!fstat(fd, &stat) && S_ISREG(stat.st_mode))
		progress->total = stat.st_size;
	/* A short load shows no bar. */
	progress->next = now() + 5 * INTERVAL;
}

void progress_step(struct progress *progress, uint64_t bytes, uint64_t keys)
{
	unsigned int done;
	uint64_t time;

	if (!progress->shown)
		return;
	time = now();
	if (time < progress->next)
		return;
	progress->next = time + INTERVAL;
	progress->drawn = true;
	if (!progress->total) {
		fprintf(stderr, "\r%ju %s", keys, progress->noun);
		return;
	}
	done = bytes < progress->total ? WIDTH * bytes / progress->total : WIDTH;
	fprintf(stderr, "\r[%-*.*s] %ju %s", WIDTH, done,
		"########################################", keys,
		progress->noun);
}

void progress_end(struct progress *progress)
{
	if (progress->drawn)
		fputs("\r\033[K", stderr);
	progress->drawn = false;
}
