// SPDX-License-Identifier: GPL-2.0
/* Export, import, merge and fold filters. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loss.h"
#include "seenctl.h"

static int read_path(struct args *args, const char **path)
{
	*path = args_next(args);
	return *path ? DONE : usage("FILE: required, or - for a stream");
}

int filter_export(struct args *args)
{
	char name[SEEN_NAME_MAX];
	bool with_secret = false;
	const struct param params[] = {
		{ "--with-secret", NULL, &with_secret },
	};
	const char *path;
	int status = args_name(args, "name", name);

	if (!status)
		status = read_path(args, &path);
	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status && !strcmp(path, "-") &&
	    (ctl.json || isatty(STDOUT_FILENO)))
		return usage("a snapshot cannot be written to %s; name a file",
			     ctl.json ? "JSON" : "a terminal");
	if (!status)
		status = connect_kernel();
	return status ? status :
			from_kernel(seen_filter_export(ctl.client, name, path,
						       with_secret));
}

int filter_import(struct args *args)
{
	uint8_t secret[SEEN_SECRET_LEN];
	char name[SEEN_NAME_MAX];
	bool replace = false;
	const struct param params[] = {
		{ "seed", read_secret, secret },
		{ "--replace", NULL, &replace },
	};
	const char *path;
	uint64_t given;
	int status = args_name(args, "name", name);

	if (!status)
		status = read_path(args, &path);
	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), &given);
	if (!status)
		status = connect_kernel();
	if (!status && !restore_keeps_filter(name))
		status = loss_import(name, path, given & 1 ? secret : NULL, replace);
	explicit_bzero(secret, sizeof(secret));
	return status;
}

/* @before: number of keys before the merge */
static void tell_merged(const struct seen_filter_info *info, uint64_t before)
{
	uint64_t now = info->entries;

	if (ctl.json) {
		json_open(NULL, '{');
		json_number("new", now > before ? now - before : 0);
		json_number("entries", now);
		json_number("capacity", info->config.capacity);
		json_float("rate", filter_rate(info));
		json_close();
		return;
	}
	printf("%ju new, entries %ju of %ju, rate %.2g\n",
	       now > before ? now - before : 0, now, info->config.capacity,
	       filter_rate(info));
}

static int merge(const char *name, const char *other, bool force)
{
	struct seen_filter_info before, info;
	int err = seen_filter_get(ctl.client, name, &before);

	if (!err)
		err = seen_filter_merge(ctl.client, name, other, force, &info);
	if (!err)
		tell_merged(&info, before.entries);
	return from_kernel(err);
}

/* Import the file into a temporary filter, and merge from that. */
static int merge_file(const char *name, const char *path, bool force)
{
	uint8_t secret[SEEN_SECRET_LEN];
	char other[SEEN_NAME_MAX];
	int status;

	snprintf(other, sizeof(other), "merge-%d", getpid());
	status = from_kernel(seen_filter_secret(ctl.client, name, secret));
	if (!status)
		status = from_kernel(seen_filter_import(ctl.client, other, path,
							secret, false));
	explicit_bzero(secret, sizeof(secret));
	if (status)
		return status;
	status = merge(name, other, force);
	if (seen_filter_del(ctl.client, other, false) && !status)
		status = from_kernel(-EBUSY);
	return status;
}

int filter_merge(struct args *args)
{
	char name[SEEN_NAME_MAX], other[SEEN_NAME_MAX];
	const char *path = NULL;
	bool force = false;
	const struct param params[] = { { "--force", NULL, &force } };
	int status = args_name(args, "name", name);

	if (!status && args->argc && !strcmp(*args->argv, "--file")) {
		args_next(args);
		status = read_path(args, &path);
	} else if (!status) {
		status = args_name(args, "other", other);
	}
	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status)
		status = connect_kernel();
	if (status)
		return status;
	return path ? merge_file(name, path, force) : merge(name, other, force);
}

static void tell_folded(const struct seen_filter_info *info, uint64_t before)
{
	char from[TEXT_LEN], to[TEXT_LEN];

	if (ctl.json) {
		json_open(NULL, '{');
		json_number("bytes-before", before);
		json_number("bytes", info->bytes);
		json_number("entries", info->entries);
		json_number("capacity", info->config.capacity);
		json_close();
		return;
	}
	printf("%s, was %s; entries %ju of %ju\n", text_bytes(to, info->bytes),
	       text_bytes(from, before), info->entries, info->config.capacity);
}

int filter_fold(struct args *args)
{
	char name[SEEN_NAME_MAX];
	uint64_t capacity = 0;
	const struct param params[] = {
		{ "capacity", read_count, &capacity, .checked = true },
	};
	struct seen_filter_info before, info;
	int status = args_name(args, "name", name), err;

	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status)
		status = connect_kernel();
	if (status)
		return status;
	err = seen_filter_get(ctl.client, name, &before);
	if (!err)
		err = seen_filter_fold(ctl.client, name, capacity, &info);
	if (!err)
		tell_folded(&info, before.bytes);
	return from_kernel(err);
}
