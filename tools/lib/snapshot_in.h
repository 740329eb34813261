/* SPDX-License-Identifier: GPL-2.0 */
/* Reading a snapshot file: its header, then its table in pieces. */
#ifndef SEEN_SNAPSHOT_IN_H
#define SEEN_SNAPSHOT_IN_H

#include <zstd.h>

#include "snapshot_head.h"

/**
 * struct seen_snapshot_in - a snapshot that is being read
 * @fd: of the file; -1: the snapshot is in memory
 * @name: of the file in errors; NULL: the snapshot is in memory
 * @memory: the unread part of a snapshot in memory
 * @memory_left: bytes of @memory
 * @head: the header
 * @left: bytes of the stored table that have not been read
 * @crc: of the bytes of the table that have been read
 * @unpack: the decompressor; NULL: the table is not compressed
 * @packed: a piece of the file for @unpack
 * @ahead: the part of @packed that @unpack has not consumed
 * @whole: @unpack has reached the end of the data
 */
struct seen_snapshot_in {
	int fd;
	const char *name;
	const uint8_t *memory;
	size_t memory_left;
	struct seen_snapshot_head head;
	uint64_t left;
	uint32_t crc;
	ZSTD_DCtx *unpack;
	uint8_t *packed;
	ZSTD_inBuffer ahead;
	bool whole;
};

/*
 * Context: any thread, one at a time. They return 0, or -errno with the reason in
 * seen_local_error(). No content of a file is trusted. In any case,
 * seen_snapshot_in_close() must be called at the end.
 */

/**
 * seen_snapshot_in_open() - open a file, read its header and check it
 * @in: out
 * @path: of the file; "-": standard input
 * @table: out: all but @data
 */
int seen_snapshot_in_open(struct seen_snapshot_in *in, const char *path,
			  struct seen_table *table);

/* seen_snapshot_in_memory() - the same for a snapshot in memory */
int seen_snapshot_in_memory(struct seen_snapshot_in *in, const uint8_t *file,
			    size_t bytes, struct seen_table *table);

/**
 * seen_snapshot_in_get() - read the next bytes of the table
 * @in: the snapshot
 * @to: out: the bytes; they must not be trusted before seen_snapshot_in_end() returns 0
 * @bytes: at most the unread rest of seen_table.bytes
 */
int seen_snapshot_in_get(struct seen_snapshot_in *in, void *to, size_t bytes);

/* seen_snapshot_in_end() - check the end of the table, and its checksum */
int seen_snapshot_in_end(struct seen_snapshot_in *in);

/*
 * seen_snapshot_in_check() - verify only the checksum, for a table that was already refused for
 * another reason. 0: the table is as it was written.
 */
int seen_snapshot_in_check(struct seen_snapshot_in *in);

void seen_snapshot_in_close(struct seen_snapshot_in *in);

#endif
