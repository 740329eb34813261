// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seenctl.h"
#include "strain.h"
#include "stream.h"

#define BLOCK	(UINT64_C(1) << 18)

/**
 * struct buffer - the block that is worked on
 * @bytes: it, @size of them
 * @kept: bytes at its beginning that will be written
 * @next: where the next line begins
 * @looked: no line ends before this
 * @end: where what was read ends
 * @line: lines that are not judged yet; they end at @next
 * @count: how many
 */
struct buffer {
	char *bytes;
	size_t size;
	size_t kept;
	size_t next;
	size_t looked;
	size_t end;
	struct strain_line line[SEEN_LOCAL_BATCH];
	size_t count;
};

/* Lines that stay move up to those that stayed before. */
static void keep(struct buffer *buffer, const char *text, size_t len)
{
	char *to = buffer->bytes + buffer->kept;

	if (to != text)
		memmove(to, text, len);
	buffer->kept += len;
}

static int judge(struct strain *strain, struct buffer *buffer)
{
	bool drop[SEEN_LOCAL_BATCH];
	int status;

	if (!buffer->count)
		return DONE;
	status = strain->judge(buffer->line, buffer->count, drop,
			       strain->context);
	if (status)
		return status;
	for (size_t i = 0; i < buffer->count; i++)
		if (!drop[i])
			keep(buffer, buffer->line[i].text,
			     buffer->line[i].len + 1);
	strain->lines += buffer->count;
	buffer->count = 0;
	return DONE;
}

static int take(struct strain *strain, struct buffer *buffer, const char *end)
{
	char *text = buffer->bytes + buffer->next;

	buffer->line[buffer->count++] =
		(struct strain_line) { .text = text, .len = end - text };
	buffer->next = end - buffer->bytes + 1;
	return buffer->count < SEEN_LOCAL_BATCH ? DONE : judge(strain, buffer);
}

/* Every whole line of the block. */
static int take_all(struct strain *strain, struct buffer *buffer)
{
	const char *limit = buffer->bytes + buffer->end;
	const char *from = buffer->bytes + buffer->looked;
	const char *end;

	while ((end = memchr(from, strain->terminator, limit - from))) {
		int status = take(strain, buffer, end);

		if (status)
			return status;
		from = end + 1;
	}
	buffer->looked = buffer->end;
	return judge(strain, buffer);
}

static int pass_on(struct strain *strain, struct buffer *buffer)
{
	int err = stream_write(strain->out, buffer->bytes, buffer->kept);

	if (err)
		return refused("standard output: %s", strerror(-err));
	buffer->kept = 0;
	return DONE;
}

/*
 * The last line of an input may have no end. Another input's lines must not join it, so
 * only that of the last input stays without one. make_room() left room behind the line.
 */
static int take_last(struct strain *strain, struct buffer *buffer)
{
	size_t len = buffer->end - buffer->next;
	struct strain_line line = {
		.text = buffer->bytes + buffer->next, .len = len, .cut = true,
	};
	bool drop;
	int status;

	if (!len)
		return DONE;
	status = strain->judge(&line, 1, &drop, strain->context);
	if (status)
		return status;
	strain->lines++;
	if (inputs_last(&strain->inputs))
		line.len = len;
	else
		line.text[line.len++] = strain->terminator;
	if (!drop)
		keep(buffer, line.text, line.len);
	buffer->next = 0;
	buffer->looked = 0;
	buffer->end = 0;
	return pass_on(strain, buffer);
}

/* A line that is not whole goes to the block's beginning; a long one makes it grow. */
static int make_room(struct strain *strain, struct buffer *buffer)
{
	size_t rest = buffer->end - buffer->next;
	char *bytes;

	memmove(buffer->bytes, buffer->bytes + buffer->next, rest);
	buffer->next = 0;
	buffer->looked = rest;
	buffer->end = rest;
	if (rest < buffer->size / 2)
		return DONE;
	if (rest > STRAIN_LINE_MAX)
		return refused("%s: line %ju: longer than %ju bytes",
			       inputs_name(&strain->inputs),
			       strain->lines - strain->before + 1,
			       STRAIN_LINE_MAX);
	bytes = realloc(buffer->bytes, 2 * buffer->size);
	if (!bytes)
		return refused("%s: line %ju: no memory for %zu bytes",
			       inputs_name(&strain->inputs),
			       strain->lines - strain->before + 1,
			       2 * buffer->size);
	buffer->bytes = bytes;
	buffer->size *= 2;
	return DONE;
}

static ssize_t fill(struct strain *strain, struct buffer *buffer)
{
	ssize_t got;

	do {
		got = read(strain->inputs.fd, buffer->bytes + buffer->end,
			   buffer->size - buffer->end);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		refused("%s: %s", inputs_name(&strain->inputs),
			strerror(errno));
		return got;
	}
	buffer->end += got;
	strain->bytes += got;
	return got;
}

static int run_input(struct strain *strain, struct buffer *buffer)
{
	int status = DONE;
	ssize_t got;

	strain->before = strain->lines;
	while (!status && (got = fill(strain, buffer)) > 0) {
		status = take_all(strain, buffer);
		if (!status)
			status = pass_on(strain, buffer);
		if (!status)
			status = make_room(strain, buffer);
		if (strain->step)
			strain->step(strain, strain->context);
	}
	if (status || got < 0)
		return status ? status : REFUSED;
	return take_last(strain, buffer);
}

int strain_run(struct strain *strain)
{
	struct buffer buffer = { .size = BLOCK };
	int status = DONE;

	buffer.bytes = malloc(buffer.size);
	if (!buffer.bytes)
		return refused("no memory");
	while (!status && inputs_next(&strain->inputs, &status))
		status = run_input(strain, &buffer);
	inputs_close(&strain->inputs);
	free(buffer.bytes);
	return status;
}
