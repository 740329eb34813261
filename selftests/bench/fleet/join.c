// SPDX-License-Identifier: GPL-2.0
/*
 * join PORT CAPACITY KEYS BITS PROBES FOLDER: a host with an empty filter joins a group whose
 * aggregator has a filter with that many keys, by a keyframe. Prints bytes and times as one line of
 * JSON. Exits with 1 if a key is missing at the end.
 */
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "filter_store.h"
#include "load.h"

#define PART		1024
/* Seconds for a keyframe, and for a join. */
#define FRAME_MOST	60
#define JOIN_MOST	60

/* Keys from here on are in no filter. */
#define STRANGERS	(1ULL << 40)

/**
 * struct join - a run
 * @fleet: two hosts
 * @port: of the server
 * @keys: in the filter
 * @store: of the aggregator, and of the host that joins
 * @host: see @store
 * @crew: thread of the aggregator
 * @made: how long the aggregator took to make the keyframe, ns
 * @joined: how long the host took to join, ns
 */
struct join {
	struct fleet fleet;
	int port;
	uint64_t keys;
	struct store *store[2];
	struct host host[2];
	struct crew crew;
	uint64_t made;
	uint64_t joined;
};

static void join_fill(struct store *store, uint64_t keys)
{
	struct seen_feed_record key[PART];
	uint8_t results[PART];
	size_t count = 0;

	for (uint64_t i = 0; i < keys; i++) {
		key[count++] = (struct seen_feed_record) { .hash = plan_hash(i) };
		if (count < PART && i + 1 < keys)
			continue;
		store->ops->add(store, STORE_OWN, key, count, NULL, results);
		for (size_t j = 0; j < count; j++)
			if (results[j] == SEEN_HASH_FULL)
				fail("the filter is full");
		count = 0;
	}
}

/* Wait for the engine, at most until the host has something else to do. */
static void join_wait(const struct host *host)
{
	uint64_t now = load_now();
	struct pollfd fd = host->fds[0];

	if (host->next > now)
		poll(&fd, 1, (host->next - now) / 1000000 + 1);
}

static void join_make(struct join *join)
{
	struct host *host = &join->host[0];
	uint64_t end = load_now() + FRAME_MOST * NS_PER_SEC, begin;

	while (!host->member->aggregator.frame_time) {
		begin = load_now();
		if (begin > end)
			fail("no keyframe was made");
		host_tick(host, -1);
		join->made = load_now() - begin;
		if (!host->member->aggregator.frame_time)
			join_wait(host);
	}
}

static bool join_done(const struct member *member)
{
	const struct chain *chain = &member->state->chain;

	return member->online && member->reader.joined && !chain_is_empty(chain) && !chain->gap &&
	       member->reader.caught_up;
}

static void join_join(struct join *join)
{
	struct host *host = &join->host[1];
	uint64_t begin = load_now();

	host_open(host, &join->fleet, 1, join->store[1]);
	for (;;) {
		host_tick(host, -1);
		if (join_done(host->member))
			break;
		if (load_now() - begin > JOIN_MOST * NS_PER_SEC)
			fail("the host did not join");
		join_wait(host);
	}
	join->joined = load_now() - begin;
}

static uint64_t join_seen(struct join *join, uint64_t first, uint64_t count)
{
	uint64_t seen = 0;

	for (uint64_t i = 0; i < count; i++)
		seen += filter_store_has(join->store[1], plan_hash(first + i));
	return seen;
}

static bool join_print(struct join *join, uint64_t probes)
{
	struct store_info info;
	uint64_t missing = join->keys - join_seen(join, 0, join->keys);

	join->store[1]->ops->info(join->store[1], STORE_OWN, &info);
	printf("{\"capacity\":%llu,\"keys\":%llu,\"entries\":%llu,\"missing\":%llu,",
	       (unsigned long long)info.capacity, (unsigned long long)join->keys,
	       (unsigned long long)info.entries, (unsigned long long)missing);
	printf("\"filter_bytes\":%llu,\"received\":%llu,\"made\":%.1f,\"joined\":%.1f,",
	       (unsigned long long)info.bytes, (unsigned long long)host_received(&join->host[1]),
	       join->made / 1e6, join->joined / 1e6);
	printf("\"promised\":%.3g,\"measured\":%.3g,\"probes\":%llu}\n",
	       filter_store_rate(join->store[1]),
	       (double)join_seen(join, STRANGERS, probes) / probes, (unsigned long long)probes);
	return !missing;
}

int main(int argc, char **argv)
{
	struct join *join = calloc(1, sizeof(*join));
	uint64_t probes;
	bool complete;

	if (argc != 7 || !join || sodium_init() < 0)
		fail("join PORT CAPACITY KEYS BITS PROBES FOLDER");
	join->port = atoi(argv[1]);
	join->keys = strtoull(argv[3], NULL, 0);
	probes = strtoull(argv[5], NULL, 0);
	fleet_make(&join->fleet, 2, join->port);
	for (size_t i = 0; i < 2; i++) {
		join->store[i] = filter_store_open(strtoull(argv[2], NULL, 0), atoi(argv[4]),
						   argv[6]);
		if (!join->store[i])
			fail("the filter cannot be made");
	}
	join_fill(join->store[0], join->keys);
	host_open(&join->host[0], &join->fleet, 0, join->store[0]);
	join_make(join);
	join->crew = (struct crew) { .host = join->host, .count = 1, .step = 1 };
	crew_start(&join->crew);
	join_join(join);
	complete = join_print(join, probes ? probes : 1);
	crew_end(&join->crew);
	for (size_t i = 0; i < 2; i++) {
		host_close(&join->host[i]);
		filter_store_close(join->store[i]);
	}
	fleet_free(&join->fleet);
	free(join);
	return !complete;
}
