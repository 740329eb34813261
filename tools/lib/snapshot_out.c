// SPDX-License-Identifier: GPL-2.0
/* Writing snapshot files in pieces, so that the table is never in memory as a whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crc32c.h"
#include "local.h"
#include "local_error.h"
#include "snapshot_file.h"
#include "snapshot_out.h"

#define LEVEL	3
#define ROOM	ZSTD_COMPRESSBOUND(SEEN_CHUNK_MAX)
/* A table is compressed if that makes a piece of it smaller by more than 1 / WORTH. */
#define WORTH	16
/* Since Linux 6.3; older headers do not define it. */
#define NOEXEC_SEAL	0x0008U

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

/* Kernels since 6.3 ask for a seal against execution, which older kernels refuse. */
static int make_spool(void)
{
	int fd = memfd_create("snapshot", MFD_CLOEXEC | NOEXEC_SEAL);

	return fd < 0 && errno == EINVAL ?
	       memfd_create("snapshot", MFD_CLOEXEC) : fd;
}

static int open_pack(struct seen_snapshot_out *out)
{
	out->packed = malloc(ROOM);
	out->pack = ZSTD_createCCtx();
	if (!out->packed || !out->pack)
		return seen_local_no_memory(0);
	ZSTD_CCtx_setParameter(out->pack, ZSTD_c_compressionLevel, LEVEL);
	return 0;
}

/* Does the file already have a secret? Then its mode may stay as it is. */
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

/* The header is written last, but a stream cannot go back to its beginning. */
static bool is_stream(const char *path)
{
	struct stat old;

	return !strcmp(path, "-") ||
	       (!stat(path, &old) && !S_ISREG(old.st_mode) &&
		!S_ISDIR(old.st_mode));
}

static int open_target(struct seen_snapshot_out *out, const char *path)
{
	int err;

	if (is_stream(path)) {
		out->path = path;
		out->fd = make_spool();
		return out->fd < 0 ? fail_errno(errno) : 0;
	}
	err = seen_replace_begin(&out->to, path,
				 replace_flags(path, out->flags));
	out->fd = out->to.fd;
	return err ? fail_errno(-err) : 0;
}

int seen_snapshot_out_part(struct seen_snapshot_out *out, int fd, off_t base,
			   unsigned int flags)
{
	*out = (struct seen_snapshot_out) {
		.to.fd = -1, .fd = fd, .base = base, .flags = flags,
	};
	return flags & SEEN_LOCAL_COMPRESS ? open_pack(out) : 0;
}

int seen_snapshot_out_open(struct seen_snapshot_out *out, const char *path,
			   unsigned int flags)
{
	int err;

	*out = (struct seen_snapshot_out) {
		.to.fd = -1, .fd = -1, .flags = flags,
		.name = strcmp(path, "-") ? path : "standard output",
	};
	err = open_target(out, path);
	if (!err && flags & SEEN_LOCAL_COMPRESS)
		err = open_pack(out);
	return err;
}

int seen_snapshot_out_memory(struct seen_snapshot_out *out)
{
	*out = (struct seen_snapshot_out) {
		.to.fd = -1, .fd = make_spool(),
		.flags = SEEN_LOCAL_WITH_SECRET,
	};
	return out->fd < 0 ? fail_errno(errno) : 0;
}

/*
 * Keys are spread over a table by their hash, so that one piece of it compresses as well as any
 * other. Only a bitmap stores its keys in ascending order.
 */
int seen_snapshot_out_begin(struct seen_snapshot_out *out,
			    const struct seen_table *table)
{
	int64_t bytes = seen_snapshot_bytes(table);

	if (bytes < 0)
		return seen_local_fail(-EPROTO, "the kernel's reply describes no valid table");
	out->bytes = bytes;
	out->uniform = table->info.config.type != SEEN_TYPE_BITMAP;
	out->head = (struct seen_snapshot_head) {
		.flags = out->flags & SEEN_LOCAL_WITH_SECRET ?
			 SEEN_SNAPSHOT_SECRET : 0,
	};
	if (out->flags & SEEN_LOCAL_COMPRESS)
		out->head.flags |= SEEN_SNAPSHOT_ZSTD;
	if (ftruncate(out->fd, out->base) ||
	    lseek(out->fd, out->base + seen_snapshot_head_bytes(table), SEEK_SET) < 0)
		return fail_errno(errno);
	return 0;
}

static int snapshot_out_store(struct seen_snapshot_out *out, const void *data,
			      size_t bytes)
{
	out->head.crc = seen_crc32c(out->head.crc, data, bytes);
	out->head.stored += bytes;
	return write_all(out->fd, data, bytes);
}

static bool is_worth(struct seen_snapshot_out *out, const uint8_t *data,
		     size_t bytes)
{
	size_t got = ZSTD_compress2(out->pack, out->packed, ROOM, data, bytes);

	return !ZSTD_isError(got) && got < bytes - bytes / WORTH;
}

/* Decide by the first piece. The size of all data is stored in the frame for its reader. */
static void choose(struct seen_snapshot_out *out, const uint8_t *data,
		   size_t bytes)
{
	if (out->uniform && !is_worth(out, data, bytes))
		out->head.flags &= ~SEEN_SNAPSHOT_ZSTD;
	ZSTD_CCtx_reset(out->pack, ZSTD_reset_session_only);
	ZSTD_CCtx_setPledgedSrcSize(out->pack, out->bytes);
}

static int do_not_pack(struct seen_snapshot_out *out)
{
	out->flags &= ~SEEN_LOCAL_COMPRESS;
	return SEEN_SNAPSHOT_AGAIN;
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
		/* The compressor ran out of memory. */
		if (ZSTD_isError(left))
			return do_not_pack(out);
		err = snapshot_out_store(out, to.dst, to.pos);
	} while (!err && (how == ZSTD_e_end ? left : from.pos < from.size));
	return err;
}

static int fail_length(uint64_t bytes, uint64_t all)
{
	return seen_local_fail(-EPROTO, "the kernel sent %ju bytes of a table of %ju",
			       (uintmax_t)bytes, (uintmax_t)all);
}

int seen_snapshot_out_put(struct seen_snapshot_out *out, const uint8_t *data,
			  size_t bytes)
{
	if (bytes > out->bytes - out->head.bytes)
		return fail_length(out->head.bytes + bytes, out->bytes);
	if (!out->head.bytes && out->head.flags & SEEN_SNAPSHOT_ZSTD)
		choose(out, data, bytes);
	out->head.bytes += bytes;
	return out->head.flags & SEEN_SNAPSHOT_ZSTD ?
	       compress(out, data, bytes, ZSTD_e_continue) :
	       snapshot_out_store(out, data, bytes);
}

static int end_packed(struct seen_snapshot_out *out)
{
	int err = compress(out, NULL, 0, ZSTD_e_end);

	return err || out->head.stored < out->head.bytes ? err :
							   do_not_pack(out);
}

static int write_head(struct seen_snapshot_out *out,
		      const struct seen_table *table)
{
	size_t length = seen_snapshot_head_bytes(table);
	uint8_t *bytes = malloc(length);
	int err;

	if (!bytes)
		return seen_local_no_memory(0);
	out->head.time = seen_snapshot_clock() - table->age;
	seen_snapshot_head_write(table, &out->head, bytes);
	err = lseek(out->fd, out->base, SEEK_SET) < 0 ? fail_errno(errno) :
	      write_all(out->fd, bytes, length);
	explicit_bzero(bytes, length);
	free(bytes);
	return err;
}

int seen_snapshot_out_end(struct seen_snapshot_out *out,
			  const struct seen_table *table)
{
	int err = 0;

	if (out->head.bytes != out->bytes)
		return fail_length(out->head.bytes, out->bytes);
	if (out->head.flags & SEEN_SNAPSHOT_ZSTD)
		err = end_packed(out);
	return err ? err : write_head(out, table);
}

static int copy_spool(const struct seen_snapshot_out *out, int target)
{
	uint8_t piece[16384];
	ssize_t got;
	int err = 0;

	if (lseek(out->fd, 0, SEEK_SET) < 0)
		return fail_errno(errno);
	while (!err && (got = read(out->fd, piece, sizeof(piece))))
		err = got > 0 ? write_all(target, piece, got) :
		      errno == EINTR ? 0 : fail_errno(errno);
	explicit_bzero(piece, sizeof(piece));
	return err;
}

/* Open the target only now, when all data are there: a reader may wait at its other end. */
static int send_spool(struct seen_snapshot_out *out)
{
	int err;

	if (!strcmp(out->path, "-"))
		return copy_spool(out, STDOUT_FILENO);
	err = seen_replace_begin(&out->to, out->path,
				 replace_flags(out->path, out->flags));
	return err ? fail_errno(-err) : copy_spool(out, out->to.fd);
}

static int close_file(struct seen_snapshot_out *out, int err)
{
	int failed = seen_replace_end(&out->to, err);

	if (!failed || err)
		return failed;
	return seen_local_fail(failed, out->to.replaced ?
			       "the file was replaced, but may not be on the disk yet: %s" :
			       "%s", strerror(-failed));
}

int seen_snapshot_out_close(struct seen_snapshot_out *out, int err)
{
	ZSTD_freeCCtx(out->pack);
	free(out->packed);
	if (out->path) {
		err = err ? err : send_spool(out);
		if (out->fd >= 0)
			close(out->fd);
	}
	return out->to.fd >= 0 ? close_file(out, err) : err;
}
