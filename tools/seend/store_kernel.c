// SPDX-License-Identifier: GPL-2.0
/* The filters of the kernel. */
#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store_kernel.h"
#include "store_open.h"

static struct kernel_store *store_of(struct store *store)
{
	return (struct kernel_store *)store;
}

int store_said(struct kernel_store *store, const char *name, int err)
{
	if (err)
		snprintf(store->error, sizeof(store->error), "filter %.63s: %.400s", name,
			 seen_error(store->client));
	return err;
}

/* The filter was changed between two requests. */
static int store_moved(struct kernel_store *store)
{
	snprintf(store->error, sizeof(store->error), "filter %.63s: it was changed just now",
		 store->filter);
	return -EAGAIN;
}

void store_name(const struct kernel_store *store, size_t who, char name[SEEN_NAME_ROOM])
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

/* In mode "each", make the filters of publishers that do not exist. */
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

/* Read what the hashes of the filter depend on, and give it a feed. */
static int store_adopt(struct kernel_store *store, struct seen_filter_info *info)
{
	char spec[SEEN_KEY_SPEC_LEN], text[SEEN_KEY_SPEC_LEN + 40];
	int err = seen_filter_secret(store->client, store->filter, store->secret);

	if (!err)
		err = seen_feed_add(store->client, store->filter, NULL);
	if (err == -EEXIST)
		err = 0;
	if (!err)
		err = seen_filter_get(store->client, store->filter, info);
	if (err)
		return store_said(store, store->filter, err);
	if (store->group->deletes && info->config.type == SEEN_TYPE_BLOOM) {
		snprintf(store->error, sizeof(store->error),
			 "filter %.63s: type bloom cannot delete keys; use cuckoo or counting, or deletes = no",
			 store->filter);
		return -EOPNOTSUPP;
	}
	seen_key_spec_format(&info->config.key, spec);
	snprintf(text, sizeof(text), "%s window %" PRIu64, spec, info->config.window);
	store->check = group_check(text, store->secret, sizeof(store->secret));
	return 0;
}

/* Read the own filter. Its secret is read again whenever it has another table. */
static int store_get(struct kernel_store *store, struct seen_filter_info *info)
{
	uint64_t table;
	int err = store_said(store, store->filter,
			     seen_filter_get(store->client, store->filter, info));

	if (err || info->table_id == store->table)
		return err;
	table = info->table_id;
	store->table = 0;
	err = store_adopt(store, info);
	if (err)
		return err;
	if (info->table_id != table)
		return store_moved(store);
	store->table = table;
	return 0;
}

/* A number that differs if a publisher's filter has another table. */
static int store_others(struct kernel_store *store, const struct seen_filter_info *own,
			uint64_t *number)
{
	struct seen_filter_info info;
	char name[SEEN_NAME_ROOM];
	int err;

	for (size_t i = 0; i < store->group->count; i++) {
		if (i == store->group->self || !store->group->peers[i].publishes)
			continue;
		store_name(store, i, name);
		err = seen_filter_get(store->client, name, &info);
		if (err == -ENOENT) {
			err = store_make_others(store, &own->config);
			return err ? err : store_moved(store);
		}
		if (err)
			return store_said(store, name, err);
		*number = *number * 3 + info.table_id;
	}
	return 0;
}

static int kernel_info(struct store *base, size_t who, struct store_info *to)
{
	struct kernel_store *store = store_of(base);
	struct seen_filter_info info;
	uint64_t identity;
	char name[SEEN_NAME_ROOM];
	int err;

	store_name(store, who, name);
	err = who == STORE_OWN ? store_get(store, &info) :
		store_said(store, name, seen_filter_get(store->client, name, &info));
	identity = info.table_id;
	if (!err && who == STORE_OWN && store->group->each)
		err = store_others(store, &info, &identity);
	if (err)
		return err;
	*to = (struct store_info) {
		.identity = identity,
		.check = store->check,
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

static const char *kernel_error(struct store *base)
{
	return store_of(base)->error;
}

static const struct store_ops kernel_ops = {
	.info = kernel_info,
	.take = kernel_take,
	.add = kernel_add,
	.del = kernel_del,
	.save = snapshot_save,
	.load = snapshot_load,
	.merge = snapshot_merge,
	.unload = snapshot_unload,
	.error = kernel_error,
};

static int store_begin(struct kernel_store *store, struct group *group)
{
	struct seen_filter_info info;
	int err = seen_open(&store->client);

	if (err)
		return store_said(store, store->filter, err);
	err = store_get(store, &info);
	if (err)
		return err;
	group->check = store->check;
	return store_make_others(store, &info.config);
}

/* Names that no other group of this host uses, also not that of another seend. */
static void store_names(struct kernel_store *store, const char *filter, const char *folder)
{
	uint8_t hash[crypto_shorthash_BYTES];

	snprintf(store->filter, sizeof(store->filter), "%s", filter);
	snprintf(store->path, sizeof(store->path), "%.3000s/fleet-%.31s", folder,
		 store->group->name);
	crypto_shorthash(hash, (const uint8_t *)store->path, strlen(store->path),
			 (const uint8_t *)"seend temporary");
	snprintf(store->temporary, sizeof(store->temporary), "seend.load.%02x%02x%02x%02x",
		 hash[0], hash[1], hash[2], hash[3]);
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
	store_names(store, filter, folder);
	sodium_mlock(store->secret, sizeof(store->secret));
	if (!store_begin(store, group)) {
		snapshot_clean(store);
		return &store->store;
	}
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
