/* SPDX-License-Identifier: GPL-2.0 */
/* Local filters of tables in memory, or in a part of a file. Not in the public headers. */
#ifndef LIBSEEN_LOCAL_OPEN_H
#define LIBSEEN_LOCAL_OPEN_H

#include "local.h"
#include "table.h"

/*
 * seen_local_take() - a filter of a table, whole or not at all; a mapping of a file
 * is the filter's from then on
 */
int seen_local_take(struct seen_local **local, struct seen_table *table);

/**
 * seen_local_top_put() - have a sketch list the heavy keys of a table
 * @local: with all that the table has counted
 * @table: not trusted
 *
 * Return: 0, or -EBADMSG and the reason in seen_local_error().
 */
int seen_local_top_put(struct seen_local *local, const struct seen_table *table);

/* seen_local_top_get() - @top of a table; 0, or -ENOMEM */
int seen_local_top_get(struct seen_local *local, struct seen_table *table);

/**
 * seen_local_parse() - a filter of a snapshot that is in memory
 * @local: out
 * @file: the snapshot, with its secret; copied
 * @bytes: of it
 *
 * Return: as seen_local_open().
 */
int seen_local_parse(struct seen_local **local, const uint8_t *file,
		     size_t bytes);

/**
 * seen_local_append() - write a snapshot with its secret as the last part of a file
 * @local: the filter
 * @fd: of the file, open for writing
 * @base: where the snapshot begins; all bytes behind that go
 */
int seen_local_append(struct seen_local *local, int fd, uint64_t base);

/**
 * seen_local_hash() - the 64 bits that stand for a key
 * @local: a filter that does not keep keys
 * @hash: out: of the key, under the filter's secret
 *
 * Return: false: no such key fits the filter.
 */
bool seen_local_hash(const struct seen_local *local, const void *key,
		     size_t len, uint64_t *hash);

#endif
