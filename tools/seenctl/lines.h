/* SPDX-License-Identifier: GPL-2.0 */
/* Read lines from a stream, in place, without a copy or an allocation per line. */
#ifndef SEENCTL_LINES_H
#define SEENCTL_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINES_BUFFER	(256 * 1024)

/**
 * struct lines - a stream of lines
 * @fd: descriptor of the stream
 * @number: number of the last line, from 1
 * @bytes: number of bytes read so far
 * @start: offset in @buffer of the first byte that is not used yet
 * @end: offset in @buffer after the last byte that was read
 * @eof: the end of the stream was reached
 * @open: the last line has no LF at its end
 * @buffer: bytes of the stream, and room for a NUL
 */
struct lines {
	int fd;
	uint64_t number;
	uint64_t bytes;
	size_t start;
	size_t end;
	bool eof;
	bool open;
	char buffer[LINES_BUFFER + 1];
};

/**
 * lines_next() - read the next line
 * @lines: the stream
 * @line: out: the line without LF, valid until the next call; NULL after the last line
 *
 * A UTF-8 byte order mark before the first line is skipped.
 *
 * Return: 0; -E2BIG: the line is longer than the buffer; -EILSEQ: the line contains a NUL;
 * -EBADMSG: the text is UTF-16; or the errno of read().
 */
int lines_next(struct lines *lines, char **line);

/* lines_trim() - remove blanks at both ends; returns "" for a line that begins with # */
char *lines_trim(char *line);

/**
 * lines_skip() - skip the rest of a line that is too long
 * @lines: the stream
 *
 * Return: 0 or -errno.
 */
int lines_skip(struct lines *lines);

/**
 * lines_rest() - count the remaining lines, for at most a second
 * @lines: the stream; its lines are lost
 * @all: out: false if the end was not reached within a second, so there may be more lines
 *
 * Return: number of lines.
 */
uint64_t lines_rest(struct lines *lines, bool *all);

#define LINES_NO_VALUE	"the last word is not a value from 0 to 4294967295"

/**
 * lines_value() - cut the last word, which is the value, off a line for a map
 * @line: from lines_trim(); keeps the key
 * @value: out: the value; 0 if the line has only one word
 *
 * Return: false if the last word is not a value; the line is unchanged then.
 */
bool lines_value(char *line, uint32_t *value);

/* lines_waits() - would lines_next() block until the writer of the stream sends more? */
bool lines_waits(const struct lines *lines);

#endif
