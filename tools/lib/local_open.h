/* SPDX-License-Identifier: GPL-2.0 */
/* Local filters from tables in memory, or in a part of a file. Not a public header. */
#ifndef LIBSEEN_LOCAL_OPEN_H
#define LIBSEEN_LOCAL_OPEN_H

#include "local.h"
#include "table.h"

/*
 * seen_local_take() - create a filter from a table, completely or not at all. If @table is a
 * mapping of a file, the filter owns the mapping from then on. Returns 0 or -errno.
 */
int seen_local_take(struct seen_local **local, struct seen_table *table);

/**
 * seen_local_top_put() - fill a sketch's list of heaviest keys from a table
 * @local: the sketch, which already has the counts of the table
 * @table: not trusted
 *
 * Return: 0; -EBADMSG, with the reason in seen_local_error().
 */
int seen_local_top_put(struct seen_local *local, const struct seen_table *table);

/* seen_local_top_get() - write a sketch's list of heaviest keys to @table->top; 0, or -ENOMEM */
int seen_local_top_get(struct seen_local *local, struct seen_table *table);

/**
 * seen_local_parse() - create a filter from a snapshot in memory
 * @local: out
 * @file: the snapshot, with its secret; it is copied
 * @bytes: length of @file
 *
 * Return: as seen_local_open().
 */
int seen_local_parse(struct seen_local **local, const uint8_t *file,
		     size_t bytes);

/**
 * seen_local_append() - write a snapshot with its secret as the last part of a file
 * @local: the filter
 * @fd: of the file, open for writing
 * @base: offset of the snapshot in the file; the file is first truncated to this length
 */
int seen_local_append(struct seen_local *local, int fd, uint64_t base);

/**
 * seen_local_hash() - the 64-bit hash of a key under the filter's secret
 * @local: a filter that stores hashes, not keys
 * @key: canonical bytes
 * @len: bytes of @key
 * @hash: out
 *
 * Return: true; false: the key does not fit the filter.
 */
bool seen_local_hash(const struct seen_local *local, const void *key,
		     size_t len, uint64_t *hash);

#endif
