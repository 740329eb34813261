/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine: streams whose entries have ascending ids, small values that expire, and a clock.
 *
 * Any function returns 0 or a negative errno:
 *	-EAGAIN		try again later: the engine cannot be reached. A write may have happened.
 *	-ESTALE		the engine is another process than before, which may have lost its newest
 *			entries. Every call fails until engine_run() is called.
 */
#ifndef SEEND_ENGINE_H
#define SEEND_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "engine_id.h"

/* Bytes of a run id or of the id of a history, with its NUL. */
#define RUN_ROOM	48

struct engine;

enum engine_stream { STREAM_IN, STREAM_OUT };

/* engine_fn() - called for an entry; false: read no further */
typedef bool (*engine_fn)(void *context, struct engine_id id, const uint8_t *bytes, size_t len);

/**
 * struct engine_ops - an engine
 * @run: read the id of the running process; allows further calls
 * @history: read the id of the server's history. A replica has the one of its primary; a primary
 *	     that may have lost entries has another one than before
 * @append: append an entry, drop entries that are older than KEEP_TIME
 * @read: call @fn for at most @most entries after @after; does not wait for new ones
 * @back: call @fn for at most @most entries before @before, newest first
 * @last: the id of the newest entry; 0-0: the stream is empty
 * @time: the engine's clock, ns
 * @lock: set @name to @value for @ms milliseconds if @name does not exist; or, with @renew, if its
 *	  value is @value; *@held: done
 * @put: store a value for @ms milliseconds
 * @get: read a value; *@len: in: room, out: bytes; -ENOENT; -EMSGSIZE
 * @error: why the last call failed: a line for people, with the address of the server
 */
struct engine_ops {
	int (*run)(struct engine *engine, char run[RUN_ROOM]);
	int (*history)(struct engine *engine, char history[RUN_ROOM]);
	int (*append)(struct engine *engine, enum engine_stream stream, const uint8_t *bytes,
		      size_t len, struct engine_id *id);
	int (*read)(struct engine *engine, enum engine_stream stream, struct engine_id after,
		    size_t most, engine_fn fn, void *context);
	int (*back)(struct engine *engine, enum engine_stream stream, struct engine_id before,
		    size_t most, engine_fn fn, void *context);
	int (*last)(struct engine *engine, enum engine_stream stream, struct engine_id *id);
	int (*time)(struct engine *engine, uint64_t *now);
	int (*lock)(struct engine *engine, const char *value, unsigned int ms, bool renew,
		    bool *held);
	int (*put)(struct engine *engine, const char *name, const uint8_t *bytes, size_t len,
		   unsigned int ms);
	int (*get)(struct engine *engine, const char *name, uint8_t *bytes, size_t *len);
	const char *(*error)(const struct engine *engine);
};

/**
 * struct engine - the first member of each implementation
 * @ops: see there
 * @split: @read of STREAM_OUT and @get ask a replica, which has everything later than the server
 *	   that @last asks
 */
struct engine {
	const struct engine_ops *ops;
	bool split;
};

#endif
