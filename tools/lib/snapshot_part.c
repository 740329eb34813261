// SPDX-License-Identifier: GPL-2.0
/* Parts of a snapshot's header; snapshot_part.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local_error.h"
#include "number.h"
#include "snapshot_part.h"

/* A part begins with its type and its length, 32 bits each, at a multiple of 8. */
#define PART_HEAD	8
#define PART_ALIGN	8
/* The table begins at a multiple of this. */
#define TABLE_ALIGN	64
/* Bytes of a key's length, which precedes the key. */
#define RECORD_HEAD	2

static size_t round_up(size_t bytes, size_t to)
{
	return (bytes + to - 1) / to * to;
}

static size_t part_bytes(size_t bytes)
{
	return bytes ? PART_HEAD + round_up(bytes, PART_ALIGN) : 0;
}

size_t seen_snapshot_parts_bytes(const struct seen_table *table)
{
	return round_up(part_bytes(table->top_bytes) +
			part_bytes(table->info.lengths), TABLE_ALIGN);
}

/* Write a part, unless it is empty. Return: where the next part goes. */
static uint8_t *write_part(uint8_t *to, uint32_t type, const uint8_t *from,
			   size_t bytes)
{
	if (!bytes)
		return to;
	number_put(to, 4, type);
	number_put(to + 4, 4, bytes);
	memcpy(to + PART_HEAD, from, bytes);
	return to + part_bytes(bytes);
}

void seen_snapshot_parts_write(const struct seen_table *table, uint8_t *to)
{
	memset(to, 0, seen_snapshot_parts_bytes(table));
	to = write_part(to, SEEN_SNAPSHOT_TOP, table->top, table->top_bytes);
	write_part(to, SEEN_SNAPSHOT_LENGTHS, table->info.length,
		   table->info.lengths);
}

static int fail_damaged(const char *what)
{
	return seen_local_fail(-EBADMSG, "the header is damaged: %s", what);
}

/* Bytes after the last part must be 0, so that later versions can use them. */
static int check_end(const uint8_t *from, size_t length)
{
	while (length)
		if (from[--length])
			return fail_damaged("bytes follow its last part");
	return 0;
}

/* Do the bytes consist of records, each of a key's length and the key? */
static bool are_records(const uint8_t *from, size_t bytes)
{
	size_t len;

	while (bytes) {
		len = bytes < RECORD_HEAD ? bytes : RECORD_HEAD + number_get(from, 2);
		if (len <= RECORD_HEAD || len > bytes)
			return false;
		from += len;
		bytes -= len;
	}
	return true;
}

static int read_top(struct seen_table *table, const uint8_t *from, size_t bytes)
{
	if (table->top || !bytes || !are_records(from, bytes))
		return fail_damaged("the list of heaviest keys is not valid");
	table->top = malloc(bytes);
	if (!table->top)
		return seen_local_no_memory(0);
	memcpy(table->top, from, bytes);
	table->top_bytes = bytes;
	return 0;
}

/* The filter checks later whether the lengths are valid. */
static int read_lengths(struct seen_table *table, const uint8_t *from, size_t bytes)
{
	if (table->info.lengths || bytes > SEEN_LENGTHS_MAX)
		return fail_damaged("the prefix lengths are not valid");
	memcpy(table->info.length, from, bytes);
	table->info.lengths = bytes;
	return 0;
}

static int read_part(struct seen_table *table, uint64_t type, const uint8_t *from,
		     size_t bytes)
{
	if (type == SEEN_SNAPSHOT_TOP)
		return read_top(table, from, bytes);
	if (type == SEEN_SNAPSHOT_LENGTHS)
		return read_lengths(table, from, bytes);
	return type & SEEN_SNAPSHOT_NEEDED ?
	       seen_local_fail(-EPROTONOSUPPORT,
			       "the file has a header part of a later version (%ju); update libseen",
			       (uintmax_t)type) : 0;
}

int seen_snapshot_parts_read(struct seen_table *table, const uint8_t *from,
			     size_t length)
{
	size_t at = 0;
	int err = 0;

	while (!err && at < length) {
		uint64_t type = number_get(from + at, 4);
		uint64_t bytes = number_get(from + at + 4, 4);

		if (!type && !bytes)
			return check_end(from + at, length - at);
		if (bytes > length - at - PART_HEAD)
			return seen_local_fail(-EBADMSG,
					       "the header is damaged: part %ju is longer than the header",
					       (uintmax_t)type);
		err = read_part(table, type, from + at + PART_HEAD, bytes);
		at += PART_HEAD + round_up(bytes, PART_ALIGN);
	}
	return err;
}
