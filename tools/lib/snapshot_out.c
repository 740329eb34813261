// SPDX-License-Identifier: GPL-2.0
/* Writing snapshot files: no more of a table is in memory than a piece. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "crc32c.h"
#include "local.h"
#include "local_error.h"
#include "snapshot_file.h"
#include "snapshot_out.h"

#define LEVEL	3
#define ROOM	ZSTD_COMPRESSBOUND(SEEN_CHUNK_MAX)
/* A table is compressed where a piece of it gets smaller by this part of itself. */
#define WORTH	16

static int fail_errno(int err)
{
	return seen_local_fail(-err, "%s", strerror(err));
}

static int write_all(int fd, const void *from, size_t bytes)
{
	ssize_t part;

	for (; bytes; bytes -= part, from = (const char *)from + part) {
		part = write(fd, from, bytes);
		if (part < 0 && errno == EINTR)
			part = 0;
		if (part < 0)
			return fail_errno(errno);
	}
	return 0;
}

/* What is no file cannot get its header last: the rest waits in memory. */
static int open_spool(struct seen_snapshot_out *out, int target)
{
	out->target = target;
	out->fd = memfd_create("snapshot", MFD_CLOEXEC);
	return out->fd < 0 ? fail_errno(errno) : 0;
}

static int open_pack(struct seen_snapshot_out *out)
{
	out->packed = malloc(ROOM);
	out->pack = ZSTD_createCCtx();
	if (!out->packed || !out->pack)
		return fail_errno(ENOMEM);
	ZSTD_CCtx_setParameter(out->pack, ZSTD_c_compressionLevel, LEVEL);
	return 0;
}

/* One that others may read keeps its mode if they could read a secret there. */
static bool has_secret(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint8_t bytes[SEEN_SNAPSHOT_HEAD_BEGIN];
	bool secret;

	if (fd < 0)
		return false;
	secret = pread(fd, bytes, sizeof(bytes), 0) == sizeof(bytes) &&
		 seen_snapshot_head_secret(bytes);
	close(fd);
	return secret;
}

static unsigned int replace_flags(const char *path, unsigned int flags)
{
	unsigned int how = 0;

	if (flags & SEEN_LOCAL_WITH_SECRET && !has_secret(path))
		how |= SEEN_REPLACE_SECRET;
	if (flags & SEEN_LOCAL_NEW)
		how |= SEEN_REPLACE_NEW;
	return how;
}

static int open_target(struct seen_snapshot_out *out, const char *path)
{
	int err;

	if (!strcmp(path, "-"))
		return open_spool(out, STDOUT_FILENO);
	err = seen_replace_begin(&out->to, path,
				 replace_flags(path, out->flags));
	if (err)
		return fail_errno(-err);
	if (out->to.through)
		return open_spool(out, out->to.fd);
	out->fd = out->to.fd;
	return 0;
}

int seen_snapshot_out_open(struct seen_snapshot_out *out, const char *path,
			   unsigned int flags)
{
	int err;

	*out = (struct seen_snapshot_out) {
		.to.fd = -1, .fd = -1, .target = -1, .flags = flags,
	};
	err = open_target(out, path);
	if (!err && flags & SEEN_LOCAL_COMPRESS)
		err = open_pack(out);
	return err;
}

int seen_snapshot_out_begin(struct seen_snapshot_out *out)
{
	out->head = (struct seen_snapshot_head) {
		.flags = out->flags & SEEN_LOCAL_WITH_SECRET ?
			 SEEN_SNAPSHOT_SECRET : 0,
	};
	if (out->flags & SEEN_LOCAL_COMPRESS)
		out->head.flags |= SEEN_SNAPSHOT_ZSTD;
	if (ftruncate(out->fd, 0) ||
	    lseek(out->fd, SEEN_SNAPSHOT_HEAD, SEEK_SET) < 0)
		return fail_errno(errno);
	return 0;
}

static int store(struct seen_snapshot_out *out, const void *data, size_t bytes)
{
	out->head.crc = seen_crc32c(out->head.crc, data, bytes);
	out->head.stored += bytes;
	return write_all(out->fd, data, bytes);
}

/*
 * Keys are spread over a table by their hash, so that one piece of it is like any
 * other; but a bitmap has them in their order.
 */
static bool is_worth(struct seen_snapshot_out *out,
		     const struct seen_table *table, const uint8_t *data,
		     size_t bytes)
{
	size_t got;

	if (table->info.config.type == SEEN_TYPE_BITMAP)
		return true;
	got = ZSTD_compress2(out->pack, out->packed, ROOM, data, bytes);
	return !ZSTD_isError(got) && got < bytes - bytes / WORTH;
}

/* The first piece decides. Its reader is told how much there is. */
static void choose(struct seen_snapshot_out *out,
		   const struct seen_table *table, const uint8_t *data,
		   size_t bytes)
{
	int64_t all = seen_snapshot_bytes(table);

	ZSTD_CCtx_reset(out->pack, ZSTD_reset_session_only);
	if (all < 0 || !is_worth(out, table, data, bytes))
		out->head.flags &= ~SEEN_SNAPSHOT_ZSTD;
	else
		ZSTD_CCtx_setPledgedSrcSize(out->pack, all);
}

static int compress(struct seen_snapshot_out *out, const uint8_t *data,
		    size_t bytes, ZSTD_EndDirective how)
{
	ZSTD_inBuffer from = { data, bytes, 0 };
	size_t left;
	int err;

	do {
		ZSTD_outBuffer to = { out->packed, ROOM, 0 };

		left = ZSTD_compressStream2(out->pack, &to, &from, how);
		if (ZSTD_isError(left))
			return seen_local_fail(-EIO, "%s",
					       ZSTD_getErrorName(left));
		err = store(out, to.dst, to.pos);
	} while (!err && (how == ZSTD_e_end ? left : from.pos < from.size));
	return err;
}

int seen_snapshot_out_put(struct seen_snapshot_out *out,
			  const struct seen_table *table, const uint8_t *data,
			  size_t bytes)
{
	if (!out->head.bytes && out->head.flags & SEEN_SNAPSHOT_ZSTD)
		choose(out, table, data, bytes);
	out->head.bytes += bytes;
	return out->head.flags & SEEN_SNAPSHOT_ZSTD ?
	       compress(out, data, bytes, ZSTD_e_continue) :
	       store(out, data, bytes);
}

static int end_packed(struct seen_snapshot_out *out)
{
	int err = compress(out, NULL, 0, ZSTD_e_end);

	if (err || out->head.stored < out->head.bytes)
		return err;
	out->flags &= ~SEEN_LOCAL_COMPRESS;
	return seen_local_fail(-ESTALE, "it cannot be compressed");
}

static int write_head(struct seen_snapshot_out *out,
		      const struct seen_table *table)
{
	uint8_t bytes[SEEN_SNAPSHOT_HEAD];
	int err;

	out->head.time = seen_snapshot_clock() - table->age;
	seen_snapshot_head_write(table, &out->head, bytes);
	err = lseek(out->fd, 0, SEEK_SET) < 0 ? fail_errno(errno) :
	      write_all(out->fd, bytes, sizeof(bytes));
	explicit_bzero(bytes, sizeof(bytes));
	return err;
}

int seen_snapshot_out_end(struct seen_snapshot_out *out,
			  const struct seen_table *table)
{
	int64_t all = seen_snapshot_bytes(table);
	int err = 0;

	if (all < 0)
		return all;
	if (out->head.bytes != (uint64_t)all)
		return seen_local_fail(-EPROTO, "%ju bytes of a table of %jd",
				       (uintmax_t)out->head.bytes,
				       (intmax_t)all);
	if (out->head.flags & SEEN_SNAPSHOT_ZSTD)
		err = end_packed(out);
	return err ? err : write_head(out, table);
}

static int send_spool(struct seen_snapshot_out *out)
{
	uint8_t piece[65536];
	ssize_t got;
	int err = 0;

	if (lseek(out->fd, 0, SEEK_SET) < 0)
		return fail_errno(errno);
	while (!err && (got = read(out->fd, piece, sizeof(piece)))) {
		if (got < 0 && errno == EINTR)
			continue;
		err = got < 0 ? fail_errno(errno) :
				write_all(out->target, piece, got);
	}
	explicit_bzero(piece, sizeof(piece));
	return err;
}

static int close_file(struct seen_snapshot_out *out, int err)
{
	int failed = seen_replace_end(&out->to, err);

	if (!failed || err)
		return failed;
	return seen_local_fail(failed, out->to.replaced ?
			       "the file was replaced, but may not be on the disk: %s" :
			       "%s", strerror(-failed));
}

int seen_snapshot_out_close(struct seen_snapshot_out *out, int err)
{
	ZSTD_freeCCtx(out->pack);
	free(out->packed);
	if (out->target >= 0) {
		err = err ? err : send_spool(out);
		close(out->fd);
	}
	return out->to.fd >= 0 ? close_file(out, err) : err;
}
