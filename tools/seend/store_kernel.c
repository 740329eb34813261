// SPDX-License-Identifier: GPL-2.0
/* The filters of the kernel. Snapshots pass through a file, because the kernel's are large. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/libseen.h"
#include "snapshot_time.h"
#include "store_open.h"

#define ERROR_ROOM	512

/**
 * struct kernel_store - the filter of a group, and in mode "each" those of its publishers
 * @client: connection to the kernel
 * @group: names the publishers
 * @filter: name of the own filter
 * @folder: for files of snapshots
 * @secret: of the filter's hash
 * @boot: id of the running kernel, as number
 * @error: see store_ops.error
 */
struct kernel_store {
	struct store store;
	struct seen_client *client;
	const struct group *group;
	char filter[SEEN_NAME_ROOM];
	char folder[PATH_MAX / 2];
	uint8_t secret[SEEN_SECRET_LEN];
	uint64_t boot;
	char error[ERROR_ROOM];
};

static struct kernel_store *store_of(struct store *store)
{
	return (struct kernel_store *)store;
}

static int store_said(struct kernel_store *store, const char *name, int err)
{
	if (err)
		snprintf(store->error, sizeof(store->error), "filter %.63s: %.400s", name,
			 seen_error(store->client));
	return err;
}

static void store_name(const struct kernel_store *store, size_t who, char name[SEEN_NAME_ROOM])
{
	if (who == STORE_OWN)
		snprintf(name, SEEN_NAME_ROOM, "%s", store->filter);
	else
		/* A longer name is refused by the kernel. */
		snprintf(name, SEEN_NAME_ROOM, "%.31s.%.31s", store->filter,
			 store->group->peers[who].name);
}

static void store_geometry(const struct seen_filter_info *info, char text[GEOMETRY_ROOM])
{
	const struct seen_filter_config *config = &info->config;
	char spec[SEEN_KEY_SPEC_LEN];

	seen_key_spec_format(&config->key, spec);
	snprintf(text, GEOMETRY_ROOM, "%s layout %u bits %u blocks %" PRIu64 " fold %u window %"
		 PRIu64 " key %.100s", seen_word(&seen_types, config->type), config->layout,
		 config->fp_bits, info->blocks, info->fold, config->window, spec);
}

static int kernel_info(struct store *base, size_t who, struct store_info *to)
{
	struct kernel_store *store = store_of(base);
	struct seen_filter_info info;
	char name[SEEN_NAME_ROOM];
	int err;

	store_name(store, who, name);
	err = store_said(store, name, seen_filter_get(store->client, name, &info));
	if (err)
		return err;
	*to = (struct store_info) {
		.identity = store->boot ^ info.id,
		.capacity = info.config.capacity,
		.entries = info.entries,
		.window = info.config.window,
		.bytes = info.bytes,
	};
	store_geometry(&info, to->geometry);
	return 0;
}

static int kernel_take(struct store *base, uint64_t done, struct seen_feed_record *keys,
		       size_t *count, uint64_t *number, uint64_t *lost)
{
	struct kernel_store *store = store_of(base);
	struct seen_feed_batch batch;
	int err = store_said(store, store->filter,
			     seen_feed_take(store->client, store->filter, done, &batch));

	if (err)
		return err;
	/* The kernel's batches are smaller; a rest would be taken again. */
	*count = batch.count < *count ? batch.count : *count;
	if (*count)
		memcpy(keys, batch.records, *count * sizeof(*keys));
	*number = *count == batch.count ? batch.number : 0;
	*lost = batch.lost;
	seen_feed_batch_free(&batch);
	return 0;
}

static int kernel_add(struct store *base, size_t who, const struct seen_feed_record *keys,
		      size_t count, const uint64_t *age, uint8_t *results)
{
	struct kernel_store *store = store_of(base);
	char name[SEEN_NAME_ROOM];

	store_name(store, who, name);
	return store_said(store, name,
			  seen_hash_add(store->client, name, keys, count, age, results));
}

static int kernel_del(struct store *base, size_t who, const struct seen_feed_record *keys,
		      size_t count, uint8_t *results)
{
	struct kernel_store *store = store_of(base);
	char name[SEEN_NAME_ROOM];

	store_name(store, who, name);
	return store_said(store, name,
			  seen_hash_del(store->client, name, keys, count, results));
}

static int store_file_failed(struct kernel_store *store, const char *path)
{
	int err = errno;

	snprintf(store->error, sizeof(store->error), "%.300s: %.100s", path, strerror(err));
	return -err;
}

/* Read a whole file. */
static int store_read(struct kernel_store *store, const char *path, uint8_t **bytes, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	struct stat file;

	*bytes = NULL;
	if (fd < 0 || fstat(fd, &file))
		err = store_file_failed(store, path);
	if (!err) {
		*len = file.st_size;
		*bytes = malloc(*len + 1);
		errno = ENOMEM;
		if (!*bytes || read(fd, *bytes, *len) != file.st_size)
			err = store_file_failed(store, path);
	}
	if (fd >= 0)
		close(fd);
	if (err) {
		free(*bytes);
		*bytes = NULL;
	}
	return err;
}

static void store_path(const struct kernel_store *store, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s.snapshot", store->folder, store->filter);
}

static int kernel_save(struct store *base, size_t who, uint64_t now, uint8_t **bytes, size_t *len)
{
	struct kernel_store *store = store_of(base);
	char name[SEEN_NAME_ROOM], path[PATH_MAX];
	int err;

	store_name(store, who, name);
	store_path(store, path);
	err = store_said(store, name, seen_filter_export(store->client, name, path, false));
	if (!err)
		err = store_read(store, path, bytes, len);
	if (!err)
		snapshot_shift(*bytes, *len, snapshot_clock(), now);
	unlink(path);
	return err;
}

static int store_write(struct kernel_store *store, const char *path, const uint8_t *bytes,
		       size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), err = 0;

	if (fd < 0)
		return store_file_failed(store, path);
	while (len && !err) {
		ssize_t part = write(fd, bytes, len);

		if (part < 0 && errno != EINTR)
			err = store_file_failed(store, path);
		if (part > 0) {
			bytes += part;
			len -= part;
		}
	}
	if (close(fd) && !err)
		err = store_file_failed(store, path);
	return err;
}

/* The snapshot becomes a filter of its own, whose keys are then added. */
static int kernel_load(struct store *base, size_t who, uint64_t now, uint8_t *bytes, size_t len)
{
	struct kernel_store *store = store_of(base);
	char name[SEEN_NAME_ROOM], path[PATH_MAX], temporary[] = "seend.load";
	struct seen_filter_info info;
	int err;

	store_name(store, who, name);
	store_path(store, path);
	snapshot_shift(bytes, len, now, snapshot_clock());
	err = store_write(store, path, bytes, len);
	if (!err)
		err = store_said(store, temporary,
				 seen_filter_import(store->client, temporary, path, store->secret,
						    true));
	unlink(path);
	if (err)
		return err;
	err = store_said(store, name,
			 seen_filter_merge(store->client, name, temporary, true, &info));
	seen_filter_del(store->client, temporary, true);
	return err;
}

static const char *kernel_error(struct store *base)
{
	return store_of(base)->error;
}

static const struct store_ops kernel_ops = {
	.info = kernel_info,
	.take = kernel_take,
	.add = kernel_add,
	.del = kernel_del,
	.save = kernel_save,
	.load = kernel_load,
	.error = kernel_error,
};

static uint64_t store_boot(void)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	char id[64] = "";
	uint64_t number;

	if (file) {
		if (!fgets(id, sizeof(id), file))
			*id = '\0';
		fclose(file);
	}
	crypto_shorthash((uint8_t *)&number, (const uint8_t *)id, strlen(id),
			 (const uint8_t *)"seend boot id  ");
	return number;
}

/* In mode "each", make the filters of publishers that do not exist yet. */
static int store_make_others(struct kernel_store *store, const struct seen_filter_config *own)
{
	struct seen_filter_config config = *own;
	int err;

	for (size_t i = 0; store->group->each && i < store->group->count; i++) {
		if (i == store->group->self || !store->group->peers[i].publishes)
			continue;
		store_name(store, i, config.name);
		config.has_secret = true;
		memcpy(config.secret, store->secret, sizeof(config.secret));
		err = seen_filter_add(store->client, &config);
		if (err && err != -EEXIST)
			return store_said(store, config.name, err);
	}
	return 0;
}

/* Connect, give the filter a feed, and read what its hashes depend on. */
static int store_begin(struct kernel_store *store, struct group *group)
{
	char spec[SEEN_KEY_SPEC_LEN];
	struct seen_filter_info info;
	int err = seen_open(&store->client);

	if (!err)
		err = seen_filter_secret(store->client, store->filter, store->secret);
	if (!err)
		err = seen_filter_get(store->client, store->filter, &info);
	if (!err)
		err = seen_feed_add(store->client, store->filter, NULL);
	if (err && err != -EEXIST)
		return store_said(store, store->filter, err);
	seen_key_spec_format(&info.config.key, spec);
	group_check(group, spec, store->secret, sizeof(store->secret));
	return store_make_others(store, &info.config);
}

struct store *store_open(struct group *group, const char *filter, const char *folder, char *error)
{
	struct kernel_store *store = calloc(1, sizeof(*store));

	if (!store) {
		snprintf(error, STORE_ERROR, "no memory");
		return NULL;
	}
	store->store.ops = &kernel_ops;
	store->group = group;
	store->boot = store_boot();
	snprintf(store->filter, sizeof(store->filter), "%s", filter);
	snprintf(store->folder, sizeof(store->folder), "%s", folder);
	sodium_mlock(store->secret, sizeof(store->secret));
	if (!store_begin(store, group))
		return &store->store;
	snprintf(error, STORE_ERROR, "%s", store->error);
	store_close(&store->store);
	return NULL;
}

void store_close(struct store *base)
{
	struct kernel_store *store = store_of(base);

	if (!store)
		return;
	seen_close(store->client);
	sodium_munlock(store->secret, sizeof(store->secret));
	free(store);
}
