// SPDX-License-Identifier: GPL-2.0
#include <byteswap.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"

#define ROOM		1048576
#define MAGIC		4

uint16_t capture_u16(const struct capture *in, const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return in->swapped ? bswap_16(value) : value;
}

uint32_t capture_u32(const struct capture *in, const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return in->swapped ? bswap_32(value) : value;
}

uint64_t capture_u64(const struct capture *in, const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return in->swapped ? bswap_64(value) : value;
}

int capture_fail(struct capture *in, const char *format, ...)
{
	va_list values;

	if (*in->error)
		return -1;
	va_start(values, format);
	vsnprintf(in->error, sizeof(in->error), format, values);
	va_end(values);
	return -1;
}

const uint8_t *capture_here(const struct capture *in)
{
	return in->bytes + in->at;
}

/*
 * Make room behind the bytes that were read. The buffer only doubles when it is full, so
 * a record that states a wrong length cannot cause a large allocation.
 */
static bool grow(struct capture *in)
{
	uint8_t *bytes;

	if (in->at) {
		memmove(in->bytes, in->bytes + in->at, in->end - in->at);
		in->end -= in->at;
		in->at = 0;
	}
	if (in->end < in->size)
		return true;
	bytes = realloc(in->bytes, in->size * 2);
	if (!bytes)
		return capture_fail(in, "not enough memory for a record of more than %zu bytes",
				    in->size) >= 0;
	in->bytes = bytes;
	in->size *= 2;
	return true;
}

bool capture_need(struct capture *in, size_t size)
{
	while (in->end - in->at < size) {
		ssize_t got;

		if (in->size - in->at < size && !grow(in))
			return false;
		got = unpack_read(&in->from, in->bytes + in->end,
				  in->size - in->end);
		if (got < 0)
			capture_fail(in, "%s", in->from.error);
		if (got <= 0)
			return false;
		in->end += got;
	}
	return true;
}

int capture_end(struct capture *in)
{
	if (*in->error)
		return -1;
	return in->at == in->end ? 0 : capture_fail(in, "truncated: it ends within a record");
}

static const struct capture_format *recognize(const uint8_t *magic)
{
	static const uint8_t ng[MAGIC] = { 0x0a, 0x0d, 0x0d, 0x0a };

	return memcmp(magic, ng, MAGIC) ? &capture_pcap : &capture_ng;
}

bool capture_open(struct capture *in, int fd)
{
	*in = (struct capture) { .size = ROOM };
	if (!unpack_open(&in->from, fd))
		return capture_fail(in, "%s", in->from.error) >= 0;
	in->bytes = malloc(in->size);
	if (!in->bytes)
		return capture_fail(in, "not enough memory") >= 0;
	if (!capture_need(in, MAGIC))
		return capture_fail(in, "not a capture: the input has %zu bytes",
				    in->end) >= 0;
	in->format = recognize(in->bytes);
	return in->format->open(in);
}

int capture_next(struct capture *in, struct capture_record *record)
{
	int result;

	if (*in->error)
		return -1;
	*record = (struct capture_record) { .kind = CAPTURE_OTHER };
	result = in->format->next(in, record);
	if (result > 0 && record->kind == CAPTURE_PACKET)
		in->time = record->packet.time;
	return result;
}

void capture_close(struct capture *in)
{
	unpack_close(&in->from);
	free(in->bytes);
	free(in->port);
}
