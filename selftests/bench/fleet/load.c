// SPDX-License-Identifier: GPL-2.0
/*
 * load PORT HOSTS VERIFY KEYS-A-SECOND SECONDS THREADS: adds keys on hosts of a group, and prints
 * the times until all hosts know them, the bytes and the CPU time, as one line of JSON. VERIFY
 * hosts verify, decode and publish; the others only receive. Exits with 1 if a host misses a key.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

#define THREADS_MAX	64
/* The hosts have so long to connect, and to get the last keys, seconds. */
#define READY_TIME	60
#define END_TIME	30

struct load {
	struct fleet fleet;
	struct plan plan;
	int port;
	size_t hosts;
	size_t verify;
	double rate;
	double seconds;
	size_t threads;
	struct host *host;
	struct set_store *store;
	struct crew aggregator;
	struct crew crew[THREADS_MAX];
};

/* CPU times, bytes and messages since the beginning. */
struct used {
	uint64_t aggregator;
	uint64_t hosts;
	struct server server;
	uint64_t *received;
	uint64_t batches;
	uint64_t messages;
};

static bool load_await(struct load *load, bool (*done)(struct load *), double seconds)
{
	uint64_t end = load_now() + seconds * NS_PER_SEC;
	struct timespec pause = { 0, NS_PER_SEC / 20 };

	while (!done(load)) {
		if (load_now() > end)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static bool load_ready(struct load *load)
{
	for (size_t i = 0; i < load->hosts; i++)
		if (!load->host[i].ready)
			return false;
	return true;
}

static bool load_complete(struct load *load)
{
	return !plan_missing(&load->plan, load->verify);
}

/* Hosts that verify are spread among the others, because the server answers in their order. */
static bool load_verifies(const struct load *load, size_t number)
{
	return number * load->verify % load->hosts < load->verify;
}

static void load_open(struct load *load)
{
	size_t owners = 0;

	load->host = calloc(load->hosts, sizeof(*load->host));
	load->store = calloc(load->hosts, sizeof(*load->store));
	if (!load->host || !load->store)
		fail("no memory");
	for (size_t i = 0; i < load->hosts; i++) {
		bool verifies = load_verifies(load, i);

		if (verifies)
			set_store_init(&load->store[i], &load->plan, owners++);
		host_open(&load->host[i], &load->fleet, i,
			  verifies ? &load->store[i].store : NULL);
	}
}

static void load_start(struct load *load)
{
	size_t threads = load->threads;

	load->aggregator = (struct crew) { .host = load->host, .count = 1, .step = 1 };
	crew_start(&load->aggregator);
	for (size_t i = 0; i < threads; i++) {
		load->crew[i] = (struct crew) {
			.host = load->host + 1 + i,
			.count = (load->hosts - 1 - i + threads - 1) / threads,
			.step = threads,
		};
		crew_start(&load->crew[i]);
	}
	if (!load_await(load, load_ready, READY_TIME))
		fail("not all hosts got a batch");
}

static struct used load_used(struct load *load)
{
	struct used used = { .received = calloc(load->hosts, sizeof(uint64_t)) };

	if (!used.received)
		fail("no memory");
	used.aggregator = crew_cpu(&load->aggregator);
	for (size_t i = 0; i < load->threads; i++)
		used.hosts += crew_cpu(&load->crew[i]);
	used.server = server_read(load->port);
	for (size_t i = 0; i < load->hosts; i++) {
		used.received[i] = host_received(&load->host[i]);
		if (load->host[i].member)
			used.messages += load->host[i].state->outbox.added;
	}
	used.batches = load->host[0].member->aggregator.sequence;
	return used;
}

static void load_stop(struct load *load)
{
	crew_end(&load->aggregator);
	for (size_t i = 0; i < load->threads; i++)
		crew_end(&load->crew[i]);
}

/* Events that a run without faults does not have. */
static uint64_t load_events(const struct load *load)
{
	uint64_t all = 0;

	for (size_t i = 1; i < REASONS; i++) {
		uint64_t count = 0;

		for (size_t j = 0; j < load->hosts; j++)
			count += load->host[j].member ? load->host[j].member->counts[i] : 0;
		if (count)
			fprintf(stderr, "%s: %llu\n", reason_word(i), (unsigned long long)count);
		all += count;
	}
	return all;
}

static void load_print_bytes(const struct load *load, const struct used *a, const struct used *b,
			     double time)
{
	uint64_t all = 0, most = 0;

	/* The aggregator also reads the keys of publishers. */
	for (size_t i = 1; i < load->hosts; i++) {
		uint64_t bytes = b->received[i] - a->received[i];

		all += bytes;
		most = bytes > most ? bytes : most;
	}
	printf("\"host_bytes\":%.1f,\"host_bytes_most\":%.1f,\"server_bytes\":%.1f,",
	       all / time / (load->hosts - 1), most / time,
	       (b->server.sent - a->server.sent) / time);
}

static void load_print(struct load *load, const struct used *a, const struct used *b, double time)
{
	const struct aggregator *aggregator = &load->host[0].member->aggregator;
	uint64_t strange = 0;

	for (size_t i = 0; i < load->hosts; i++)
		strange += load->store[i].strange;
	printf("{\"hosts\":%zu,\"verify\":%zu,\"rate\":%g,\"seconds\":%g,\"threads\":%zu,",
	       load->hosts, load->verify, load->rate, load->seconds, load->threads);
	printf("\"keys\":%zu,\"missing\":%zu,\"strange\":%llu,\"events\":%llu,", load->plan.keys,
	       plan_missing(&load->plan, load->verify), (unsigned long long)strange,
	       (unsigned long long)load_events(load));
	printf("\"all_p50\":%.1f,\"all_p99\":%.1f,\"each_p50\":%.1f,\"each_p99\":%.1f,",
	       plan_slowest(&load->plan, 0.5) / 1e6, plan_slowest(&load->plan, 0.99) / 1e6,
	       plan_each(&load->plan, 0.5) / 1e6, plan_each(&load->plan, 0.99) / 1e6);
	load_print_bytes(load, a, b, time);
	printf("\"aggregator_cpu\":%.4f,\"server_cpu\":%.4f,\"hosts_cpu\":%.4f,",
	       (b->aggregator - a->aggregator) / 1e9 / time, (b->server.cpu - a->server.cpu) / time,
	       (b->hosts - a->hosts) / 1e9 / time);
	printf("\"batches\":%.2f,\"forwarded\":%llu,", (b->batches - a->batches) / time,
	       (unsigned long long)aggregator->forwarded);
	printf("\"messages\":%.2f,\"server_memory\":%.1f}\n", (b->messages - a->messages) / time,
	       (b->server.memory - a->server.memory) / time);
}

static int load_run(struct load *load)
{
	struct timespec pause = { load->seconds, 0 };
	struct used before, after;
	uint64_t begin;

	load_open(load);
	load_start(load);
	before = load_used(load);
	begin = load_now();
	load->plan.begin = begin;
	nanosleep(&pause, NULL);
	after = load_used(load);
	begin = load_now() - begin;
	load_await(load, load_complete, END_TIME);
	load_stop(load);
	load_print(load, &before, &after, begin / 1e9);
	free(before.received);
	free(after.received);
	return !load_complete(load);
}

static void load_close(struct load *load)
{
	for (size_t i = 0; i < load->hosts; i++) {
		host_close(&load->host[i]);
		set_store_free(&load->store[i]);
	}
	fleet_free(&load->fleet);
	free(load->plan.key);
	free(load->host);
	free(load->store);
}

int main(int argc, char **argv)
{
	struct rlimit files;
	struct load *load = calloc(1, sizeof(*load));
	int status;

	if (argc != 7 || !load || sodium_init() < 0)
		fail("load PORT HOSTS VERIFY KEYS-A-SECOND SECONDS THREADS");
	load->port = atoi(argv[1]);
	load->hosts = atoi(argv[2]);
	load->verify = atoi(argv[3]);
	load->rate = atof(argv[4]);
	load->seconds = atoi(argv[5]);
	load->threads = atoi(argv[6]);
	if (load->hosts < 2 || load->hosts > HOSTS_MAX || !load->verify ||
	    load->verify > load->hosts || !load->threads || load->threads > THREADS_MAX ||
	    load->threads >= load->hosts)
		fail("a number is out of range");
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	fleet_make(&load->fleet, load->hosts, load->port);
	plan_make(&load->plan, load->rate * load->seconds, load->seconds, load->verify);
	status = load_run(load);
	load_close(load);
	free(load);
	return status;
}
