// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "local.h"
#include "local_set.h"
#include "set.h"

#include "filter_store.h"
#include "load.h"

static const uint8_t secret[SEEN_SECRET_LEN] = { 1, 2, 3 };

/**
 * struct filter_store - see above
 * @filter: see there
 * @path: of the file for snapshots
 */
struct filter_store {
	struct store store;
	struct seen_local *filter;
	struct seen_local *loaded;
	char path[PATH_MAX];
};

static struct filter_store *store_of(struct store *store)
{
	return (struct filter_store *)store;
}

static int filter_info(struct store *base, size_t who, struct store_info *to)
{
	struct seen_filter_info info;

	(void)who;
	seen_local_info(store_of(base)->filter, &info);
	*to = (struct store_info) {
		.identity = 1,
		.check = LOAD_CHECK,
		.capacity = info.config.capacity,
		.entries = info.entries,
		.bytes = info.bytes,
	};
	snprintf(to->geometry, sizeof(to->geometry), "cuckoo bits %u blocks %llu",
		 info.config.fp_bits, (unsigned long long)info.blocks);
	return 0;
}

/* No packet adds a key here. */
static int filter_take(struct store *base, uint64_t done, struct seen_feed_record *keys,
		       size_t *count, uint64_t *number, uint64_t *lost)
{
	(void)base;
	(void)keys;
	*count = 0;
	*number = done;
	*lost = 0;
	return 0;
}

static uint8_t filter_result(enum seen_result result)
{
	switch (result) {
	case SEEN_NEW:
		return SEEN_HASH_NEW;
	case SEEN_SEEN:
		return SEEN_HASH_SEEN;
	default:
		return SEEN_HASH_FULL;
	}
}

static int filter_add(struct store *base, size_t who, const struct seen_feed_record *keys,
		      size_t count, const uint64_t *age, uint8_t *results)
{
	struct seen_set *set = &store_of(base)->filter->set;

	(void)who;
	(void)age;
	for (size_t i = 0; i < count; i++)
		results[i] = filter_result(seen_set_test_and_add(set, keys[i].hash));
	return 0;
}

static int filter_del(struct store *base, size_t who, const struct seen_feed_record *keys,
		      size_t count, uint8_t *results)
{
	struct seen_set *set = &store_of(base)->filter->set;

	(void)who;
	for (size_t i = 0; i < count; i++)
		results[i] = seen_set_del(set, keys[i].hash) == SEEN_SEEN ? SEEN_HASH_REMOVED :
			SEEN_HASH_ABSENT;
	return 0;
}

static int filter_save(struct store *base, size_t who, uint64_t now, uint8_t **bytes, size_t *len)
{
	struct filter_store *store = store_of(base);
	int err = seen_local_save(store->filter, store->path, 0), fd;
	struct stat file;

	(void)who;
	(void)now;
	if (err)
		return err;
	fd = open(store->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &file))
		return -errno;
	*len = file.st_size;
	*bytes = malloc(*len + 1);
	err = *bytes && read(fd, *bytes, *len) == file.st_size ? 0 : -EIO;
	close(fd);
	return err;
}

static int filter_load(struct store *base, size_t who, uint64_t now, uint8_t *bytes, size_t len,
		       uint64_t *entries)
{
	struct filter_store *store = store_of(base);
	struct seen_filter_info info;
	int err, fd = open(store->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	(void)who;
	(void)now;
	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		return -errno;
	close(fd);
	err = seen_local_open(&store->loaded, store->path, secret);
	if (err)
		return err;
	seen_local_info(store->loaded, &info);
	*entries = info.entries;
	return 0;
}

static int filter_merge(struct store *base, size_t who)
{
	(void)who;
	return seen_local_merge(store_of(base)->filter, store_of(base)->loaded, true);
}

static void filter_unload(struct store *base)
{
	struct filter_store *store = store_of(base);

	if (store->loaded)
		seen_local_close(store->loaded);
	store->loaded = NULL;
}

static const char *filter_error(struct store *base)
{
	(void)base;
	return seen_local_error();
}

static const struct store_ops filter_ops = {
	.info = filter_info,
	.take = filter_take,
	.add = filter_add,
	.del = filter_del,
	.save = filter_save,
	.load = filter_load,
	.merge = filter_merge,
	.unload = filter_unload,
	.error = filter_error,
};

struct store *filter_store_open(uint64_t capacity, unsigned int bits, const char *folder)
{
	struct filter_store *store = calloc(1, sizeof(*store));
	struct seen_filter_config config = {
		.name = "load", .type = SEEN_TYPE_CUCKOO, .capacity = capacity, .fp_bits = bits,
		.has_secret = true,
	};
	char error[SEEN_KEY_ERROR_LEN];

	memcpy(config.secret, secret, sizeof(secret));
	if (!store || seen_key_spec_parse(&config.key, "src", error) ||
	    seen_local_create(&store->filter, &config)) {
		free(store);
		return NULL;
	}
	store->store.ops = &filter_ops;
	snprintf(store->path, sizeof(store->path), "%s/snapshot-%p", folder, (void *)store);
	return &store->store;
}

void filter_store_close(struct store *base)
{
	struct filter_store *store = store_of(base);

	seen_local_close(store->filter);
	unlink(store->path);
	free(store);
}

bool filter_store_has(struct store *base, uint64_t hash)
{
	return seen_set_test(&store_of(base)->filter->set, hash) == SEEN_SEEN;
}

double filter_store_rate(struct store *base)
{
	struct seen_filter_info info;

	seen_local_info(store_of(base)->filter, &info);
	return (double)info.config.fpp / SEEN_FPP_ONE;
}
