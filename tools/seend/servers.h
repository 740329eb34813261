/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An engine of one or two servers. The primary takes all writes and knows what is stored; a replica
 * near this host is read. Without a replica both are the same server.
 *
 * A replica may lag behind, be cut from the primary, or have lost its newest entries. All this
 * looks like a slow stream. Only the primary says what the engine has lost, so STREAM_OUT is read
 * back there.
 */
#ifndef SEEND_SERVERS_H
#define SEEND_SERVERS_H

#include "engine.h"

/**
 * servers_open() - combine two servers
 * @home: the primary
 * @near: the replica, or @home
 *
 * Return: the engine; NULL: no memory.
 *
 * If one of the servers was restarted, each call fails with -ESTALE. As long as the replica has
 * another history than the primary, run() fails: entries of another primary would acknowledge keys
 * that this one has never forwarded.
 */
struct engine *servers_open(struct engine *home, struct engine *near);

/* servers_close() - the two servers stay open */
void servers_close(struct engine *engine);

#endif
