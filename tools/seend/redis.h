/* SPDX-License-Identifier: GPL-2.0 */
/* The engine: a Redis server. */
#ifndef SEEND_REDIS_H
#define SEEND_REDIS_H

#include <poll.h>

#include "address.h"
#include "engine.h"

/**
 * struct redis_config - how to reach a server
 * @address: of the server
 * @replica: it must be a replica; otherwise it must be a primary
 * @user: name for AUTH, or NULL
 * @password: for AUTH, or NULL
 * @group: part of the names of streams and values
 */
struct redis_config {
	const struct address *address;
	bool replica;
	const char *user;
	const char *password;
	const char *group;
};

/* redis_open() - an engine that connects when it is used; NULL: no memory */
struct engine *redis_open(const struct redis_config *config);
void redis_close(struct engine *engine);

/**
 * redis_watch() - wait for entries behind the last one that was read
 * @engine: the server
 * @stream: with these entries
 * @fd: out: becomes readable when there are entries, or after a second
 *
 * Return: false: there is no connection.
 */
bool redis_watch(struct engine *engine, enum engine_stream stream, struct pollfd *fd);

#endif
