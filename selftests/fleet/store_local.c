// SPDX-License-Identifier: GPL-2.0
/*
 * The filters of a test's daemon: libseen's local sets. Like the kernel's they outlive the daemon:
 * each change is in a mapped file, from which the set is made again. A test talks to the store by
 * datagrams with lines "add HASH", "del HASH", "test HASH SET", "absent", "count". Only the last
 * line is answered; the answer to "absent" is the number of keys of this datagram that are not
 * seen.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "local.h"
#include "local_set.h"
#include "set.h"

#include "../../tools/seend/snapshot_time.h"
#include "../../tools/seend/store_open.h"

#define CAPACITY	100000
#define EVENTS		0x40000
#define SETS_MAX	16

/* struct disk_event - a key that was added to a set or deleted; @who: its number */
struct disk_event {
	uint64_t hash;
	uint32_t who;
	uint32_t deleted;
};

/**
 * struct disk - the mapped file
 * @identity: of the filter
 * @events: elements of @event
 * @fed: elements of @feed
 * @done: elements of @feed that were released
 */
struct disk {
	uint64_t identity;
	uint64_t events;
	uint64_t fed;
	uint64_t done;
	struct disk_event event[EVENTS];
	struct disk_event feed[EVENTS];
};

struct local_store {
	struct store store;
	struct seen_local *set[SETS_MAX];
	struct seen_local *loaded;
	struct disk *disk;
	int control;
	unsigned int absent;
	uint64_t check;
	char folder[512];
	char name[64];
};

static struct local_store *store_of(struct store *store)
{
	return (struct local_store *)store;
}

static struct seen_local *set_of(struct local_store *store, size_t who)
{
	return store->set[who == STORE_OWN ? 0 : 1 + who];
}

/* Change a set, and note it; returns enum seen_hash_result. */
static uint8_t change(struct local_store *store, size_t who, uint64_t hash, bool deleted)
{
	struct seen_set *set = &set_of(store, who)->set;
	struct disk *disk = store->disk;
	enum seen_result result = deleted ? seen_set_del(set, hash) :
		seen_set_test_and_add(set, hash);

	if (result != (deleted ? SEEN_SEEN : SEEN_NEW)) {
		if (deleted)
			return SEEN_HASH_ABSENT;
		return result == SEEN_FULL ? SEEN_HASH_FULL : SEEN_HASH_SEEN;
	}
	if (disk->events == EVENTS)
		abort();
	disk->event[disk->events] = (struct disk_event) {
		hash, who == STORE_OWN ? 0 : 1 + who, deleted,
	};
	disk->events++;
	return deleted ? SEEN_HASH_REMOVED : SEEN_HASH_NEW;
}

static void user(struct local_store *store, uint64_t hash, bool deleted)
{
	struct disk *disk = store->disk;
	uint8_t result = change(store, STORE_OWN, hash, deleted);

	if (result != SEEN_HASH_NEW && result != SEEN_HASH_REMOVED)
		return;
	disk->feed[disk->fed % EVENTS] = (struct disk_event) { hash, 0, deleted };
	disk->fed++;
}

static void answer(struct local_store *store, const char *text, char *line, size_t room)
{
	uint64_t hash;
	size_t who;

	snprintf(line, room, "ok\n");
	if (sscanf(text, "add %" SCNx64, &hash) == 1)
		user(store, hash, false);
	else if (sscanf(text, "del %" SCNx64, &hash) == 1)
		user(store, hash, true);
	else if (sscanf(text, "test %" SCNx64 " %zu", &hash, &who) == 2 && who < SETS_MAX)
		store->absent += seen_set_test(&store->set[who]->set, hash) != SEEN_SEEN;
	else if (!strncmp(text, "absent", 6))
		snprintf(line, room, "%u\n", store->absent);
	else if (!strncmp(text, "count", 5))
		snprintf(line, room, "%llu\n",
			 (unsigned long long)seen_set_entries(&store->set[0]->set));
	else
		snprintf(line, room, "what?\n");
}

/* Answer the test. */
static void control(struct local_store *store)
{
	struct sockaddr_un from;
	char text[65536], line[64] = "";

	for (;;) {
		socklen_t len = sizeof(from);
		ssize_t got = recvfrom(store->control, text, sizeof(text) - 1, MSG_DONTWAIT,
				       (struct sockaddr *)&from, &len);
		char *save, *one;

		if (got < 0)
			return;
		text[got] = '\0';
		store->absent = 0;
		for (one = strtok_r(text, "\n", &save); one; one = strtok_r(NULL, "\n", &save))
			answer(store, one, line, sizeof(line));
		if (len > sizeof(sa_family_t))
			sendto(store->control, line, strlen(line), MSG_DONTWAIT,
			       (struct sockaddr *)&from, len);
	}
}

static int local_info(struct store *base, size_t who, struct store_info *info)
{
	struct local_store *store = store_of(base);
	struct seen_filter_info local;

	seen_local_info(set_of(store, who), &local);
	*info = (struct store_info) {
		.identity = store->disk->identity,
		.check = store->check,
		.capacity = CAPACITY,
		.entries = local.entries,
		.bytes = local.bytes,
		.geometry = "cuckoo",
	};
	return 0;
}

static int local_take(struct store *base, uint64_t done, struct seen_feed_record *keys,
		      size_t *count, uint64_t *number, uint64_t *lost)
{
	struct local_store *store = store_of(base);
	struct disk *disk = store->disk;
	size_t room = *count;

	control(store);
	if (done > disk->done && done <= disk->fed)
		disk->done = done;
	for (*count = 0; *count < room && disk->done + *count < disk->fed; ++*count) {
		const struct disk_event *event = &disk->feed[(disk->done + *count) % EVENTS];

		keys[*count] = (struct seen_feed_record) { event->hash, 0, event->deleted };
	}
	*number = disk->done + *count;
	*lost = 0;
	return 0;
}

static int local_add(struct store *base, size_t who, const struct seen_feed_record *keys,
		     size_t count, const uint64_t *age, uint8_t *results)
{
	(void)age;
	for (size_t i = 0; i < count; i++)
		results[i] = change(store_of(base), who, keys[i].hash, false);
	return 0;
}

static int local_del(struct store *base, size_t who, const struct seen_feed_record *keys,
		     size_t count, uint8_t *results)
{
	for (size_t i = 0; i < count; i++)
		results[i] = change(store_of(base), who, keys[i].hash, true);
	return 0;
}

static void path_of(const struct local_store *store, const char *what, char path[600])
{
	snprintf(path, 600, "%.400s/%.60s.%s", store->folder, store->name, what);
}

/* The file with the keys of a set that snapshots have brought. */
static void base_path(const struct local_store *store, size_t set, char path[600])
{
	char what[32];

	snprintf(what, sizeof(what), "base%zu", set);
	path_of(store, what, path);
}

static int local_save(struct store *base, size_t who, uint64_t now, uint8_t **bytes, size_t *len)
{
	struct local_store *store = store_of(base);
	struct stat file;
	char path[600];
	int err, fd;

	path_of(store, "out", path);
	err = seen_local_save(set_of(store, who), path, 0);
	if (err)
		return err;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &file))
		return -errno;
	*len = file.st_size;
	*bytes = malloc(*len + 1);
	if (read(fd, *bytes, *len) != file.st_size)
		err = -EIO;
	close(fd);
	if (!err)
		snapshot_shift(*bytes, *len, snapshot_clock(), now);
	return err;
}

static int local_load(struct store *base, size_t who, uint64_t now, uint8_t *bytes, size_t len,
		      uint64_t *entries)
{
	static const uint8_t secret[SEEN_SECRET_LEN] = { 1, 2, 3 };
	struct local_store *store = store_of(base);
	struct seen_filter_info info;
	char path[600];
	int err, fd;

	(void)who;
	snapshot_shift(bytes, len, now, snapshot_clock());
	path_of(store, "in", path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		return -errno;
	close(fd);
	err = seen_local_open(&store->loaded, path, secret);
	if (err)
		return err;
	seen_local_info(store->loaded, &info);
	*entries = info.entries;
	return 0;
}

static int local_merge(struct store *base, size_t who)
{
	struct local_store *store = store_of(base);
	int err = seen_local_merge(set_of(store, who), store->loaded, true);
	char path[600];

	/* The events do not have these keys. */
	base_path(store, who == STORE_OWN ? 0 : 1 + who, path);
	return err ? err : seen_local_save(set_of(store, who), path, SEEN_LOCAL_WITH_SECRET);
}

static void local_unload(struct store *base)
{
	struct local_store *store = store_of(base);

	if (store->loaded)
		seen_local_close(store->loaded);
	store->loaded = NULL;
}

static const char *local_error(struct store *base)
{
	(void)base;
	return seen_local_error();
}

static const struct store_ops local_ops = {
	.info = local_info,
	.take = local_take,
	.add = local_add,
	.del = local_del,
	.save = local_save,
	.load = local_load,
	.merge = local_merge,
	.unload = local_unload,
	.error = local_error,
};

static int store_listen(const struct local_store *store)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char path[600];

	path_of(store, "control", path);
	snprintf(address.sun_path, sizeof(address.sun_path), "%.100s", path);
	unlink(address.sun_path);
	return fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) ? -1 : fd;
}

/* Map the file, and make the sets from it. */
static int store_begin(struct local_store *store)
{
	struct seen_filter_config config = {
		.name = "test", .type = SEEN_TYPE_CUCKOO, .capacity = CAPACITY,
		.fpp = SEEN_FPP_ONE / 10000, .has_secret = true, .secret = { 1, 2, 3 },
	};
	char path[600], error[SEEN_KEY_ERROR_LEN];
	int fd;

	path_of(store, "disk", path);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*store->disk)))
		return -1;
	store->disk = mmap(NULL, sizeof(*store->disk), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (store->disk == MAP_FAILED || seen_key_spec_parse(&config.key, "src", error))
		return -1;
	if (!store->disk->identity)
		randombytes_buf(&store->disk->identity, sizeof(store->disk->identity));
	for (size_t i = 0; i < SETS_MAX; i++) {
		base_path(store, i, path);
		if (access(path, F_OK) ? seen_local_create(&store->set[i], &config) :
		    seen_local_open(&store->set[i], path, NULL))
			return -1;
	}
	for (uint64_t i = 0; i < store->disk->events; i++) {
		const struct disk_event *event = &store->disk->event[i];

		if (event->deleted)
			seen_set_del(&store->set[event->who]->set, event->hash);
		else
			seen_set_test_and_add(&store->set[event->who]->set, event->hash);
	}
	store->control = store_listen(store);
	return store->control < 0 ? -1 : 0;
}

struct store *store_open(struct group *group, const char *filter, const char *folder, char *error)
{
	struct local_store *store = calloc(1, sizeof(*store));

	store->store.ops = &local_ops;
	snprintf(store->folder, sizeof(store->folder), "%s", folder);
	snprintf(store->name, sizeof(store->name), "%s", filter);
	store->check = group_check("src", (const uint8_t *)"0123456789abcdef", 16);
	group->check = store->check;
	if (!store_begin(store))
		return &store->store;
	snprintf(error, STORE_ERROR, "%s: %s", filter, strerror(errno));
	store_close(&store->store);
	return NULL;
}

void store_close(struct store *base)
{
	struct local_store *store = store_of(base);

	if (!store)
		return;
	for (size_t i = 0; i < SETS_MAX; i++)
		seen_local_close(store->set[i]);
	munmap(store->disk, sizeof(*store->disk));
	close(store->control);
	free(store);
}
