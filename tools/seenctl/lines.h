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
 * A byte order mark of UTF-8 before the first line is no part of it.
 *
 * Return: 0 or -errno; -E2BIG: longer than the buffer; -EILSEQ: holds a NUL;
 * -EBADMSG: so does the first line, since the text is UTF-16.
 */
int lines_next(struct lines *lines, char **line);

/* lines_trim() - blanks at both ends go; "" for a line that is a comment */
char *lines_trim(char *line);

/**
 * lines_skip() - past the end of a line that was too long
 * @lines: the stream
 *
 * Return: 0 or -errno.
 */
int lines_skip(struct lines *lines);

/**
 * lines_rest() - count the lines that are left
 * @lines: the stream, which is of no other use then
 * @all: out: false: a writer took longer than a second, and may have more
 */
uint64_t lines_rest(struct lines *lines, bool *all);

#define LINES_NO_VALUE	"the last word is not a value from 0 to 4294967295"

/**
 * lines_value() - cut the value off a map's line, which is its last word
 * @line: of lines_trim(); keeps the key
 * @value: out: 0 where there is one word alone
 *
 * Return: false: the last word is no value.
 */
bool lines_value(char *line, uint32_t *value);

/* lines_number() - a value alone */
bool lines_number(const char *word, uint32_t *value);

/* lines_waits() - would lines_next() have to wait for the stream's writer? */
bool lines_waits(const struct lines *lines);

#endif
