// SPDX-License-Identifier: GPL-2.0
/* The filters of a simulated host. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define CAPACITY	100000

/* The place of a hash, or where it belongs. */
static size_t sim_set_at(const struct sim_set *set, uint64_t hash)
{
	size_t low = 0, high = set->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (set->stamp[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct sim_stamp *sim_set_find(const struct sim_set *set, uint64_t hash)
{
	size_t at = sim_set_at(set, hash);

	return at < set->count && set->stamp[at].hash == hash ? &set->stamp[at] : NULL;
}

bool sim_set_has(const struct sim_set *set, uint64_t hash)
{
	return sim_set_find(set, hash);
}

bool sim_set_add(struct sim_set *set, uint64_t hash, uint64_t when)
{
	struct sim_stamp *stamp = sim_set_find(set, hash);
	size_t at = sim_set_at(set, hash);

	if (stamp) {
		stamp->when = stamp->when > when ? stamp->when : when;
		return false;
	}
	if (set->count == set->room) {
		set->room = set->room ? 2 * set->room : 64;
		set->stamp = realloc(set->stamp, set->room * sizeof(*set->stamp));
	}
	memmove(set->stamp + at + 1, set->stamp + at, (set->count - at) * sizeof(*set->stamp));
	set->stamp[at] = (struct sim_stamp) { hash, when };
	set->count++;
	return true;
}

bool sim_set_del(struct sim_set *set, uint64_t hash)
{
	size_t at = sim_set_at(set, hash);

	if (at == set->count || set->stamp[at].hash != hash)
		return false;
	set->count--;
	memmove(set->stamp + at, set->stamp + at + 1, (set->count - at) * sizeof(*set->stamp));
	return true;
}

/* Half of the filters' window, or for ever. */
static uint64_t sim_half(const struct sim_host *host)
{
	return host->sim->plan->window ? host->sim->plan->window * NS_PER_SEC / 2 : UINT64_MAX;
}

/* Forget keys that were last seen before the window. */
static void sim_set_sweep(struct sim_set *set, uint64_t now, uint64_t half)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->count; i++)
		if (now - set->stamp[i].when < half || now - set->stamp[i].when - half < half)
			set->stamp[kept++] = set->stamp[i];
	set->count = kept;
}

static struct sim_set *sim_store_set(struct store *store, size_t who)
{
	struct sim_store *me = (struct sim_store *)store;

	sim_set_sweep(&me->set[who == STORE_OWN ? HOSTS_MAX : who], me->host->sim->now,
		      sim_half(me->host));
	return &me->set[who == STORE_OWN ? HOSTS_MAX : who];
}

static int sim_store_info(struct store *store, size_t who, struct store_info *info)
{
	struct sim_store *me = (struct sim_store *)store;

	sim_step(me->host);
	*info = (struct store_info) {
		.identity = me->identity,
		.check = me->host->group.check ^ me->wrong,
		.capacity = CAPACITY,
		.window = me->host->sim->plan->window * NS_PER_SEC,
		.entries = sim_store_set(store, who)->count,
		.bytes = 0x100000,
		.geometry = "exact",
	};
	return 0;
}

static int sim_store_take(struct store *store, uint64_t done, struct seen_feed_record *keys,
			  size_t *count, uint64_t *number, uint64_t *lost)
{
	struct sim_store *me = (struct sim_store *)store;

	sim_step(me->host);
	if (done && done == me->number) {
		me->fed -= me->given;
		memmove(me->feed, me->feed + me->given, me->fed * sizeof(*me->feed));
		me->given = 0;
	}
	me->given = me->fed < *count ? me->fed : *count;
	for (size_t i = 0; i < me->given; i++) {
		keys[i] = me->feed[i];
		/* The feed has the time of the sighting. */
		keys[i].age = me->host->sim->now - keys[i].age;
	}
	*count = me->given;
	*number = ++me->number;
	*lost = 0;
	sim_step(me->host);
	return 0;
}

static uint8_t sim_store_one(struct sim_store *store, size_t who,
			     const struct seen_feed_record *key)
{
	uint64_t half = sim_half(store->host);

	if (key->age >= half && key->age - half >= half)
		return SEEN_HASH_EXPIRED;
	return sim_set_add(sim_store_set(&store->store, who), key->hash,
			   store->host->sim->now - key->age) ? SEEN_HASH_NEW : SEEN_HASH_SEEN;
}

static int sim_store_add(struct store *store, size_t who, const struct seen_feed_record *keys,
			 size_t count, const uint64_t *age, uint8_t *results)
{
	struct sim_store *me = (struct sim_store *)store;

	(void)age;
	for (size_t i = 0; i < count; i++) {
		if (!random_below(64))
			sim_step(me->host);
		/* Sometimes the sweep is late. */
		if (!random_below(5000)) {
			memset(results + i, SEEN_HASH_STALE, count - i);
			return 0;
		}
		results[i] = sim_store_one(me, who, &keys[i]);
	}
	sim_step(me->host);
	return 0;
}

static int sim_store_del(struct store *store, size_t who, const struct seen_feed_record *keys,
			 size_t count, uint8_t *results)
{
	struct sim_store *me = (struct sim_store *)store;

	sim_step(me->host);
	for (size_t i = 0; i < count; i++) {
		if (who == STORE_OWN)
			sim_deletes(me->host, keys[i].hash);
		results[i] = sim_set_del(sim_store_set(store, who), keys[i].hash) ?
			SEEN_HASH_REMOVED : SEEN_HASH_ABSENT;
	}
	sim_step(me->host);
	return 0;
}

static int sim_store_save(struct store *store, size_t who, uint64_t now, uint8_t **bytes,
			  size_t *len)
{
	const struct sim_set *set = sim_store_set(store, who);

	(void)now;
	*len = set->count * sizeof(*set->stamp);
	*bytes = malloc(*len + 1);
	if (*len)
		memcpy(*bytes, set->stamp, *len);
	return 0;
}

static int sim_store_load(struct store *store, size_t who, uint64_t now, uint8_t *bytes, size_t len,
			  uint64_t *entries)
{
	struct sim_store *me = (struct sim_store *)store;
	struct sim_stamp stamp;

	(void)who;
	(void)now;
	sim_step(me->host);
	me->loaded.count = 0;
	for (size_t i = 0; i + sizeof(stamp) <= len; i += sizeof(stamp)) {
		memcpy(&stamp, bytes + i, sizeof(stamp));
		sim_set_add(&me->loaded, stamp.hash, stamp.when);
	}
	*entries = me->loaded.count;
	return 0;
}

static int sim_store_merge(struct store *store, size_t who)
{
	struct sim_store *me = (struct sim_store *)store;

	sim_step(me->host);
	for (size_t i = 0; i < me->loaded.count; i++)
		sim_set_add(sim_store_set(store, who), me->loaded.stamp[i].hash,
			    me->loaded.stamp[i].when);
	return 0;
}

static void sim_store_unload(struct store *store)
{
	((struct sim_store *)store)->loaded.count = 0;
}

static const char *sim_store_error(struct store *store)
{
	(void)store;
	return "simulated";
}

static const struct store_ops sim_store_ops = {
	.info = sim_store_info,
	.take = sim_store_take,
	.add = sim_store_add,
	.del = sim_store_del,
	.save = sim_store_save,
	.load = sim_store_load,
	.merge = sim_store_merge,
	.unload = sim_store_unload,
	.error = sim_store_error,
};

void sim_store_init(struct sim_store *store, struct sim_host *host)
{
	store->store.ops = &sim_store_ops;
	store->host = host;
	store->identity = 1;
}

void sim_store_free(struct sim_store *store)
{
	for (size_t i = 0; i <= HOSTS_MAX; i++)
		free(store->set[i].stamp);
	free(store->loaded.stamp);
}

static void sim_store_feed(struct sim_store *store, uint64_t hash, bool deleted)
{
	if (store->fed < sizeof(store->feed) / sizeof(*store->feed))
		store->feed[store->fed++] = (struct seen_feed_record) {
			hash, store->host->sim->now, deleted,
		};
}

bool sim_user_add(struct sim_host *host, uint64_t hash)
{
	struct sim_set *set = sim_store_set(&host->store.store, STORE_OWN);
	struct sim_stamp *stamp = sim_set_find(set, hash);
	uint64_t now = host->sim->now;

	if (stamp && now - stamp->when < sim_half(host))
		return false;
	sim_set_add(set, hash, now);
	sim_store_feed(&host->store, hash, false);
	return true;
}

bool sim_user_del(struct sim_host *host, uint64_t hash)
{
	if (!sim_set_del(sim_store_set(&host->store.store, STORE_OWN), hash))
		return false;
	sim_store_feed(&host->store, hash, true);
	return true;
}
