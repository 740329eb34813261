// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/crc32c.h"
#include "../lib/local_open.h"
#include "../lib/replace.h"
#include "seenctl.h"
#include "state.h"

/* Bytes of the header: text, padded with zeros. The snapshots of the filters follow. */
#define HEAD	4096

/**
 * struct head - contents of the header
 * @key: columns.key
 * @delimiter: columns.delimiter
 * @terminator: byte that ends a line
 * @fpp: scalable.fpp
 * @filters: number of snapshots
 * @filter: for each snapshot: number of keys in the filter, and bytes of the snapshot
 */
struct head {
	uint64_t key;
	int delimiter;
	int terminator;
	uint64_t fpp;
	unsigned int filters;
	struct {
		uint64_t keys;
		uint64_t bytes;
	} filter[SCALABLE_MAX];
};

/* Format the header as text, with its checksum. */
static void head_print(const struct head *head, char *text)
{
	size_t len = snprintf(text, HEAD,
			      "seen dedup state 1\nkey %jx delimiter %d terminator %d fpp %ju filters %u\n",
			      (uintmax_t)head->key, head->delimiter,
			      head->terminator, (uintmax_t)head->fpp,
			      head->filters);

	for (unsigned int i = 0; i < head->filters; i++)
		len += snprintf(text + len, HEAD - len, "keys %ju bytes %ju\n",
				(uintmax_t)head->filter[i].keys,
				(uintmax_t)head->filter[i].bytes);
	snprintf(text + len, HEAD - len, "crc32c %08x\n",
		 seen_crc32c(0, text, len));
}

/* Parse the header. It is valid only if formatting the result gives the same bytes. */
static bool head_parse(struct head *head, const char *text)
{
	uintmax_t key, fpp, keys, bytes;
	char again[HEAD] = "";
	int at = 0;

	if (sscanf(text,
		   "seen dedup state 1 key %jx delimiter %d terminator %d fpp %ju filters %u%n",
		   &key, &head->delimiter, &head->terminator, &fpp,
		   &head->filters, &at) != 5 ||
	    !head->filters || head->filters > SCALABLE_MAX)
		return false;
	head->key = key;
	head->fpp = fpp;
	for (unsigned int i = 0; i < head->filters; i++) {
		int used = 0;

		if (sscanf(text + at, " keys %ju bytes %ju%n", &keys, &bytes,
			   &used) != 2)
			return false;
		head->filter[i].keys = keys;
		head->filter[i].bytes = bytes;
		at += used;
	}
	head_print(head, again);
	return !memcmp(text, again, HEAD);
}

static int bad_file(const struct state *state, const char *why)
{
	return refused("--state: %s: damaged: %s; delete the file to start with an empty state",
		       state->path, why);
}

/* Is the sum of the sizes the size of the file? */
static bool sizes_fit(const struct head *head, uint64_t bytes)
{
	uint64_t left = bytes - HEAD;

	for (unsigned int i = 0; i < head->filters; i++) {
		if (head->filter[i].bytes > left)
			return false;
		left -= head->filter[i].bytes;
	}
	return !left;
}

static int differs(const struct state *state, const char *word, const char *what)
{
	return usage("%s: %s was made with another %s", word, state->path, what);
}

/* Refuse a state with another key, because all lines would be new, or with another rate. */
static int compare(const struct state *state, const struct scalable *scalable,
		   const struct head *head)
{
	if (head->key != state->columns->key)
		return differs(state, "--key", "key");
	if (head->delimiter != state->columns->delimiter)
		return differs(state, "--delimiter", "delimiter");
	if (head->terminator != (unsigned char)state->terminator)
		return differs(state, "-0", "end of lines");
	if (head->fpp != scalable->fpp)
		return usage("--fpp: %s was made with %g, this run has %g",
			     state->path, real_rate(head->fpp),
			     real_rate(scalable->fpp));
	return DONE;
}

static int load_filter(const struct state *state, struct scalable *scalable,
		       const uint8_t *file, uint64_t bytes, uint64_t keys)
{
	struct seen_local *local;
	int err;

	if ((size_t)bytes != bytes)
		return bad_file(state, "too large");
	err = seen_local_parse(&local, file, bytes);
	if (err == -ENOMEM)
		return refused("--state: %s: %s", state->path,
			       seen_local_error());
	if (err)
		return bad_file(state, seen_local_error());
	if (scalable_adopt(scalable, local, keys))
		return DONE;
	seen_local_close(local);
	return bad_file(state, "not a filter of dedup");
}

static int check_scalable(const struct state *state,
			  const struct scalable *scalable, uint64_t capacity)
{
	uint64_t first = scalable->part[0].sizing.capacity;
	char what[PATH_MAX + 32];

	if (capacity && capacity != first)
		return usage("--capacity: %s was made with %ju", state->path,
			     first);
	if (scalable->bytes <= scalable->memory)
		return DONE;
	snprintf(what, sizeof(what), "the filters of %s need", state->path);
	return scalable_refuse(scalable, what, scalable->bytes);
}

static int load_filters(struct state *state, struct scalable *scalable,
			const uint8_t *file, const struct head *head)
{
	uint64_t at = HEAD, capacity = scalable->capacity;
	int status = DONE;

	for (unsigned int i = 0; i < head->filters && !status; i++) {
		status = load_filter(state, scalable, file + at,
				     head->filter[i].bytes,
				     head->filter[i].keys);
		at += head->filter[i].bytes;
	}
	return status ? status : check_scalable(state, scalable, capacity);
}

static int load_mapped(struct state *state, struct scalable *scalable,
		       const uint8_t *file, uint64_t bytes)
{
	char text[HEAD + 1];
	struct head head;
	int status;

	memcpy(text, file, HEAD);
	text[HEAD] = '\0';
	if (!head_parse(&head, text))
		return bad_file(state, "invalid header");
	if (!sizes_fit(&head, bytes))
		return bad_file(state, "wrong length");
	status = compare(state, scalable, &head);
	return status ? status : load_filters(state, scalable, file, &head);
}

static int load(struct state *state, struct scalable *scalable)
{
	struct stat stat_of;
	void *file;
	int status;

	if (fstat(state->fd, &stat_of))
		return refused("--state: %s: %s", state->path, strerror(errno));
	if (!S_ISREG(stat_of.st_mode))
		return usage("--state: %s is not a regular file", state->path);
	if (stat_of.st_size < HEAD)
		return bad_file(state, "wrong length");
	file = mmap(NULL, stat_of.st_size, PROT_READ, MAP_PRIVATE, state->fd, 0);
	if (file == MAP_FAILED)
		return refused("--state: %s: %s", state->path, strerror(errno));
	status = load_mapped(state, scalable, file, stat_of.st_size);
	munmap(file, stat_of.st_size);
	return status;
}

int state_open(struct state *state, struct scalable *scalable)
{
	int status;

	state->fd = -1;
	state->lock[0] = '\0';
	if (!state->path)
		return DONE;
	status = state_lock(state);
	if (!status && !*state->lock)
		status = load(state, scalable);
	state->lost = scalable_lost(scalable);
	return status;
}

static int append_filters(const struct scalable *scalable, int fd, struct head *head)
{
	off_t base = HEAD, end;

	for (unsigned int i = 0; i < scalable->parts; i++) {
		int err = seen_local_append(scalable->part[i].local, fd, base);

		end = lseek(fd, 0, SEEK_END);
		if (err || end < 0)
			return err ? err : -errno;
		head->filter[i].keys = scalable->part[i].keys;
		head->filter[i].bytes = end - base;
		base = end;
	}
	return 0;
}

static int write_state(const struct state *state,
		       const struct scalable *scalable, int fd)
{
	char text[HEAD] = "";
	struct head head = {
		.key = state->columns->key,
		.delimiter = state->columns->delimiter,
		.terminator = (unsigned char)state->terminator,
		.fpp = scalable->fpp,
		.filters = scalable->parts,
	};
	ssize_t done;
	int err = append_filters(scalable, fd, &head);

	if (err)
		return err;
	head_print(&head, text);
	done = pwrite(fd, text, HEAD, 0);
	if (done < 0)
		return -errno;
	return done == HEAD ? 0 : -EIO;
}

int state_save(struct state *state, const struct scalable *scalable)
{
	unsigned int flags = SEEN_REPLACE_SECRET;
	struct seen_replace to;
	int err;

	if (!state->path)
		return DONE;
	if (*state->lock)
		flags |= SEEN_REPLACE_NEW;
	err = seen_replace_begin(&to, state->path, flags);
	if (!err)
		err = seen_replace_end(&to,
				       write_state(state, scalable, to.fd));
	if (err == -EEXIST)
		return refused("--state: %s: another run created it, without the lines of this run",
			       state->path);
	if (err)
		return refused("--state: %s: %s; the file is unchanged, so these lines pass again",
			       state->path, strerror(-err));
	return DONE;
}
