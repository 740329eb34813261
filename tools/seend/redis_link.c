// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "message.h"
#include "redis_link.h"

/* Waits of the server for new entries, ms. */
#define BLOCK		1000
/* A connection is dead if an XREAD is under way and no byte arrives for so long, ms. */
#define DEAD		(3 * BLOCK)
/* Entries of an answer. */
#define ENTRIES		64
#define WORDS_MAX	10
/* An answer ends after so long at the latest, and after a silence of so long, ms. */
#define ANSWER_TIME	5000
#define ANSWER_SILENCE	1000
/* Bytes of an answer: more than any messages that are read at once have. */
#define ANSWER_MOST	((size_t)256 * MESSAGE_MOST)

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

/* Answers of a server that cannot be used now, in words. */
static const char *redis_words(const char *why)
{
	static const struct {
		const char *begin, *words;
	} known[] = {
		{ "LOADING", "the server is still loading its data" },
		{ "MASTERDOWN",
		  "its link to the primary is down, and its replica-serve-stale-data is no" },
		{ "READONLY", "it is a replica; engine must be the address of the primary" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strncmp(why, known[i].begin, strlen(known[i].begin)))
			return known[i].words;
	return why;
}

int redis_fail(struct redis *redis, const char *why)
{
	snprintf(redis->error, sizeof(redis->error), "%s: %s", redis->config.address->text,
		 redis_words(why));
	redis_hang_up(&redis->context);
	for (size_t i = 0; i < 2; i++) {
		redis_hang_up(&redis->wait[i].context);
		redis->wait[i].asked = 0;
	}
	redis->known = false;
	return -EAGAIN;
}

/* Read what has arrived; NULL, or the reason of a failure. *@reply: NULL: it is not complete. */
static const char *redis_receive(redisContext *context, void **reply)
{
	*reply = NULL;
	if (redisBufferRead(context) != REDIS_OK)
		return context->errstr;
	/* A server that is not ours, or a stranger's value, must not fill the memory. */
	if (context->reader->len > ANSWER_MOST)
		return "an answer is too long";
	return redisGetReplyFromReader(context, reply) == REDIS_OK ? NULL : context->errstr;
}

/* Wait for an answer: a server that sends a byte now and then must not stop the daemon. */
static const char *redis_await(redisContext *context, void **reply)
{
	struct pollfd fd = { context->fd, POLLIN, 0 };
	uint64_t end = redis_now() + ANSWER_TIME;
	const char *failed = NULL;

	*reply = NULL;
	while (!*reply && !failed) {
		if (redis_now() > end)
			return "no whole answer within 5 seconds";
		if (poll(&fd, 1, ANSWER_SILENCE) <= 0)
			return "no answer within a second";
		failed = redis_receive(context, reply);
	}
	return failed;
}

/* Write a command to a connection whose writes end after a second. */
static const char *redis_send(redisContext *context)
{
	int done = 0;

	while (!done)
		if (redisBufferWrite(context, &done) != REDIS_OK)
			return context->errstr;
	return NULL;
}

redisReply *redis_ask(struct redis *redis, redisContext *context, const uint8_t *bytes,
		      size_t len, ...)
{
	const char *words[WORDS_MAX], *word;
	size_t lens[WORDS_MAX];
	const char *failed;
	redisReply *reply;
	int count = 0;
	void *answer;
	va_list args;

	va_start(args, len);
	for (; count < WORDS_MAX && (word = va_arg(args, const char *)); count++) {
		words[count] = word;
		lens[count] = word == (const char *)bytes ? len : strlen(word);
	}
	va_end(args);
	failed = redisAppendCommandArgv(context, count, words, lens) == REDIS_OK ?
		redis_send(context) : context->errstr;
	if (!failed)
		failed = redis_await(context, &answer);
	if (failed) {
		redis_fail(redis, failed);
		return NULL;
	}
	reply = answer;
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
	const struct address *address = redis->config.address;
	struct timeval limit = { 1, 0 };
	redisContext *context;

	context = address->port ? redisConnectWithTimeout(address->name, address->port, limit) :
		redisConnectUnixWithTimeout(address->name, limit);
	if (!context || context->err) {
		redis_fail(redis, context ? context->errstr : "no memory");
		if (context)
			redisFree(context);
		return NULL;
	}
	redisSetTimeout(context, limit);
	return context;
}

/* Copy the value of a line of INFO; false: the line is missing. */
static bool redis_line(const redisReply *reply, const char *name, char value[RUN_ROOM])
{
	const char *at = reply->type == REDIS_REPLY_STRING ? strstr(reply->str, name) : NULL;
	size_t len;

	at = at ? at + strlen(name) : "";
	len = strcspn(at, "\r\n");
	if (!len || len >= RUN_ROOM)
		return false;
	memcpy(value, at, len);
	value[len] = '\0';
	return true;
}

/* The id of the server's process, from a line of INFO. */
static bool redis_run_id(struct redis *redis, redisContext *context, char run[RUN_ROOM])
{
	redisReply *reply = redis_ask(redis, context, NULL, 0, "INFO", "server", NULL);
	bool found = reply && redis_line(reply, "\nrun_id:", run);

	freeReplyObject(reply);
	if (reply && !found)
		redis_fail(redis, "INFO server has no run_id");
	return found;
}

/*
 * A primary that became a replica, or the opposite, is still the same process. Its clients would
 * write to one history and read another.
 */
int redis_read_history(struct redis *redis, char history[RUN_ROOM])
{
	redisReply *reply = redis_ask(redis, redis->context, NULL, 0, "INFO", "replication", NULL);
	char role[RUN_ROOM];
	bool found;

	if (!reply)
		return -EAGAIN;
	found = redis_line(reply, "\nrole:", role) &&
		redis_line(reply, "\nmaster_replid:", history);
	freeReplyObject(reply);
	if (!found)
		return redis_fail(redis, "INFO replication has no role or master_replid");
	if (redis->config.replica && strcmp(role, "slave"))
		return redis_fail(redis, "it is no replica; omit replica, or set its replicaof");
	if (!redis->config.replica && strcmp(role, "master"))
		return redis_fail(redis,
				  "it is a replica; engine must be the address of the primary");
	return 0;
}

int redis_open_commands(struct redis *redis, char run[RUN_ROOM])
{
	char history[RUN_ROOM];

	redis->context = redis->context ? redis->context : redis_connect(redis);
	if (!redis->context)
		return -EAGAIN;
	if (!redis_auth(redis, redis->context))
		return -EAGAIN;
	if (!redis_run_id(redis, redis->context, run))
		return -EAGAIN;
	return redis_read_history(redis, history);
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

	redis_name(redis, name, redis_stream(stream));
	snprintf(after, sizeof(after), "%" PRIu64 "-%" PRIu64, wait->after.ms, wait->after.seq);
	if (redisAppendCommand(wait->context, "XREAD COUNT %d BLOCK %d STREAMS %s %s", ENTRIES,
			       BLOCK, name, after) != REDIS_OK)
		return false;
	if (redis_send(wait->context))
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
		if (redis_receive(wait->context, &reply))
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

bool redis_watch(struct engine *engine, enum engine_stream stream, struct pollfd *fd)
{
	struct redis *redis = (struct redis *)engine;

	if (!redis->known || !redis_wait_ready(redis, stream))
		return false;
	*fd = (struct pollfd) { redis->wait[stream].context->fd, POLLIN, 0 };
	return true;
}
