// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "line_filter.h"
#include "seenctl.h"
#include "stream.h"

#define BLOCK	(UINT64_C(1) << 18)

/**
 * struct buffer - the current block
 * @bytes: bytes of the block
 * @size: size of @bytes
 * @kept: number of bytes at the beginning that will be written
 * @next: offset of the next line
 * @looked: offset up to which the search for terminators is done
 * @end: offset after the last byte that was read
 * @line: lines before @next that are not judged yet
 * @count: number of lines in @line
 */
struct buffer {
	char *bytes;
	size_t size;
	size_t kept;
	size_t next;
	size_t looked;
	size_t end;
	struct line_filter_line line[SEEN_LOCAL_BATCH];
	size_t count;
};

/* Move a line that passes behind the previous line that passes. */
static void keep(struct buffer *buffer, const char *text, size_t len)
{
	char *to = buffer->bytes + buffer->kept;

	if (to != text)
		memmove(to, text, len);
	buffer->kept += len;
}

static int judge(struct line_filter *filter, struct buffer *buffer)
{
	bool drop[SEEN_LOCAL_BATCH];
	int status;

	if (!buffer->count)
		return DONE;
	status = filter->judge(buffer->line, buffer->count, drop,
			       filter->context);
	if (status)
		return status;
	for (size_t i = 0; i < buffer->count; i++)
		if (!drop[i])
			keep(buffer, buffer->line[i].text,
			     buffer->line[i].len + 1);
	filter->lines += buffer->count;
	buffer->count = 0;
	return DONE;
}

static int take(struct line_filter *filter, struct buffer *buffer,
		const char *end)
{
	char *text = buffer->bytes + buffer->next;

	buffer->line[buffer->count++] =
		(struct line_filter_line) { .text = text, .len = end - text };
	buffer->next = end - buffer->bytes + 1;
	return buffer->count < SEEN_LOCAL_BATCH ? DONE : judge(filter, buffer);
}

/* Judge every whole line of the block. */
static int take_all(struct line_filter *filter, struct buffer *buffer)
{
	const char *limit = buffer->bytes + buffer->end;
	const char *from = buffer->bytes + buffer->looked;
	const char *end;

	while ((end = memchr(from, filter->terminator, limit - from))) {
		int status = take(filter, buffer, end);

		if (status)
			return status;
		from = end + 1;
	}
	buffer->looked = buffer->end;
	return judge(filter, buffer);
}

static int pass_on(struct line_filter *filter, struct buffer *buffer)
{
	int err = stream_write(filter->out, buffer->bytes, buffer->kept);

	if (err)
		return refused("standard output: %s", strerror(-err));
	buffer->kept = 0;
	return DONE;
}

/*
 * The last line of an input may have no terminator. Add it, so that the first line of the
 * next input does not join this line; after the last input leave the line as it is.
 * make_room() left room for the byte.
 */
static int take_last(struct line_filter *filter, struct buffer *buffer)
{
	size_t len = buffer->end - buffer->next;
	struct line_filter_line line = {
		.text = buffer->bytes + buffer->next, .len = len, .cut = true,
	};
	bool drop;
	int status;

	if (!len)
		return DONE;
	status = filter->judge(&line, 1, &drop, filter->context);
	if (status)
		return status;
	filter->lines++;
	if (inputs_last(&filter->inputs))
		line.len = len;
	else
		line.text[line.len++] = filter->terminator;
	if (!drop)
		keep(buffer, line.text, line.len);
	buffer->next = 0;
	buffer->looked = 0;
	buffer->end = 0;
	return pass_on(filter, buffer);
}

/* Move a line that is not whole to the beginning of the block; grow the block if needed. */
static int make_room(struct line_filter *filter, struct buffer *buffer)
{
	size_t rest = buffer->end - buffer->next;
	char *bytes;

	memmove(buffer->bytes, buffer->bytes + buffer->next, rest);
	buffer->next = 0;
	buffer->looked = rest;
	buffer->end = rest;
	if (rest < buffer->size / 2)
		return DONE;
	if (rest > LINE_FILTER_LINE_MAX)
		return refused("%s: line %ju: longer than %ju bytes",
			       inputs_name(&filter->inputs),
			       filter->lines - filter->before + 1,
			       LINE_FILTER_LINE_MAX);
	bytes = realloc(buffer->bytes, 2 * buffer->size);
	if (!bytes)
		return refused("%s: line %ju: not enough memory for %zu bytes",
			       inputs_name(&filter->inputs),
			       filter->lines - filter->before + 1,
			       2 * buffer->size);
	buffer->bytes = bytes;
	buffer->size *= 2;
	return DONE;
}

static ssize_t fill(struct line_filter *filter, struct buffer *buffer)
{
	ssize_t got;

	do {
		got = read(filter->inputs.fd, buffer->bytes + buffer->end,
			   buffer->size - buffer->end);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		refused("%s: %s", inputs_name(&filter->inputs),
			strerror(errno));
		return got;
	}
	buffer->end += got;
	filter->bytes += got;
	return got;
}

static int run_input(struct line_filter *filter, struct buffer *buffer)
{
	int status = DONE;
	ssize_t got;

	filter->before = filter->lines;
	while (!status && (got = fill(filter, buffer)) > 0) {
		status = take_all(filter, buffer);
		if (!status)
			status = pass_on(filter, buffer);
		if (!status)
			status = make_room(filter, buffer);
		if (filter->step)
			filter->step(filter, filter->context);
	}
	if (status || got < 0)
		return status ? status : REFUSED;
	return take_last(filter, buffer);
}

int line_filter_run(struct line_filter *filter)
{
	struct buffer buffer = { .size = BLOCK };
	int status = DONE;

	buffer.bytes = malloc(buffer.size);
	if (!buffer.bytes)
		return no_memory();
	while (!status && inputs_next(&filter->inputs, &status))
		status = run_input(filter, &buffer);
	inputs_close(&filter->inputs);
	free(buffer.bytes);
	return status;
}
