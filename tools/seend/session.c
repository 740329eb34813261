// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyfile.h"
#include "redis.h"
#include "servers.h"
#include "session.h"
#include "store_open.h"

static int session_fail(char *error, const struct session *session, const char *what,
			const char *why)
{
	snprintf(error, SESSION_ERROR, "group %s: %s%s%s", session->config->group.name, what,
		 *what ? ": " : "", why);
	return -1;
}

static int session_keys(struct session *session, const struct config *config, char *error)
{
	struct group *group = &session->config->group;
	char why[KEYFILE_ERROR];
	const char *fault;

	session->secret = keyfile_read(config->key, SECRET_KEY_LEN, why);
	if (!session->secret)
		return session_fail(error, session, "", why);
	group->secret = session->secret;
	if (*session->config->seal) {
		session->seal = keyfile_read(session->config->seal, SEAL_KEY_LEN, why);
		if (!session->seal)
			return session_fail(error, session, "", why);
		group->seal = session->seal;
		group->sealed = true;
	}
	fault = group_complete(group);
	return fault ? session_fail(error, session, "", fault) : 0;
}

/* The engine's password is a line of a file that nobody else can read. */
static int session_password(struct session *session, char *error)
{
	const char *path = session->config->password;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = -1;
	struct stat file = { 0 };

	if (fd < 0 || fstat(fd, &file))
		session_fail(error, session, path, strerror(errno));
	else if (file.st_mode & 077)
		session_fail(error, session, path, "other users can read it; chmod 600 it");
	else
		len = read(fd, session->password, sizeof(session->password) - 1);
	if (len < 0 && fd >= 0 && !(file.st_mode & 077))
		session_fail(error, session, path, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (len < 0)
		return -1;
	session->password[len] = '\0';
	session->password[strcspn(session->password, "\r\n")] = '\0';
	sodium_mlock(session->password, sizeof(session->password));
	return 0;
}

static int session_engine(struct session *session, char *error)
{
	const struct group_config *config = session->config;
	struct redis_config redis = { .group = config->group.name, .address = &config->engine };

	if (*config->password && session_password(session, error))
		return -1;
	redis.user = *config->user ? config->user : NULL;
	redis.password = *config->password ? session->password : NULL;
	session->home = redis_open(&redis);
	session->near = session->home;
	if (*config->replica.text) {
		redis.address = &config->replica;
		redis.replica = true;
		session->near = redis_open(&redis);
	}
	if (session->home && session->near)
		session->engine = servers_open(session->home, session->near);
	return session->engine ? 0 : session_fail(error, session, "", "no memory");
}

/* A file of another size is of another version of this program, which had another state. */
static int session_state(struct session *session, const struct config *config, char *error)
{
	char path[PATH_MAX];
	struct stat file;

	snprintf(path, sizeof(path), "%.2000s/fleet-%.31s.state", config->state,
		 session->config->group.name);
	session->state_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (session->state_fd < 0 || fstat(session->state_fd, &file))
		return session_fail(error, session, path, strerror(errno));
	if (flock(session->state_fd, LOCK_EX | LOCK_NB))
		return session_fail(error, session, path, "another seend uses it");
	if (file.st_size != sizeof(*session->state) && ftruncate(session->state_fd, 0))
		return session_fail(error, session, path, strerror(errno));
	/* On a full disk, writing to a mapped hole would end the daemon. */
	errno = posix_fallocate(session->state_fd, 0, sizeof(*session->state));
	if (errno)
		return session_fail(error, session, path, strerror(errno));
	session->state = mmap(NULL, sizeof(*session->state), PROT_READ | PROT_WRITE, MAP_SHARED,
			      session->state_fd, 0);
	if (session->state == MAP_FAILED) {
		session->state = NULL;
		return session_fail(error, session, path, strerror(errno));
	}
	return 0;
}

/* Memory of the process, for a command that keeps nothing. */
static int session_memory(struct session *session, char *error)
{
	session->state = mmap(NULL, sizeof(*session->state), PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (session->state != MAP_FAILED)
		return 0;
	session->state = NULL;
	return session_fail(error, session, "", "no memory");
}

static int session_member(struct session *session, const struct config *config, char *error)
{
	struct group_config *group = session->config;
	char why[STORE_ERROR];

	session->store = store_open(&group->group, group->filter, config->state, why);
	if (!session->store)
		return session_fail(error, session, "", why);
	session->member = member_new(&group->group, session->engine, session->store,
				     session->state);
	if (!session->member)
		return session_fail(error, session, "",
				    session->store->ops->error(session->store));
	return 0;
}

int session_open(struct session *session, const struct config *config, struct group_config *group,
		 char *error)
{
	*session = (struct session) { .config = group, .state_fd = -1 };
	return session_keys(session, config, error) || session_engine(session, error) ||
	       session_state(session, config, error) ||
	       session_member(session, config, error) ? -1 : 0;
}

int session_open_alone(struct session *session, const struct config *config,
		       struct group_config *group, char *error)
{
	*session = (struct session) { .config = group, .state_fd = -1 };
	return session_keys(session, config, error) || session_memory(session, error) ||
	       session_member(session, config, error) ? -1 : 0;
}

int session_check(const struct config *config, struct group_config *group, char *error)
{
	struct session session = { .config = group, .state_fd = -1 };
	int failed = session_keys(&session, config, error);

	if (!failed && strcmp(group->engine.text, "none"))
		failed = session_engine(&session, error);
	session_close(&session);
	return failed;
}

void session_close(struct session *session)
{
	member_free(session->member);
	store_close(session->store);
	servers_close(session->engine);
	if (session->near != session->home)
		redis_close(session->near);
	redis_close(session->home);
	if (session->state)
		munmap(session->state, sizeof(*session->state));
	if (session->state_fd >= 0)
		close(session->state_fd);
	sodium_munlock(session->password, sizeof(session->password));
	sodium_free(session->secret);
	sodium_free(session->seal);
}

size_t session_watch(struct session *session, struct pollfd *fds)
{
	const struct member *member = session->member;
	size_t count = 0;

	/* A message that the filter cannot take yet would wake the daemon at once. */
	if (!member->usable || !member->online || member->reader.stuck)
		return 0;
	count += redis_watch(session->near, STREAM_OUT, &fds[count]);
	if (member->aggregator.stage == AGGREGATOR_RUN)
		count += redis_watch(session->home, STREAM_IN, &fds[count]);
	return count;
}

static void session_log_engine(struct session *session, uint64_t now)
{
	uint64_t count = session->member->counts[REASON_ENGINE];
	const char *name = session->config->group.name;

	switch (outage_look(&session->outage, count != session->said[REASON_ENGINE],
			    session->member->online, now)) {
	case OUTAGE_BEGINS:
	case OUTAGE_LASTS:
		fprintf(stderr, "group %s: %s: %s\n", name, reason_text(REASON_ENGINE),
			session->engine->ops->error(session->engine));
		break;
	case OUTAGE_ENDS:
		fprintf(stderr, "group %s: the engine answers again\n", name);
		break;
	case OUTAGE_NONE:
		break;
	}
	session->said[REASON_ENGINE] = count;
}

void session_log(struct session *session, uint64_t now)
{
	session_log_engine(session, now);
	for (size_t i = 1; i < REASONS; i++) {
		uint64_t count = session->member->counts[i];
		const char *detail;

		if (count == session->said[i] ||
		    (session->said_time[i] && now - session->said_time[i] < NS_PER_SEC))
			continue;
		detail = i == REASON_STORE ? session->store->ops->error(session->store) : "";
		fprintf(stderr, "group %s: %s%s%s (%s, %" PRIu64 " times, now %" PRIu64 ")\n",
			session->config->group.name, reason_text(i), *detail ? ": " : "", detail,
			reason_word(i), count - session->said[i], count);
		session->said[i] = count;
		session->said_time[i] = now;
	}
}
