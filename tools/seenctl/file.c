// SPDX-License-Identifier: GPL-2.0
/*
 * Filters as files. A writer locks the file and replaces it as a whole, so that no writer
 * undoes the changes of another writer.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/sizing.h"
#include "file.h"

int file_failed(int status)
{
	return status == REFUSED ? FAILED : status;
}

static int no_file(const char *path, int err)
{
	return file_failed(refused("%s: %s", path, strerror(err)));
}

/* Does @path still name the file that was locked, or was the file replaced meanwhile? */
static bool is_current(int fd, const char *path)
{
	struct stat locked, named;

	return !fstat(fd, &locked) && !stat(path, &named) &&
	       locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

/*
 * Lock the file. Resolve symbolic links first, so that the locked file is the file that
 * will be replaced, even if a link changes meanwhile.
 */
static int lock(struct file *file)
{
	if (!realpath(file->path, file->real))
		return no_file(file->path, errno);
	for (;;) {
		file->fd = open(file->real, O_RDONLY | O_CLOEXEC);
		if (file->fd < 0)
			return no_file(file->path, errno);
		if (flock(file->fd, LOCK_EX))
			return no_file(file->path, errno);
		if (is_current(file->fd, file->real))
			return DONE;
		close(file->fd);
	}
}

static int read_path(struct args *args, const char **path)
{
	*path = args_next(args);
	if (!*path)
		return usage("FILE: required");
	if (!strcmp(*path, "-"))
		return usage("-: must be a file, not a stream");
	return DONE;
}

static int open_path(struct file *file, bool change)
{
	int status = change ? lock(file) : DONE;

	if (!status && seen_local_open(&file->local,
				       change ? file->real : file->path, NULL))
		status = file_failed(refused("%s: %s", file->path, seen_local_error()));
	if (status)
		file_close(file);
	return status;
}

int file_open(struct file *file, struct args *args, bool change)
{
	int status;

	*file = (struct file) { .fd = -1 };
	status = read_path(args, &file->path);
	return status ? status : open_path(file, change);
}

/* No key can be tested without the secret, so save it; then only the owner may read the file. */
int file_save(const struct file *file)
{
	if (!seen_local_save(file->local, file->real, SEEN_LOCAL_WITH_SECRET))
		return DONE;
	return file_failed(refused("%s: %s", file->path, seen_local_error()));
}

void file_close(struct file *file)
{
	seen_local_close(file->local);
	file->local = NULL;
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

/* Name the filter after its file. Replace the characters that the kernel does not allow. */
static void name_after(struct seen_filter_config *config, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *c;

	snprintf(config->name, SEEN_NAME_MAX, "%s", slash ? slash + 1 : path);
	for (c = config->name; *c; c++)
		if (*c <= ' ' || *c >= 0x7f)
			*c = '_';
}

static int create(struct args *args)
{
	struct seen_filter_config config = {};
	struct seen_sizing chosen = {};
	struct file file = { .fd = -1 };
	int status = read_path(args, &file.path);

	if (!status)
		status = filter_read(args, &config, &chosen);
	if (status)
		return status;
	name_after(&config, file.path);
	if (seen_local_create(&file.local, &config))
		return usage("%s", seen_local_error());
	if (seen_local_save(file.local, file.path,
			    SEEN_LOCAL_WITH_SECRET | SEEN_LOCAL_NEW))
		status = file_failed(refused("%s: %s", file.path, seen_local_error()));
	else
		filter_tell_choice(&chosen);
	file_close(&file);
	return status;
}

static int show(struct args *args)
{
	struct seen_filter_info info;
	struct file file;
	int status = file_open(&file, args, false);

	if (!status)
		status = args_end(args);
	if (!status) {
		seen_local_info(file.local, &info);
		filter_tell(&info);
	}
	file_close(&file);
	return status;
}

static int merge(struct args *args)
{
	struct seen_filter_info info;
	struct file file, from = { .fd = -1 };
	bool force = false;
	const struct param params[] = { { "--force", NULL, &force } };
	int status = file_open(&file, args, true);

	if (!status)
		status = file_open(&from, args, false);
	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status && seen_local_merge(file.local, from.local, force))
		status = file_failed(refused("%s: %s", from.path, seen_local_error()));
	if (!status)
		status = file_save(&file);
	if (!status) {
		seen_local_info(file.local, &info);
		filter_tell(&info);
	}
	file_close(&from);
	file_close(&file);
	return status;
}

static int fold(struct args *args)
{
	struct seen_filter_info info;
	uint64_t capacity = 0;
	const struct param params[] = {
		{ "capacity", read_count, &capacity, .checked = true },
	};
	struct file file;
	int status = file_open(&file, args, true);

	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status && seen_local_fold(file.local, capacity))
		status = file_failed(refused("%s: %s", file.path, seen_local_error()));
	if (!status)
		status = file_save(&file);
	if (!status) {
		seen_local_info(file.local, &info);
		filter_tell(&info);
	}
	file_close(&file);
	return status;
}

static const struct command commands[] = {
	{ "create", create, "FILE PARAMETERS, as of filter add" },
	{ "add", file_add, "FILE [--copies] { KEY [value V]... | [--strict] [--csv COLUMN] - }" },
	{ "test", file_test,
	  "FILE [-v] [--allow FILE] [--allow-list LIST] { KEY... | [--csv COLUMN] - }",
	  .list = true },
	{ "del", file_del, "FILE { KEY... | [--strict] [--csv COLUMN] - }" },
	{ "show", show, "FILE", .list = true, .one = true },
	{ "merge", merge, "FILE OTHER [--force]", .list = true },
	{ "fold", fold, "FILE [capacity N]", .list = true, .one = true },
};

const struct object file_object = {
	.name = "file",
	.summary = "filters as files, without a kernel",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  -       reads a list from standard input, one key per line: addresses with\n"
	"          comments (# or ;), lines of a hosts file, ranges FIRST-LAST, prefixes;\n"
	"          in a map the last word is the value. A bad line is reported and\n"
	"          skipped, and the exit status is 2\n"
	"  --strict      checks all lines first, and does nothing if a line is bad\n"
	"  --csv COLUMN  lines are CSV; the key is a column, by name or number, or\n"
	"                several columns (dst_ip,dst_port)\n"
	"  --copies      stores a further copy of a key that exists. Without --copies,\n"
	"                bloom, cuckoo, map and bitmap store only keys that do not exist\n"
	"  --            ends the options: the next words are keys, even if they begin\n"
	"                with -\n"
	"  test    prints the keys that are seen, with -v the keys that are not seen. The\n"
	"          exit status is 0 if all keys are seen, 1 if not, 2 after a usage\n"
	"          error, and 3 if the file is damaged or missing. A line that cannot be\n"
	"          a key is not seen\n"
	"  --allow FILE       keys that the filter in FILE has seen count as not seen\n"
	"  --allow-list LIST  the keys in the text file LIST count as not seen, without\n"
	"                     false positives; with key src/*, so do the keys in its\n"
	"                     prefixes. LIST cannot be standard input\n"
	"  merge   adds the keys of a file with the same parameters and seed\n"
	"  --force merges even beyond the capacity; then the promised rate does not hold\n"
	"  fold    makes a bloom filter as small as its keys, or N keys, allow. Without N\n"
	"          the filter is full then, and further keys raise its rate\n"
	"\n"
	"A file contains the secret of its hash. Without the secret no key can be tested,\n"
	"so only its owner may read the file. Files can be merged if they were created\n"
	"with the same seed.\n",
};
