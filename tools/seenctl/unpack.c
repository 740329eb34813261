// SPDX-License-Identifier: GPL-2.0
/* Several compressed streams may follow each other, as in "cat a.gz b.gz". */
#include <errno.h>
#include <limits.h>
#include <lz4frame.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "unpack.h"

#define RAW		262144
#define MAGIC		4
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))

/**
 * struct unpacker - a compression method
 * @name: name of the method, for errors
 * @magic: first bytes of a compressed stream
 * @size: number of bytes in @magic
 * @begin: creates unpack.state; returns it, or NULL without memory
 * @step: decompresses bytes of unpack.raw; returns the number of bytes made, or -1
 * @end: frees the state
 */
struct unpacker {
	const char *name;
	uint8_t magic[MAGIC];
	size_t size;
	void *(*begin)(void);
	ssize_t (*step)(struct unpack *from, uint8_t *to, size_t room);
	void (*end)(void *state);
};

static ssize_t fail(struct unpack *from, const char *why)
{
	snprintf(from->error, sizeof(from->error), "%s%s%s",
		 from->by ? from->by->name : "", from->by ? ": " : "", why);
	return -1;
}

static void *gzip_begin(void)
{
	z_stream *state = calloc(1, sizeof(*state));

	/* 16: accept only the header of gzip. */
	if (state && inflateInit2(state, 16 + MAX_WBITS) == Z_OK)
		return state;
	free(state);
	return NULL;
}

/* Skip zeros between members, which are padding, for example on tapes; as gzip(1) does. */
static void skip_zeros(struct unpack *from)
{
	while (from->at < from->end && !from->raw[from->at])
		from->at++;
}

static ssize_t gzip_step(struct unpack *from, uint8_t *to, size_t room)
{
	z_stream *state = from->state;
	int result;

	if (room > INT_MAX)
		room = INT_MAX;
	if (!from->within) {
		skip_zeros(from);
		if (from->at == from->end)
			return 0;
		inflateReset(state);
	}
	state->next_in = from->raw + from->at;
	state->avail_in = from->end - from->at;
	state->next_out = to;
	state->avail_out = room;
	result = inflate(state, Z_NO_FLUSH);
	from->at = from->end - state->avail_in;
	from->within = result != Z_STREAM_END;
	if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
		return fail(from, state->msg ? state->msg : "damaged");
	return room - state->avail_out;
}

static void gzip_end(void *state)
{
	inflateEnd(state);
	free(state);
}

static void *zstd_begin(void)
{
	return ZSTD_createDStream();
}

static ssize_t zstd_step(struct unpack *from, uint8_t *to, size_t room)
{
	ZSTD_inBuffer in = { from->raw, from->end, from->at };
	ZSTD_outBuffer out = { to, room, 0 };
	size_t result = ZSTD_decompressStream(from->state, &out, &in);

	from->at = in.pos;
	from->within = result;
	if (ZSTD_isError(result))
		return fail(from, ZSTD_getErrorName(result));
	return out.pos;
}

static void zstd_end(void *state)
{
	ZSTD_freeDStream(state);
}

static void *lz4_begin(void)
{
	LZ4F_dctx *state;

	if (LZ4F_isError(LZ4F_createDecompressionContext(&state, LZ4F_VERSION)))
		return NULL;
	return state;
}

static ssize_t lz4_step(struct unpack *from, uint8_t *to, size_t room)
{
	size_t used = from->end - from->at;
	size_t result = LZ4F_decompress(from->state, to, &room,
					from->raw + from->at, &used, NULL);

	from->within = result;
	if (LZ4F_isError(result))
		return fail(from, LZ4F_getErrorName(result));
	from->at += used;
	return room;
}

static void lz4_end(void *state)
{
	LZ4F_freeDecompressionContext(state);
}

static const struct unpacker unpackers[] = {
	{ "gzip", { 0x1f, 0x8b }, 2, gzip_begin, gzip_step, gzip_end },
	{ "zstd", { 0x28, 0xb5, 0x2f, 0xfd }, 4, zstd_begin, zstd_step, zstd_end },
	{ "lz4", { 0x04, 0x22, 0x4d, 0x18 }, 4, lz4_begin, lz4_step, lz4_end },
};

static ssize_t read_some(struct unpack *from, uint8_t *to, size_t room)
{
	ssize_t got;

	do {
		got = read(from->fd, to, room);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return fail(from, strerror(errno));
	from->ended = !got;
	from->taken += got;
	return got;
}

static bool refill(struct unpack *from)
{
	ssize_t got = read_some(from, from->raw, RAW);

	from->at = 0;
	from->end = got > 0 ? got : 0;
	return got >= 0;
}

static bool read_magic(struct unpack *from)
{
	ssize_t got = 1;

	while (got > 0 && from->end < MAGIC) {
		got = read_some(from, from->raw + from->end, RAW - from->end);
		from->end += got > 0 ? got : 0;
	}
	return got >= 0;
}

static const struct unpacker *recognize(const struct unpack *from)
{
	for (size_t i = 0; i < ARRAY_SIZE(unpackers); i++)
		if (from->end >= unpackers[i].size &&
		    !memcmp(from->raw, unpackers[i].magic, unpackers[i].size))
			return &unpackers[i];
	return NULL;
}

/* Refuse the legacy lz4 format: without end mark and checksum, truncation is not detected. */
static bool is_legacy(const struct unpack *from)
{
	static const uint8_t magic[MAGIC] = { 0x02, 0x21, 0x4c, 0x18 };

	return from->end >= MAGIC && !memcmp(from->raw, magic, MAGIC);
}

bool unpack_open(struct unpack *from, int fd)
{
	*from = (struct unpack) { .fd = fd, .raw = malloc(RAW) };
	if (!from->raw)
		return fail(from, "not enough memory") >= 0;
	if (!read_magic(from))
		return false;
	if (is_legacy(from))
		return fail(from,
			    "the legacy lz4 format is not supported; unpack it with lz4 -dc") >= 0;
	from->by = recognize(from);
	if (!from->by)
		return true;
	from->state = from->by->begin();
	return from->state || fail(from, "not enough memory") >= 0;
}

static ssize_t read_plain(struct unpack *from, uint8_t *to, size_t room)
{
	size_t there = from->end - from->at;

	if (!there)
		return from->ended ? 0 : read_some(from, to, room);
	if (there > room)
		there = room;
	memcpy(to, from->raw + from->at, there);
	from->at += there;
	return there;
}

ssize_t unpack_read(struct unpack *from, uint8_t *to, size_t room)
{
	ssize_t made = 0;

	if (*from->error)
		return -1;
	if (!from->by)
		return read_plain(from, to, room);
	while (!made) {
		if (from->at == from->end && !from->ended && !refill(from))
			return -1;
		/* Within a frame the decompressor may still hold bytes after the last input. */
		if (from->at == from->end && !from->within)
			return 0;
		made = from->by->step(from, to, room);
		if (!made && from->at == from->end && from->ended)
			return from->within ? fail(from, "truncated") : 0;
	}
	return made;
}

void unpack_close(struct unpack *from)
{
	if (from->state)
		from->by->end(from->state);
	free(from->raw);
	close(from->fd);
}
