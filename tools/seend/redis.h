/* SPDX-License-Identifier: GPL-2.0 */
/* The engine: a Redis server. */
#ifndef SEEND_REDIS_H
#define SEEND_REDIS_H

#include <poll.h>

#include "engine.h"

/**
 * struct redis_config - how to reach a server
 * @path: of its unix socket; NULL: use @host
 * @host: name or address
 * @port: TCP port
 * @user: name for AUTH, or NULL
 * @password: for AUTH, or NULL
 * @group: part of the names of streams and values
 */
struct redis_config {
	const char *path;
	const char *host;
	int port;
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
 * @aggregates: also for entries of the stream "in"
 * @fds: out: descriptors that become readable when there are entries, or after a second
 *
 * Return: number of descriptors, at most 2.
 */
size_t redis_watch(struct engine *engine, bool aggregates, struct pollfd *fds);

/* redis_error() - why the last call failed: a line for people */
const char *redis_error(const struct engine *engine);

#endif
