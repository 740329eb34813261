// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshot files in pieces of any size: compressed and uncompressed, and files whose
 * compressed frames do not fit the table though the checksum is right.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "crc32c.h"
#include "local.h"
#include "snapshot_file.h"
#include "snapshot_in.h"
#include "snapshot_out.h"

/* Bits of the table, of a capacity of as many numbers. */
#define BITS		1048576
#define BYTES		(BITS / 8)
/* In the header: before it are a version and a length. */
#define CRC_AT		16

static int planned, results, failures;
static char path[32];

static void ok(bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++results, name);
	failures += !good;
}

static void bail_out(const char *why)
{
	printf("Bail out! %s\n", why);
	exit(1);
}

/* A table that may have any bytes. */
static void bitmap(struct seen_table *table, uint8_t *data)
{
	struct seen_filter_config config = {
		.type = SEEN_TYPE_BITMAP, .capacity = BITS, .first_len = 4,
	};
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_local *local = NULL;

	memset(table, 0, sizeof(*table));
	seen_key_spec_parse(&config.key, "bytes", error);
	if (seen_local_create(&local, &config))
		bail_out(seen_local_error());
	seen_local_info(local, &table->info);
	seen_local_close(local);
	table->data = data;
	table->bytes = BYTES;
}

/* The same words each time. */
static void noise(uint8_t *to, size_t bytes)
{
	uint64_t state = 88172645463325252ULL;

	for (size_t i = 0; i < bytes; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		to[i] = state;
	}
}

static struct seen_snapshot_head head_of(void)
{
	struct seen_snapshot_in in;
	struct seen_table table;

	if (seen_snapshot_in_open(&in, path, &table))
		bail_out(seen_local_error());
	seen_snapshot_in_close(&in);
	return in.head;
}

static bool is_packed(void)
{
	return head_of().flags & SEEN_SNAPSHOT_ZSTD;
}

/* In pieces of @piece bytes. */
static bool reads(const uint8_t *data, size_t piece)
{
	uint8_t *got = malloc(BYTES);
	struct seen_snapshot_in in;
	struct seen_table table;
	int err = seen_snapshot_in_open(&in, path, &table);

	for (size_t at = 0; !err && at < BYTES; at += piece)
		err = seen_snapshot_in_get(&in, got + at, piece < BYTES - at ?
					   piece : BYTES - at);
	err = err ? err : seen_snapshot_in_end(&in);
	seen_snapshot_in_close(&in);
	if (!err)
		err = memcmp(got, data, BYTES);
	free(got);
	return !err && table.bytes == BYTES;
}

static bool reads_any(const uint8_t *data)
{
	static const size_t pieces[] = { 1, 7, 4096, 30720, 65537, BYTES };
	size_t good = 0, count = sizeof(pieces) / sizeof(*pieces);

	for (size_t i = 0; i < count; i++)
		good += reads(data, pieces[i]);
	return good == count;
}

static void write_as(const uint8_t *data, enum seen_type type,
		     unsigned int flags)
{
	struct seen_table table;

	bitmap(&table, (uint8_t *)data);
	if (type == SEEN_TYPE_BLOOM) {
		table.info.config.type = type;
		table.info.config.layout = SEEN_LAYOUT_CLASSIC;
		table.info.config.first_len = 0;
		table.info.config.fpp = SEEN_FPP_ONE / 1000;
		table.info.hashes = 3;
	}
	if (seen_snapshot_write(&table, path, flags))
		bail_out(seen_local_error());
}

static void what_is_compressed(uint8_t *data)
{
	memset(data, 0, BYTES);
	data[BYTES - 1] = 1;
	write_as(data, SEEN_TYPE_BITMAP, 0);
	ok(!is_packed() && reads_any(data), "compression off: uncompressed");
	write_as(data, SEEN_TYPE_BITMAP, SEEN_LOCAL_COMPRESS);
	ok(is_packed() && reads_any(data), "nearly empty: compressed");
	ok(head_of().stored < BYTES / 100, "the compressed file is small");
	noise(data, BYTES / 2);
	write_as(data, SEEN_TYPE_BITMAP, SEEN_LOCAL_COMPRESS);
	ok(is_packed() && reads_any(data), "a bitmap, full at its beginning");
	write_as(data, SEEN_TYPE_BLOOM, SEEN_LOCAL_COMPRESS);
	ok(!is_packed() && reads_any(data),
	   "a hashed table: the first piece decides on compression");
	noise(data, BYTES);
	write_as(data, SEEN_TYPE_BITMAP, SEEN_LOCAL_COMPRESS);
	ok(!is_packed() && head_of().stored == BYTES && reads_any(data),
	   "a full bitmap is written again, uncompressed");
}

static int put_all(struct seen_snapshot_out *out, const struct seen_table *table,
		   size_t bytes)
{
	int err = seen_snapshot_out_begin(out, table);

	for (size_t at = 0; !err && at < bytes; at += 4096)
		err = seen_snapshot_out_put(out, table->data + at, 4096);
	return err;
}

static void begun_again(uint8_t *data, unsigned int flags)
{
	struct seen_snapshot_out out;
	struct seen_table table;
	int err;

	memset(data, 0, BYTES);
	data[5000] = 1;
	bitmap(&table, data);
	err = seen_snapshot_out_open(&out, path, flags);
	if (!err)
		err = put_all(&out, &table, BYTES / 2);
	data[5000] = 2;
	if (!err)
		err = put_all(&out, &table, BYTES);
	if (!err)
		err = seen_snapshot_out_end(&out, &table);
	ok(!seen_snapshot_out_close(&out, err) && reads_any(data),
	   flags ? "it is written again, compressed" : "begun again");
	err = seen_snapshot_out_open(&out, path, flags);
	if (!err)
		err = put_all(&out, &table, BYTES / 2);
	if (!err)
		err = seen_snapshot_out_end(&out, &table);
	ok(seen_snapshot_out_close(&out, err) == -EPROTO && reads_any(data),
	   "a table that ends too early leaves the old file");
	err = seen_snapshot_out_open(&out, path, flags);
	if (!err)
		err = put_all(&out, &table, BYTES);
	if (!err)
		err = seen_snapshot_out_put(&out, data, 1);
	ok(seen_snapshot_out_close(&out, err) == -EPROTO && reads_any(data),
	   "a table that does not end leaves the old file");
}

/* A child that writes the data of the pipe to the file. */
static pid_t drain(int from)
{
	pid_t child = fork();
	char piece[4096];
	ssize_t got;
	FILE *file;

	if (child)
		return child;
	/* Its other end. */
	close(STDOUT_FILENO);
	file = fopen(path, "w");
	while ((got = read(from, piece, sizeof(piece))) > 0)
		fwrite(piece, 1, got, file);
	fclose(file);
	_exit(0);
}

static void piped(uint8_t *data, unsigned int flags)
{
	int was = dup(STDOUT_FILENO), ends[2], err;
	struct seen_table table;
	pid_t child;

	noise(data, BYTES / 2);
	bitmap(&table, data);
	fflush(stdout);
	if (pipe2(ends, O_CLOEXEC))
		bail_out("no pipe");
	dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
	child = drain(ends[0]);
	err = seen_snapshot_write(&table, "-", flags);
	dup2(was, STDOUT_FILENO);
	close(was);
	close(ends[0]);
	waitpid(child, NULL, 0);
	ok(!err && is_packed() == !!flags && reads_any(data),
	   flags ? "to a pipe, compressed" : "to a pipe");
}

/* The caller's memory may hold anything. */
static void nothing_there(void)
{
	struct seen_snapshot_in in;
	struct seen_table table;
	int err;

	memset(&table, 0xa5, sizeof(table));
	err = seen_snapshot_in_open(&in, "/nowhere/at/all", &table);
	seen_snapshot_in_close(&in);
	seen_table_free(&table);
	ok(err == -ENOENT, "a file that is not there");
	memset(&table, 0xa5, sizeof(table));
	ok(seen_snapshot_parse(&table, (const uint8_t *)"x", 1) == -EBADMSG,
	   "a file of one byte");
}

/* --- files whose checksums are right, and whose frames are not ------------------------ */

/* @packed: in place of the table; the file, and its length */
static uint8_t *forge(const uint8_t *packed, size_t bytes, size_t *length)
{
	struct seen_snapshot_head head = {
		.flags = SEEN_SNAPSHOT_ZSTD, .stored = bytes, .bytes = BYTES,
		.crc = seen_crc32c(0, packed, bytes),
	};
	uint8_t *file = malloc(SEEN_SNAPSHOT_HEAD + bytes);
	struct seen_table table;

	bitmap(&table, NULL);
	seen_snapshot_head_write(&table, &head, file);
	memcpy(file + SEEN_SNAPSHOT_HEAD, packed, bytes);
	*length = SEEN_SNAPSHOT_HEAD + bytes;
	return file;
}

static int parse(const uint8_t *packed, size_t bytes)
{
	struct seen_table table;
	size_t length;
	uint8_t *file = forge(packed, bytes, &length);
	int err = seen_snapshot_parse(&table, file, length);

	free(file);
	if (!err)
		seen_table_free(&table);
	return err;
}

static void refused(const uint8_t *packed, size_t bytes, const char *reason)
{
	int err = parse(packed, bytes);

	ok(err == -EBADMSG && strstr(seen_local_error(), reason), reason);
	if (err)
		printf("# %s\n", seen_local_error());
}

/* A frame of @bytes zeroes. */
static size_t frame(uint8_t *to, size_t bytes)
{
	uint8_t *zeroes = calloc(1, bytes ? bytes : 1);
	size_t got = ZSTD_compress(to, BYTES, zeroes, bytes, 3);

	free(zeroes);
	return got;
}

/* A frame without its content size, whose reader needs 2^@log bytes of memory. */
static size_t wide_frame(uint8_t *to, size_t bytes, int log)
{
	uint8_t *zeroes = calloc(1, bytes);
	ZSTD_outBuffer out = { to, BYTES, 0 };
	ZSTD_inBuffer in = { zeroes, bytes, 0 };
	ZSTD_CCtx *pack = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(pack, ZSTD_c_windowLog, log);
	ZSTD_compressStream2(pack, &out, &in, ZSTD_e_continue);
	ZSTD_compressStream2(pack, &out, &in, ZSTD_e_end);
	ZSTD_freeCCtx(pack);
	free(zeroes);
	return out.pos;
}

static void frames(uint8_t *data)
{
	size_t bytes = frame(data, BYTES), more, survived = 0;

	ok(!parse(data, bytes), "a valid frame");
	refused(data, bytes - 1, "the compressed data end early");
	more = frame(data + bytes, 0);
	refused(data, bytes + more, "the compressed data are too long");
	data[bytes] = 0;
	refused(data, bytes + 1, "the compressed data are too long");
	refused(data, frame(data, BYTES - 1), "the compressed data are too short");
	refused(data, wide_frame(data, BYTES + 1, 17), "the compressed data are too long");
	refused(data, wide_frame(data, 3 * BYTES, 17), "the compressed data are too long");
	refused(data, frame(data, BYTES + 1), "too much memory");
	refused(data, frame(data, 0), "the compressed data are too short");
	refused(data, wide_frame(data, BYTES, 24), "too much memory");
	memset(data, 'x', 100);
	refused(data, 100, "Unknown frame descriptor");
	bytes = frame(data, BYTES);
	for (size_t i = 0; i < bytes; i++)
		survived += !parse(data, i);
	ok(!survived, "each length of a frame: all refused");
}

static void every_bit(uint8_t *data)
{
	size_t length, packed, survived = 0, told = 0;
	struct seen_table table;
	uint8_t *file;

	memset(data, 0, BYTES);
	packed = frame(data, BYTES);
	file = forge(data, packed, &length);
	for (size_t i = 0; i < 8 * length; i++) {
		file[i / 8] ^= 1 << i % 8;
		survived += !seen_snapshot_parse(&table, file, length);
		told += i >= 8 * CRC_AT &&
			strstr(seen_local_error(), "its checksum differs");
		file[i / 8] ^= 1 << i % 8;
	}
	ok(!survived, "each bit of a compressed file flipped: all refused");
	ok(told == 8 * (length - CRC_AT), "refused by the checksum, for any frame");
	free(file);
}

int main(void)
{
	uint8_t *data = malloc(BYTES);

	planned = 6 + 2 * 3 + 2 + 2 + 12 + 2;
	printf("TAP version 13\n1..%d\n", planned);
	snprintf(path, sizeof(path), "/tmp/seen-file-XXXXXX");
	if (!data || close(mkstemp(path)))
		return 1;
	what_is_compressed(data);
	begun_again(data, 0);
	begun_again(data, SEEN_LOCAL_COMPRESS);
	piped(data, 0);
	piped(data, SEEN_LOCAL_COMPRESS);
	nothing_there();
	frames(data);
	every_bit(data);
	unlink(path);
	free(data);
	return failures || results != planned;
}
