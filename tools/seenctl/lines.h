/* SPDX-License-Identifier: GPL-2.0 */
/* Lines from a stream, in place: no copy and no allocation a line. */
#ifndef SEENCTL_LINES_H
#define SEENCTL_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINES_BUFFER	(256 * 1024)

/**
 * struct lines - a stream
 * @fd: to read from
 * @number: of the last line, from 1
 * @bytes: read so far
 * @start: of what was read and not used yet, in @buffer
 * @end: of it
 * @eof: nothing follows
 */
struct lines {
	int fd;
	uint64_t number;
	uint64_t bytes;
	size_t start;
	size_t end;
	bool eof;
	char buffer[LINES_BUFFER + 1];
};

/**
 * lines_next() - the next line, without its end
 * @lines: the stream
 * @line: out: valid until the next call; NULL after the last
 *
 * Return: 0 or -errno; -E2BIG: longer than the buffer; -EILSEQ: holds a NUL.
 */
int lines_next(struct lines *lines, char **line);

/* lines_trim() - blanks at both ends go; "" for a line that is a comment */
char *lines_trim(char *line);

/* lines_waits() - would lines_next() have to wait for the stream's writer? */
bool lines_waits(const struct lines *lines);

#endif
