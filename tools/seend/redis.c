// SPDX-License-Identifier: GPL-2.0
/*
 * Streams are "seen:GROUP:in" and "seen:GROUP:out", whose entries have one field "m". One connection
 * sends commands and waits for their answers, at most a second. Two others wait for new entries:
 * their XREAD is always under way, and only its arrival is of interest.
 */
#include <errno.h>
#include <inttypes.h>
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "message.h"
#include "redis.h"

#define NAME_ROOM	128
#define ERROR_ROOM	256
/* Waits of the server for new entries, ms. */
#define BLOCK		"1000"

static const char *const stream_names[] = { [STREAM_IN] = "in", [STREAM_OUT] = "out" };

/**
 * struct redis_wait - a connection on which the server waits for entries
 * @context: the connection, or NULL
 * @asked: an XREAD is under way
 * @after: the last entry that was read
 */
struct redis_wait {
	redisContext *context;
	bool asked;
	struct engine_id after;
};

/**
 * struct redis - a server
 * @config: a copy
 * @context: connection for commands, or NULL
 * @run: id of the server's process that the caller knows
 * @known: @context is to that process
 * @wait: for each stream
 * @error: see redis_error()
 */
struct redis {
	struct engine engine;
	struct redis_config config;
	redisContext *context;
	char run[RUN_ROOM];
	bool known;
	struct redis_wait wait[2];
	char error[ERROR_ROOM];
};

static struct redis *redis_of(struct engine *engine)
{
	return (struct redis *)engine;
}

const char *redis_error(const struct engine *engine)
{
	return ((const struct redis *)engine)->error;
}

static void redis_name(const struct redis *redis, char name[NAME_ROOM], const char *part)
{
	snprintf(name, NAME_ROOM, "seen:%s:%s", redis->config.group, part);
}

static void redis_hang_up(redisContext **context)
{
	if (*context)
		redisFree(*context);
	*context = NULL;
}

/* The connection is of no use any more; whether a write has happened is not known. */
static int redis_fail(struct redis *redis, const char *why)
{
	snprintf(redis->error, sizeof(redis->error), "%s", why);
	redis_hang_up(&redis->context);
	for (size_t i = 0; i < 2; i++) {
		redis_hang_up(&redis->wait[i].context);
		redis->wait[i].asked = false;
	}
	redis->known = false;
	return -EAGAIN;
}

/* Send a command and wait for its answer; NULL: failed. */
static redisReply *redis_ask(struct redis *redis, redisContext *context, int count,
			     const char **words, const size_t *lens)
{
	redisReply *reply = redisCommandArgv(context, count, words, lens);

	if (!reply) {
		redis_fail(redis, context->errstr);
		return NULL;
	}
	if (reply->type != REDIS_REPLY_ERROR)
		return reply;
	redis_fail(redis, reply->str);
	freeReplyObject(reply);
	return NULL;
}

static redisReply *redis_words(struct redis *redis, redisContext *context, int count,
			       const char **words)
{
	return redis_ask(redis, context, count, words, NULL);
}

static bool redis_auth(struct redis *redis, redisContext *context)
{
	const char *words[3] = { "AUTH" };
	redisReply *reply;
	int count = 1;

	if (!redis->config.password)
		return true;
	if (redis->config.user)
		words[count++] = redis->config.user;
	words[count++] = redis->config.password;
	reply = redis_words(redis, context, count, words);
	freeReplyObject(reply);
	return reply;
}

static redisContext *redis_connect(struct redis *redis)
{
	const struct redis_config *config = &redis->config;
	struct timeval limit = { 1, 0 };
	redisContext *context;

	context = config->path ? redisConnectUnixWithTimeout(config->path, limit) :
		redisConnectWithTimeout(config->host, config->port, limit);
	if (!context || context->err) {
		redis_fail(redis, context ? context->errstr : "no memory");
		if (context)
			redisFree(context);
		return NULL;
	}
	redisSetTimeout(context, limit);
	return context;
}

/* The id of the server's process, from a line of INFO. */
static bool redis_run_id(struct redis *redis, char run[RUN_ROOM])
{
	const char *words[] = { "INFO", "server" }, *id;
	redisReply *reply = redis_words(redis, redis->context, 2, words);
	size_t len;

	if (!reply)
		return false;
	id = reply->type == REDIS_REPLY_STRING ? strstr(reply->str, "\nrun_id:") : NULL;
	id = id ? id + strlen("\nrun_id:") : "";
	len = strcspn(id, "\r\n");
	if (len && len < RUN_ROOM) {
		memcpy(run, id, len);
		run[len] = '\0';
	}
	freeReplyObject(reply);
	if (!len || len >= RUN_ROOM)
		redis_fail(redis, "INFO server has no run_id");
	return len && len < RUN_ROOM;
}

/* Connect, if necessary, and read which process answers. */
static int redis_open_commands(struct redis *redis, char run[RUN_ROOM])
{
	redis->context = redis->context ? redis->context : redis_connect(redis);
	if (!redis->context)
		return -EAGAIN;
	if (!redis_auth(redis, redis->context))
		return -EAGAIN;
	return redis_run_id(redis, run) ? 0 : -EAGAIN;
}

static int redis_run(struct engine *engine, char run[RUN_ROOM])
{
	struct redis *redis = redis_of(engine);
	int err = redis_open_commands(redis, run);

	if (err)
		return err;
	snprintf(redis->run, sizeof(redis->run), "%s", run);
	redis->known = true;
	return 0;
}

/* Before a command: the connection must be to the process that the caller knows. */
static int redis_begin(struct redis *redis)
{
	char run[RUN_ROOM];
	int err;

	if (redis->known)
		return 0;
	err = redis_open_commands(redis, run);
	if (err)
		return err;
	redis->known = !strcmp(run, redis->run);
	return redis->known ? 0 : -ESTALE;
}

static bool redis_parse_id(const redisReply *reply, struct engine_id *id)
{
	char end;

	return reply->type == REDIS_REPLY_STRING &&
	       sscanf(reply->str, "%" SCNu64 "-%" SCNu64 "%c", &id->ms, &id->seq, &end) == 2;
}

static int redis_append(struct engine *engine, enum engine_stream stream, const uint8_t *bytes,
			size_t len, struct engine_id *id)
{
	struct redis *redis = redis_of(engine);
	char name[NAME_ROOM], oldest[32];
	const char *words[] = { "XADD", name, "MINID", "~", oldest, "*", "m",
				(const char *)bytes };
	size_t lens[8];
	redisReply *reply;
	uint64_t now;
	int err = engine->ops->time(engine, &now);

	if (err)
		return err;
	redis_name(redis, name, stream_names[stream]);
	snprintf(oldest, sizeof(oldest), "%" PRIu64,
		 (uint64_t)(now > KEEP_TIME ? (now - KEEP_TIME) / 1000000 : 0));
	for (size_t i = 0; i < 7; i++)
		lens[i] = strlen(words[i]);
	lens[7] = len;
	reply = redis_ask(redis, redis->context, 8, words, lens);
	if (!reply)
		return -EAGAIN;
	err = redis_parse_id(reply, id) ? 0 : redis_fail(redis, "XADD: unexpected answer");
	freeReplyObject(reply);
	return err;
}

/* The field of an entry: [id, ["m", bytes]]; NULL: another program's. */
static const redisReply *redis_field(const redisReply *entry, struct engine_id *id)
{
	const redisReply *fields;

	if (entry->type != REDIS_REPLY_ARRAY || entry->elements != 2 ||
	    !redis_parse_id(entry->element[0], id))
		return NULL;
	fields = entry->element[1];
	if (fields->type != REDIS_REPLY_ARRAY || fields->elements < 2 ||
	    fields->element[1]->type != REDIS_REPLY_STRING)
		return NULL;
	return fields->element[1];
}

/* Call @fn for each entry; returns the number of entries. */
static size_t redis_entries(const redisReply *reply, engine_fn fn, void *context)
{
	static const uint8_t nothing[1];
	size_t i;

	if (reply->type != REDIS_REPLY_ARRAY)
		return 0;
	for (i = 0; i < reply->elements; i++) {
		struct engine_id id = { 0, 0 };
		const redisReply *field = redis_field(reply->element[i], &id);
		const uint8_t *bytes = field ? (const uint8_t *)field->str : nothing;

		/* An entry that is no message is passed on, so that it is counted. */
		if ((field || id.ms || id.seq) &&
		    !fn(context, id, bytes, field ? (size_t)field->len : 0))
			break;
	}
	return i;
}

static int redis_range(struct redis *redis, const char *command, enum engine_stream stream,
		       struct engine_id from, const char *end, size_t most, engine_fn fn,
		       void *context)
{
	char name[NAME_ROOM], first[64], count[32];
	const char *words[] = { command, name, first, end, "COUNT", count };
	redisReply *reply;

	redis_name(redis, name, stream_names[stream]);
	/* "(" excludes the id itself. */
	snprintf(first, sizeof(first), "(%" PRIu64 "-%" PRIu64, from.ms, from.seq);
	snprintf(count, sizeof(count), "%zu", most);
	reply = redis_words(redis, redis->context, 6, words);
	if (!reply)
		return -EAGAIN;
	redis_entries(reply, fn, context);
	freeReplyObject(reply);
	return 0;
}

/* A caller of redis_read(), and the connection that waits for entries behind the last one. */
struct redis_reading {
	engine_fn fn;
	void *context;
	struct redis_wait *wait;
};

static bool redis_read_one(void *context, struct engine_id id, const uint8_t *bytes, size_t len)
{
	struct redis_reading *reading = context;
	bool more = reading->fn(reading->context, id, bytes, len);

	reading->wait->after = id;
	return more;
}

static int redis_read(struct engine *engine, enum engine_stream stream, struct engine_id after,
		      size_t most, engine_fn fn, void *context)
{
	struct redis *redis = redis_of(engine);
	struct redis_reading reading = { fn, context, &redis->wait[stream] };
	int err = redis_begin(redis);

	if (err)
		return err;
	reading.wait->after = after;
	return redis_range(redis, "XRANGE", stream, after, "+", most, redis_read_one, &reading);
}

static int redis_back(struct engine *engine, enum engine_stream stream, struct engine_id before,
		      size_t most, engine_fn fn, void *context)
{
	struct redis *redis = redis_of(engine);
	int err = redis_begin(redis);

	if (err)
		return err;
	return redis_range(redis, "XREVRANGE", stream, before, "-", most, fn, context);
}

static bool redis_newest(void *context, struct engine_id id, const uint8_t *bytes, size_t len)
{
	(void)bytes;
	(void)len;
	*(struct engine_id *)context = id;
	return false;
}

static int redis_last(struct engine *engine, enum engine_stream stream, struct engine_id *id)
{
	struct engine_id newest = { UINT64_MAX, UINT64_MAX };

	*id = (struct engine_id) { 0, 0 };
	return redis_back(engine, stream, newest, 1, redis_newest, id);
}

static int redis_time(struct engine *engine, uint64_t *now)
{
	struct redis *redis = redis_of(engine);
	const char *words[] = { "TIME" };
	uint64_t seconds, micros;
	redisReply *reply;
	int err = redis_begin(redis);

	if (err)
		return err;
	reply = redis_words(redis, redis->context, 1, words);
	if (!reply)
		return -EAGAIN;
	if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
	    reply->element[0]->type == REDIS_REPLY_STRING &&
	    reply->element[1]->type == REDIS_REPLY_STRING) {
		seconds = strtoull(reply->element[0]->str, NULL, 10);
		micros = strtoull(reply->element[1]->str, NULL, 10);
		*now = seconds * 1000000000 + micros * 1000;
	} else {
		err = redis_fail(redis, "TIME: unexpected answer");
	}
	freeReplyObject(reply);
	return err;
}

static int redis_lock(struct engine *engine, const char *value, unsigned int ms, bool renew,
		      bool *held)
{
	static const char script[] =
		"if redis.call('get', KEYS[1]) == ARGV[1] then "
		"return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end";
	struct redis *redis = redis_of(engine);
	char name[NAME_ROOM], time[32];
	const char *set[] = { "SET", name, value, "NX", "PX", time };
	const char *eval[] = { "EVAL", script, "1", name, value, time };
	redisReply *reply;
	int err = redis_begin(redis);

	if (err)
		return err;
	redis_name(redis, name, "leader");
	snprintf(time, sizeof(time), "%u", ms);
	reply = redis_words(redis, redis->context, 6, renew ? eval : set);
	if (!reply)
		return -EAGAIN;
	*held = renew ? reply->type == REDIS_REPLY_INTEGER && reply->integer == 1 :
		reply->type == REDIS_REPLY_STATUS;
	freeReplyObject(reply);
	return 0;
}

static int redis_put(struct engine *engine, const char *part, const uint8_t *bytes, size_t len,
		     unsigned int ms)
{
	struct redis *redis = redis_of(engine);
	char name[NAME_ROOM], time[32];
	const char *words[] = { "SET", name, (const char *)bytes, "PX", time };
	size_t lens[5];
	redisReply *reply;
	int err = redis_begin(redis);

	if (err)
		return err;
	redis_name(redis, name, part);
	snprintf(time, sizeof(time), "%u", ms);
	for (size_t i = 0; i < 5; i++)
		lens[i] = i == 2 ? len : strlen(words[i]);
	reply = redis_ask(redis, redis->context, 5, words, lens);
	freeReplyObject(reply);
	return reply ? 0 : -EAGAIN;
}

static int redis_get(struct engine *engine, const char *part, uint8_t *bytes, size_t *len)
{
	struct redis *redis = redis_of(engine);
	char name[NAME_ROOM];
	const char *words[] = { "GET", name };
	redisReply *reply;
	int err = redis_begin(redis);

	if (err)
		return err;
	redis_name(redis, name, part);
	reply = redis_words(redis, redis->context, 2, words);
	if (!reply)
		return -EAGAIN;
	if (reply->type != REDIS_REPLY_STRING) {
		err = -ENOENT;
	} else if ((size_t)reply->len > *len) {
		err = -EMSGSIZE;
	} else {
		memcpy(bytes, reply->str, reply->len);
		*len = reply->len;
	}
	freeReplyObject(reply);
	return err;
}

/* Ask the server to answer when there is an entry, or after a second. */
static bool redis_wait_ask(struct redis *redis, enum engine_stream stream)
{
	struct redis_wait *wait = &redis->wait[stream];
	char name[NAME_ROOM], after[48];
	int done = 0;

	redis_name(redis, name, stream_names[stream]);
	snprintf(after, sizeof(after), "%" PRIu64 "-%" PRIu64, wait->after.ms, wait->after.seq);
	if (redisAppendCommand(wait->context, "XREAD COUNT 1 BLOCK " BLOCK " STREAMS %s %s", name,
			       after) != REDIS_OK)
		return false;
	while (!done)
		if (redisBufferWrite(wait->context, &done) != REDIS_OK)
			return false;
	wait->asked = true;
	return true;
}

/* Take answers that have arrived; the entries themselves are read by redis_read(). */
static bool redis_wait_take(struct redis_wait *wait)
{
	struct pollfd fd = { wait->context->fd, POLLIN, 0 };
	void *reply = NULL;

	while (poll(&fd, 1, 0) > 0) {
		if (redisBufferRead(wait->context) != REDIS_OK ||
		    redisGetReplyFromReader(wait->context, &reply) != REDIS_OK)
			return false;
		if (reply) {
			freeReplyObject(reply);
			wait->asked = false;
			return true;
		}
	}
	return true;
}

static bool redis_wait_ready(struct redis *redis, enum engine_stream stream)
{
	struct redis_wait *wait = &redis->wait[stream];

	if (!wait->context) {
		wait->context = redis_connect(redis);
		if (!wait->context || !redis_auth(redis, wait->context))
			return false;
	}
	if (redis_wait_take(wait) && (wait->asked || redis_wait_ask(redis, stream)))
		return true;
	redis_hang_up(&wait->context);
	wait->asked = false;
	return false;
}

size_t redis_watch(struct engine *engine, bool aggregates, struct pollfd *fds)
{
	struct redis *redis = redis_of(engine);
	size_t count = 0;

	for (size_t i = 0; i < 2 && redis->known; i++)
		if ((i == STREAM_OUT || aggregates) && redis_wait_ready(redis, i))
			fds[count++] = (struct pollfd) { redis->wait[i].context->fd, POLLIN, 0 };
	return count;
}

static const struct engine_ops redis_ops = {
	.run = redis_run,
	.append = redis_append,
	.read = redis_read,
	.back = redis_back,
	.last = redis_last,
	.time = redis_time,
	.lock = redis_lock,
	.put = redis_put,
	.get = redis_get,
};

struct engine *redis_open(const struct redis_config *config)
{
	struct redis *redis = calloc(1, sizeof(*redis));

	if (!redis)
		return NULL;
	redis->engine.ops = &redis_ops;
	redis->config = *config;
	return &redis->engine;
}

void redis_close(struct engine *engine)
{
	struct redis *redis = redis_of(engine);

	if (!redis)
		return;
	redis_fail(redis, "closed");
	free(redis);
}
