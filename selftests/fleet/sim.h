/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fleet in one process, in simulated time, from a seed. Each host is a coroutine, which may be
 * suspended or killed before and after every call of its engine and of its filter. The engine and
 * the filters are doubles in memory; a filter survives the death of its daemon, as the kernel's.
 */
#ifndef SEEN_FLEET_SIM_H
#define SEEN_FLEET_SIM_H

#include <ucontext.h>

#include "../../tools/seend/member.h"
#include "../../tools/seend/servers.h"
#include "tap.h"

#define HOSTS_MAX	8
#define REPLICAS_MAX	2
#define VALUES		64
#define MS		1000000ULL

/* struct sim_entry - an entry of a stream; @time: when it was appended */
struct sim_entry {
	struct engine_id id;
	uint64_t time;
	size_t len;
	uint8_t *bytes;
};

struct sim_stream {
	struct sim_entry *entry;
	size_t count;
	size_t room;
	struct engine_id last;
};

/* struct sim_value - a value that expires; @set: when it was stored */
struct sim_value {
	char name[64];
	uint8_t *bytes;
	size_t len;
	uint64_t set;
	uint64_t expires;
};

/**
 * struct server - a server's process
 * @run: number of the process
 * @history: of its data; a replica has the primary's
 * @skew: its clock less the simulated time
 * @down_until: it does not answer until then
 */
struct server {
	unsigned int run;
	unsigned int history;
	int64_t skew;
	uint64_t down_until;
	struct sim_stream stream[2];
	struct sim_value value[VALUES];
	struct sim_value lock;
};

/**
 * struct sim_replica - a server that copies the primary
 * @server: see there
 * @lag: it has what the primary had so long ago, ns
 * @has: it has what the primary had at this time
 * @cut_until: it cannot reach the primary until then
 * @resync: when it has received all data of a new history; 0: it has not begun
 */
struct sim_replica {
	struct server server;
	uint64_t lag;
	uint64_t has;
	uint64_t cut_until;
	uint64_t resync;
};

struct sim_host;

/* struct sim_engine - a host's connection to @server; @run: the process that it knows */
struct sim_engine {
	struct engine engine;
	struct sim_host *host;
	struct server *server;
	unsigned int run;
};

/* struct sim_stamp - a key; @when: of its last sighting, simulated time */
struct sim_stamp {
	uint64_t hash;
	uint64_t when;
};

/**
 * struct sim_set - an exact set of hashes, sorted
 */
struct sim_set {
	struct sim_stamp *stamp;
	size_t count;
	size_t room;
};

/**
 * struct sim_store - the filters of a host, which survive its daemon
 * @set: the own filter, or in mode each the filter of each publisher
 * @loaded: a snapshot
 * @feed: new keys that no call has released
 * @fed: their number
 * @given: how many of them the last call delivered
 * @number: of the last call
 * @identity: changes when the filter loses its keys
 * @wrong: the filter has another secret than the group's
 */
struct sim_store {
	struct store store;
	struct sim_host *host;
	struct sim_set set[HOSTS_MAX + 1];
	struct sim_set loaded;
	struct seen_feed_record feed[4096];
	size_t fed;
	size_t given;
	uint64_t number;
	uint64_t identity;
	bool wrong;
};

/**
 * struct sim_host - a host
 * @saved: what of @state has reached the disk; only plans with @power have it
 * @home: the primary
 * @near: a replica, for some hosts
 * @engine: of these
 * @down_until: its daemon is dead until then; 0: it runs
 * @away_until: it cannot reach the engine until then
 * @paused_until: its daemon is suspended until then
 * @suspended: a tick is not finished
 */
struct sim_host {
	struct sim *sim;
	size_t number;
	struct group group;
	struct sim_engine home;
	struct sim_engine near;
	struct engine *engine;
	struct sim_store store;
	struct member_state *state;
	struct member_state *saved;
	struct member *member;
	ucontext_t context;
	uint8_t *stack;
	uint64_t down_until;
	uint64_t away_until;
	uint64_t paused_until;
	bool suspended;
};

/*
 * Faults, as chances of one in so many rounds; 0: never. @window: of the filters, seconds, 0:
 * none; @whole: hosts converge without a keyframe; @away_ms: longest time without the engine;
 * @step_ms: longest round, 0: 60. @relist: a host starts again with a list of hosts that has, or
 * has not, the last one; @power: a host loses its power, its filter, and the newest part of its
 * state; @back: the engine's clock is set back; @removed: in the end no other host has the last one
 * in its list; @replicas: from which some hosts read, or with @remote all; @lag_ms: longest time by
 * which they are late; @cut: from the primary, for @cut_ms at most; @reload: a replica is
 * restarted, and loses its tail; @calm: rounds without faults at the beginning, in which all hosts
 * join
 */
struct sim_plan {
	const char *name;
	size_t hosts;
	size_t aggregators;
	bool deletes;
	bool each;
	bool sealed;
	bool whole;
	unsigned int window;
	unsigned int keys;
	unsigned int kill;
	unsigned int restart;
	unsigned int away;
	unsigned int away_ms;
	unsigned int pause;
	unsigned int attack;
	unsigned int fork;
	unsigned int reboot;
	unsigned int flush;
	unsigned int rekey;
	unsigned int relist;
	unsigned int power;
	unsigned int back;
	bool removed;
	unsigned int rounds;
	unsigned int step_ms;
	unsigned int replicas;
	bool remote;
	unsigned int lag_ms;
	unsigned int cut;
	unsigned int cut_ms;
	unsigned int reload;
	unsigned int calm;
};

/*
 * struct sim_key - a key that a host has seen or deleted; @when: simulated time; @acked: by the
 * engine's stream
 */
struct sim_key {
	uint64_t hash;
	uint64_t when;
	size_t host;
	bool deleted;
	bool acked;
};

/* struct sim - a fleet; @broken: a rule was broken during the run; @why: what is wrong */
struct sim {
	const struct sim_plan *plan;
	uint64_t seed;
	uint64_t now;
	struct server server;
	struct sim_replica replica[REPLICAS_MAX];
	struct sim_host host[HOSTS_MAX];
	ucontext_t scheduler;
	struct sim_host *running;
	struct sim_key *key;
	size_t keys;
	size_t keys_room;
	unsigned int kills;
	bool broken;
	uint64_t counts[REASONS];
	char why[256];
};

/* sim_deletes() - seend deletes a key from the filter of this host; judge whether it may */
void sim_deletes(struct sim_host *host, uint64_t hash);

/* sim_step() - the host may be suspended or killed here */
void sim_step(struct sim_host *host);

/* The engine. */
void sim_engine_init(struct sim_engine *engine, struct sim_host *host, struct server *server);
void server_restart(struct server *server, uint64_t lost, uint64_t now);
void server_append(struct server *server, enum engine_stream stream, const uint8_t *bytes,
		   size_t len, uint64_t now, struct engine_id *id);
void server_free(struct server *server);
void sim_stream_add(struct sim_stream *stream, const struct sim_entry *entry);
void sim_value_set(struct sim_value *value, const char *name, const void *bytes, size_t len,
		   uint64_t now, uint64_t ms);

/* The replicas: what happens to them, and a round of their work. */
void sim_replica_faults(struct sim *sim);
void sim_replicas(struct sim *sim);
void sim_replicas_heal(struct sim *sim);

/* The filters. */
void sim_store_init(struct sim_store *store, struct sim_host *host);
void sim_store_free(struct sim_store *store);
struct sim_stamp *sim_set_find(const struct sim_set *set, uint64_t hash);
bool sim_set_has(const struct sim_set *set, uint64_t hash);
bool sim_set_add(struct sim_set *set, uint64_t hash, uint64_t when);
bool sim_set_del(struct sim_set *set, uint64_t hash);

/*
 * sim_user_add(), sim_user_del() - a person adds or deletes a key; true: that changes the filter,
 * so that the feed has it. With a window, a key is renewed after half of it.
 */
bool sim_user_add(struct sim_host *host, uint64_t hash);
bool sim_user_del(struct sim_host *host, uint64_t hash);

/* Messages that an attacker puts into the streams. */
void sim_attack(struct sim *sim);
void sim_fork(struct sim *sim);

/**
 * sim_run() - a whole run
 * @plan: what may happen
 * @seed: of all chances
 * @sim: out; free it with sim_free()
 *
 * Return: true; false: @sim->why says what is wrong.
 */
bool sim_run(const struct sim_plan *plan, uint64_t seed, struct sim *sim);
void sim_free(struct sim *sim);

#endif
