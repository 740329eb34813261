// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <lz4frame.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include <zstd.h>

#include "pack.h"
#include "stream.h"

#define IN	262144
/* Larger than LZ4F_compressBound() for IN bytes. */
#define OUT	(2 * IN)
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))

/**
 * struct packer - a compression method
 * @suffix: suffix of file names; "": no compression
 * @begin: creates pack.state; returns 0 or a negative errno
 * @drain: compresses and writes the bytes in pack.in; @last: the stream ends; returns 0
 *         or a negative errno
 * @end: frees pack.state
 */
struct packer {
	const char *suffix;
	int (*begin)(struct pack *to);
	int (*drain)(struct pack *to, bool last);
	void (*end)(struct pack *to);
};

static int plain_begin(struct pack *to)
{
	(void)to;
	return 0;
}

static int plain_drain(struct pack *to, bool last)
{
	(void)last;
	return stream_write(to->fd, to->in, to->used);
}

static void plain_end(struct pack *to)
{
	(void)to;
}

static int gzip_begin(struct pack *to)
{
	z_stream *state = calloc(1, sizeof(*state));

	to->state = state;
	if (!state || deflateInit2(state, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
				   16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	return 0;
}

static int gzip_drain(struct pack *to, bool last)
{
	z_stream *state = to->state;
	int err = 0;

	state->next_in = to->in;
	state->avail_in = to->used;
	do {
		state->next_out = to->out;
		state->avail_out = OUT;
		deflate(state, last ? Z_FINISH : Z_NO_FLUSH);
		err = stream_write(to->fd, to->out, OUT - state->avail_out);
	} while (!err && !state->avail_out);
	return err;
}

static void gzip_end(struct pack *to)
{
	if (to->state)
		deflateEnd(to->state);
	free(to->state);
}

static int zstd_begin(struct pack *to)
{
	to->state = ZSTD_createCStream();
	return to->state ? 0 : -ENOMEM;
}

static int zstd_drain(struct pack *to, bool last)
{
	ZSTD_inBuffer in = { to->in, to->used, 0 };
	size_t left;
	int err;

	do {
		ZSTD_outBuffer out = { to->out, OUT, 0 };

		left = ZSTD_compressStream2(to->state, &out, &in, last ?
					    ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return -ENOMEM;
		err = stream_write(to->fd, to->out, out.pos);
	} while (!err && (last ? left : in.pos < in.size));
	return err;
}

static void zstd_end(struct pack *to)
{
	ZSTD_freeCStream(to->state);
}

/* LZ4F requires that the header is made first. */
static int lz4_begin(struct pack *to)
{
	LZ4F_cctx *state;
	size_t made;

	if (LZ4F_isError(LZ4F_createCompressionContext(&state, LZ4F_VERSION)))
		return -ENOMEM;
	to->state = state;
	made = LZ4F_compressBegin(state, to->out, OUT, NULL);
	return LZ4F_isError(made) ? -ENOMEM :
				    stream_write(to->fd, to->out, made);
}

static int lz4_drain(struct pack *to, bool last)
{
	size_t made = LZ4F_compressUpdate(to->state, to->out, OUT, to->in,
					  to->used, NULL);
	int err;

	if (LZ4F_isError(made))
		return -ENOMEM;
	err = stream_write(to->fd, to->out, made);
	if (err || !last)
		return err;
	made = LZ4F_compressEnd(to->state, to->out, OUT, NULL);
	return LZ4F_isError(made) ? -ENOMEM :
				    stream_write(to->fd, to->out, made);
}

static void lz4_end(struct pack *to)
{
	LZ4F_freeCompressionContext(to->state);
}

static const struct packer packers[] = {
	{ ".gz", gzip_begin, gzip_drain, gzip_end },
	{ ".zst", zstd_begin, zstd_drain, zstd_end },
	{ ".lz4", lz4_begin, lz4_drain, lz4_end },
	{ "", plain_begin, plain_drain, plain_end },
};

static const struct packer *packer_of(const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(packers); i++) {
		size_t size = strlen(packers[i].suffix);

		if (len >= size &&
		    !strcasecmp(path + len - size, packers[i].suffix))
			return &packers[i];
	}
	return NULL;
}

const char *pack_suffix(const char *path)
{
	return path + strlen(path) - strlen(packer_of(path)->suffix);
}

int pack_open(struct pack *to, int fd, const char *path)
{
	*to = (struct pack) {
		.fd = fd,
		.by = packer_of(path),
		.in = malloc(IN),
		.out = malloc(OUT),
	};
	return to->in && to->out ? to->by->begin(to) : -ENOMEM;
}

int pack_write(struct pack *to, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;

	while (size) {
		size_t part = IN - to->used < size ? IN - to->used : size;
		int err;

		memcpy(to->in + to->used, from, part);
		to->used += part;
		from += part;
		size -= part;
		if (to->used < IN)
			break;
		err = to->by->drain(to, false);
		if (err)
			return err;
		to->used = 0;
	}
	return 0;
}

int pack_close(struct pack *to, int err)
{
	if (!err)
		err = to->by->drain(to, true);
	to->by->end(to);
	free(to->in);
	free(to->out);
	*to = (struct pack) { .fd = -1 };
	return err;
}
