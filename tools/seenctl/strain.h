/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of any bytes from files to a stream, without those that the caller drops: read
 * in large blocks, judged in groups, closed up in place, written in large blocks.
 */
#ifndef SEENCTL_STRAIN_H
#define SEENCTL_STRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/local.h"
#include "inputs.h"

/* Bytes of the longest line. */
#define STRAIN_LINE_MAX		(UINT64_C(1) << 28)

/**
 * struct strain_line - a line, without its end
 * @text: bytes of the line
 * @len: number of bytes
 * @cut: the line has no end, as only the last line of a file may; the caller may add
 *       one byte at @text[@len], which belongs to the end that the line should have
 */
struct strain_line {
	char *text;
	size_t len;
	bool cut;
};

/**
 * struct strain - lines on their way
 * @inputs: files that the lines come from
 * @out: descriptor that they go to
 * @terminator: byte that ends a line
 * @judge: called with up to SEEN_LOCAL_BATCH lines, says which are dropped; a line that
 *         is @cut is alone; other than 0: it has failed
 * @step: called after each block; may be NULL
 * @context: handed to both
 * @bytes: read so far
 * @lines: judged so far
 * @before: lines of the files before the open one
 */
struct strain {
	struct inputs inputs;
	int out;
	char terminator;
	int (*judge)(struct strain_line *line, size_t count, bool *drop,
		     void *context);
	void (*step)(const struct strain *strain, void *context);
	void *context;
	uint64_t bytes;
	uint64_t lines;
	uint64_t before;
};

/**
 * strain_run() - to the end of the last file
 * @strain: with its first six members
 *
 * Return: DONE, REFUSED, or what @judge returned.
 */
int strain_run(struct strain *strain);

#endif
