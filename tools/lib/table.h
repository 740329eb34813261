/* SPDX-License-Identifier: GPL-2.0 */
/* A filter's table on its way between the kernel and a snapshot. */
#ifndef SEEN_TABLE_H
#define SEEN_TABLE_H

#include "libseen.h"

/**
 * struct seen_table - what a snapshot has
 * @info: the configuration, with the secret if has_secret, and the geometry
 * @span: of a folded filter: blocks before
 * @check: of the secret
 * @age: ns since the export
 * @top: keys of the list of the heaviest: 16 bits of a length, little-endian, and so
 *       many bytes, each; to be freed; NULL: there are none
 * @top_bytes: of that
 * @bytes: of the table
 * @data: the table, to be freed
 * @file: the mapping of a file in which @data lies, or NULL
 * @file_bytes: of that
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

/* seen_table_get() - from the kernel to a file, header and all */
int seen_table_get(struct seen_client *client, const char *name,
		   bool with_secret, struct seen_snapshot_out *out);

/**
 * seen_table_put() - to the kernel, as a new filter or in the place of one
 * @table: from the file's header; with the name and the secret of the filter
 * @in: where the rest is
 */
int seen_table_put(struct seen_client *client, const struct seen_table *table,
		   struct seen_snapshot_in *in, bool replace);

/* seen_fail_file() - set the text of seen_local_error(), behind the file's name if not NULL */
int seen_fail_file(struct seen_client *client, int err, const char *name);

void seen_table_free(struct seen_table *table);

#endif
