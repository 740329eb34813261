/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copy lines of any bytes from files to a stream, without the lines that the caller
 * drops. Lines are read in large blocks, judged in groups, moved together in place and
 * written in large blocks.
 */
#ifndef SEENCTL_LINE_FILTER_H
#define SEENCTL_LINE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/local.h"
#include "inputs.h"

/* Maximum length of a line in bytes. */
#define LINE_FILTER_LINE_MAX	(UINT64_C(1) << 28)

/**
 * struct line_filter_line - a line, without its end
 * @text: bytes of the line
 * @len: number of bytes
 * @cut: the line has no terminator, so it is the last line of a file; the judge may add
 *       one byte at @text[@len], such as the CR of a missing CR LF
 */
struct line_filter_line {
	char *text;
	size_t len;
	bool cut;
};

/**
 * struct line_filter - a copy of lines that is in progress
 * @inputs: files that the lines come from
 * @out: descriptor of the output
 * @terminator: byte that ends a line
 * @judge: called with 1 to SEEN_LOCAL_BATCH lines, sets @drop for each; a line that is
 *         @cut is passed alone; returns DONE, or an exit status that ends the run
 * @step: called after each block; may be NULL
 * @context: argument of @judge and @step
 * @bytes: number of bytes read so far
 * @lines: number of lines judged so far
 * @before: value of @lines when the open file was opened
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
 * line_filter_run() - filter all lines of all files
 * @filter: the caller sets the members up to @context; all others are 0
 *
 * Return: DONE, REFUSED after an error message, or the status of @judge.
 */
int line_filter_run(struct line_filter *filter);

#endif
