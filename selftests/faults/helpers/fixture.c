// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/membarrier.h>
#include <sys/syscall.h>

#include "client.h"
#include "fixture.h"
#include "link.h"
#include "memory_events.h"
#include "numbers.h"

#define CAP	"/proc/sys/net/seen/max_bytes"
#define EXPEDITED "/sys/kernel/rcu_expedited"
/* Number of grace periods within which freed memory must be uncharged. */
#define GRACES	20
#define PERCENT	(SEEN_FPP_ONE / 100)

#define BYTES	.key = "bytes"

const struct sort sorts[] = {
	{ "bloom", { .type = SEEN_TYPE_BLOOM, .fpp = PERCENT }, BYTES,
	  .no_del = true, .merges = true, .folds = true },
	{ "classic", { .type = SEEN_TYPE_BLOOM, .fpp = PERCENT,
		       .layout = SEEN_LAYOUT_CLASSIC }, BYTES,
	  .no_del = true, .merges = true, .folds = true },
	{ "bloom-window", { .type = SEEN_TYPE_BLOOM, .fpp = PERCENT,
			    .window = AGES }, BYTES, .no_del = true,
	  .merges = true },
	{ "cuckoo", { .type = SEEN_TYPE_CUCKOO, .fp_bits = 16 }, BYTES,
	  .counts = true, .merges = true },
	{ "cuckoo-window", { .type = SEEN_TYPE_CUCKOO, .fp_bits = 24,
			     .window = AGES }, BYTES, .merges = true },
	{ "bitmap", { .type = SEEN_TYPE_BITMAP }, .key = "dport",
	  .range = "0-255", .merges = true },
	{ "counting", { .type = SEEN_TYPE_COUNTING, .fpp = PERCENT }, BYTES,
	  .counts = true, .merges = true },
	{ "map", { .type = SEEN_TYPE_MAP }, BYTES, .counts = true },
	{ "cms", { .type = SEEN_TYPE_CMS, .fpp = PERCENT }, BYTES,
	  .no_del = true, .counts = true, .merges = true },
	{ "cmm-window", { .type = SEEN_TYPE_CMM, .fpp = PERCENT,
			  .window = AGES }, BYTES, .no_del = true,
	  .counts = true, .merges = true },
	{ "cms-top", { .type = SEEN_TYPE_CMS, .fpp = PERCENT, .top = 16,
		       .threshold = 10 }, .key = "src", .no_del = true,
	  .counts = true },
};
const unsigned int sort_count = sizeof(sorts) / sizeof(*sorts);

struct seen_client *client;

#define FNV_BASIS	0xcbf29ce484222325ULL
#define FNV_PRIME	0x100000001b3ULL

static uint64_t answered = FNV_BASIS;

void answer(const void *bytes, size_t len)
{
	const uint8_t *at = bytes;

	while (len--)
		answered = (answered ^ *at++) * FNV_PRIME;
}

uint64_t answer_take(void)
{
	uint64_t taken = answered;

	answered = FNV_BASIS;
	return taken;
}

void must(int err)
{
	if (!err)
		return;
	fprintf(stderr, "%s (%d)\n", seen_error(client), err);
	exit(2);
}

void fixture_open(void)
{
	client = connect_seen();
	memory_events_open();
}

struct seen_filter_config fixture_config(const char *name,
					 const struct sort *sort)
{
	struct seen_filter_config config = sort->config;
	char error[SEEN_KEY_ERROR_LEN];

	snprintf(config.name, sizeof(config.name), "%s", name);
	config.has_secret = true;
	memset(config.secret, 0x5e, sizeof(config.secret));
	config.capacity = 100;
	if (seen_key_spec_parse(&config.key, sort->key, error) ||
	    (sort->range && seen_range_parse(&config, sort->range, error)))
		fatal(error);
	return config;
}

/* The key: the last bytes of the number, as many as keys of the sort have. */
uint16_t fixture_key(const struct sort *sort, unsigned int number, uint8_t *key)
{
	uint16_t len = 8, i;

	if (sort->range)
		len = 2;
	else if (!strcmp(sort->key, "src"))
		len = 16;
	memset(key, 0, len);
	for (i = 1; i <= 2; i++, number >>= 8)
		key[len - i] = number & 0xff;
	return len;
}

static struct seen_keys keys;

void fixture_keys_none(bool values)
{
	keys.count = 0;
	keys.size = 0;
	keys.failed = false;
	keys.has_values = values;
}

void fixture_keys_put(const struct sort *sort, unsigned int number)
{
	uint8_t *at = seen_keys_reserve(&keys, SEEN_KEY_EXACT_MAX);

	if (!at)
		fatal("too many keys");
	keys.value[keys.count] = 3 * number;
	seen_keys_commit(&keys, fixture_key(sort, number, at));
}

int fixture_keys_send(enum seen_cmd cmd, const char *name, bool if_new)
{
	int err = seen_keys_send(client, cmd, name, if_new, &keys);

	if (err)
		return err;
	answer(keys.result, keys.done);
	if (keys.got_values)
		answer(keys.value, keys.done * sizeof(*keys.value));
	return 0;
}

int fixture_keys(enum seen_cmd cmd, const char *name, const struct sort *sort,
		 bool if_new, unsigned int first, unsigned int count)
{
	fixture_keys_none(false);
	while (count--)
		fixture_keys_put(sort, first++);
	return fixture_keys_send(cmd, name, if_new);
}

int fixture_keys_refused(void)
{
	return keys.failed ? (int)keys.done : -1;
}

void fixture_filter(const char *name, const struct sort *sort)
{
	struct seen_filter_config config = fixture_config(name, sort);

	must(seen_filter_add(client, &config));
	must(fixture_keys(SEEN_CMD_KEY_ADD, name, sort, false, 1, 5));
}

struct seen_guard_config fixture_guard(enum seen_guard_kind kind,
				       const char *dev, uint32_t profile,
				       const char *filter)
{
	struct seen_guard_config config = { .id.kind = kind };

	snprintf(config.id.dev, sizeof(config.id.dev), "%s", dev);
	if (filter)
		snprintf(config.filter, sizeof(config.filter), "%s", filter);
	config.profile = profile;
	return config;
}

static void del_guards(void)
{
	const struct seen_guard_info *guard;
	struct seen_guards *list;
	size_t i;

	must(seen_guard_list(client, &list));
	for (i = 0; (guard = seen_guards_at(list, i)); i++)
		must(seen_guard_del(client, &guard->config.id));
	seen_guards_free(list);
}

/* Filters before their allow maps: a map that a filter uses cannot be deleted. */
static void del_filters(void)
{
	const struct seen_filter_info *info;
	struct seen_filters *list;
	size_t i;

	do {
		must(seen_filter_list(client, &list));
		for (i = 0; (info = seen_filters_at(list, i)); i++)
			seen_filter_del(client, info->config.name, true);
		seen_filters_free(list);
	} while (i);
}

const char *fixture_port(unsigned int number)
{
	static char name[IF_NAMESIZE];

	snprintf(name, sizeof(name), "p%u", number);
	return name;
}

void fixture_reset(void)
{
	del_guards();
	del_filters();
	must(link_del_all());
	memory_events_forget();
}

void fixture_cap(uint64_t bytes)
{
	FILE *file = fopen(CAP, "w");

	if (!file || fprintf(file, "%ju", (uintmax_t)bytes) < 0 ||
	    fclose(file))
		fatal(CAP);
}

/* Sets whether grace periods are expedited; returns the old setting. */
static int expedite(int on)
{
	FILE *file = fopen(EXPEDITED, "r+");
	int was;

	if (!file || fscanf(file, "%d", &was) != 1)
		fatal(EXPEDITED);
	rewind(file);
	if (fprintf(file, "%d", on) < 0 || fclose(file))
		fatal(EXPEDITED);
	return was;
}

/*
 * Deleted objects are freed after a grace period, perhaps by a work item: wait for a normal
 * grace period, not for an expedited one.
 */
static void grace(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		fatal("membarrier");
}

/*
 * Is there room for one more key on the list? If so, the key is added and deleted again; if
 * not, nothing changes.
 */
static bool fits(uint64_t cap)
{
	int err, graces = 0;

	fixture_cap(cap);
	do {
		grace();
		err = fixture_keys(SEEN_CMD_ALLOW_ADD, "cap", &sorts[0], false,
				   1, 1);
	} while (err == -ENOSPC && ++graces < GRACES);
	if (!err)
		must(fixture_keys(SEEN_CMD_ALLOW_DEL, "cap", &sorts[0], false,
				  1, 1));
	else if (err != -ENOSPC)
		must(err);
	return !err;
}

/* The smallest cap with room for one more key: the charged bytes plus a constant. */
static uint64_t charged(void)
{
	uint64_t low = 0, high = 1 << 24, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (fits(middle))
			high = middle;
		else
			low = middle;
	}
	fixture_cap(0);
	return high;
}

bool fixture_account(void)
{
	int expedited = expedite(0), tries = 0;
	static uint64_t due;
	uint64_t now;

	fixture_filter("cap", &sorts[0]);
	/* Without this key each other key would allocate the list and free it again. */
	must(fixture_keys(SEEN_CMD_ALLOW_ADD, "cap", &sorts[0], false, 2, 1));
	now = charged();
	if (!due)
		due = now;
	for (; now != due && tries < 200; tries++) {
		poll(NULL, 0, 50);
		now = charged();
	}
	must(seen_filter_del(client, "cap", true));
	expedite(expedited);
	if (now == due)
		return true;
	printf("# %jd bytes stay charged without an object\n", (intmax_t)(now - due));
	return false;
}
