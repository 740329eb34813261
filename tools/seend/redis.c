// SPDX-License-Identifier: GPL-2.0
/*
 * Streams are "seen:GROUP:in" and "seen:GROUP:out", whose entries have one field "m". One
 * connection sends commands and waits for their answers, at most a second. Two others wait for new
 * entries: their XREAD is always under way, so that the server sends each entry once and at once.
 * XRANGE reads entries that no XREAD has asked for: older ones, or those that are read again.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "message.h"
#include "redis_link.h"

static struct redis *redis_of(struct engine *engine)
{
	return (struct redis *)engine;
}

static const char *redis_error(const struct engine *engine)
{
	return ((const struct redis *)engine)->error;
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

static int redis_history(struct engine *engine, char history[RUN_ROOM])
{
	struct redis *redis = redis_of(engine);
	int err = redis_begin(redis);

	return err ? err : redis_read_history(redis, history);
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
	char name[REDIS_NAME], oldest[32];
	redisReply *reply;
	int err = redis->now ? redis_begin(redis) : engine->ops->time(engine, &redis->now);
	uint64_t now = redis->now;

	if (err)
		return err;
	redis_name(redis, name, redis_stream(stream));
	snprintf(oldest, sizeof(oldest), "%" PRIu64,
		 (uint64_t)(now > KEEP_TIME ? (now - KEEP_TIME) / 1000000 : 0));
	reply = redis_ask(redis, redis->context, bytes, len, "XADD", name, "MINID", "~", oldest,
			  "*", "m", bytes, NULL);
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
	char name[REDIS_NAME], first[64], count[32];
	redisReply *reply;

	redis_name(redis, name, redis_stream(stream));
	/* "(" excludes the id itself. */
	snprintf(first, sizeof(first), "(%" PRIu64 "-%" PRIu64, from.ms, from.seq);
	snprintf(count, sizeof(count), "%zu", most);
	reply = redis_ask(redis, redis->context, NULL, 0, command, name, first, end, "COUNT",
			  count, NULL);
	if (!reply)
		return -EAGAIN;
	redis_entries(reply, fn, context);
	freeReplyObject(reply);
	return 0;
}

/* A caller of redis_read(), how many entries it still takes, and the connection that waits. */
struct redis_reading {
	engine_fn fn;
	void *context;
	size_t left;
	struct redis_wait *wait;
};

static bool redis_read_one(void *context, struct engine_id id, const uint8_t *bytes, size_t len)
{
	struct redis_reading *reading = context;
	bool more = reading->fn(reading->context, id, bytes, len);

	reading->wait->after = id;
	return --reading->left && more;
}

/* The entries of the only stream in an answer to XREAD: [[name, entries]], or nil. */
static void redis_answer(const redisReply *answer, engine_fn fn, void *context)
{
	const redisReply *stream;

	if (answer->type != REDIS_REPLY_ARRAY || answer->elements != 1)
		return;
	stream = answer->element[0];
	if (stream->type == REDIS_REPLY_ARRAY && stream->elements == 2)
		redis_entries(stream->element[1], fn, context);
}

static int redis_read(struct engine *engine, enum engine_stream stream, struct engine_id after,
		      size_t most, engine_fn fn, void *context)
{
	struct redis *redis = redis_of(engine);
	struct redis_reading reading = { fn, context, most, &redis->wait[stream] };
	redisReply *answer;
	int err = redis_begin(redis);

	if (err)
		return err;
	reading.wait->after = after;
	if (redis_wait_answer(redis, stream, &answer)) {
		if (answer)
			redis_answer(answer, redis_read_one, &reading);
		freeReplyObject(answer);
		return 0;
	}
	if (!redis->known)
		return -EAGAIN;
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
	uint64_t seconds, micros;
	redisReply *reply;
	int err = redis_begin(redis);

	if (err)
		return err;
	reply = redis_ask(redis, redis->context, NULL, 0, "TIME", NULL);
	if (!reply)
		return -EAGAIN;
	if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
	    reply->element[0]->type == REDIS_REPLY_STRING &&
	    reply->element[1]->type == REDIS_REPLY_STRING) {
		seconds = strtoull(reply->element[0]->str, NULL, 10);
		micros = strtoull(reply->element[1]->str, NULL, 10);
		*now = seconds * 1000000000 + micros * 1000;
		redis->now = *now;
	} else {
		err = redis_fail(redis, "TIME: unexpected answer");
	}
	freeReplyObject(reply);
	return err;
}

/* Renew a lock only if it is still held. */
#define RENEW	"return redis.call('get', KEYS[1]) == ARGV[1] and " \
		"redis.call('pexpire', KEYS[1], ARGV[2]) or 0"

static int redis_lock(struct engine *engine, const char *value, unsigned int ms, bool renew,
		      bool *held)
{
	struct redis *redis = redis_of(engine);
	char name[REDIS_NAME], time[32];
	redisReply *reply;
	int err = redis_begin(redis);

	if (err)
		return err;
	redis_name(redis, name, "leader");
	snprintf(time, sizeof(time), "%u", ms);
	reply = renew ? redis_ask(redis, redis->context, NULL, 0, "EVAL", RENEW, "1", name, value,
				  time, NULL) :
		redis_ask(redis, redis->context, NULL, 0, "SET", name, value, "NX", "PX", time,
			  NULL);
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
	char name[REDIS_NAME], time[32];
	redisReply *reply;
	int err = redis_begin(redis);

	if (err)
		return err;
	redis_name(redis, name, part);
	snprintf(time, sizeof(time), "%u", ms);
	reply = redis_ask(redis, redis->context, bytes, len, "SET", name, bytes, "PX", time, NULL);
	freeReplyObject(reply);
	return reply ? 0 : -EAGAIN;
}

static int redis_get(struct engine *engine, const char *part, uint8_t *bytes, size_t *len)
{
	struct redis *redis = redis_of(engine);
	char name[REDIS_NAME];
	redisReply *reply;
	int err = redis_begin(redis);

	if (err)
		return err;
	redis_name(redis, name, part);
	reply = redis_ask(redis, redis->context, NULL, 0, "GET", name, NULL);
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

static const struct engine_ops redis_ops = {
	.run = redis_run,
	.history = redis_history,
	.append = redis_append,
	.read = redis_read,
	.back = redis_back,
	.last = redis_last,
	.time = redis_time,
	.lock = redis_lock,
	.put = redis_put,
	.get = redis_get,
	.error = redis_error,
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
