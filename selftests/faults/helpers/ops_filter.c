// SPDX-License-Identifier: GPL-2.0
/* Requests for filters and keys, with filters of every sort. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "numbers.h"
#include "ops.h"

#define SNAPSHOT	"/tmp/faults.seen"
#define EXPORT		"/tmp/faults.export"

static void one(const struct sort *sort)
{
	fixture_filter("f", sort);
}

static void two(const struct sort *sort)
{
	struct seen_filter_config config = fixture_config("g", sort);

	one(sort);
	must(seen_filter_add(client, &config));
	must(fixture_keys(SEEN_CMD_KEY_ADD, "g", sort, false, 3, 5));
}

static void saved(const struct sort *sort)
{
	one(sort);
	must(seen_filter_export(client, "f", SNAPSHOT, true));
}

static void saved_other(const struct sort *sort)
{
	saved(sort);
	must(fixture_keys(SEEN_CMD_KEY_ADD, "f", sort, false, 6, 3));
}

static void listed(const struct sort *sort)
{
	one(sort);
	must(fixture_keys(SEEN_CMD_ALLOW_ADD, "f", sort, false, 1, 2));
}

static void large(const struct sort *sort)
{
	struct seen_filter_config config = fixture_config("f", sort);

	config.capacity = 10000;
	must(seen_filter_add(client, &config));
	must(fixture_keys(SEEN_CMD_KEY_ADD, "f", sort, false, 1, 5));
}

static int filter_add(const struct sort *sort)
{
	struct seen_filter_config config = fixture_config("f", sort);

	return seen_filter_add(client, &config);
}

static int filter_del(const struct sort *sort)
{
	return seen_filter_del(client, "f", true);
}

/* Without the filter's id, which differs each time. */
static void answer_filter(const struct seen_filter_info *info)
{
	answer(info->config.name, strlen(info->config.name) + 1);
	answer(&info->config.type, sizeof(info->config.type));
	answer(&info->config.capacity, sizeof(info->config.capacity));
	answer(&info->users, sizeof(info->users));
	answer(&info->allowed, sizeof(info->allowed));
	answer(&info->bytes, sizeof(info->bytes));
	answer(&info->entries, sizeof(info->entries));
	answer(&info->used, sizeof(info->used));
	answer(info->stats, sizeof(info->stats));
}

static int filter_get(const struct sort *sort)
{
	struct seen_filter_info info;
	int err = seen_filter_get(client, "f", &info);

	if (!err)
		answer_filter(&info);
	return err;
}

static int filter_flush(const struct sort *sort)
{
	return seen_filter_flush(client, "f");
}

static int filter_set(const struct sort *sort)
{
	return seen_filter_set(client, "f", SEEN_ON_FULL_PASS);
}

static int filter_rename(const struct sort *sort)
{
	return seen_filter_rename(client, "f", "h");
}

static int filter_swap(const struct sort *sort)
{
	return seen_filter_swap(client, "f", "g");
}

static int filter_merge(const struct sort *sort)
{
	struct seen_filter_info info;

	return seen_filter_merge(client, "f", "g", false, &info);
}

static int filter_fold(const struct sort *sort)
{
	struct seen_filter_info info;

	return seen_filter_fold(client, "f", 0, &info);
}

/* The checksum covers the time, so it is left out, too. */
void op_answer_file(const char *path)
{
	static uint8_t bytes[1 << 20];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size;

	size = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
	if (size < 64 || size == sizeof(bytes))
		fatal(path);
	close(fd);
	memset(bytes + 16, 0, sizeof(uint32_t));
	memset(bytes + 56, 0, sizeof(uint64_t));
	answer(bytes, size);
}

static int filter_export(const struct sort *sort)
{
	int err = seen_filter_export(client, "f", EXPORT, true);

	if (!err)
		op_answer_file(EXPORT);
	return err;
}

static int filter_import(const struct sort *sort)
{
	return seen_filter_import(client, "i", SNAPSHOT, NULL, false);
}

static int filter_replace(const struct sort *sort)
{
	return seen_filter_import(client, "f", SNAPSHOT, NULL, true);
}

static int key_add(const struct sort *sort)
{
	return fixture_keys(SEEN_CMD_KEY_ADD, "f", sort, false, 4, 5);
}

static int key_add_new(const struct sort *sort)
{
	return fixture_keys(SEEN_CMD_KEY_ADD, "f", sort, true, 4, 5);
}

static int key_test(const struct sort *sort)
{
	return fixture_keys(SEEN_CMD_KEY_TEST, "f", sort, false, 4, 5);
}

static int key_del(const struct sort *sort)
{
	return fixture_keys(SEEN_CMD_KEY_DEL, "f", sort, false, 4, 5);
}

static int key_count(const struct sort *sort)
{
	return fixture_keys(SEEN_CMD_KEY_COUNT, "f", sort, false, 4, 5);
}

static int allow_add(const struct sort *sort)
{
	return fixture_keys(SEEN_CMD_ALLOW_ADD, "f", sort, false, 7, 1);
}

static int allow_del(const struct sort *sort)
{
	return fixture_keys(SEEN_CMD_ALLOW_DEL, "f", sort, false, 2, 1);
}

static int tell(const uint8_t *key, size_t len, void *context)
{
	answer(key, len);
	return 0;
}

static int allow_list(const struct sort *sort)
{
	return seen_allow_list(client, "f", tell, NULL);
}

static int filter_list(const struct sort *sort)
{
	const struct seen_filter_info *info;
	struct seen_filters *list;
	size_t i;
	int err;

	err = seen_filter_list(client, &list);
	if (err)
		return err;
	for (i = 0; (info = seen_filters_at(list, i)); i++)
		answer_filter(info);
	seen_filters_free(list);
	return 0;
}

const struct op op_sorts[] = {
	{ "filter add", NULL, filter_add },
	{ "filter del", listed, filter_del },
	{ "filter get", one, filter_get },
	{ "filter list", two, filter_list, .free = true },
	{ "filter flush", one, filter_flush },
	{ "filter set", one, filter_set, .free = true },
	{ "filter rename", listed, filter_rename },
	{ "filter swap", two, filter_swap, .free = true },
	{ "filter merge", two, filter_merge },
	{ "filter fold", large, filter_fold },
	{ "filter export", one, filter_export },
	{ "filter import", saved, filter_import },
	{ "filter import --replace", saved_other, filter_replace },
	{ "key add", one, key_add },
	{ "key add new", one, key_add_new },
	{ "key test", listed, key_test },
	{ "key del", one, key_del },
	{ "key count", one, key_count },
	{ "allow add, the first", one, allow_add },
	{ "allow add", listed, allow_add },
	{ "allow del", listed, allow_del },
	{ "allow show", listed, allow_list, .free = true },
};
const unsigned int op_sorts_count = sizeof(op_sorts) / sizeof(*op_sorts);

bool op_fits(const struct op *op, const struct sort *sort)
{
	bool sketch = sort->config.type == SEEN_TYPE_CMS ||
		      sort->config.type == SEEN_TYPE_CMM;

	if (op->run == filter_merge)
		return sort->merges;
	if (op->run == filter_fold)
		return sort->folds;
	if (op->run == filter_set)
		return !sketch && !sort->range;
	if (op->run == key_add_new)
		return !sketch;
	if (op->run == key_del)
		return !sort->no_del;
	if (op->run == key_count)
		return sort->counts;
	return true;
}
