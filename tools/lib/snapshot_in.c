// SPDX-License-Identifier: GPL-2.0
/* Reading snapshot files in pieces, so that the table is never in memory as a whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd_errors.h>

#include "crc32c.h"
#include "local_error.h"
#include "snapshot_file.h"
#include "snapshot_in.h"

#define PIECE		65536
/* Largest zstd window of the writer's compression level: 2 MiB. */
#define WINDOW_LOG	21

/* Read up to @bytes bytes, or to the end of the file. */
static ssize_t snapshot_in_take(struct seen_snapshot_in *in, void *to,
				size_t bytes)
{
	size_t done = 0;
	ssize_t part;

	if (in->fd < 0) {
		done = bytes < in->memory_left ? bytes : in->memory_left;
		memcpy(to, in->memory, done);
		in->memory += done;
		in->memory_left -= done;
		return done;
	}
	while (done < bytes) {
		part = read(in->fd, (char *)to + done, bytes - done);
		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			return -errno;
		if (!part)
			break;
		done += part;
	}
	return done;
}

/* @got: bytes of @what in the file; @all: bytes that it should have */
static int fail_short(ssize_t err, uint64_t got, uint64_t all, const char *what)
{
	if (err < 0)
		return seen_local_fail(err, "%s", strerror(-err));
	return seen_local_fail(-EBADMSG,
			       "truncated: the file ends after %ju of the %ju bytes of %s",
			       (uintmax_t)got, (uintmax_t)all, what);
}

static int fail_long(void)
{
	return seen_local_fail(-EBADMSG, "damaged: bytes follow the table");
}

static int take_head(struct seen_snapshot_in *in, uint8_t *to, size_t bytes)
{
	ssize_t got = snapshot_in_take(in, to, bytes);

	return got == (ssize_t)bytes ? 0 :
	       fail_short(got, got, bytes, "its header");
}

static int take_table(struct seen_snapshot_in *in, void *to, size_t bytes)
{
	ssize_t got = snapshot_in_take(in, to, bytes);

	if (got != (ssize_t)bytes)
		return fail_short(got, in->head.stored - in->left + got,
				  in->head.stored, "its table");
	in->left -= bytes;
	in->crc = seen_crc32c(in->crc, to, bytes);
	return 0;
}

/* @begun: the header's first SEEN_SNAPSHOT_HEAD bytes */
static int read_rest(struct seen_snapshot_in *in, const uint8_t *begun,
		     size_t length, struct seen_table *table)
{
	uint8_t *all = malloc(length);
	int err;

	if (!all)
		return seen_local_no_memory(0);
	memcpy(all, begun, SEEN_SNAPSHOT_HEAD);
	err = take_head(in, all + SEEN_SNAPSHOT_HEAD,
			length - SEEN_SNAPSHOT_HEAD);
	if (!err)
		err = seen_snapshot_head_read(all, length, table, &in->head);
	explicit_bzero(all, length);
	free(all);
	return err;
}

static int read_head(struct seen_snapshot_in *in, struct seen_table *table)
{
	uint8_t bytes[SEEN_SNAPSHOT_HEAD];
	int err = take_head(in, bytes, sizeof(bytes));
	int length = err ? err : seen_snapshot_head_length(bytes);

	err = length < 0 ? length : read_rest(in, bytes, length, table);
	explicit_bzero(bytes, sizeof(bytes));
	return err;
}

/* The geometry determines the length of the table. */
static int check_lengths(const struct seen_table *table,
			 const struct seen_snapshot_head *head)
{
	int64_t bytes = seen_snapshot_bytes(table);
	bool packed = head->flags & SEEN_SNAPSHOT_ZSTD;

	if (bytes < 0)
		return bytes;
	if ((uint64_t)bytes != head->bytes ||
	    (packed ? head->stored >= head->bytes :
		      head->stored != head->bytes))
		return seen_local_fail(-EBADMSG,
				       "the header is damaged: it states %ju bytes for a table of %jd",
				       (uintmax_t)head->bytes, (intmax_t)bytes);
	if ((size_t)bytes != (uint64_t)bytes)
		return seen_local_fail(-ENOMEM, "too large for this machine: %jd bytes",
				       (intmax_t)bytes);
	return 0;
}

/* Check the file's size before memory is allocated for it. The size of a pipe is unknown. */
static int check_size(const struct seen_snapshot_in *in)
{
	uint64_t left = in->memory_left;
	struct stat stat;
	off_t at;

	if (in->fd >= 0) {
		if (fstat(in->fd, &stat) || !S_ISREG(stat.st_mode))
			return 0;
		at = lseek(in->fd, 0, SEEK_CUR);
		left = stat.st_size > at ? stat.st_size - at : 0;
	}
	if (left < in->head.stored)
		return fail_short(0, left, in->head.stored, "its table");
	return left == in->head.stored ? 0 : fail_long();
}

/* Largest zstd window to accept: the frame itself may ask for too much memory. */
static int window_log(uint64_t bytes)
{
	int log = 10;

	while (log < WINDOW_LOG && 1ULL << log < bytes)
		log++;
	return log;
}

static int open_unpack(struct seen_snapshot_in *in)
{
	in->packed = malloc(PIECE);
	in->unpack = ZSTD_createDCtx();
	if (!in->packed || !in->unpack)
		return seen_local_no_memory(0);
	ZSTD_DCtx_setParameter(in->unpack, ZSTD_d_windowLogMax,
			       window_log(in->head.bytes));
	in->ahead.src = in->packed;
	return 0;
}

static int snapshot_in_begin(struct seen_snapshot_in *in,
			     struct seen_table *table)
{
	int err = read_head(in, table);
	uint64_t now = seen_snapshot_clock();

	if (!err)
		err = check_lengths(table, &in->head);
	if (!err)
		err = check_size(in);
	if (!err && in->head.flags & SEEN_SNAPSHOT_ZSTD)
		err = open_unpack(in);
	if (err) {
		seen_table_free(table);
		return err;
	}
	in->left = in->head.stored;
	table->bytes = in->head.bytes;
	table->age = now > in->head.time ? now - in->head.time : 0;
	return 0;
}

int seen_snapshot_in_open(struct seen_snapshot_in *in, const char *path,
			  struct seen_table *table)
{
	bool stream = !strcmp(path, "-");

	*in = (struct seen_snapshot_in) {
		.fd = STDIN_FILENO, .name = stream ? "standard input" : path,
	};
	memset(table, 0, sizeof(*table));
	if (!stream)
		in->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		return seen_local_fail(-errno, "%s", strerror(errno));
	return snapshot_in_begin(in, table);
}

int seen_snapshot_in_memory(struct seen_snapshot_in *in, const uint8_t *file,
			    size_t bytes, struct seen_table *table)
{
	*in = (struct seen_snapshot_in) {
		.fd = -1, .memory = file, .memory_left = bytes,
	};
	memset(table, 0, sizeof(*table));
	return snapshot_in_begin(in, table);
}

int seen_snapshot_in_check(struct seen_snapshot_in *in)
{
	uint8_t bytes[4096];
	int err = 0;

	while (!err && in->left)
		err = take_table(in, bytes, in->left < sizeof(bytes) ?
						    in->left : sizeof(bytes));
	if (err)
		return err;
	if (snapshot_in_take(in, bytes, 1) > 0)
		return fail_long();
	return in->crc == in->head.crc ? 0 :
	       seen_local_fail(-EBADMSG,
			       "the table is damaged: its checksum differs");
}

/* If the data were damaged after they were written, the checksum shows that: report it first. */
static int fail_packed(struct seen_snapshot_in *in, const char *why)
{
	int err = seen_snapshot_in_check(in);

	return err ? err : seen_local_fail(-EBADMSG, "the table is damaged: %s",
					   why);
}

static int fail_zstd(struct seen_snapshot_in *in, size_t code)
{
	if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
		return seen_local_no_memory(0);
	return fail_packed(in, ZSTD_getErrorName(code));
}

static int fill_ahead(struct seen_snapshot_in *in)
{
	if (!in->left)
		return fail_packed(in, "the compressed data end early");
	in->ahead.pos = 0;
	in->ahead.size = in->left < PIECE ? in->left : PIECE;
	return take_table(in, in->packed, in->ahead.size);
}

/* Decompress some bytes of the table, or read some bytes of the file, or both. */
static int unpack(struct seen_snapshot_in *in, ZSTD_outBuffer *to)
{
	size_t had = to->pos, at = in->ahead.pos;
	size_t left = ZSTD_decompressStream(in->unpack, to, &in->ahead);

	if (ZSTD_isError(left))
		return fail_zstd(in, left);
	in->whole = !left;
	if (in->whole || to->pos > had || in->ahead.pos > at)
		return 0;
	return in->ahead.pos < in->ahead.size ?
	       fail_packed(in, "the compressed data are too long") : fill_ahead(in);
}

int seen_snapshot_in_get(struct seen_snapshot_in *in, void *to, size_t bytes)
{
	ZSTD_outBuffer got = { to, bytes, 0 };
	int err = 0;

	if (!in->unpack)
		return take_table(in, to, bytes);
	while (!err && got.pos < bytes)
		err = in->whole ? fail_packed(in, "the compressed data are too short") :
				  unpack(in, &got);
	return err;
}

static int end_packed(struct seen_snapshot_in *in)
{
	ZSTD_outBuffer nothing = { in->packed, 0, 0 };
	int err = 0;

	while (!err && !in->whole)
		err = unpack(in, &nothing);
	if (err || (!in->left && in->ahead.pos == in->ahead.size))
		return err;
	return fail_packed(in, "the compressed data are too long");
}

int seen_snapshot_in_end(struct seen_snapshot_in *in)
{
	int err = in->unpack ? end_packed(in) : 0;

	return err ? err : seen_snapshot_in_check(in);
}

void seen_snapshot_in_close(struct seen_snapshot_in *in)
{
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	ZSTD_freeDCtx(in->unpack);
	free(in->packed);
}
