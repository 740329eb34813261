// SPDX-License-Identifier: GPL-2.0
/* Reading and writing snapshot files as a whole. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crc32c.h"
#include "local_error.h"
#include "memory.h"
#include "snapshot_file.h"
#include "snapshot_in.h"
#include "snapshot_out.h"

void seen_table_free(struct seen_table *table)
{
	if (table->file)
		munmap(table->file, table->file_bytes);
	else
		free(table->data);
	free(table->top);
	explicit_bzero(table, sizeof(*table));
}

/* The stored table and the table in use exist at the same time. */
static int check_memory(uint64_t bytes)
{
	uint64_t room = seen_memory_free("");

	return bytes <= room / 2 ? 0 :
	       seen_local_fail(-ENOMEM,
			       "not enough memory: the file needs two times %ju bytes, %ju are available",
			       (uintmax_t)bytes, (uintmax_t)room);
}

/*
 * The file's length was checked when it was opened. If another process writes to the file after
 * the checksum was verified, that does no harm: only tables are mapped for which any content is
 * safe to use.
 */
static bool map_table(const struct seen_snapshot_in *in,
		      struct seen_table *table)
{
	uint64_t bytes = in->head.length + in->head.stored;
	struct stat stat;
	void *file;

	if (in->unpack || !seen_snapshot_in_place(table))
		return false;
	if (fstat(in->fd, &stat) || !S_ISREG(stat.st_mode) ||
	    (size_t)bytes != bytes)
		return false;
	file = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, in->fd, 0);
	if (file == MAP_FAILED)
		return false;
	table->file = file;
	table->file_bytes = bytes;
	table->data = (uint8_t *)file + in->head.length;
	return true;
}

static int check_mapped(const struct seen_snapshot_in *in,
			const struct seen_table *table)
{
	return seen_crc32c(0, table->data, table->bytes) == in->head.crc ? 0 :
	       seen_local_fail(-EBADMSG,
			       "the table is damaged: its checksum differs");
}

static int copy_table(struct seen_snapshot_in *in, struct seen_table *table)
{
	int err = check_memory(in->head.bytes);

	if (err)
		return err;
	table->data = malloc(table->bytes ? table->bytes : 1);
	if (!table->data)
		return seen_local_no_memory(table->bytes);
	err = seen_snapshot_in_get(in, table->data, table->bytes);
	return err ? err : seen_snapshot_in_end(in);
}

/* @err: result of opening @in */
static int read_table(struct seen_snapshot_in *in, struct seen_table *table,
		      bool map, int err)
{
	if (!err)
		err = map && map_table(in, table) ? check_mapped(in, table) :
						    copy_table(in, table);
	if (err)
		seen_table_free(table);
	seen_snapshot_in_close(in);
	return err;
}

int seen_snapshot_parse(struct seen_table *table, const uint8_t *file,
			size_t bytes)
{
	struct seen_snapshot_in in;
	int err = seen_snapshot_in_memory(&in, file, bytes, table);

	return read_table(&in, table, false, err);
}

int seen_snapshot_read(struct seen_table *table, const char *path)
{
	struct seen_snapshot_in in;
	int err = seen_snapshot_in_open(&in, path, table);

	return read_table(&in, table, false, err);
}

int seen_snapshot_map(struct seen_table *table, const char *path)
{
	struct seen_snapshot_in in;
	int err = seen_snapshot_in_open(&in, path, table);

	return read_table(&in, table, strcmp(path, "-"), err);
}

static int write_table(struct seen_snapshot_out *out,
		       const struct seen_table *table)
{
	size_t done, bytes;
	int err = seen_snapshot_out_begin(out, table);

	for (done = 0; !err && done < table->bytes; done += bytes) {
		bytes = table->bytes - done < SEEN_CHUNK_MAX ?
			table->bytes - done : SEEN_CHUNK_MAX;
		err = seen_snapshot_out_put(out, table->data + done, bytes);
	}
	return err ? err : seen_snapshot_out_end(out, table);
}

int seen_snapshot_write(const struct seen_table *table, const char *path,
			unsigned int flags)
{
	struct seen_snapshot_out out;
	int err = seen_snapshot_out_open(&out, path, flags);

	if (!err)
		err = write_table(&out, table);
	if (err == SEEN_SNAPSHOT_AGAIN)
		err = write_table(&out, table);
	return seen_snapshot_out_close(&out, err);
}
