/* SPDX-License-Identifier: GPL-2.0 */
/* Writing a snapshot file: its table in pieces, and its header at the end. */
#ifndef SEEN_SNAPSHOT_OUT_H
#define SEEN_SNAPSHOT_OUT_H

#include <zstd.h>

#include "replace.h"
#include "snapshot_head.h"

/**
 * struct seen_snapshot_out - a snapshot that is being written
 * @to: the file to be replaced
 * @fd: descriptor to write to: that file, or memory if the target cannot seek
 * @path: the target, if @fd is memory; else NULL
 * @name: of the file in errors; NULL: no name
 * @base: offset of the snapshot in @fd
 * @flags: enum seen_local_flags
 * @head: the header for the bytes written so far
 * @bytes: of the table
 * @uniform: any piece of the table compresses as well as any other
 * @pack: the compressor; NULL: the table is not compressed
 * @packed: room for output of @pack
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
 * Context: any thread, one at a time. They return 0, or -errno with the reason in
 * seen_local_error(). In any case, seen_snapshot_out_close() must be called at the end.
 */

/**
 * seen_snapshot_out_open() - begin a new file, which is to replace the one at @path
 * @out: out
 * @path: of the file; "-": standard output; used until seen_snapshot_out_close()
 * @flags: enum seen_local_flags
 */
int seen_snapshot_out_open(struct seen_snapshot_out *out, const char *path,
			   unsigned int flags);

/*
 * seen_snapshot_out_memory() - the same in memory of this process only, with the secret. The
 * caller closes @out->fd; seen_snapshot_out_close() does nothing.
 */
int seen_snapshot_out_memory(struct seen_snapshot_out *out);

/**
 * seen_snapshot_out_part() - begin a snapshot as the last part of a file
 * @out: out
 * @fd: of the file; stays open
 * @base: offset of the snapshot in the file; the file is first truncated to this length
 * @flags: enum seen_local_flags
 */
int seen_snapshot_out_part(struct seen_snapshot_out *out, int fd, off_t base,
			   unsigned int flags);

/* Compression gains nothing, or fails. Begin again; the table is then stored uncompressed. */
#define SEEN_SNAPSHOT_AGAIN	1

/**
 * seen_snapshot_out_begin() - begin the table; after SEEN_SNAPSHOT_AGAIN, begin it again
 * @out: the snapshot
 * @table: the geometry, and the keys in @top; neither may change until the end
 */
int seen_snapshot_out_begin(struct seen_snapshot_out *out,
			    const struct seen_table *table);

/**
 * seen_snapshot_out_put() - write the next bytes of the table
 * @out: the snapshot
 * @data: the bytes
 * @bytes: length of @data, at most SEEN_CHUNK_MAX
 *
 * Return: 0; SEEN_SNAPSHOT_AGAIN; -errno.
 */
int seen_snapshot_out_put(struct seen_snapshot_out *out, const uint8_t *data,
			  size_t bytes);

/**
 * seen_snapshot_out_end() - finish the table, and write the header
 * @out: the snapshot
 * @table: values for the header; and @age
 *
 * Return: 0; SEEN_SNAPSHOT_AGAIN; -errno.
 */
int seen_snapshot_out_end(struct seen_snapshot_out *out,
			  const struct seen_table *table);

/**
 * seen_snapshot_out_close() - replace the old file by the new one
 * @out: the snapshot
 * @err: result of writing; if not 0, the old file stays
 *
 * Return: @err, or -errno.
 */
int seen_snapshot_out_close(struct seen_snapshot_out *out, int err);

#endif
