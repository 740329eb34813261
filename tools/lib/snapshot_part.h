/* SPDX-License-Identifier: GPL-2.0 */
/* Parts of a snapshot's header; Documentation/snapshot.md lists them. */
#ifndef SEEN_SNAPSHOT_PART_H
#define SEEN_SNAPSHOT_PART_H

#include "table.h"

/* Bit of a part's type: a reader that does not know the part must refuse the file. */
#define SEEN_SNAPSHOT_NEEDED	0x80000000

enum seen_snapshot_part {
	SEEN_SNAPSHOT_TOP	= 1,	/* keys in a sketch's list of heaviest keys */
	/* prefix lengths that the filter holds */
	SEEN_SNAPSHOT_LENGTHS	= SEEN_SNAPSHOT_NEEDED | 2,
};

/* seen_snapshot_parts_bytes() - bytes of all parts of a table, a multiple of 64 */
size_t seen_snapshot_parts_bytes(const struct seen_table *table);

/* seen_snapshot_parts_write() - write all parts, seen_snapshot_parts_bytes() bytes, to @to */
void seen_snapshot_parts_write(const struct seen_table *table, uint8_t *to);

/**
 * seen_snapshot_parts_read() - check the parts, and read those that this version knows
 * @table: out: the members that are stored in parts
 * @from: the bytes after the header's fixed part
 * @length: bytes of all parts
 *
 * Return: 0, or -errno and the reason in seen_local_error().
 */
int seen_snapshot_parts_read(struct seen_table *table, const uint8_t *from,
			     size_t length);

#endif
