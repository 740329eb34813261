/* SPDX-License-Identifier: GPL-2.0 */
/* Snapshot files: Documentation/snapshot.md. */
#ifndef SEEN_SNAPSHOT_FILE_H
#define SEEN_SNAPSHOT_FILE_H

#include "table.h"

/*
 * These functions return 0, or -errno with the reason in seen_local_error(). No content of a
 * file is trusted: sizes are checked against the geometry in the header.
 */

/**
 * seen_snapshot_write() - write a table to a file, atomically
 * @table: the table
 * @path: of the file; "-": standard output
 * @flags: enum seen_local_flags
 */
int seen_snapshot_write(const struct seen_table *table, const char *path,
			unsigned int flags);

/**
 * seen_snapshot_read() - read and check a file
 * @table: out: free it with seen_table_free()
 * @path: of the file; "-": standard input
 */
int seen_snapshot_read(struct seen_table *table, const char *path);

/**
 * seen_snapshot_map() - as seen_snapshot_read(), but if seen_snapshot_in_place() allows it, the
 * table is a private mapping of the file
 * @table: out: changes to it do not change the file
 * @path: of the file; if it is truncated later, this process may get SIGBUS
 */
int seen_snapshot_map(struct seen_table *table, const char *path);

/* seen_snapshot_parse() - as seen_snapshot_read(), from memory */
int seen_snapshot_parse(struct seen_table *table, const uint8_t *file,
			size_t bytes);

/* seen_snapshot_bytes() - bytes of the table by its geometry; -errno: not a valid geometry */
int64_t seen_snapshot_bytes(const struct seen_table *table);

/* seen_snapshot_in_place() - does the table have the same bytes in the file and in memory? */
bool seen_snapshot_in_place(const struct seen_table *table);

#endif
