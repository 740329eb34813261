/* SPDX-License-Identifier: GPL-2.0 */
/* A snapshot file as it is written: its table in pieces, its header at the end. */
#ifndef SEEN_SNAPSHOT_OUT_H
#define SEEN_SNAPSHOT_OUT_H

#include <zstd.h>

#include "replace.h"
#include "snapshot_head.h"

/**
 * struct seen_snapshot_out - a snapshot on its way to a file
 * @to: the file that is to take the name
 * @fd: what is written to: that file; or memory, if one cannot go back in it
 * @path: where it goes from that memory; else NULL
 * @name: of the file in errors; NULL: it has none
 * @base: where the snapshot begins in @fd
 * @flags: enum seen_local_flags
 * @head: of what has been put so far
 * @bytes: of the table
 * @uniform: any piece of it is like any other
 * @pack: compresses; NULL: the table is stored as it is
 * @packed: room for what comes from it
 */
struct seen_snapshot_out {
	struct seen_replace to;
	int fd;
	const char *path;
	const char *name;
	off_t base;
	unsigned int flags;
	struct seen_snapshot_head head;
	uint64_t bytes;
	bool uniform;
	ZSTD_CCtx *pack;
	uint8_t *packed;
};

/*
 * Context: any thread, one at a time. They return 0, or -errno and the reason in
 * seen_local_error(). Whatever happens, seen_snapshot_out_close() comes last.
 */

/**
 * seen_snapshot_out_open() - a new file beside the one that has the name
 * @path: "-": standard output; to be there until the end
 * @flags: enum seen_local_flags
 */
int seen_snapshot_out_open(struct seen_snapshot_out *out, const char *path,
			   unsigned int flags);

/*
 * seen_snapshot_out_memory() - the same, to memory that only this process sees, with
 * the secret; the caller closes @out->fd, and seen_snapshot_out_close() does nothing
 */
int seen_snapshot_out_memory(struct seen_snapshot_out *out);

/**
 * seen_snapshot_out_part() - the last part of a file that holds more than a snapshot
 * @fd: of the file; stays open
 * @base: where the snapshot begins; all bytes behind that go
 * @flags: enum seen_local_flags
 */
int seen_snapshot_out_part(struct seen_snapshot_out *out, int fd, off_t base,
			   unsigned int flags);

/* Compression gains nothing, or fails: begin again; the table is stored as it is. */
#define SEEN_SNAPSHOT_AGAIN	1

/**
 * seen_snapshot_out_begin() - the table, from its first byte on; once more, too
 * @table: its geometry, and its keys in @top, which stay the same to the end
 */
int seen_snapshot_out_begin(struct seen_snapshot_out *out,
			    const struct seen_table *table);

/**
 * seen_snapshot_out_put() - the next bytes of the table
 * @data: they
 * @bytes: at most SEEN_CHUNK_MAX
 *
 * Return: SEEN_SNAPSHOT_AGAIN, too.
 */
int seen_snapshot_out_put(struct seen_snapshot_out *out, const uint8_t *data,
			  size_t bytes);

/**
 * seen_snapshot_out_end() - the table is whole
 * @table: what the header says of it; its age
 *
 * Return: SEEN_SNAPSHOT_AGAIN, too.
 */
int seen_snapshot_out_end(struct seen_snapshot_out *out,
			  const struct seen_table *table);

/**
 * seen_snapshot_out_close() - the file takes the name
 * @err: if not 0, the old file stays
 *
 * Return: @err, or -errno.
 */
int seen_snapshot_out_close(struct seen_snapshot_out *out, int err);

#endif
