// SPDX-License-Identifier: GPL-2.0
/* The loop of the daemon: one thread, which waits only here. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon.h"
#include "notify.h"
#include "status.h"

#define DESCRIPTORS	(SESSION_FDS * GROUPS_MAX + 1)

static volatile sig_atomic_t daemon_ends;

static void daemon_signal(int number)
{
	(void)number;
	daemon_ends = 1;
}

static uint64_t daemon_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

/* SIGTERM and SIGINT arrive only while the daemon waits. */
static void daemon_signals(sigset_t *waiting)
{
	struct sigaction action = { .sa_handler = daemon_signal };
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGINT);
	sigprocmask(SIG_BLOCK, &blocked, waiting);
	sigdelset(waiting, SIGTERM);
	sigdelset(waiting, SIGINT);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Collect the descriptors to wait for; returns until when to wait. */
static uint64_t daemon_watch(struct session *sessions, size_t count, int status,
			     struct pollfd *fds, size_t *used)
{
	uint64_t until = UINT64_MAX;

	fds[0] = (struct pollfd) { status, POLLIN, 0 };
	*used = 1;
	for (size_t i = 0; i < count; i++) {
		const struct member *member = sessions[i].member;

		*used += session_watch(&sessions[i], fds + *used);
		if (member_next(member) < until)
			until = member_next(member);
	}
	return until;
}

static struct timespec daemon_wait(uint64_t until)
{
	uint64_t now = daemon_now(), wait = until > now ? until - now : 0;

	return (struct timespec) { wait / NS_PER_SEC, wait % NS_PER_SEC };
}

/*
 * A server that does not answer holds up all groups for a second or more. So a group that did is
 * left alone for ten times as long.
 */
static void daemon_tick(struct session *session)
{
	struct member *member = session->member;
	uint64_t begin = daemon_now(), end;

	member_tick(member, begin);
	end = daemon_now();
	if (!member->online && end - begin > NS_PER_SEC / 2)
		member->retry = end + 10 * (end - begin);
	session_log(session, end);
}

/* Tell systemd once a second that the loop runs. */
static void daemon_alive(uint64_t *next)
{
	uint64_t now = daemon_now();

	if (now < *next)
		return;
	notify("WATCHDOG=1");
	*next = now + NS_PER_SEC;
}

static void daemon_loop(struct session *sessions, size_t count, int status)
{
	struct pollfd fds[DESCRIPTORS];
	uint64_t alive = 0;
	sigset_t waiting;
	size_t used;

	daemon_signals(&waiting);
	notify("READY=1");
	while (!daemon_ends) {
		struct timespec wait;

		for (size_t i = 0; i < count; i++)
			daemon_tick(&sessions[i]);
		daemon_alive(&alive);
		wait = daemon_wait(daemon_watch(sessions, count, status, fds, &used));
		if (ppoll(fds, used, &wait, &waiting) > 0 && fds[0].revents)
			status_answer(status, sessions, count);
	}
	notify("STOPPING=1");
}

/* Open the groups with an engine; returns their number, or -1 after an error. */
static int daemon_open(struct config *config, struct session *sessions)
{
	char error[SESSION_ERROR];
	int count = 0;

	for (size_t i = 0; i < config->groups; i++) {
		struct group_config *group = &config->group[i];

		if (!session_has_engine(group))
			continue;
		if (session_open(&sessions[count++], config, group, error)) {
			fprintf(stderr, "seend: %s\n", error);
			goto failed;
		}
	}
	if (count)
		return count;
	fprintf(stderr, "seend: group %s: no engine; use publish and subscribe\n",
		config->group[0].group.name);
failed:
	while (count)
		session_close(&sessions[--count]);
	return -1;
}

static struct config *daemon_config(const char *path)
{
	char error[CONFIG_ERROR];
	struct config *config = config_read(path, error);

	if (!config)
		fprintf(stderr, "seend: %s\n", error);
	return config;
}

int daemon_check(const char *path)
{
	struct config *config = daemon_config(path);
	char error[SESSION_ERROR];
	int failed = !config;

	for (size_t i = 0; config && i < config->groups; i++) {
		struct group *group = &config->group[i].group;

		if (session_check(config, &config->group[i], error)) {
			fprintf(stderr, "seend: %s\n", error);
			failed = 1;
		} else {
			printf("group %s: this host is %s, one of %zu\n", group->name,
			       group_me(group)->name, group->count);
		}
	}
	config_free(config);
	return failed;
}

int daemon_run(const char *path)
{
	struct config *config = daemon_config(path);
	char error[SESSION_ERROR];
	struct session *sessions;
	int status, count, failed = 1;

	if (!config)
		return 1;
	sessions = calloc(config->groups, sizeof(*sessions));
	count = sessions ? daemon_open(config, sessions) : 0;
	if (count <= 0)
		goto out;
	status = status_open(config->socket);
	if (status < 0) {
		config_say(error, sizeof(error), path, config->lines[HOST_SOCKET], "socket: %s: %s",
			   config->socket, strerror(errno));
		fprintf(stderr, "seend: %s\n", error);
	} else {
		daemon_loop(sessions, count, status);
		close(status);
		unlink(config->socket);
		failed = 0;
	}
	while (count)
		session_close(&sessions[--count]);
out:
	free(sessions);
	config_free(config);
	return failed;
}
