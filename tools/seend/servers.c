// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "servers.h"

/**
 * struct servers - see servers_open()
 * @engine: see there
 * @home: the primary
 * @near: the replica, or @home
 * @failed: the server of the last error; NULL: the two do not fit
 * @history: of both when run() was called
 */
struct servers {
	struct engine engine;
	struct engine *home;
	struct engine *near;
	struct engine *failed;
	char history[RUN_ROOM];
};

static struct servers *servers_of(struct engine *engine)
{
	return (struct servers *)engine;
}

/* Note which server an error is of. */
static int servers_judge(struct servers *servers, struct engine *server, int err)
{
	if (err)
		servers->failed = server;
	return err;
}

static const char *servers_error(const struct engine *engine)
{
	const struct servers *servers = (const struct servers *)engine;

	if (servers->failed)
		return servers->failed->ops->error(servers->failed);
	return "replica: it does not have the data of this engine, or not yet; see its replicaof";
}

/* Read the ids of both processes; *@same: they have one history. */
static int servers_ids(struct servers *servers, char home[RUN_ROOM], char near[RUN_ROOM],
		       bool *same)
{
	char history[RUN_ROOM];
	int err;

	err = servers_judge(servers, servers->home, servers->home->ops->run(servers->home, home));
	if (err)
		return err;
	err = servers_judge(servers, servers->home,
			    servers->home->ops->history(servers->home, servers->history));
	if (err)
		return err;
	err = servers_judge(servers, servers->near, servers->near->ops->run(servers->near, near));
	if (err)
		return err;
	/* Last, so that the replica cannot have left the history before its process is known. */
	err = servers_judge(servers, servers->near,
			    servers->near->ops->history(servers->near, history));
	*same = !err && !strcmp(history, servers->history);
	return err;
}

static int servers_run(struct engine *engine, char run[RUN_ROOM])
{
	struct servers *servers = servers_of(engine);
	char home[RUN_ROOM], near[RUN_ROOM];
	bool same;
	int err;

	if (!engine->split)
		return servers_judge(servers, servers->home,
				     servers->home->ops->run(servers->home, run));
	err = servers_ids(servers, home, near, &same);
	if (err)
		return err;
	if (!same) {
		servers->failed = NULL;
		return -EAGAIN;
	}
	/* 60 random bits of each id */
	snprintf(run, RUN_ROOM, "%.15s/%.15s/%.15s", home, near, servers->history);
	return 0;
}

static int servers_history(struct engine *engine, char history[RUN_ROOM])
{
	struct servers *servers = servers_of(engine);

	return servers_judge(servers, servers->home,
			     servers->home->ops->history(servers->home, history));
}

static int servers_append(struct engine *engine, enum engine_stream stream, const uint8_t *bytes,
			  size_t len, struct engine_id *id)
{
	struct servers *servers = servers_of(engine);

	return servers_judge(servers, servers->home,
			     servers->home->ops->append(servers->home, stream, bytes, len, id));
}

static int servers_read(struct engine *engine, enum engine_stream stream, struct engine_id after,
			size_t most, engine_fn fn, void *context)
{
	struct servers *servers = servers_of(engine);
	struct engine *server = stream == STREAM_OUT ? servers->near : servers->home;

	return servers_judge(servers, server,
			     server->ops->read(server, stream, after, most, fn, context));
}

static int servers_back(struct engine *engine, enum engine_stream stream,
			struct engine_id before, size_t most, engine_fn fn, void *context)
{
	struct servers *servers = servers_of(engine);

	return servers_judge(servers, servers->home,
			     servers->home->ops->back(servers->home, stream, before, most, fn,
						      context));
}

static int servers_last(struct engine *engine, enum engine_stream stream, struct engine_id *id)
{
	struct servers *servers = servers_of(engine);

	return servers_judge(servers, servers->home,
			     servers->home->ops->last(servers->home, stream, id));
}

/* The caller asks for the time once a second, so the replica's history is looked at so often. */
static int servers_time(struct engine *engine, uint64_t *now)
{
	struct servers *servers = servers_of(engine);
	char history[RUN_ROOM];
	int err;

	err = servers_judge(servers, servers->home, servers->home->ops->time(servers->home, now));
	if (err || !engine->split)
		return err;
	err = servers_judge(servers, servers->near,
			    servers->near->ops->history(servers->near, history));
	if (err)
		return err;
	return strcmp(history, servers->history) ? -ESTALE : 0;
}

static int servers_lock(struct engine *engine, const char *value, unsigned int ms, bool renew,
			bool *held)
{
	struct servers *servers = servers_of(engine);

	return servers_judge(servers, servers->home,
			     servers->home->ops->lock(servers->home, value, ms, renew, held));
}

static int servers_put(struct engine *engine, const char *name, const uint8_t *bytes, size_t len,
		       unsigned int ms)
{
	struct servers *servers = servers_of(engine);

	return servers_judge(servers, servers->home,
			     servers->home->ops->put(servers->home, name, bytes, len, ms));
}

/* -ENOENT and -EMSGSIZE are answers, no errors of the server. */
static int servers_get(struct engine *engine, const char *name, uint8_t *bytes, size_t *len)
{
	struct servers *servers = servers_of(engine);

	return servers_judge(servers, servers->near,
			     servers->near->ops->get(servers->near, name, bytes, len));
}

static const struct engine_ops servers_ops = {
	.run = servers_run,
	.history = servers_history,
	.append = servers_append,
	.read = servers_read,
	.back = servers_back,
	.last = servers_last,
	.time = servers_time,
	.lock = servers_lock,
	.put = servers_put,
	.get = servers_get,
	.error = servers_error,
};

struct engine *servers_open(struct engine *home, struct engine *near)
{
	struct servers *servers = calloc(1, sizeof(*servers));

	if (!servers)
		return NULL;
	servers->engine = (struct engine) { &servers_ops, near != home };
	servers->home = home;
	servers->near = near;
	servers->failed = home;
	return &servers->engine;
}

void servers_close(struct engine *engine)
{
	free(engine);
}
