/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of any bytes from files to a stream, without those that the caller drops: read
 * in large blocks, judged in groups, closed up in place, written in large blocks.
 */
#ifndef SEENCTL_LINE_FILTER_H
#define SEENCTL_LINE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/local.h"
#include "inputs.h"

/* Bytes of the longest line. */
#define LINE_FILTER_LINE_MAX	(UINT64_C(1) << 28)

/**
 * struct line_filter_line - a line, without its end
 * @text: bytes of the line
 * @len: number of bytes
 * @cut: the line has no end, as only the last line of a file may; the caller may add
 *       one byte at @text[@len], which belongs to the end that the line should have
 */
struct line_filter_line {
	char *text;
	size_t len;
	bool cut;
};

/**
 * struct line_filter - lines on their way
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
struct line_filter {
	struct inputs inputs;
	int out;
	char terminator;
	int (*judge)(struct line_filter_line *line, size_t count, bool *drop,
		     void *context);
	void (*step)(const struct line_filter *filter, void *context);
	void *context;
	uint64_t bytes;
	uint64_t lines;
	uint64_t before;
};

/**
 * line_filter_run() - to the end of the last file
 * @filter: with its first six members
 *
 * Return: DONE, REFUSED, or what @judge returned.
 */
int line_filter_run(struct line_filter *filter);

#endif
