// SPDX-License-Identifier: GPL-2.0
/* Reading and writing snapshot files. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "crc32c.h"
#include "local.h"
#include "local_error.h"
#include "replace.h"
#include "snapshot_file.h"
#include "snapshot_head.h"

#define LEVEL	3

/**
 * struct source - where a snapshot comes from
 * @fd: a file, if not -1
 * @map: it may be mapped
 * @memory: else
 * @left: bytes of @memory
 */
struct source {
	int fd;
	bool map;
	const uint8_t *memory;
	size_t left;
};

void seen_table_free(struct seen_table *table)
{
	if (table->file)
		munmap(table->file, table->file_bytes);
	else
		free(table->data);
	explicit_bzero(table, sizeof(*table));
}

static uint64_t wall_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* As many bytes as there are, up to @bytes. */
static ssize_t take(struct source *source, void *to, size_t bytes)
{
	size_t done = 0;
	ssize_t part;

	if (source->fd < 0) {
		done = bytes < source->left ? bytes : source->left;
		memcpy(to, source->memory, done);
		source->memory += done;
		source->left -= done;
		return done;
	}
	while (done < bytes) {
		part = read(source->fd, (char *)to + done, bytes - done);
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

static int take_all(struct source *source, void *to, size_t bytes,
		    const char *what)
{
	ssize_t got = take(source, to, bytes);

	if (got < 0)
		return seen_local_fail(got, "%s", strerror(-got));
	if ((size_t)got < bytes)
		return seen_local_fail(-EBADMSG,
				       "truncated: it ends after %zd of the %zu bytes of %s",
				       got, bytes, what);
	return 0;
}

static int read_head(struct source *source, struct seen_table *table,
		     struct seen_snapshot_head *head)
{
	uint8_t bytes[SEEN_SNAPSHOT_HEAD], *all;
	int length, err;

	err = take_all(source, bytes, sizeof(bytes), "its header");
	if (err)
		return err;
	length = seen_snapshot_head_length(bytes);
	if (length < 0)
		return length;
	all = malloc(length);
	if (!all)
		return seen_local_fail(-ENOMEM, "no memory");
	memcpy(all, bytes, sizeof(bytes));
	err = take_all(source, all + sizeof(bytes), length - sizeof(bytes),
		       "its header");
	if (!err)
		err = seen_snapshot_head_read(all, length, table, head);
	free(all);
	return err;
}

/*
 * What programs may still take; of a kernel that does not tell, all there is. One
 * of 32 bits has no addresses for more than SIZE_MAX.
 */
static uint64_t free_memory(void)
{
	uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			 sysconf(_SC_PAGESIZE);
	FILE *file = fopen("/proc/meminfo", "re");
	uintmax_t kib;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %ju", &kib) == 1)
			bytes = kib * 1024;
	if (file)
		fclose(file);
	return bytes < SIZE_MAX ? bytes : SIZE_MAX;
}

/* The table as it was stored and as it is used are there at the same time. */
static int check_memory(uint64_t bytes)
{
	uint64_t room = free_memory();

	return bytes <= room / 2 ? 0 :
	       seen_local_fail(-EFBIG,
			       "too large: two times %ju bytes, and the machine has %ju free",
			       (uintmax_t)bytes, (uintmax_t)room);
}

/* All lengths follow from the geometry. */
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
				       "the header is damaged: %ju bytes of a table of %jd",
				       (uintmax_t)head->bytes, (intmax_t)bytes);
	return 0;
}

static int unpack(struct seen_table *table, const struct seen_snapshot_head *head)
{
	uint8_t *to = malloc(head->bytes);
	size_t got;

	if (!to)
		return seen_local_fail(-ENOMEM, "no memory for %ju bytes",
				       (uintmax_t)head->bytes);
	got = ZSTD_decompress(to, head->bytes, table->data, head->stored);
	free(table->data);
	table->data = to;
	if (ZSTD_isError(got))
		return seen_local_fail(-EBADMSG, "the table is damaged: %s",
				       ZSTD_getErrorName(got));
	return got == head->bytes ? 0 :
	       seen_local_fail(-EBADMSG, "the table is damaged: %zu bytes of %ju",
			       got, (uintmax_t)head->bytes);
}

/*
 * What has not the length that it says is read, which tells why. Should others
 * write to the file behind the check: in place are only tables of which any bytes
 * are safe to use.
 */
static bool map_table(const struct source *source, struct seen_table *table,
		      const struct seen_snapshot_head *head)
{
	uint64_t bytes = head->length + head->stored;
	struct stat stat;
	void *file;

	if (!source->map || head->flags & SEEN_SNAPSHOT_ZSTD ||
	    !seen_snapshot_in_place(table))
		return false;
	if (fstat(source->fd, &stat) || !S_ISREG(stat.st_mode) ||
	    (uint64_t)stat.st_size != bytes || (size_t)bytes != bytes)
		return false;
	file = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE,
		    source->fd, 0);
	if (file == MAP_FAILED)
		return false;
	table->file = file;
	table->file_bytes = bytes;
	table->data = (uint8_t *)file + head->length;
	return true;
}

static int copy_table(struct source *source, struct seen_table *table,
		      const struct seen_snapshot_head *head)
{
	int err = check_memory(head->bytes);
	uint8_t more;

	if (err)
		return err;
	table->data = malloc(head->stored ? head->stored : 1);
	if (!table->data)
		return seen_local_fail(-ENOMEM, "no memory for %ju bytes",
				       (uintmax_t)head->stored);
	err = take_all(source, table->data, head->stored, "its table");
	if (err)
		return err;
	if (take(source, &more, 1) > 0)
		return seen_local_fail(-EBADMSG,
				       "damaged: it goes on behind its table");
	return 0;
}

static int read_table(struct source *source, struct seen_table *table,
		      const struct seen_snapshot_head *head)
{
	int err;

	if (!map_table(source, table, head)) {
		err = copy_table(source, table, head);
		if (err)
			return err;
	}
	if (seen_crc32c(0, table->data, head->stored) != head->crc)
		return seen_local_fail(-EBADMSG,
				       "the table is damaged: its checksum differs");
	return head->flags & SEEN_SNAPSHOT_ZSTD ? unpack(table, head) : 0;
}

static int read_all(struct source *source, struct seen_table *table)
{
	struct seen_snapshot_head head;
	uint64_t now = wall_clock();
	int err;

	memset(table, 0, sizeof(*table));
	err = read_head(source, table, &head);
	if (!err)
		err = check_lengths(table, &head);
	if (!err)
		err = read_table(source, table, &head);
	if (err) {
		seen_table_free(table);
		return err;
	}
	table->bytes = head.bytes;
	table->age = now > head.time ? now - head.time : 0;
	return 0;
}

int seen_snapshot_parse(struct seen_table *table, const uint8_t *file,
			size_t bytes)
{
	struct source source = { .fd = -1, .memory = file, .left = bytes };

	return read_all(&source, table);
}

static int read_file(struct seen_table *table, const char *path, bool map)
{
	struct source source = { .fd = STDIN_FILENO };
	int err;

	if (strcmp(path, "-")) {
		source.fd = open(path, O_RDONLY | O_CLOEXEC);
		source.map = map;
	}
	if (source.fd < 0)
		return seen_local_fail(-errno, "%s", strerror(errno));
	err = read_all(&source, table);
	if (source.fd != STDIN_FILENO)
		close(source.fd);
	return err;
}

int seen_snapshot_read(struct seen_table *table, const char *path)
{
	return read_file(table, path, false);
}

int seen_snapshot_map(struct seen_table *table, const char *path)
{
	return read_file(table, path, true);
}

static int write_all(int fd, const void *from, size_t bytes)
{
	ssize_t part;

	for (; bytes; bytes -= part, from = (const char *)from + part) {
		part = write(fd, from, bytes);
		if (part < 0 && errno == EINTR)
			part = 0;
		if (part < 0)
			return seen_local_fail(-errno, "%s", strerror(errno));
	}
	return 0;
}

/* The table as it is stored: NULL: as it is. */
static uint8_t *pack(const struct seen_table *table, size_t *bytes)
{
	size_t room = ZSTD_compressBound(table->bytes);
	uint8_t *to = malloc(room);
	size_t got;

	if (!to)
		return NULL;
	got = ZSTD_compress(to, room, table->data, table->bytes, LEVEL);
	if (!ZSTD_isError(got) && got < table->bytes) {
		*bytes = got;
		return to;
	}
	free(to);
	return NULL;
}

static int write_to(int fd, const struct seen_table *table, unsigned int flags)
{
	struct seen_snapshot_head head = {
		.stored = table->bytes,
		.bytes = table->bytes,
		.time = wall_clock() - table->age,
	};
	uint8_t bytes[SEEN_SNAPSHOT_HEAD];
	const uint8_t *data = table->data;
	uint8_t *packed = NULL;
	size_t size;
	int err;

	if (flags & SEEN_LOCAL_COMPRESS)
		packed = pack(table, &size);
	if (packed) {
		head.flags |= SEEN_SNAPSHOT_ZSTD;
		head.stored = size;
		data = packed;
	}
	if (flags & SEEN_LOCAL_WITH_SECRET)
		head.flags |= SEEN_SNAPSHOT_SECRET;
	head.crc = seen_crc32c(0, data, head.stored);
	seen_snapshot_head_write(table, &head, bytes);
	err = write_all(fd, bytes, sizeof(bytes));
	if (!err)
		err = write_all(fd, data, head.stored);
	explicit_bzero(bytes, sizeof(bytes));
	free(packed);
	return err;
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

int seen_snapshot_write(const struct seen_table *table, const char *path,
			unsigned int flags)
{
	struct seen_replace to;
	int err;

	if (!strcmp(path, "-"))
		return write_to(STDOUT_FILENO, table, flags);
	err = seen_replace_begin(&to, path, replace_flags(path, flags));
	if (err)
		return seen_local_fail(err, "%s", strerror(-err));
	err = write_to(to.fd, table, flags);
	err = seen_replace_end(&to, err);
	if (err && to.replaced)
		return seen_local_fail(err,
				       "the file was replaced, but may not be on the disk: %s",
				       strerror(-err));
	return err ? seen_local_fail(err, "%s", strerror(-err)) : 0;
}
