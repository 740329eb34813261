// SPDX-License-Identifier: GPL-2.0
/*
 * errnos: makes the same mistake with a filter of the kernel and with a local filter of libseen.
 * Prints, for each condition of the table in Documentation/libseen.md, both answers:
 * an errno, or the result of the key.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "numbers.h"

#define PATH	"/tmp/errnos.seen"
#define CHANGED	"/tmp/errnos.changed"

static struct seen_client *client;

/**
 * struct pair - a filter of the kernel, and an equal local filter
 * @config: configuration of both; its name is that of the kernel's filter
 * @local: the local filter
 */
struct pair {
	struct seen_filter_config config;
	struct seen_local *local;
};

static void tell(const char *condition, int kernel, int local)
{
	const char *words[2];
	const int answers[2] = { kernel, local };

	for (int i = 0; i < 2; i++)
		words[i] = answers[i] < 0 ? strerrorname_np(-answers[i]) :
			   answers[i] ? seen_word(&seen_key_results, answers[i]) : "0";
	printf("%s: %s %s\n", condition, words[0], words[1]);
}

static struct seen_filter_config config_of(const char *name, uint32_t type, const char *key,
					   uint64_t capacity)
{
	struct seen_filter_config config = { .type = type, .capacity = capacity };
	char error[SEEN_KEY_ERROR_LEN];

	snprintf(config.name, sizeof(config.name), "%s", name);
	if (type != SEEN_TYPE_MAP && type != SEEN_TYPE_BITMAP)
		config.fpp = type == SEEN_TYPE_COUNTING ? SEEN_FPP_ONE / 2 : 1000000000;
	if (key && seen_key_spec_parse(&config.key, key, error))
		fatal(error);
	if (type == SEEN_TYPE_BITMAP && seen_range_parse(&config, "10-20", error))
		fatal(error);
	config.has_secret = true;
	return config;
}

static struct pair made(const char *name, uint32_t type, const char *key, uint64_t capacity)
{
	struct pair pair = { .config = config_of(name, type, key, capacity) };

	if (seen_filter_add(client, &pair.config) ||
	    seen_local_create(&pair.local, &pair.config)) {
		errno = 0;
		fatal(*seen_error(client) ? seen_error(client) : seen_local_error());
	}
	return pair;
}

static void gone(struct pair *pair)
{
	seen_filter_del(client, pair->config.name, false);
	seen_local_close(pair->local);
}

static struct seen_keys keys;

/* One key. Return: a negative errno, or else the result of the key. */
static int ask(const struct pair *pair, enum seen_cmd cmd, const void *key, size_t len)
{
	int err;

	keys.count = 0;
	keys.size = 0;
	memcpy(seen_keys_reserve(&keys, len), key, len);
	seen_keys_commit(&keys, len);
	err = seen_keys_send(client, cmd, pair->config.name, false, &keys);
	return err ? err : keys.result[0];
}

/* The kernel has both: the errno, and the result of the key that was refused. */
static int ask_full(const struct pair *pair, const void *key, size_t len, int want)
{
	int err = ask(pair, SEEN_CMD_KEY_ADD, key, len);

	return err == want && keys.failed ? keys.result[0] : err;
}

static int create(const struct seen_filter_config *config)
{
	struct seen_local *local;
	int err = seen_local_create(&local, config);

	if (!err)
		seen_local_close(local);
	return err;
}

static void refused(const char *condition, struct seen_filter_config config)
{
	int err = seen_filter_add(client, &config);

	tell(condition, err, create(&config));
}

static void creation(void)
{
	const struct seen_filter_config good = config_of("f", SEEN_TYPE_CUCKOO, "src", 1000);
	struct seen_filter_config bad;

	bad = good;
	bad.reserved[0] = 1;
	refused("reserved", bad);
	bad = good;
	bad.key.count = SEEN_KEY_FIELDS_ROOM + 1;
	refused("count above the array", bad);
	bad = good;
	bad.type = 99;
	refused("no such type", bad);
	bad = good;
	bad.capacity = 0;
	refused("no capacity", bad);
	bad = good;
	bad.capacity = UINT64_MAX;
	refused("capacity out of range", bad);
	bad = good;
	bad.fpp = SEEN_FPP_ONE;
	refused("fpp out of range", bad);
	bad = good;
	strcpy(bad.name, "a b");
	refused("no name", bad);
	memset(bad.name, 'a', sizeof(bad.name));
	refused("a name without an end", bad);
	bad = good;
	bad.key.count = 0;
	bad.key.profile = 0;
	refused("no key", bad);
	bad = config_of("f", SEEN_TYPE_MAP, "dport,payload", 1000);
	refused("a map with a payload", bad);
	bad = config_of("f", SEEN_TYPE_MAP, "src", 4000000000);
	refused("no memory", bad);
}

static void keys_that_do_not_fit(void)
{
	static const uint8_t cut[] = { 0, 53, 0, 0, 0, 2, 1 };
	static const uint8_t port[] = { 0, 99 };
	struct pair pair = made("f", SEEN_TYPE_CUCKOO, "dport,payload", 1000);

	tell("add a key of another length", ask(&pair, SEEN_CMD_KEY_ADD, cut, sizeof(cut)),
	     seen_local_add(pair.local, cut, sizeof(cut)));
	tell("test a key of another length", ask(&pair, SEEN_CMD_KEY_TEST, cut, sizeof(cut)),
	     seen_local_test(pair.local, cut, sizeof(cut)));
	gone(&pair);
	pair = made("f", SEEN_TYPE_BITMAP, "dport", 0);
	tell("add a key outside of the range", ask(&pair, SEEN_CMD_KEY_ADD, port, 2),
	     seen_local_add(pair.local, port, 2));
	tell("del a key outside of the range", ask(&pair, SEEN_CMD_KEY_DEL, port, 2),
	     seen_local_del(pair.local, port, 2));
	tell("test a key outside of the range", ask(&pair, SEEN_CMD_KEY_TEST, port, 2),
	     seen_local_test(pair.local, port, 2));
	gone(&pair);
}

static void types(void)
{
	static const uint8_t key[16] = { 1 };
	struct pair pair = made("f", SEEN_TYPE_BLOOM, "src", 1000);
	uint32_t count;

	tell("del of a type that only grows", ask(&pair, SEEN_CMD_KEY_DEL, key, 16),
	     seen_local_del(pair.local, key, 16));
	tell("count of a type that does not", ask(&pair, SEEN_CMD_KEY_COUNT, key, 16),
	     seen_local_count(pair.local, key, 16, &count));
	keys.has_values = true;
	tell("a value for no map", ask(&pair, SEEN_CMD_KEY_ADD, key, 16),
	     seen_local_put(pair.local, key, 16, 1));
	keys.has_values = false;
	gone(&pair);
	pair = made("f", SEEN_TYPE_CUCKOO, "src", 1000);
	tell("del of a key that is not there", ask(&pair, SEEN_CMD_KEY_DEL, key, 16),
	     seen_local_del(pair.local, key, 16));
	gone(&pair);
}

/* So many copies of one key as fit, and one more. */
static void copies(void)
{
	static const uint8_t key[16] = { 1 };
	struct pair pair = made("f", SEEN_TYPE_CUCKOO, "src", 1000);

	for (int i = 0; i < 8; i++) {
		ask(&pair, SEEN_CMD_KEY_ADD, key, 16);
		seen_local_add(pair.local, key, 16);
	}
	tell("a ninth copy", ask_full(&pair, key, 16, -EOVERFLOW),
	     seen_local_add(pair.local, key, 16));
	gone(&pair);
}

static void fill(const struct pair *pair, uint32_t first, uint32_t count)
{
	uint8_t key[16] = {};

	for (uint32_t i = first; i < first + count; i++) {
		memcpy(key, &i, sizeof(i));
		ask(pair, SEEN_CMD_KEY_ADD, key, 16);
		seen_local_add(pair->local, key, 16);
	}
}

static void full(void)
{
	static const uint8_t key[16] = { 1, 2, 3, 4 };
	struct pair pair = made("f", SEEN_TYPE_MAP, "src", 10);

	fill(&pair, 0, 2000);
	tell("full", ask_full(&pair, key, 16, -ENOSPC), seen_local_add(pair.local, key, 16));
	gone(&pair);
}

/* Prefixes of 2001::, with their length behind them. */
static void fill_lengths(const struct pair *pair, int first, int count)
{
	uint8_t key[17] = { 0x20 };

	for (int i = first; i < first + count; i++) {
		key[16] = i;
		ask(pair, SEEN_CMD_KEY_ADD, key, 17);
		seen_local_add(pair->local, key, 17);
	}
}

static void lengths(void)
{
	struct pair pair = made("f", SEEN_TYPE_CUCKOO, "src/*", 1000);
	struct pair other = made("g", SEEN_TYPE_CUCKOO, "src/*", 1000);
	const uint8_t key[17] = { 0x20, [16] = 104 };
	struct seen_filter_info info;

	fill_lengths(&pair, 40, 64);
	fill_lengths(&other, 20, 10);
	tell("a 65th prefix length", ask(&pair, SEEN_CMD_KEY_ADD, key, 17),
	     seen_local_add(pair.local, key, 17));
	tell("a merge of more than 64", seen_filter_merge(client, "f", "g", true, &info),
	     seen_local_merge(pair.local, other.local, true));
	gone(&other);
	gone(&pair);
}

static void merges(void)
{
	struct pair pair = made("f", SEEN_TYPE_CUCKOO, "src", 100);
	struct pair other = made("g", SEEN_TYPE_CUCKOO, "src", 100);
	struct pair large = made("h", SEEN_TYPE_CUCKOO, "src", 10000);
	struct seen_filter_info info;

	tell("a merge of others", seen_filter_merge(client, "f", "h", false, &info),
	     seen_local_merge(pair.local, large.local, false));
	tell("a merge with itself", seen_filter_merge(client, "f", "f", false, &info),
	     seen_local_merge(pair.local, pair.local, false));
	fill(&pair, 0, 60);
	fill(&other, 1000, 60);
	tell("a merge beyond the promise", seen_filter_merge(client, "f", "g", false, &info),
	     seen_local_merge(pair.local, other.local, false));
	tell("a fold of another type", seen_filter_fold(client, "f", 0, &info),
	     seen_local_fold(pair.local, 0));
	gone(&large);
	gone(&other);
	gone(&pair);
}

static void folds(void)
{
	struct pair pair = made("f", SEEN_TYPE_BLOOM, "src", 1000);
	struct seen_filter_info info;

	fill(&pair, 0, 900);
	tell("a fold that has no room", seen_filter_fold(client, "f", 0, &info),
	     seen_local_fold(pair.local, 0));
	gone(&pair);
}

/* import() - both read a file; a filter that comes of it goes again */
static void import(const char *condition, const char *path, const uint8_t *secret)
{
	struct seen_local *local;
	int kernel = seen_filter_import(client, "i", path, secret, false);
	int err = seen_local_open(&local, path, secret);

	if (!kernel)
		seen_filter_del(client, "i", false);
	if (!err)
		seen_local_close(local);
	tell(condition, kernel, err);
}

/* The file with one byte changed. */
static void change(long at, uint8_t to)
{
	static uint8_t bytes[1 << 20];
	FILE *file = fopen(PATH, "rb");
	size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;

	if (!size || fclose(file))
		fatal(PATH);
	bytes[at < 0 ? (long)size + at : at] = to;
	file = fopen(CHANGED, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
		fatal(CHANGED);
}

static void files(void)
{
	const uint8_t wrong[SEEN_SECRET_LEN] = { 1 };
	struct pair pair = made("f", SEEN_TYPE_CUCKOO, "src", 100);

	fill(&pair, 0, 60);
	remove(PATH);
	import("no file", PATH, NULL);
	seen_local_save(pair.local, PATH, 0);
	import("no secret", PATH, NULL);
	import("a wrong secret", PATH, wrong);
	import("a good file", PATH, pair.config.secret);
	change(-100, 0x5a);
	import("a damaged file", CHANGED, pair.config.secret);
	change(0, 'X');
	import("no snapshot", CHANGED, pair.config.secret);
	gone(&pair);
	remove(PATH);
	remove(CHANGED);
}

int main(void)
{
	client = connect_seen();
	creation();
	keys_that_do_not_fit();
	types();
	copies();
	full();
	lengths();
	merges();
	folds();
	files();
	seen_close(client);
	return 0;
}
