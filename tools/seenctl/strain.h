/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of any bytes from one stream to another, but for some: read in large blocks,
 * judged in groups, closed up in place, written in large blocks.
 */
#ifndef SEENCTL_STRAIN_H
#define SEENCTL_STRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/local.h"

/* Bytes of the longest line. */
#define STRAIN_LINE_MAX		(UINT64_C(1) << 28)

/* A line, without what ends it. */
struct strain_line {
	const char *text;
	size_t len;
};

/**
 * struct strain - lines on their way
 * @in: descriptor that they come from
 * @out: descriptor that they go to
 * @terminator: byte that ends a line
 * @judge: called with up to SEEN_LOCAL_BATCH lines, says which are dropped; other
 *         than 0: it has failed
 * @step: called after each block; may be NULL
 * @context: handed to both
 * @bytes: read so far
 * @lines: judged so far
 */
struct strain {
	int in;
	int out;
	char terminator;
	int (*judge)(const struct strain_line *line, size_t count, bool *drop,
		     void *context);
	void (*step)(const struct strain *strain, void *context);
	void *context;
	uint64_t bytes;
	uint64_t lines;
};

/**
 * strain_run() - to the end of the input
 * @strain: with its first six members
 *
 * Return: DONE, REFUSED, or what @judge returned.
 */
int strain_run(struct strain *strain);

#endif
