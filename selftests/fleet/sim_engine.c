// SPDX-License-Identifier: GPL-2.0
/* The engine of a simulated fleet. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static uint64_t server_time(const struct server *server, uint64_t now)
{
	return now + server->skew;
}

/* Append a copy of an entry, and drop those that are too old then. */
void sim_stream_add(struct sim_stream *stream, const struct sim_entry *entry)
{
	uint64_t ms = entry->id.ms;
	struct sim_entry *copy;
	size_t old = 0;

	if (stream->count == stream->room) {
		stream->room = stream->room ? 2 * stream->room : 64;
		stream->entry = realloc(stream->entry, stream->room * sizeof(*copy));
	}
	copy = &stream->entry[stream->count++];
	*copy = *entry;
	copy->bytes = malloc(entry->len + 1);
	memcpy(copy->bytes, entry->bytes, entry->len);
	stream->last = entry->id;
	while (old < stream->count && ms > KEEP_TIME / MS &&
	       stream->entry[old].id.ms < ms - KEEP_TIME / MS)
		free(stream->entry[old++].bytes);
	stream->count -= old;
	memmove(stream->entry, stream->entry + old, stream->count * sizeof(*copy));
}

void server_append(struct server *server, enum engine_stream name, const uint8_t *bytes,
		   size_t len, uint64_t now, struct engine_id *id)
{
	struct sim_stream *stream = &server->stream[name];
	uint64_t ms = server_time(server, now) / MS;
	struct sim_entry entry = { { ms, 0 }, now, len, (uint8_t *)bytes };

	if (ms <= stream->last.ms)
		entry.id = (struct engine_id) { stream->last.ms, stream->last.seq + 1 };
	sim_stream_add(stream, &entry);
	*id = entry.id;
}

static void value_clear(struct sim_value *value)
{
	free(value->bytes);
	memset(value, 0, sizeof(*value));
}

void server_restart(struct server *server, uint64_t lost, uint64_t now)
{
	server->run++;
	for (int i = 0; i < 2; i++) {
		struct sim_stream *stream = &server->stream[i];

		while (stream->count && stream->entry[stream->count - 1].time + lost > now)
			free(stream->entry[--stream->count].bytes);
		stream->last = (struct engine_id) { 0, 0 };
		if (stream->count)
			stream->last = stream->entry[stream->count - 1].id;
	}
	for (size_t i = 0; i < VALUES; i++)
		if (server->value[i].set + lost > now)
			value_clear(&server->value[i]);
	if (server->lock.set + lost > now)
		value_clear(&server->lock);
}

void server_free(struct server *server)
{
	for (int i = 0; i < 2; i++) {
		for (size_t j = 0; j < server->stream[i].count; j++)
			free(server->stream[i].entry[j].bytes);
		free(server->stream[i].entry);
	}
	for (size_t i = 0; i < VALUES; i++)
		value_clear(&server->value[i]);
	value_clear(&server->lock);
}

/* May this host talk to the engine, and to the process that it knows? */
static int sim_engine_begin(struct engine *engine, struct server **server)
{
	struct sim_engine *me = (struct sim_engine *)engine;

	sim_step(me->host);
	*server = me->server;
	if (me->host->away_until > me->host->sim->now ||
	    me->server->down_until > me->host->sim->now)
		return -EAGAIN;
	return me->run == (*server)->run ? 0 : -ESTALE;
}

/* The answer may be lost. */
static int sim_engine_end(struct engine *engine)
{
	struct sim_engine *me = (struct sim_engine *)engine;

	sim_step(me->host);
	return me->host->away_until > me->host->sim->now ? -EAGAIN : 0;
}

static int sim_engine_run(struct engine *engine, char run[RUN_ROOM])
{
	struct sim_engine *me = (struct sim_engine *)engine;
	struct server *server;
	int err = sim_engine_begin(engine, &server);

	if (err == -EAGAIN)
		return err;
	me->run = server->run;
	snprintf(run, RUN_ROOM, "run%u", server->run);
	return 0;
}

static int sim_engine_history(struct engine *engine, char history[RUN_ROOM])
{
	struct server *server;
	int err = sim_engine_begin(engine, &server);

	if (!err)
		snprintf(history, RUN_ROOM, "history%u", server->history);
	return err;
}

static int sim_engine_append(struct engine *engine, enum engine_stream stream,
			     const uint8_t *bytes, size_t len, struct engine_id *id)
{
	struct sim_engine *me = (struct sim_engine *)engine;
	struct server *server;
	int err = sim_engine_begin(engine, &server);

	if (err)
		return err;
	server_append(server, stream, bytes, len, me->host->sim->now, id);
	return sim_engine_end(engine);
}

/* Entries are copied, because another host may run meanwhile. */
static int sim_engine_read(struct engine *engine, enum engine_stream name,
			   struct engine_id after, size_t most, engine_fn fn, void *context)
{
	struct server *server;
	int err = sim_engine_begin(engine, &server);
	static uint8_t bytes[HOSTS_MAX][MESSAGE_MOST];
	uint8_t *copy = bytes[((struct sim_engine *)engine)->host->number];

	if (err)
		return err;
	most = 1 + random_below(most);
	for (size_t i = 0; i < server->stream[name].count && most; i++) {
		const struct sim_entry *entry = &server->stream[name].entry[i];
		struct engine_id id = entry->id;
		size_t len = entry->len < MESSAGE_MOST ? entry->len : MESSAGE_MOST;

		if (engine_id_compare(id, after) <= 0)
			continue;
		memcpy(copy, entry->bytes, len);
		if (!fn(context, id, copy, len))
			break;
		most--;
		after = id;
		/* The stream may have changed while this host was suspended. */
		if (((struct sim_engine *)engine)->run != server->run)
			return -ESTALE;
		i = (size_t)-1;
	}
	return 0;
}

static int sim_engine_back(struct engine *engine, enum engine_stream name,
			   struct engine_id before, size_t most, engine_fn fn, void *context)
{
	struct server *server;
	int err = sim_engine_begin(engine, &server);
	const struct sim_stream *stream;

	if (err)
		return err;
	stream = &server->stream[name];
	for (size_t i = stream->count; i-- && most;) {
		const struct sim_entry *entry = &stream->entry[i];

		if (engine_id_compare(entry->id, before) >= 0)
			continue;
		if (!fn(context, entry->id, entry->bytes, entry->len))
			break;
		most--;
	}
	return 0;
}

static int sim_engine_last(struct engine *engine, enum engine_stream name, struct engine_id *id)
{
	struct server *server;
	int err = sim_engine_begin(engine, &server);

	if (!err)
		*id = server->stream[name].last;
	return err;
}

static int sim_engine_time(struct engine *engine, uint64_t *now)
{
	struct server *server;
	int err = sim_engine_begin(engine, &server);

	if (!err)
		*now = server_time(server, ((struct sim_engine *)engine)->host->sim->now);
	return err;
}

void sim_value_set(struct sim_value *value, const char *name, const void *bytes, size_t len,
		   uint64_t now, uint64_t ms)
{
	value_clear(value);
	snprintf(value->name, sizeof(value->name), "%s", name);
	value->bytes = malloc(len + 1);
	memcpy(value->bytes, bytes, len);
	value->len = len;
	value->set = now;
	value->expires = now + ms * MS;
}

static int sim_engine_lock(struct engine *engine, const char *text, unsigned int ms, bool renew,
			   bool *held)
{
	struct sim_engine *me = (struct sim_engine *)engine;
	uint64_t now = me->host->sim->now;
	struct sim_value *lock;
	struct server *server;
	int err = sim_engine_begin(engine, &server);

	if (err)
		return err;
	now = me->host->sim->now;
	lock = &server->lock;
	if (lock->expires <= now)
		value_clear(lock);
	*held = renew ? lock->bytes && !strcmp((char *)lock->bytes, text) : !lock->bytes;
	if (*held)
		sim_value_set(lock, "leader", text, strlen(text) + 1, now, ms);
	return sim_engine_end(engine);
}

static int sim_engine_put(struct engine *engine, const char *name, const uint8_t *bytes,
			  size_t len, unsigned int ms)
{
	struct sim_engine *me = (struct sim_engine *)engine;
	struct sim_value *oldest;
	struct server *server;
	int err = sim_engine_begin(engine, &server);

	if (err)
		return err;
	oldest = server->value;
	for (size_t i = 0; i < VALUES; i++) {
		if (!strcmp(server->value[i].name, name)) {
			oldest = &server->value[i];
			break;
		}
		if (server->value[i].set < oldest->set)
			oldest = &server->value[i];
	}
	sim_value_set(oldest, name, bytes, len, me->host->sim->now, ms);
	return sim_engine_end(engine);
}

static int sim_engine_get(struct engine *engine, const char *name, uint8_t *bytes, size_t *len)
{
	struct sim_engine *me = (struct sim_engine *)engine;
	struct server *server;
	int err = sim_engine_begin(engine, &server);

	if (err)
		return err;
	for (size_t i = 0; i < VALUES; i++) {
		const struct sim_value *value = &server->value[i];

		if (strcmp(value->name, name) || value->expires <= me->host->sim->now)
			continue;
		if (value->len > *len)
			return -EMSGSIZE;
		memcpy(bytes, value->bytes, value->len);
		*len = value->len;
		return 0;
	}
	return -ENOENT;
}

static const char *sim_engine_error(const struct engine *engine)
{
	(void)engine;
	return "";
}

static const struct engine_ops sim_engine_ops = {
	.run = sim_engine_run,
	.history = sim_engine_history,
	.append = sim_engine_append,
	.read = sim_engine_read,
	.back = sim_engine_back,
	.last = sim_engine_last,
	.time = sim_engine_time,
	.lock = sim_engine_lock,
	.put = sim_engine_put,
	.get = sim_engine_get,
	.error = sim_engine_error,
};

void sim_engine_init(struct sim_engine *engine, struct sim_host *host, struct server *server)
{
	engine->engine = (struct engine) { .ops = &sim_engine_ops };
	engine->host = host;
	engine->server = server;
	engine->run = UINT32_MAX;
}
