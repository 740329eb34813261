// SPDX-License-Identifier: GPL-2.0
/* The kernel's filters to and from snapshot files. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "client.h"
#include "local.h"
#include "snapshot_file.h"

/* It is kept small: most filters are far from full. */
int seen_filter_export(struct seen_client *client, const char *name,
		       const char *path, bool with_secret)
{
	unsigned int flags = SEEN_LOCAL_COMPRESS;
	struct seen_table table;
	int err = seen_table_get(client, name, with_secret, &table);

	if (err)
		return err;
	if (with_secret)
		flags |= SEEN_LOCAL_WITH_SECRET;
	err = seen_snapshot_write(&table, path, flags);
	seen_table_free(&table);
	return err ? seen_fail(client, err, seen_local_error()) : 0;
}

int seen_filter_import(struct seen_client *client, const char *name,
		       const char *path, const uint8_t *secret, bool replace)
{
	struct seen_filter_config *config;
	struct seen_table table;
	int err = seen_snapshot_read(&table, path);

	if (err)
		return seen_fail(client, err, seen_local_error());
	config = &table.info.config;
	snprintf(config->name, sizeof(config->name), "%s", name);
	if (secret) {
		config->has_secret = true;
		memcpy(config->secret, secret, SEEN_SECRET_LEN);
	}
	err = seen_table_put(client, &table, replace);
	seen_table_free(&table);
	return err;
}
