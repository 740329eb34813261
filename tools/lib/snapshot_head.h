/* SPDX-License-Identifier: GPL-2.0 */
/* The header of a snapshot file; Documentation/snapshot.md describes each byte. */
#ifndef SEEN_SNAPSHOT_HEAD_H
#define SEEN_SNAPSHOT_HEAD_H

#include "table.h"

#define SEEN_SNAPSHOT_VERSION	2
/* Bytes of the header's fixed part. */
#define SEEN_SNAPSHOT_HEAD	448
/* Bytes that seen_snapshot_head_secret() reads. */
#define SEEN_SNAPSHOT_HEAD_BEGIN	24
/* Most bytes of a header with all its parts. */
#define SEEN_SNAPSHOT_HEAD_MAX	1048576

enum seen_snapshot_flags {
	SEEN_SNAPSHOT_SECRET	= 1,
	SEEN_SNAPSHOT_ZSTD	= 2,
};

/**
 * struct seen_snapshot_head - the values of the header that are not in struct seen_table
 * @flags: enum seen_snapshot_flags
 * @length: bytes of the header; the table follows it
 * @stored: bytes of the table in the file
 * @bytes: bytes of the table when decompressed
 * @crc: of the table in the file
 * @time: ns, wall clock to which the ages in the table are relative
 */
struct seen_snapshot_head {
	uint32_t flags;
	uint32_t length;
	uint64_t stored;
	uint64_t bytes;
	uint32_t crc;
	uint64_t time;
};

/* seen_snapshot_clock() - the wall clock in ns, as in @time */
uint64_t seen_snapshot_clock(void);

/* seen_snapshot_head_bytes() - bytes of a header with all parts that the table has */
size_t seen_snapshot_head_bytes(const struct seen_table *table);

/* seen_snapshot_head_write() - write the header to @to, with its CRC */
void seen_snapshot_head_write(const struct seen_table *table,
			      const struct seen_snapshot_head *head,
			      uint8_t *to);

/**
 * seen_snapshot_head_length() - length of a header
 * @from: its first 16 bytes
 *
 * Return: bytes; -errno, with the reason in seen_local_error().
 */
int seen_snapshot_head_length(const uint8_t *from);

/* seen_snapshot_name_valid() - does a name have only characters that the kernel allows, or none? */
bool seen_snapshot_name_valid(const char *name);

/* seen_snapshot_head_secret() - do these first bytes belong to a header with a secret? */
bool seen_snapshot_head_secret(const uint8_t *from);

/**
 * seen_snapshot_head_read() - check and parse a header
 * @from: the header
 * @length: bytes of @from, from seen_snapshot_head_length()
 * @table: out: all but @data, @bytes and @age; to be freed, even if this fails
 * @head: out
 *
 * Return: 0; -errno, with the reason in seen_local_error().
 */
int seen_snapshot_head_read(const uint8_t *from, size_t length,
			    struct seen_table *table,
			    struct seen_snapshot_head *head);

#endif
