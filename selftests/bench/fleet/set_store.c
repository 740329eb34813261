// SPDX-License-Identifier: GPL-2.0
/* The filter of a host: an exact set, so that a key that is missing is missed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

static struct set_store *store_of(struct store *store)
{
	return (struct set_store *)store;
}

static bool set_has(const struct set_store *store, size_t number)
{
	return store->has[number / 8] >> number % 8 & 1;
}

static void set_put(struct set_store *store, size_t number)
{
	store->has[number / 8] |= 1 << number % 8;
	store->entries++;
}

static int set_info(struct store *base, size_t who, struct store_info *info)
{
	(void)who;
	*info = (struct store_info) {
		.identity = 1,
		.check = LOAD_CHECK,
		.capacity = 1000000000,
		.entries = store_of(base)->entries,
		.window = 3600 * NS_PER_SEC,
		.bytes = 1 << 30,
		.geometry = "set",
	};
	return 0;
}

/* The feed has each planned key from its time on, until it is released. */
static int set_take(struct store *base, uint64_t done, struct seen_feed_record *keys,
		    size_t *count, uint64_t *number, uint64_t *lost)
{
	struct set_store *store = store_of(base);
	uint64_t begin = store->plan->begin, now = load_now();
	size_t room = *count, i;

	if (done > store->taken)
		store->taken = done;
	for (i = 0; i < room && store->taken + i < store->owned; i++) {
		size_t at = store->taken + i;
		struct key *key = &store->plan->key[store->own[at]];

		if (now < begin || now - begin < key->when)
			break;
		if (at == store->given) {
			store->given++;
			set_put(store, store->own[at]);
			key->known++;
		}
		keys[i] = (struct seen_feed_record) {
			plan_hash(store->own[at]), now - begin - key->when, false,
		};
	}
	*count = i;
	*number = store->taken + i;
	*lost = 0;
	return 0;
}

static uint8_t set_add_one(struct set_store *store, uint64_t hash, uint64_t now)
{
	uint64_t number = plan_number(hash);

	if (number >= store->plan->keys) {
		store->strange++;
		return SEEN_HASH_NEW;
	}
	if (set_has(store, number))
		return SEEN_HASH_SEEN;
	set_put(store, number);
	plan_arrived(store->plan, number,
		     now - store->plan->begin - store->plan->key[number].when);
	return SEEN_HASH_NEW;
}

static int set_add(struct store *base, size_t who, const struct seen_feed_record *keys,
		   size_t count, const uint64_t *age, uint8_t *results)
{
	uint64_t now = load_now();

	(void)who;
	(void)age;
	for (size_t i = 0; i < count; i++)
		results[i] = set_add_one(store_of(base), keys[i].hash, now);
	return 0;
}

static int set_del(struct store *base, size_t who, const struct seen_feed_record *keys,
		   size_t count, uint8_t *results)
{
	(void)base;
	(void)who;
	(void)keys;
	memset(results, SEEN_HASH_ABSENT, count);
	return 0;
}

/* A snapshot is the hashes. */
static int set_save(struct store *base, size_t who, uint64_t now, uint8_t **bytes, size_t *len)
{
	struct set_store *store = store_of(base);
	uint64_t *hashes = calloc(store->entries + 1, sizeof(*hashes));
	size_t count = 0;

	(void)who;
	(void)now;
	if (!hashes)
		return -ENOMEM;
	for (size_t i = 0; i < store->plan->keys; i++)
		if (set_has(store, i))
			hashes[count++] = plan_hash(i);
	*bytes = (uint8_t *)hashes;
	*len = count * sizeof(*hashes);
	return 0;
}

static int set_load(struct store *base, size_t who, uint64_t now, uint8_t *bytes, size_t len,
		    uint64_t *entries)
{
	struct set_store *store = store_of(base);

	(void)who;
	(void)now;
	*entries = len / sizeof(*store->loaded);
	store->loaded = calloc(*entries + 1, sizeof(*store->loaded));
	if (!store->loaded)
		return -ENOMEM;
	store->loads = *entries;
	memcpy(store->loaded, bytes, *entries * sizeof(*store->loaded));
	return 0;
}

static int set_merge(struct store *base, size_t who)
{
	struct set_store *store = store_of(base);

	(void)who;
	for (size_t i = 0; i < store->loads; i++)
		set_add_one(store, store->loaded[i], load_now());
	return 0;
}

static void set_unload(struct store *base)
{
	struct set_store *store = store_of(base);

	free(store->loaded);
	store->loaded = NULL;
	store->loads = 0;
}

static const char *set_error(struct store *base)
{
	(void)base;
	return "no memory";
}

static const struct store_ops set_ops = {
	.info = set_info,
	.take = set_take,
	.add = set_add,
	.del = set_del,
	.save = set_save,
	.load = set_load,
	.merge = set_merge,
	.unload = set_unload,
	.error = set_error,
};

void set_store_init(struct set_store *store, struct plan *plan, uint32_t host)
{
	*store = (struct set_store) { .store.ops = &set_ops, .plan = plan };
	store->has = calloc(1, plan->keys / 8 + 1);
	for (size_t i = 0; i < plan->keys; i++)
		store->owned += plan->key[i].owner == host;
	store->own = calloc(store->owned + 1, sizeof(*store->own));
	if (!store->has || !store->own)
		fail("no memory");
	for (size_t i = 0, at = 0; i < plan->keys; i++)
		if (plan->key[i].owner == host)
			store->own[at++] = i;
}

void set_store_free(struct set_store *store)
{
	free(store->has);
	free(store->own);
}
