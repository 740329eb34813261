/* SPDX-License-Identifier: GPL-2.0 */
/* Snapshot files: Documentation/snapshot.md. */
#ifndef SEEN_SNAPSHOT_FILE_H
#define SEEN_SNAPSHOT_FILE_H

#include "table.h"

/*
 * Both return 0, or -errno and the reason in seen_local_error(). Nothing in a file
 * is trusted: what is read fits the memory that its own geometry asks for.
 */

/**
 * seen_snapshot_write() - a new file, which then takes the name
 * @table: what to write
 * @path: "-": standard output
 * @flags: enum seen_local_flags
 */
int seen_snapshot_write(const struct seen_table *table, const char *path,
			unsigned int flags);

/**
 * seen_snapshot_read() - all of a file, checked
 * @table: out: to be freed by seen_table_free()
 * @path: "-": standard input
 */
int seen_snapshot_read(struct seen_table *table, const char *path);

/**
 * seen_snapshot_map() - the same, but the table is a private mapping of the file
 * where seen_snapshot_in_place() says so
 * @table: out: what is written to it is not in the file
 * @path: a file that is truncated from now on ends its readers by SIGBUS
 */
int seen_snapshot_map(struct seen_table *table, const char *path);

/* seen_snapshot_parse() - the same from memory */
int seen_snapshot_parse(struct seen_table *table, const uint8_t *file,
			size_t bytes);

/* seen_snapshot_bytes() - of a table of such a filter, or -errno: there is none */
int64_t seen_snapshot_bytes(const struct seen_table *table);

/* seen_snapshot_in_place() - is it in the file as a set has it in memory? */
bool seen_snapshot_in_place(const struct seen_table *table);

#endif
