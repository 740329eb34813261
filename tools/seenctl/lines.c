// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lines.h"

/* Maximum time that lines_rest() takes, in ms. */
#define PATIENCE	1000

static char *line_end(const struct lines *lines)
{
	return memchr(lines->buffer + lines->start, '\n',
		      lines->end - lines->start);
}

static int fill(struct lines *lines)
{
	ssize_t got;

	memmove(lines->buffer, lines->buffer + lines->start,
		lines->end - lines->start);
	lines->end -= lines->start;
	lines->start = 0;
	if (lines->end == LINES_BUFFER)
		return -E2BIG;
	do {
		got = read(lines->fd, lines->buffer + lines->end,
			   LINES_BUFFER - lines->end);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	lines->eof = !got;
	lines->end += got;
	lines->bytes += got;
	return 0;
}

/* Bytes of a UTF-8 byte order mark at the beginning of the first line. */
static size_t mark(const struct lines *lines)
{
	static const char utf8[] = "\xef\xbb\xbf";
	const char *line = lines->buffer + lines->start;

	return lines->number == 1 && !strncmp(line, utf8, strlen(utf8)) ?
	       strlen(utf8) : 0;
}

static bool is_utf16(const struct lines *lines, const char *line)
{
	return lines->number == 1 && (!strncmp(line, "\xff\xfe", 2) ||
				      !strncmp(line, "\xfe\xff", 2));
}

int lines_next(struct lines *lines, char **line)
{
	char *end;

	*line = NULL;
	while (!(end = line_end(lines)) && !lines->eof) {
		int err = fill(lines);

		if (err)
			return err;
	}
	if (!end && lines->start == lines->end)
		return 0;
	lines->open = !end;
	if (!end)
		end = lines->buffer + lines->end;
	*end = '\0';
	lines->number++;
	*line = lines->buffer + lines->start + mark(lines);
	lines->start = end - lines->buffer + 1;
	if (lines->start > lines->end)
		lines->start = lines->end;
	if (*line + strlen(*line) == end)
		return 0;
	return is_utf16(lines, *line) ? -EBADMSG : -EILSEQ;
}

int lines_skip(struct lines *lines)
{
	char *end;

	while (!(end = line_end(lines)) && !lines->eof) {
		int err;

		lines->start = lines->end;
		err = fill(lines);
		if (err)
			return err;
	}
	lines->number++;
	lines->start = end ? (size_t)(end - lines->buffer) + 1 : lines->end;
	return 0;
}

/* A value of a map, 0 to UINT32_MAX; false: invalid. */
static bool lines_number(const char *word, uint32_t *value)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(word, &end, 0);
	*value = number;
	return *word >= '0' && *word <= '9' && !*end && !errno &&
	       number <= UINT32_MAX;
}

bool lines_value(char *line, uint32_t *value)
{
	char *word = line + strlen(line);

	*value = 0;
	while (word > line && !strchr(" \t", word[-1]))
		word--;
	if (word == line)
		return true;
	if (!lines_number(word, value))
		return false;
	word[-1] = '\0';
	lines_trim(line);
	return true;
}

bool lines_waits(const struct lines *lines)
{
	struct pollfd ready = { .fd = lines->fd, .events = POLLIN };

	if (lines->eof || line_end(lines))
		return false;
	return poll(&ready, 1, 0) == 0;
}

static int64_t now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

/* Count the ends of lines in the buffer and empty it. @open: out: the last line has no end. */
static uint64_t count_ends(struct lines *lines, bool *open)
{
	uint64_t count = 0;
	char *end;

	while ((end = line_end(lines))) {
		lines->start = end - lines->buffer + 1;
		*open = false;
		count++;
	}
	*open |= lines->start < lines->end;
	lines->start = 0;
	lines->end = 0;
	return count;
}

uint64_t lines_rest(struct lines *lines, bool *all)
{
	struct pollfd ready = { .fd = lines->fd, .events = POLLIN };
	int64_t left, until = now_ms() + PATIENCE;
	bool open = false;
	uint64_t count = count_ends(lines, &open);

	while (!lines->eof && (left = until - now_ms()) > 0 &&
	       poll(&ready, 1, left) > 0 && !fill(lines))
		count += count_ends(lines, &open);
	*all = lines->eof;
	return count + open;
}

char *lines_trim(char *line)
{
	char *end;

	line += strspn(line, " \t\r");
	if (*line == '#')
		*line = '\0';
	end = line + strlen(line);
	while (end > line && strchr(" \t\r", end[-1]))
		*--end = '\0';
	return line;
}
