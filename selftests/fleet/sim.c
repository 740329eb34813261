// SPDX-License-Identifier: GPL-2.0
/* The scheduler of a simulated fleet, its faults, and the judgement at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define STACK		0x40000
/* A host is suspended at one of so many steps. */
#define SUSPEND		6
/* Simulated time that a fleet has to converge, ns; a keyframe is made every ten minutes. */
#define CONVERGE	(1500 * NS_PER_SEC)
/* A daemon that is suspended in the middle of its work dates sightings so much too early, ns. */
#define SUSPENDED	(10 * NS_PER_SEC)
/* Entries of a stream and of an outbox that were acknowledged are looked at so often, rounds. */
#define LOOK		8
/*
 * The end is judged every so many rounds of 100 ms. The aggregator sends each second, so that after
 * a multiple of a second a host might always have one message to read.
 */
#define JUDGE		21

void sim_step(struct sim_host *host)
{
	if (host->sim->running != host || random_below(SUSPEND))
		return;
	host->suspended = true;
	swapcontext(&host->context, &host->sim->scheduler);
}

/* --- hosts ---------------------------------------------------------------- */

static void host_main(unsigned int high, unsigned int low)
{
	struct sim_host *host = (void *)((uintptr_t)high << 32 | low);

	host->member = member_new(&host->group, host->engine, &host->store.store,
				  host->state);
	if (!host->member)
		abort();
	for (;;) {
		member_tick(host->member, host->sim->now);
		host->suspended = false;
		swapcontext(&host->context, &host->sim->scheduler);
	}
}

static void host_connect(struct sim_host *host)
{
	const struct sim_plan *plan = host->sim->plan;
	/* 0: no replica */
	size_t place = plan->remote ? 1 + host->number % plan->replicas :
		host->number % (plan->replicas + 1);
	struct engine *near = &host->home.engine;

	sim_engine_init(&host->home, host, &host->sim->server);
	if (place) {
		sim_engine_init(&host->near, host, &host->sim->replica[place - 1].server);
		near = &host->near.engine;
	}
	servers_close(host->engine);
	host->engine = servers_open(&host->home.engine, near);
}

static void host_start(struct sim_host *host)
{
	uintptr_t me = (uintptr_t)host;

	host->down_until = 0;
	host->suspended = false;
	host_connect(host);
	getcontext(&host->context);
	host->context.uc_stack.ss_sp = host->stack;
	host->context.uc_stack.ss_size = STACK;
	makecontext(&host->context, (void (*)(void))host_main, 2, (unsigned int)(me >> 32),
		    (unsigned int)me);
}

static void host_note_counts(struct sim_host *host)
{
	for (size_t i = 0; host->member && i < REASONS; i++) {
		host->sim->counts[i] += host->member->counts[i];
		host->member->counts[i] = 0;
	}
}

static void host_kill(struct sim_host *host, uint64_t until)
{
	host_note_counts(host);
	member_free(host->member);
	host->member = NULL;
	host->paused_until = 0;
	host->down_until = until;
	host->sim->kills++;
}

static void host_run(struct sim_host *host)
{
	struct sim *sim = host->sim;

	if (host->down_until) {
		if (host->down_until > sim->now)
			return;
		host_start(host);
	}
	if (host->paused_until > sim->now)
		return;
	sim->running = host;
	swapcontext(&sim->scheduler, &host->context);
	sim->running = NULL;
}

/* The configuration: the first @count hosts. A host is always in its own list. */
static void host_list(struct sim_host *host, size_t count)
{
	const struct sim_plan *plan = host->sim->plan;

	group_free(&host->group);
	group_make(&host->group, host->number < count ? count : plan->hosts, plan->aggregators,
		   host->number);
	host->group.deletes = plan->deletes;
	host->group.each = plan->each;
	host->group.sealed = plan->sealed;
}

/* Start a daemon that is not in the middle of its work again, with another list. */
static void host_relist(struct sim_host *host, size_t count)
{
	if (host->down_until || host->suspended)
		return;
	host_kill(host, host->sim->now + 1);
	host_list(host, count);
}

/* A hash of another secret, which no other host may get. */
#define WRONG_HASH	0xbad

/* --- keys ----------------------------------------------------------------- */

static void sim_add_key(struct sim *sim, size_t host, uint64_t hash, bool deleted)
{
	if (sim->keys == sim->keys_room) {
		sim->keys_room = sim->keys_room ? 2 * sim->keys_room : 1024;
		sim->key = realloc(sim->key, sim->keys_room * sizeof(*sim->key));
	}
	if (deleted ? sim_user_del(&sim->host[host], hash) : sim_user_add(&sim->host[host], hash))
		sim->key[sim->keys++] = (struct sim_key) {
			hash, sim->now, host, deleted, false,
		};
}

/* The last event of a host about a hash; NULL: none. */
static struct sim_key *sim_last(struct sim *sim, size_t host, uint64_t hash)
{
	for (size_t i = sim->keys; i--;)
		if (sim->key[i].host == host && sim->key[i].hash == hash)
			return &sim->key[i];
	return NULL;
}

static void sim_keys(struct sim *sim)
{
	size_t host = random_below(sim->plan->hosts), count = 1 + random_below(5);
	bool pool = sim->plan->deletes || random_below(2);

	if (sim->host[host].store.wrong) {
		sim_user_add(&sim->host[host], WRONG_HASH);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		/* Hosts often have the same keys. */
		uint64_t hash = (pool ? random_below(40) + 1 : random64() >> 1) *
			0x9e3779b97f4a7c15ULL;
		bool has = sim_set_has(&sim->host[host].store.set[HOSTS_MAX], hash);

		if (!has || !sim->plan->deletes)
			sim_add_key(sim, host, hash, false);
		else if (sim_last(sim, host, hash) && !sim_last(sim, host, hash)->deleted)
			sim_add_key(sim, host, hash, true);
	}
}

/*
 * Note the event of a key that is acknowledged: the last one, or with a window, in which a key is
 * renewed, the last one that is not later.
 */
static void host_acknowledge(struct sim_host *host, const struct outbox_key *key)
{
	struct sim *sim = host->sim;
	uint64_t when = (key->when >> 2) - sim->server.skew;

	for (size_t i = sim->keys; i--;) {
		struct sim_key *event = &sim->key[i];

		if (event->host != host->number || event->hash != key->hash ||
		    event->deleted != (key->when & OUTBOX_DELETED))
			continue;
		if (sim->plan->window && event->when > when + SUSPENDED)
			continue;
		event->acked = true;
		break;
	}
}

/* Note which keys are acknowledged now. */
static void host_look(struct sim_host *host)
{
	const struct outbox *outbox = &host->state->outbox;

	for (uint64_t i = outbox->dropped; i < outbox->added; i++) {
		const struct outbox_batch *batch = &outbox->batch[i % OUTBOX_BATCHES];

		if (batch->state != OUTBOX_ACKED)
			continue;
		for (size_t j = 0; j < batch->count; j++) {
			const struct outbox_key *key =
				&outbox->key[(batch->first + j) % OUTBOX_KEYS];

			host_acknowledge(host, key);
		}
	}
}

/* --- faults --------------------------------------------------------------- */

static bool sim_chance(unsigned int one_in)
{
	return one_in && !random_below(one_in);
}

/* A filter is flushed, or replaced. Its user's keys stay known to the group. */
static void host_lose(struct sim_host *host)
{
	for (size_t i = 0; i <= HOSTS_MAX; i++)
		host->store.set[i].count = 0;
	host->store.identity++;
}

static void host_reboot(struct sim_host *host)
{
	host_kill(host, host->sim->now + 1 + random_below(5 * NS_PER_SEC));
	host_lose(host);
	host->store.fed = 0;
	host->store.given = 0;
}

/*
 * The filter is replaced by one with another secret; or by one with the right one, after the daemon
 * has noticed the other one.
 */
static void host_rekey(struct sim_host *host, bool wrong)
{
	if (host->store.wrong == wrong || (!wrong && !host->state->chain.wrong))
		return;
	host_lose(host);
	host->store.wrong = wrong;
}

static void sim_faults(struct sim *sim)
{
	const struct sim_plan *plan = sim->plan;
	struct sim_host *host = &sim->host[random_below(plan->hosts)];

	if (sim_chance(plan->keys))
		sim_keys(sim);
	if (sim_chance(plan->kill) && !host->down_until)
		host_kill(host, sim->now + 1 + random_below(5 * NS_PER_SEC));
	if (sim_chance(plan->restart)) {
		server_restart(&sim->server, random_below(1500 * MS), sim->now);
		sim->server.history++;
	}
	if (plan->replicas)
		sim_replica_faults(sim);
	if (sim_chance(plan->away) && host->away_until <= sim->now)
		host->away_until = sim->now + random_below(plan->away_ms) * MS;
	if (sim_chance(plan->pause))
		host->paused_until = sim->now + random_below(8 * NS_PER_SEC);
	if (sim_chance(plan->attack))
		sim_attack(sim);
	if (sim_chance(plan->fork))
		sim_fork(sim);
	if (sim_chance(plan->reboot) && !host->down_until)
		host_reboot(host);
	if (sim_chance(plan->power) && !host->down_until) {
		host_reboot(host);
		memcpy(host->state, host->saved, sizeof(*host->state));
	}
	if (plan->power && sim_chance(plan->power / 4))
		memcpy(host->saved, host->state, sizeof(*host->state));
	if (sim_chance(plan->back))
		sim->server.skew -= random_below(3600 * NS_PER_SEC);
	if (sim_chance(plan->flush))
		host_lose(host);
	if (sim_chance(plan->rekey))
		host_rekey(host, random_below(2));
	if (sim_chance(plan->relist))
		host_relist(host, plan->hosts - random_below(2));
}

static void sim_round(struct sim *sim, uint64_t step)
{
	size_t first = random_below(sim->plan->hosts);

	sim->now += step;
	if (sim->plan->replicas)
		sim_replicas(sim);
	for (size_t i = 0; i < sim->plan->hosts; i++)
		host_run(&sim->host[(first + i) % sim->plan->hosts]);
}

static void sim_heal(struct sim *sim)
{
	sim_replicas_heal(sim);
	for (size_t i = 0; i < sim->plan->hosts; i++) {
		struct sim_host *host = &sim->host[i];

		host->away_until = 0;
		host->paused_until = 0;
		if (host->down_until)
			host->down_until = 1;
	}
}

/* In the end all hosts have the same list, except one that was removed. */
static void sim_lists(struct sim *sim)
{
	const struct sim_plan *plan = sim->plan;

	for (size_t i = 0; i < plan->hosts; i++) {
		while (sim->host[i].suspended)
			host_run(&sim->host[i]);
		host_relist(&sim->host[i], plan->hosts - plan->removed);
	}
}

/* Is this host in the lists of the others in the end? */
static bool sim_listed(const struct sim *sim, size_t host)
{
	return !sim->plan->removed || host + 1 < sim->plan->hosts;
}

/* --- judging -------------------------------------------------------------- */

static bool sim_wrong(struct sim *sim, const char *what, const struct sim_host *host,
		      uint64_t hash)
{
	snprintf(sim->why, sizeof(sim->why), "plan %s, seed %llu: host %zu: key %llx %s",
		 sim->plan->name, (unsigned long long)sim->seed, host->number,
		 (unsigned long long)hash, what);
	return false;
}

/* The filter in which a host must have a key of another host. */
static const struct sim_set *sim_filter(struct sim *sim, size_t at, size_t from)
{
	struct sim_host *host = &sim->host[at];

	if (!sim->plan->each || at == from)
		return &host->store.set[HOSTS_MAX];
	return &host->store.set[sim->host[from].group.self];
}

/* Ages are rounded, and daemons are suspended, so that a key may end a little later. */
static bool sim_expired(const struct sim *sim, const struct sim_key *key, uint64_t now)
{
	uint64_t window = sim->plan->window * NS_PER_SEC;

	return window && now > key->when && now - key->when >= window + window / 16 + SUSPENDED;
}

/* Does the group hold a key at @now, by the last event of each host that has seen it? */
static bool sim_held(struct sim *sim, uint64_t hash, size_t from, uint64_t now)
{
	for (size_t i = 0; i < sim->plan->hosts; i++) {
		struct sim_key *last = sim_last(sim, i, hash);

		if (last && !last->deleted && sim_listed(sim, i) &&
		    !sim_expired(sim, last, now) && (!sim->plan->each || i == from))
			return true;
	}
	return false;
}

/* When the last host deleted a key that has not seen it again; 0: no host has. */
static uint64_t sim_deleted(struct sim *sim, uint64_t hash)
{
	uint64_t deleted = 0;

	for (size_t i = 0; i < sim->plan->hosts; i++) {
		const struct sim_key *last = sim_last(sim, i, hash);

		if (last && last->deleted && last->when > deleted)
			deleted = last->when;
	}
	return deleted;
}

/*
 * May a host have a key, for a window from its latest sighting on any host? If the group held it
 * when it was deleted last; or if the host has stored it itself, which no other host deletes.
 */
static bool sim_may_have(struct sim *sim, size_t host, uint64_t hash, size_t from)
{
	const struct sim_key *own = sim_last(sim, host, hash);
	const struct holder *key = holders_find(&sim->host[host].state->holders, hash, HOLDER_KEY,
						0);

	return sim_held(sim, hash, from, sim_deleted(sim, hash)) ||
		(sim->plan->window && own && !own->deleted && !(key && key->stored));
}

/*
 * A host may have a key as of a sighting that is a sixteenth of the window older. A key that has
 * expired meanwhile is not looked for.
 */
static bool sim_present(const struct sim *sim, const struct sim_set *set,
			const struct sim_key *key)
{
	uint64_t window = sim->plan->window * NS_PER_SEC;
	uint64_t least = key->when - window / 16 - SUSPENDED;
	const struct sim_stamp *stamp = sim_set_find(set, key->hash);

	if (!window)
		return stamp;
	return sim->now - least >= window || (stamp && stamp->when >= least);
}

/* Has every host of the list every key that it must have? */
static bool sim_complete(struct sim *sim)
{
	for (size_t i = 0; i < sim->keys; i++) {
		const struct sim_key *key = &sim->key[i];
		bool held = !sim->plan->deletes || sim_held(sim, key->hash, key->host, sim->now);

		if (!held || !key->acked)
			continue;
		/* Another host's older sighting may be the one that counts. */
		if (sim->plan->deletes && sim->plan->window &&
		    (key->deleted || sim_last(sim, key->host, key->hash) != key))
			continue;
		for (size_t at = 0; at < sim->plan->hosts; at++) {
			const struct sim_set *set = sim_filter(sim, at, key->host);

			if (!sim_listed(sim, at))
				continue;
			/* A host that was restarted has lost its own keys. */
			if (sim->plan->each && at == key->host && sim->plan->reboot)
				continue;
			if (!sim_present(sim, set, key))
				return sim_wrong(sim, "is acknowledged, but absent or old",
						 &sim->host[at], key->hash);
		}
	}
	return true;
}

void sim_deletes(struct sim_host *host, uint64_t hash)
{
	struct sim *sim = host->sim;
	struct sim_key *last = sim_last(sim, host->number, hash);
	uint64_t window = sim->plan->window ? sim->plan->window * NS_PER_SEC : UINT64_MAX;

	/* A daemon that is suspended does not know what was seen meanwhile. */
	if (last && !last->deleted && sim->now - last->when > SUSPENDED &&
	    sim->now - last->when < window)
		sim->broken |= !sim_wrong(sim, "is its user's, but deleted by seend", host, hash);
}

/* Is every key acknowledged, and has every host read everything? */
static bool sim_settled(struct sim *sim)
{
	struct engine_id last = sim->server.stream[STREAM_OUT].last;

	for (size_t i = 0; i < sim->plan->hosts; i++) {
		struct sim_host *host = &sim->host[i];
		const struct outbox *outbox = &host->state->outbox;

		if (!sim_listed(sim, i))
			continue;
		if (host->down_until || host->store.fed > host->store.given)
			return sim_wrong(sim, "is not sent", host, 0);
		if (host->member->reader.torn ||
		    engine_id_compare(host->state->chain.position, last) < 0)
			return sim_wrong(sim, "and later ones are not read", host, 0);
		/* A delete may be among the messages that only a keyframe makes up for. */
		if (sim->plan->deletes && host->state->chain.gap)
			return sim_wrong(sim, "may be deleted in missing messages", host, 0);
		for (uint64_t j = outbox->dropped; j < outbox->added; j++)
			if (outbox->batch[j % OUTBOX_BATCHES].state != OUTBOX_ACKED)
				return sim_wrong(sim, "and others are not acknowledged", host, j);
	}
	return true;
}

/* No host has a key that nobody has added, or that everybody has deleted. */
static bool sim_sound(struct sim *sim)
{
	for (size_t at = 0; at < sim->plan->hosts; at++)
		for (size_t who = 0; who <= HOSTS_MAX; who++) {
			const struct sim_set *set = &sim->host[at].store.set[who];

			for (size_t i = 0; i < set->count; i++) {
				uint64_t hash = set->stamp[i].hash;
				size_t from = 0;

				while (from < sim->plan->hosts && !sim_last(sim, from, hash))
					from++;
				if (from == sim->plan->hosts)
					return sim_wrong(sim, "was never added", &sim->host[at],
							 hash);
				/* A kill or flush between filter and table makes a key stay. */
				if (sim->plan->deletes && !sim->plan->kill && !sim->plan->flush &&
				    !sim->plan->each && sim_listed(sim, at) &&
				    !sim_may_have(sim, at, hash, from))
					return sim_wrong(sim, "was deleted, but is present",
							 &sim->host[at], hash);
			}
		}
	return true;
}

/* --- runs ----------------------------------------------------------------- */

static void sim_init(struct sim *sim, const struct sim_plan *plan, uint64_t seed)
{
	memset(sim, 0, sizeof(*sim));
	sim->plan = plan;
	sim->seed = seed;
	random_seed(seed * 0x100000001b3ULL + plan->hosts);
	sim->now = 5000 * NS_PER_SEC;
	sim->server.skew = 1700000000 * NS_PER_SEC;
	for (size_t i = 0; i < plan->hosts; i++) {
		struct sim_host *host = &sim->host[i];

		host->sim = sim;
		host->number = i;
		host_list(host, plan->hosts);
		host->state = calloc(1, sizeof(*host->state));
		if (plan->power)
			host->saved = calloc(1, sizeof(*host->saved));
		host->stack = malloc(STACK);
		sim_store_init(&host->store, host);
		host->down_until = 1;
	}
}

void sim_free(struct sim *sim)
{
	for (size_t i = 0; i < sim->plan->hosts; i++) {
		struct sim_host *host = &sim->host[i];

		member_free(host->member);
		servers_close(host->engine);
		group_free(&host->group);
		free(host->state);
		free(host->saved);
		free(host->stack);
		sim_store_free(&host->store);
	}
	server_free(&sim->server);
	for (size_t i = 0; i < REPLICAS_MAX; i++)
		server_free(&sim->replica[i].server);
	free(sim->key);
}

static void sim_look(struct sim *sim)
{
	for (size_t i = 0; i < sim->plan->hosts; i++)
		host_look(&sim->host[i]);
}

bool sim_run(const struct sim_plan *plan, uint64_t seed, struct sim *sim)
{
	uint64_t end;
	bool good = false;

	sim_init(sim, plan, seed);
	for (unsigned int i = 0; i < plan->rounds && !sim->broken; i++) {
		if (i >= plan->calm)
			sim_faults(sim);
		sim_round(sim, (10 + random_below(plan->step_ms ? plan->step_ms : 60)) * MS);
		if (i % LOOK == 0)
			sim_look(sim);
	}
	sim_heal(sim);
	if (plan->relist || plan->removed)
		sim_lists(sim);
	/* Before its keys have expired. */
	end = sim->now + (plan->window ? plan->window * NS_PER_SEC / 4 : CONVERGE);
	/* The first seconds belong to the run: what is acknowledged then must stay. */
	for (unsigned int i = 0; sim->now < end && !good && !sim->broken; i++) {
		for (size_t at = 0; at < plan->hosts; at++)
			host_rekey(&sim->host[at], false);
		sim_round(sim, 100 * MS);
		sim_look(sim);
		good = !sim->broken && i > 100 && i % JUDGE == 0 && sim_settled(sim) &&
			sim_complete(sim);
	}
	for (size_t i = 0; i < plan->hosts; i++)
		host_note_counts(&sim->host[i]);
	if (good && plan->whole && sim->counts[REASON_GAP])
		return sim_wrong(sim, "and others needed a keyframe", sim->host, 0);
	return good && sim_sound(sim);
}
