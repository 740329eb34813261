/* SPDX-License-Identifier: GPL-2.0 */
/* Connections to a Redis server. Internal to redis.c and redis_link.c. */
#ifndef SEEND_REDIS_LINK_H
#define SEEND_REDIS_LINK_H

#include <hiredis/hiredis.h>

#include "redis.h"

#define REDIS_NAME	128
#define REDIS_ERROR	(ADDRESS_ROOM + 256)

/**
 * struct redis_wait - a connection on which the server waits for entries
 * @context: the connection, or NULL
 * @asked: when the XREAD that is under way was sent, or bytes of its answer arrived, ms; 0: none is
 * @from: the XREAD asks for entries behind this one
 * @after: the last entry that was read
 */
struct redis_wait {
	redisContext *context;
	uint64_t asked;
	struct engine_id from;
	struct engine_id after;
};

/**
 * struct redis - a server
 * @config: a copy
 * @context: connection for commands, or NULL
 * @run: id of the server's process that the caller knows
 * @known: @context is to that process
 * @now: the last answer to TIME, ns; 0: none yet
 * @wait: for each stream
 * @error: why the last call failed
 */
struct redis {
	struct engine engine;
	struct redis_config config;
	redisContext *context;
	char run[RUN_ROOM];
	bool known;
	uint64_t now;
	struct redis_wait wait[2];
	char error[REDIS_ERROR];
};

/* redis_stream() - the last part of a stream's name */
const char *redis_stream(enum engine_stream stream);

/* redis_name() - the name of a stream or value of the group */
void redis_name(const struct redis *redis, char name[REDIS_NAME], const char *part);

/* redis_fail() - end all connections; whether a write has happened is not known; -EAGAIN */
int redis_fail(struct redis *redis, const char *why);

/**
 * redis_ask() - send a command and wait for its answer
 * @redis: the server
 * @context: one of its connections
 * @bytes: a word that may have bytes of 0; or NULL
 * @len: of @bytes
 * @...: words; the last one is NULL
 *
 * Return: the answer, to be freed; NULL: failed, and all connections have ended.
 */
redisReply *redis_ask(struct redis *redis, redisContext *context, const uint8_t *bytes,
		      size_t len, ...) __attribute__((__sentinel__));

/* redis_read_history() - read the id of the server's history; -EAGAIN also for a wrong role */
int redis_read_history(struct redis *redis, char history[RUN_ROOM]);

/* redis_open_commands() - connect, if necessary, and read which process answers; 0 or -EAGAIN */
int redis_open_commands(struct redis *redis, char run[RUN_ROOM]);

/* redis_begin() - before a command: 0; -ESTALE: another process answers; -EAGAIN */
int redis_begin(struct redis *redis);

/**
 * redis_wait_answer() - take the answer to an XREAD, if it has arrived
 * @redis: the server
 * @stream: of the XREAD
 * @answer: out: to be freed; NULL: none has arrived
 *
 * Return: true: an XREAD is or was under way, and entries arrive by it only.
 */
bool redis_wait_answer(struct redis *redis, enum engine_stream stream, redisReply **answer);

#endif
