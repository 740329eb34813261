/* SPDX-License-Identifier: GPL-2.0 */
/* A snapshot file as it is read: its header, then its table in pieces. */
#ifndef SEEN_SNAPSHOT_IN_H
#define SEEN_SNAPSHOT_IN_H

#include <zstd.h>

#include "snapshot_head.h"

/**
 * struct seen_snapshot_in - a snapshot on its way from a file
 * @fd: of the file; -1: it is in memory
 * @name: of the file in errors; NULL: it is in memory
 * @memory: there
 * @memory_left: bytes of it
 * @head: what its header says
 * @left: bytes of the table in the file that have not been read
 * @crc: of those that have
 * @unpack: decompresses; NULL: the table is there as it is
 * @packed: a piece of the file for it
 * @ahead: what it has not taken of that
 * @whole: it is at its end
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
 * Context: any thread, one at a time. They return 0, or -errno and the reason in
 * seen_local_error(). Nothing in a file is trusted. Whatever happens,
 * seen_snapshot_in_close() comes last.
 */

/**
 * seen_snapshot_in_open() - read the header, which is checked
 * @path: "-": standard input
 * @table: out: all but @data
 */
int seen_snapshot_in_open(struct seen_snapshot_in *in, const char *path,
			  struct seen_table *table);

/* seen_snapshot_in_memory() - the same of one that is in memory */
int seen_snapshot_in_memory(struct seen_snapshot_in *in, const uint8_t *file,
			    size_t bytes, struct seen_table *table);

/**
 * seen_snapshot_in_get() - the next bytes of the table
 * @to: they; what they are worth is seen_snapshot_in_end()'s to say
 * @bytes: no more than there are left of seen_table.bytes
 */
int seen_snapshot_in_get(struct seen_snapshot_in *in, void *to, size_t bytes);

/* seen_snapshot_in_end() - was all of it there, and as it was written? */
int seen_snapshot_in_end(struct seen_snapshot_in *in);

/*
 * seen_snapshot_in_check() - the checksum of all that is left: of one that somebody
 * else has refused already. 0: it is as it was written.
 */
int seen_snapshot_in_check(struct seen_snapshot_in *in);

void seen_snapshot_in_close(struct seen_snapshot_in *in);

#endif
