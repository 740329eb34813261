// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "redis_link.h"

/* Waits of the server for new entries, ms. */
#define BLOCK		1000
/* A connection is dead if an XREAD is under way and no byte arrives for so long, ms. */
#define DEAD		(3 * BLOCK)
/* Entries of an answer. */
#define ENTRIES		64
#define WORDS_MAX	10

static uint64_t redis_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

const char *redis_stream(enum engine_stream stream)
{
	return stream == STREAM_IN ? "in" : "out";
}

void redis_name(const struct redis *redis, char name[REDIS_NAME], const char *part)
{
	snprintf(name, REDIS_NAME, "seen:%s:%s", redis->config.group, part);
}

static void redis_hang_up(redisContext **context)
{
	if (*context)
		redisFree(*context);
	*context = NULL;
}

int redis_fail(struct redis *redis, const char *why)
{
	snprintf(redis->error, sizeof(redis->error), "%s", why);
	redis_hang_up(&redis->context);
	for (size_t i = 0; i < 2; i++) {
		redis_hang_up(&redis->wait[i].context);
		redis->wait[i].asked = 0;
	}
	redis->known = false;
	return -EAGAIN;
}

redisReply *redis_ask(struct redis *redis, redisContext *context, const uint8_t *bytes,
		      size_t len, ...)
{
	const char *words[WORDS_MAX], *word;
	size_t lens[WORDS_MAX];
	redisReply *reply;
	int count = 0;
	va_list args;

	va_start(args, len);
	for (; count < WORDS_MAX && (word = va_arg(args, const char *)); count++) {
		words[count] = word;
		lens[count] = word == (const char *)bytes ? len : strlen(word);
	}
	va_end(args);
	reply = redisCommandArgv(context, count, words, lens);
	if (!reply) {
		/* The connection's time limit would read "Resource temporarily unavailable". */
		redis_fail(redis, context->err == REDIS_ERR_IO && errno == EAGAIN ?
			   "no answer within a second" : context->errstr);
		return NULL;
	}
	if (reply->type != REDIS_REPLY_ERROR)
		return reply;
	redis_fail(redis, reply->str);
	freeReplyObject(reply);
	return NULL;
}

static bool redis_auth(struct redis *redis, redisContext *context)
{
	const char *user = redis->config.user, *password = redis->config.password;
	redisReply *reply;

	if (!password)
		return true;
	reply = user ? redis_ask(redis, context, NULL, 0, "AUTH", user, password, NULL) :
		redis_ask(redis, context, NULL, 0, "AUTH", password, NULL);
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
static bool redis_run_id(struct redis *redis, redisContext *context, char run[RUN_ROOM])
{
	redisReply *reply = redis_ask(redis, context, NULL, 0, "INFO", "server", NULL);
	const char *id;
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

int redis_open_commands(struct redis *redis, char run[RUN_ROOM])
{
	redis->context = redis->context ? redis->context : redis_connect(redis);
	if (!redis->context)
		return -EAGAIN;
	if (!redis_auth(redis, redis->context))
		return -EAGAIN;
	return redis_run_id(redis, redis->context, run) ? 0 : -EAGAIN;
}

int redis_begin(struct redis *redis)
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

/* Ask the server to answer when there is an entry, or after a second. */
static bool redis_wait_ask(struct redis *redis, enum engine_stream stream)
{
	struct redis_wait *wait = &redis->wait[stream];
	char name[REDIS_NAME], after[48];
	int done = 0;

	redis_name(redis, name, redis_stream(stream));
	snprintf(after, sizeof(after), "%" PRIu64 "-%" PRIu64, wait->after.ms, wait->after.seq);
	if (redisAppendCommand(wait->context, "XREAD COUNT %d BLOCK %d STREAMS %s %s", ENTRIES,
			       BLOCK, name, after) != REDIS_OK)
		return false;
	while (!done)
		if (redisBufferWrite(wait->context, &done) != REDIS_OK)
			return false;
	wait->asked = redis_now();
	wait->from = wait->after;
	return true;
}

/* Take an answer that has arrived; false: the connection has ended. */
static bool redis_wait_take(struct redis_wait *wait, redisReply **answer)
{
	struct pollfd fd = { wait->context->fd, POLLIN, 0 };
	void *reply = NULL;

	while (!reply && poll(&fd, 1, 0) > 0) {
		if (redisBufferRead(wait->context) != REDIS_OK ||
		    redisGetReplyFromReader(wait->context, &reply) != REDIS_OK)
			return false;
		wait->asked = redis_now();
	}
	*answer = reply;
	return reply || redis_now() - wait->asked < DEAD;
}

bool redis_wait_answer(struct redis *redis, enum engine_stream stream, redisReply **answer)
{
	struct redis_wait *wait = &redis->wait[stream];
	bool current = !engine_id_compare(wait->from, wait->after);

	*answer = NULL;
	if (!wait->asked)
		return false;
	if (!redis_wait_take(wait, answer)) {
		/* The other connections may be to a process that has ended, too. */
		redis_fail(redis, *wait->context->errstr ? wait->context->errstr :
			   "XREAD: no answer");
		return false;
	}
	if (*answer)
		wait->asked = 0;
	/* After an error, as after a question that is not asked any more, XRANGE is used. */
	if (*answer && (!current || (*answer)->type == REDIS_REPLY_ERROR)) {
		freeReplyObject(*answer);
		*answer = NULL;
		return false;
	}
	return current;
}

/* A connection to the process that the caller knows; another one may have lost entries. */
static bool redis_wait_open(struct redis *redis, struct redis_wait *wait)
{
	char run[RUN_ROOM];

	wait->context = redis_connect(redis);
	if (!wait->context || !redis_auth(redis, wait->context) ||
	    !redis_run_id(redis, wait->context, run))
		return false;
	if (strcmp(run, redis->run))
		redis_fail(redis, "the server was restarted");
	return wait->context;
}

static bool redis_wait_ready(struct redis *redis, enum engine_stream stream)
{
	struct redis_wait *wait = &redis->wait[stream];

	if (!wait->context && !redis_wait_open(redis, wait))
		return false;
	if (wait->asked || redis_wait_ask(redis, stream))
		return true;
	redis_fail(redis, wait->context->errstr);
	return false;
}

size_t redis_watch(struct engine *engine, bool aggregates, struct pollfd *fds)
{
	struct redis *redis = (struct redis *)engine;
	size_t count = 0;

	for (size_t i = 0; i < 2 && redis->known; i++)
		if ((i == STREAM_OUT || aggregates) && redis_wait_ready(redis, i))
			fds[count++] = (struct pollfd) { redis->wait[i].context->fd, POLLIN, 0 };
	return redis->known ? count : 0;
}
