/* SPDX-License-Identifier: GPL-2.0 */
/* The header of a snapshot file; Documentation/snapshot.md has it byte by byte. */
#ifndef SEEN_SNAPSHOT_HEAD_H
#define SEEN_SNAPSHOT_HEAD_H

#include "table.h"

#define SEEN_SNAPSHOT_VERSION	2
/* Bytes of the header before its parts. */
#define SEEN_SNAPSHOT_HEAD	448
/* As much as seen_snapshot_head_secret() looks at. */
#define SEEN_SNAPSHOT_HEAD_BEGIN	24
/* Bytes of a header with all its parts. */
#define SEEN_SNAPSHOT_HEAD_MAX	1048576

enum seen_snapshot_flags {
	SEEN_SNAPSHOT_SECRET	= 1,
	SEEN_SNAPSHOT_ZSTD	= 2,
};

/**
 * struct seen_snapshot_head - what is in it beside struct seen_table
 * @flags: enum seen_snapshot_flags
 * @length: of the header, where the table begins
 * @stored: bytes of the table in the file
 * @bytes: of the table
 * @crc: of the table in the file
 * @time: wall clock, ns: from when on ages count
 */
struct seen_snapshot_head {
	uint32_t flags;
	uint32_t length;
	uint64_t stored;
	uint64_t bytes;
	uint32_t crc;
	uint64_t time;
};

/* seen_snapshot_clock() - the wall clock, ns: what @time is of */
uint64_t seen_snapshot_clock(void);

/* seen_snapshot_head_bytes() - of a header with all parts that a table has */
size_t seen_snapshot_head_bytes(const struct seen_table *table);

/* seen_snapshot_head_write() - so many bytes, with their CRC */
void seen_snapshot_head_write(const struct seen_table *table,
			      const struct seen_snapshot_head *head,
			      uint8_t *to);

/**
 * seen_snapshot_head_length() - of a header that begins so
 * @from: its first 16 bytes
 *
 * Return: bytes, or -errno and the reason in seen_local_error().
 */
int seen_snapshot_head_length(const uint8_t *from);

/* seen_snapshot_name_valid() - by the kernel's rule, but it may be empty */
bool seen_snapshot_name_valid(const char *name);

/* seen_snapshot_head_secret() - is it the beginning of one that has a secret? */
bool seen_snapshot_head_secret(const uint8_t *from);

/**
 * seen_snapshot_head_read() - check a header, and read it
 * @from: as many bytes as seen_snapshot_head_length() says
 * @length: they
 * @table: out: all but @data, @bytes and @age; to be freed, also if this fails
 * @head: out
 *
 * Return: 0, or -errno and the reason in seen_local_error().
 */
int seen_snapshot_head_read(const uint8_t *from, size_t length,
			    struct seen_table *table,
			    struct seen_snapshot_head *head);

#endif
