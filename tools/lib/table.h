/* SPDX-License-Identifier: GPL-2.0 */
/* Transfer of a filter's table between the kernel and a snapshot. */
#ifndef SEEN_TABLE_H
#define SEEN_TABLE_H

#include "libseen.h"

/**
 * struct seen_table - the content of a snapshot
 * @info: the configuration, with the secret if has_secret, and the geometry
 * @span: for a folded filter: number of blocks before
 * @check: check value of the secret
 * @age: ns since the export
 * @top: keys in the list of heaviest keys: for each its length, 16 bits little-endian, and its
 *       bytes; to be freed; NULL: no keys
 * @top_bytes: bytes of @top
 * @bytes: of the table
 * @data: the table; to be freed, unless @file is set
 * @file: the mapping of a file in which @data lies, or NULL
 * @file_bytes: bytes of @file
 */
struct seen_table {
	struct seen_filter_info info;
	uint64_t span;
	uint64_t check;
	uint64_t age;
	uint8_t *top;
	size_t top_bytes;
	size_t bytes;
	uint8_t *data;
	void *file;
	size_t file_bytes;
};

struct seen_snapshot_in;
struct seen_snapshot_out;

/* seen_table_get() - export a filter of the kernel to a snapshot, with its header */
int seen_table_get(struct seen_client *client, const char *name,
		   bool with_secret, struct seen_snapshot_out *out);

/**
 * seen_table_put() - import a snapshot to the kernel
 * @client: the connection
 * @table: from the file's header; with the name and the secret of the filter
 * @in: the file, for the rest
 * @replace: replace the filter of this name
 *
 * Return: 0 or -errno, with the reason in seen_error().
 */
int seen_table_put(struct seen_client *client, const struct seen_table *table,
		   struct seen_snapshot_in *in, bool replace);

/* seen_fail_file() - copy the text of seen_local_error() to @client, after @name if not NULL */
int seen_fail_file(struct seen_client *client, int err, const char *name);

void seen_table_free(struct seen_table *table);

#endif
