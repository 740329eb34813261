// SPDX-License-Identifier: GPL-2.0
/* Replicas of a simulated engine. */
#include <string.h>

#include "sim.h"

/* A replica's lag changes at one of so many rounds. */
#define CHANGE		50

/* Forget everything; the process stays. */
static void replica_clear(struct sim_replica *replica)
{
	struct server *server = &replica->server;
	unsigned int run = server->run;

	server_free(server);
	memset(server, 0, sizeof(*server));
	server->run = run;
	replica->has = 0;
	replica->resync = 0;
}

static void replica_stream(struct sim_replica *replica, const struct server *home, size_t name)
{
	struct sim_stream *stream = &replica->server.stream[name];
	const struct sim_stream *from = &home->stream[name];

	for (size_t i = 0; i < from->count; i++)
		if (from->entry[i].time <= replica->has &&
		    engine_id_compare(from->entry[i].id, stream->last) > 0)
			sim_stream_add(stream, &from->entry[i]);
}

/* A value is at the same place as on the primary. */
static void replica_value(struct sim_replica *replica, const struct server *home, size_t place)
{
	struct sim_value *value = &replica->server.value[place];
	const struct sim_value *from = &home->value[place];

	if (from->set <= replica->has && from->set > value->set)
		sim_value_set(value, from->name, from->bytes, from->len, from->set,
			      (from->expires - from->set) / MS);
}

static void replica_run(struct sim_replica *replica, struct sim *sim)
{
	struct server *server = &replica->server;
	const struct server *home = &sim->server;
	uint64_t has = sim->now > replica->lag ? sim->now - replica->lag : 0;

	if (replica->cut_until > sim->now || server->down_until > sim->now)
		return;
	/* After a restart of the primary the old data stay until the new ones are complete. */
	if (server->history != home->history) {
		if (!replica->resync)
			replica->resync = sim->now + random_below(3 * NS_PER_SEC);
		if (replica->resync > sim->now)
			return;
		replica_clear(replica);
		server->history = home->history;
		has = sim->now;
	}
	replica->has = has > replica->has ? has : replica->has;
	for (size_t i = 0; i < 2; i++)
		replica_stream(replica, home, i);
	for (size_t i = 0; i < VALUES; i++)
		replica_value(replica, home, i);
}

void sim_replicas(struct sim *sim)
{
	for (size_t i = 0; i < sim->plan->replicas; i++) {
		if (!random_below(CHANGE))
			sim->replica[i].lag = random_below(sim->plan->lag_ms + 1) * MS;
		replica_run(&sim->replica[i], sim);
	}
}

void sim_replica_faults(struct sim *sim)
{
	const struct sim_plan *plan = sim->plan;
	struct sim_replica *replica = &sim->replica[random_below(plan->replicas)];
	uint64_t lost = random_below(3 * NS_PER_SEC);

	if (plan->cut && !random_below(plan->cut) && replica->cut_until <= sim->now)
		replica->cut_until = sim->now + random_below(plan->cut_ms) * MS;
	if (plan->reload && !random_below(plan->reload)) {
		/* Its log ends earlier than its data did. */
		lost += sim->now - replica->has;
		server_restart(&replica->server, lost, sim->now);
		replica->has = sim->now - lost;
		replica->server.down_until = sim->now + random_below(2 * NS_PER_SEC);
	}
}

void sim_replicas_heal(struct sim *sim)
{
	for (size_t i = 0; i < sim->plan->replicas; i++) {
		sim->replica[i].cut_until = 0;
		sim->replica[i].server.down_until = 0;
	}
}
