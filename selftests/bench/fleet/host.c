// SPDX-License-Identifier: GPL-2.0
/* Hosts of a group, and the threads that run them. */
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../../tools/seend/redis_link.h"
#include "load.h"

#define READ_MOST	64
#define EVENTS		64

uint64_t load_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

void fail(const char *text, ...)
{
	va_list args;

	va_start(args, text);
	fprintf(stderr, "load: ");
	vfprintf(stderr, text, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(1);
}

void fleet_make(struct fleet *fleet, size_t hosts, int port)
{
	struct group *group = &fleet->group;
	const char *fault;

	*fleet = (struct fleet) {
		.group = { .name = "load", .count = hosts,
			   .limits = { 100000000, 100, 100000000, 50, 0x100000 } },
		.address = { "the server", "127.0.0.1", port },
		.redis = { .address = &fleet->address, .group = "load" },
	};
	group->peers = calloc(hosts, sizeof(*group->peers));
	fleet->secret = calloc(hosts, sizeof(*fleet->secret));
	if (!group->peers || !fleet->secret)
		fail("no memory");
	for (size_t i = 0; i < hosts; i++) {
		struct peer *peer = &group->peers[i];

		snprintf(peer->name, sizeof(peer->name), "host%zu", i);
		crypto_sign_keypair(peer->key, fleet->secret[i]);
		peer->publishes = true;
		peer->aggregates = !i;
	}
	group->secret = fleet->secret[0];
	fault = group_complete(group);
	if (fault)
		fail("%s", fault);
	group->check = LOAD_CHECK;
}

void fleet_free(struct fleet *fleet)
{
	free(fleet->group.peers);
	free(fleet->secret);
}

static size_t fleet_place(const struct fleet *fleet, const uint8_t *secret)
{
	size_t place = 0;

	while (memcmp(fleet->group.peers[place].key, secret + PUBLIC_KEY_LEN, PUBLIC_KEY_LEN))
		place++;
	return place;
}

void host_open(struct host *host, const struct fleet *fleet, size_t number, struct store *store)
{
	*host = (struct host) { .group = fleet->group, .watched = { -1, -1 } };
	host->group.secret = fleet->secret[number];
	host->group.self = fleet_place(fleet, host->group.secret);
	host->engine = redis_open(&fleet->redis);
	if (!host->engine)
		fail("no memory");
	if (!store)
		return;
	/* Pages that are not used, such as those of keys that were never sent, cost nothing. */
	host->state = mmap(NULL, sizeof(*host->state), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (host->state == MAP_FAILED)
		fail("no memory");
	host->member = member_new(&host->group, host->engine, store, host->state);
	if (!host->member)
		fail("no memory");
}

void host_close(struct host *host)
{
	member_free(host->member);
	redis_close(host->engine);
	if (host->state)
		munmap(host->state, sizeof(*host->state));
}

static void host_watch(struct host *host, int poll, size_t count)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = host };

	for (size_t i = 0; i < count; i++) {
		int fd = host->fds[i].fd, *place = host->watched;

		if (fd == place[0] || fd == place[1])
			continue;
		place += place[0] >= 0;
		if (*place >= 0 || epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event))
			fail("a connection was lost: %s", host->engine->ops->error(host->engine));
		*place = fd;
	}
}

static bool host_entry(void *context, struct engine_id id, const uint8_t *bytes, size_t len)
{
	struct host *host = context;

	(void)bytes;
	(void)len;
	host->position = id;
	host->ready = true;
	return true;
}

/* Without a member, the stream is only received. */
static void host_receive(struct host *host)
{
	char run[RUN_ROOM];
	struct redis *redis = (struct redis *)host->engine;

	if ((!redis->known && host->engine->ops->run(host->engine, run)) ||
	    host->engine->ops->read(host->engine, STREAM_OUT, host->position, READ_MOST,
				    host_entry, host))
		fail("%s", host->engine->ops->error(host->engine));
	host->next = UINT64_MAX;
}

void host_tick(struct host *host, int poll)
{
	struct member *member = host->member;
	bool aggregates = false;
	size_t count;

	if (member) {
		member_tick(member, load_now());
		aggregates = member->aggregator.stage == AGGREGATOR_RUN;
		host->ready = member->online && !chain_is_empty(&member->state->chain);
	} else {
		host_receive(host);
	}
	count = redis_watch(host->engine, STREAM_OUT, host->fds);
	if (aggregates)
		count += redis_watch(host->engine, STREAM_IN, host->fds + count);
	if (poll >= 0)
		host_watch(host, poll, count);
	if (member)
		host->next = member_next(member);
}

static uint64_t connection_received(const redisContext *context)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);

	if (!context || getsockopt(context->fd, IPPROTO_TCP, TCP_INFO, &info, &len))
		return 0;
	return info.tcpi_bytes_received;
}

uint64_t host_received(const struct host *host)
{
	const struct redis *redis = (const struct redis *)host->engine;

	return connection_received(redis->context) +
	       connection_received(redis->wait[STREAM_IN].context) +
	       connection_received(redis->wait[STREAM_OUT].context);
}

static struct host *crew_host(const struct crew *crew, size_t i)
{
	return &crew->host[i * crew->step];
}

/* Run the hosts whose time has come; returns when the next one is due. */
static uint64_t crew_due(struct crew *crew, int poll)
{
	uint64_t now = load_now(), next = now + NS_PER_SEC / 5;

	for (size_t i = 0; i < crew->count; i++) {
		struct host *host = crew_host(crew, i);

		if (host->next <= now)
			host_tick(host, poll);
		next = host->next < next ? host->next : next;
	}
	return next;
}

static void *crew_main(void *context)
{
	struct epoll_event events[EVENTS];
	struct crew *crew = context;
	int poll = epoll_create1(EPOLL_CLOEXEC);

	while (!crew->stop) {
		uint64_t next = crew_due(crew, poll), now = load_now();
		uint64_t wait = next > now ? next - now : 0;
		struct timespec most = { wait / NS_PER_SEC, wait % NS_PER_SEC };
		int count = epoll_pwait2(poll, events, EVENTS, &most, NULL);

		for (int i = 0; i < count; i++)
			host_tick(events[i].data.ptr, poll);
	}
	close(poll);
	return NULL;
}

void crew_start(struct crew *crew)
{
	if (pthread_create(&crew->thread, NULL, crew_main, crew))
		fail("no thread");
}

void crew_end(struct crew *crew)
{
	crew->stop = true;
	pthread_join(crew->thread, NULL);
}

uint64_t crew_cpu(const struct crew *crew)
{
	struct timespec time;
	clockid_t clock;

	if (pthread_getcpuclockid(crew->thread, &clock) || clock_gettime(clock, &time))
		fail("no clock of a thread");
	return time.tv_sec * NS_PER_SEC + time.tv_nsec;
}

static double server_field(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? atof(line + strlen(name)) : 0;
}

static redisReply *server_ask(redisContext *context, const char *command, int type)
{
	redisReply *reply = context->err ? NULL : redisCommand(context, command);

	if (!reply || reply->type != type)
		fail("redis-server: %s: no answer", command);
	return reply;
}

struct server server_read(int port)
{
	redisContext *context = redisConnect("127.0.0.1", port);
	struct server server = { 0 };
	redisReply *reply;

	if (!context)
		fail("no memory");
	reply = server_ask(context, "INFO everything", REDIS_REPLY_STRING);
	server.cpu = server_field(reply->str, "used_cpu_sys:") +
		     server_field(reply->str, "used_cpu_user:");
	server.sent = server_field(reply->str, "total_net_output_bytes:");
	freeReplyObject(reply);
	reply = redisCommand(context, "MEMORY USAGE seen:load:in SAMPLES 0");
	/* Before the first message there is no stream. */
	if (reply && reply->type == REDIS_REPLY_INTEGER)
		server.memory = reply->integer;
	freeReplyObject(reply);
	redisFree(context);
	return server;
}
