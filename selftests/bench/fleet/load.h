/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many hosts of a group in one process: the code of tools/seend, real signatures, and for each host
 * its own connections to a real redis-server.
 *
 * The keys of a run and their times are planned before it. A host finds a planned key in its feed
 * from that time on, and notes for each key of another host how long it was under way.
 */
#ifndef FLEET_LOAD_H
#define FLEET_LOAD_H

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../../../tools/seend/member.h"
#include "../../../tools/seend/redis.h"

#define HOSTS_MAX	4096
/* See struct group. */
#define LOAD_CHECK	1

/* Times under way are counted in classes of a quarter of a millisecond; the last has the rest. */
#define CLASS_NS	250000ULL
#define CLASSES		40000

/**
 * struct key - a key of the run
 * @when: it is added, ns behind the begin
 * @owner: number of the host that adds it
 * @known: number of hosts that know it
 * @slowest: the longest time under way, ns
 */
struct key {
	uint64_t when;
	uint32_t owner;
	atomic_uint known;
	atomic_ullong slowest;
};

/**
 * struct plan - the keys of a run
 * @begin: ns of the monotonic clock; UINT64_MAX: no key is added yet
 * @keys: elements of @key, which are sorted by time
 * @key: see there
 * @classes: keys by their time under way, of all hosts
 */
struct plan {
	atomic_ullong begin;
	size_t keys;
	struct key *key;
	atomic_ullong classes[CLASSES];
};

/* plan_make() - spread @keys over @seconds and over the hosts 0 to @owners - 1, by chance */
void plan_make(struct plan *plan, size_t keys, double seconds, size_t owners);

/* plan_hash() - hash of a key. plan_number() - its number; plan->keys or more: an unknown key */
uint64_t plan_hash(uint64_t number);
uint64_t plan_number(uint64_t hash);

/* plan_arrived() - another host knows a key; @late: ns since it was added */
void plan_arrived(struct plan *plan, size_t number, uint64_t late);

/* plan_missing() - number of keys that fewer than @hosts hosts know */
size_t plan_missing(const struct plan *plan, size_t hosts);

/* plan_slowest() - the time after which @part of the keys are known on all hosts, ns */
uint64_t plan_slowest(const struct plan *plan, double part);

/* plan_each() - the time after which @part of the keys are known on a host, ns */
uint64_t plan_each(const struct plan *plan, double part);

/**
 * struct set_store - the filter of a host: an exact set of the run's keys
 * @plan: see there
 * @has: a bit for each key
 * @entries: number of set bits
 * @own: numbers of the keys that this host adds, by time
 * @owned: elements of @own
 * @taken: elements of @own that the feed has released
 * @given: elements of @own that were in the feed
 * @strange: keys that no host has added
 * @loaded: a snapshot
 * @loads: elements of @loaded
 */
struct set_store {
	struct store store;
	struct plan *plan;
	uint8_t *has;
	uint64_t entries;
	uint32_t *own;
	size_t owned;
	size_t taken;
	size_t given;
	uint64_t strange;
	uint64_t *loaded;
	size_t loads;
};

void set_store_init(struct set_store *store, struct plan *plan, uint32_t host);
void set_store_free(struct set_store *store);

/**
 * struct fleet - the hosts' common knowledge
 * @group: as host 0 sees it; the list of hosts is everyone's
 * @secret: secret keys, by number of the host
 * @address: of the server
 * @redis: the server
 */
struct fleet {
	struct group group;
	uint8_t (*secret)[SECRET_KEY_LEN];
	struct address address;
	struct redis_config redis;
};

/* fleet_make() - a group of hosts, which all publish; host 0 aggregates */
void fleet_make(struct fleet *fleet, size_t hosts, int port);
void fleet_free(struct fleet *fleet);

/**
 * struct host - a host; its thread alone uses it while that runs
 * @group: as it sees it
 * @engine: its connections
 * @state: see there
 * @member: NULL: it only receives the stream, and neither verifies nor decodes it
 * @position: of a host without @member
 * @fds: descriptors that @engine waits for
 * @watched: those that are in the thread's epoll
 * @next: when it has something to do, ns
 * @ready: it has received a batch
 */
struct host {
	struct group group;
	struct engine *engine;
	struct member_state *state;
	struct member *member;
	struct engine_id position;
	struct pollfd fds[2];
	int watched[2];
	uint64_t next;
	atomic_bool ready;
};

/* host_open() - join the group; @store: NULL: without a member */
void host_open(struct host *host, const struct fleet *fleet, size_t number, struct store *store);
void host_close(struct host *host);

/* host_tick() - as the loop of the daemon; @poll: of its thread, or -1 */
void host_tick(struct host *host, int poll);

/* host_received() - bytes that its connections have received */
uint64_t host_received(const struct host *host);

/**
 * struct crew - hosts that share a thread
 * @thread: see there
 * @host: every @step-th one of the hosts from here on
 * @count: their number
 * @step: see @host
 * @stop: the thread ends
 */
struct crew {
	pthread_t thread;
	struct host *host;
	size_t count;
	size_t step;
	atomic_bool stop;
};

void crew_start(struct crew *crew);
void crew_end(struct crew *crew);

/* crew_cpu() - CPU time of the thread, ns */
uint64_t crew_cpu(const struct crew *crew);

/* load_now() - the monotonic clock, ns */
uint64_t load_now(void);

/* fail() - print why and exit */
void fail(const char *text, ...) __attribute__((__format__(__printf__, 1, 2), __noreturn__));

/**
 * struct server - what the server says about itself
 * @cpu: CPU time, seconds
 * @sent: bytes
 * @memory: bytes of the stream "in"
 */
struct server {
	double cpu;
	double sent;
	double memory;
};

struct server server_read(int port);

#endif
