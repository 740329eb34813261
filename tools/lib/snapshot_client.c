// SPDX-License-Identifier: GPL-2.0
/* Export and import of the kernel's filters as snapshot files. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "local.h"
#include "snapshot_client.h"
#include "snapshot_in.h"
#include "snapshot_out.h"

/* The file is compressed, because most filters are far from full. */
int seen_filter_export(struct seen_client *client, const char *name,
		       const char *path, bool with_secret)
{
	int err = seen_check_name(client, SEEN_CMD_FILTER_EXPORT, SEEN_A_FILTER_NAME, name);
	unsigned int flags = SEEN_LOCAL_COMPRESS;
	struct seen_snapshot_out out;
	int failed;

	if (err)
		return err;
	if (with_secret)
		flags |= SEEN_LOCAL_WITH_SECRET;
	err = seen_snapshot_out_open(&out, path, flags);
	if (err) {
		seen_snapshot_out_close(&out, err);
		return seen_fail_file(client, err, out.name);
	}
	err = seen_table_get(client, name, with_secret, &out);
	failed = seen_snapshot_out_close(&out, err);
	return err || !failed ? err : seen_fail_file(client, failed, out.name);
}

/* Use the given secret, else that of the file, else that of the filter to be replaced. */
static int choose_secret(struct seen_client *client,
			 struct seen_filter_config *config,
			 const uint8_t *secret, bool replace)
{
	int err = replace ? 0 : -ENOENT;

	if (secret)
		memcpy(config->secret, secret, SEEN_SECRET_LEN);
	else if (config->has_secret)
		return 0;
	else if (!err)
		err = seen_filter_secret(client, config->name, config->secret);
	config->has_secret = secret || !err;
	if (config->has_secret)
		return 0;
	return err == -ENOENT ?
	       seen_fail(client, -ENOKEY,
			 "secret: not in the file; give the seed of its filter") : err;
}

int seen_filter_import(struct seen_client *client, const char *name,
		       const char *path, const uint8_t *secret, bool replace)
{
	struct seen_filter_config *config;
	struct seen_snapshot_in in;
	struct seen_table table;
	int err = seen_check_name(client, SEEN_CMD_FILTER_IMPORT, SEEN_A_FILTER_NAME, name);

	if (err)
		return err;
	err = seen_snapshot_in_open(&in, path, &table);
	if (err) {
		seen_fail_file(client, err, in.name);
	} else {
		config = &table.info.config;
		snprintf(config->name, sizeof(config->name), "%s", name);
		err = choose_secret(client, config, secret, replace);
		if (!err)
			err = seen_table_put(client, &table, &in, replace);
	}
	seen_table_free(&table);
	seen_snapshot_in_close(&in);
	return err;
}

int seen_filter_copy(struct seen_client *client, const char *name,
		     struct seen_local **local)
{
	struct seen_snapshot_out out;
	char path[32];
	int err = seen_check_name(client, SEEN_CMD_FILTER_EXPORT, SEEN_A_FILTER_NAME, name);

	if (err)
		return err;
	err = seen_snapshot_out_memory(&out);
	if (err)
		return seen_fail_file(client, err, NULL);
	err = seen_table_get(client, name, true, &out);
	if (!err) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", out.fd);
		err = seen_local_open(local, path, NULL);
		if (err)
			seen_fail_file(client, err, NULL);
	}
	close(out.fd);
	return err;
}
