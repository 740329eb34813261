/* SPDX-License-Identifier: GPL-2.0 */
/* A group of the configuration, with its keys, engine, filter and state. */
#ifndef SEEND_SESSION_H
#define SEEND_SESSION_H

#include <poll.h>

#include "config.h"
#include "member.h"
#include "outage.h"

/* Bytes for why a group cannot be used. */
#define SESSION_ERROR	8192
/* Descriptors of a group. */
#define SESSION_FDS	2

/**
 * struct session - a group that this host takes part in
 * @host: the configuration
 * @config: its section
 * @secret: this host's secret key
 * @seal: of the group, or NULL
 * @password: of both servers, or ""
 * @home: the primary
 * @near: the replica; @home if no replica is used
 * @engine: of both
 * @store: see there
 * @state: mapped file
 * @state_fd: of the file, which is locked
 * @member: see there
 * @said: counts that were logged
 * @said_time: when a reason was logged last, ns
 * @outage: of the engine
 */
struct session {
	const struct config *host;
	struct group_config *config;
	uint8_t *secret;
	uint8_t *seal;
	char password[WORD_ROOM];
	struct engine *home;
	struct engine *near;
	struct engine *engine;
	struct store *store;
	struct member_state *state;
	int state_fd;
	struct member *member;
	uint64_t said[REASONS];
	uint64_t said_time[REASONS];
	struct outage outage;
};

/**
 * session_open() - begin to take part in a group
 * @session: out; session_close() also after a failure
 * @config: of the host
 * @group: its section
 * @error: out: SESSION_ERROR bytes, a line for people
 *
 * Return: 0 or -1.
 */
int session_open(struct session *session, const struct config *config, struct group_config *group,
		 char *error);

/* session_has_engine() - does a daemon take part? Otherwise "publish" and "subscribe" do. */
bool session_has_engine(const struct group_config *group);

/* session_open_alone() - as session_open(), without engine, and with a state that is not kept */
int session_open_alone(struct session *session, const struct config *config,
		       struct group_config *group, char *error);

/* session_check() - refuse a group as session_open() does, without its filter and server */
int session_check(const struct config *config, struct group_config *group, char *error);
void session_close(struct session *session);

/* session_watch() - wait for entries; returns the number of descriptors, at most SESSION_FDS */
size_t session_watch(struct session *session, struct pollfd *fds);

/*
 * session_log() - log what was counted, at most once a second for each reason; an outage of the
 * engine when it begins and ends, and once a minute
 */
void session_log(struct session *session, uint64_t now);

#endif
