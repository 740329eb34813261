// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <sodium.h>
#include <stdarg.h>
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

/* Write why a group cannot be used; @line: of the configuration, or 0. */
static int __attribute__((__format__(__printf__, 4, 5)))
session_fail(char *error, const struct session *session, unsigned int line, const char *text, ...)
{
	char why[SESSION_ERROR - CONFIG_ERROR];
	va_list args;

	va_start(args, text);
	vsnprintf(why, sizeof(why), text, args);
	va_end(args);
	config_say(error, SESSION_ERROR, session->host->path, line, "group %s: %s",
		   session->config->group.name, why);
	return -1;
}

static int session_keys(struct session *session, char *error)
{
	const struct config *config = session->host;
	const unsigned int *lines = session->config->lines;
	struct group *group = &session->config->group;
	char why[KEYFILE_ERROR], text[KEY_TEXT];
	const char *fault;

	session->secret = keyfile_read(config->key, SECRET_KEY_LEN, why);
	if (!session->secret)
		return session_fail(error, session, config->lines[HOST_KEY], "key: %s", why);
	group->secret = session->secret;
	if (*session->config->seal) {
		session->seal = keyfile_read(session->config->seal, SEAL_KEY_LEN, why);
		if (!session->seal)
			return session_fail(error, session, lines[GROUP_SEAL], "seal: %s", why);
		group->seal = session->seal;
		group->sealed = true;
	}
	fault = group_complete(group);
	if (fault)
		return session_fail(error, session, session->config->hosts_line, "%s", fault);
	if (group->self < group->count)
		return 0;
	return session_fail(error, session, session->config->hosts_line,
			    "this host's public key %s is not in [hosts %s]; add it there",
			    key_text(group->secret + PUBLIC_KEY_LEN, PUBLIC_KEY_LEN, text),
			    group->name);
}

/* The engine's password is a line of a file that nobody else can read. */
static int session_password(struct session *session, char *error)
{
	unsigned int line = session->config->lines[GROUP_PASSWORD];
	const char *path = session->config->password;
	char why[KEYFILE_ERROR];
	size_t len;

	if (keyfile_line(path, session->password, sizeof(session->password), why))
		return session_fail(error, session, line, "password: %s", why);
	sodium_mlock(session->password, sizeof(session->password));
	len = strlen(session->password);
	if (!len)
		return session_fail(error, session, line,
				    "password: %s: the first line is empty; write the password there",
				    path);
	if (len == sizeof(session->password) - 1)
		return session_fail(error, session, line,
				    "password: %s: a password has at most %zu characters", path,
				    len - 1);
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
	return session->engine ? 0 : session_fail(error, session, 0, "no memory");
}

/*
 * The folder @path of a key of [host] must exist. systemd makes the default ones when the daemon
 * starts.
 */
static int session_folder(const struct session *session, enum host_key key, const char *path,
			  char *error)
{
	const char *name = key == HOST_STATE ? "state" : "socket";
	unsigned int line = session->host->lines[key];
	struct stat folder;

	if (!line)
		return 0;
	if (stat(path, &folder))
		return session_fail(error, session, line, "%s: %s: %s%s", name, path,
				    strerror(errno),
				    errno == ENOENT ? "; make the folder, as root" : "");
	if (!S_ISDIR(folder.st_mode))
		return session_fail(error, session, line, "%s: %s: this is no folder", name, path);
	if (access(path, W_OK | X_OK))
		return session_fail(error, session, line, "%s: %s: %s", name, path,
				    strerror(errno));
	return 0;
}

static int session_folders(const struct session *session, char *error)
{
	char socket[PATH_MAX];

	strcpy(socket, session->host->socket);
	return session_folder(session, HOST_STATE, session->host->state, error) ||
	       session_folder(session, HOST_SOCKET, dirname(socket), error);
}

/* A file of another size is of another version of this program, which had another state. */
static int session_state(struct session *session, char *error)
{
	unsigned int line = session->host->lines[HOST_STATE];
	char path[PATH_MAX];
	struct stat file;

	snprintf(path, sizeof(path), "%.2000s/fleet-%.31s.state", session->host->state,
		 session->config->group.name);
	session->state_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (session->state_fd < 0 || fstat(session->state_fd, &file))
		return session_fail(error, session, line, "state: %s: %s", path, strerror(errno));
	if (flock(session->state_fd, LOCK_EX | LOCK_NB))
		return session_fail(error, session, line, "state: %s: another seend uses it", path);
	if (file.st_size != sizeof(*session->state) && ftruncate(session->state_fd, 0))
		return session_fail(error, session, line, "state: %s: %s", path, strerror(errno));
	/* On a full disk, writing to a mapped hole would end the daemon. */
	errno = posix_fallocate(session->state_fd, 0, sizeof(*session->state));
	if (errno)
		return session_fail(error, session, line, "state: %s: %s", path, strerror(errno));
	session->state = mmap(NULL, sizeof(*session->state), PROT_READ | PROT_WRITE, MAP_SHARED,
			      session->state_fd, 0);
	if (session->state == MAP_FAILED) {
		session->state = NULL;
		return session_fail(error, session, line, "state: %s: %s", path, strerror(errno));
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
	return session_fail(error, session, 0, "no memory");
}

static int session_member(struct session *session, char *error)
{
	struct group_config *group = session->config;
	unsigned int line = group->lines[GROUP_FILTER];
	char why[STORE_ERROR];

	session->store = store_open(&group->group, group->filter, session->host->state, why);
	if (!session->store)
		return session_fail(error, session, line, "%s", why);
	session->member = member_new(&group->group, session->engine, session->store,
				     session->state);
	if (!session->member)
		return session_fail(error, session, line, "%s",
				    session->store->ops->error(session->store));
	return 0;
}

static void session_begin(struct session *session, const struct config *config,
			  struct group_config *group)
{
	*session = (struct session) { .host = config, .config = group, .state_fd = -1 };
}

bool session_has_engine(const struct group_config *group)
{
	return strcmp(group->engine.text, "none");
}

int session_open(struct session *session, const struct config *config, struct group_config *group,
		 char *error)
{
	session_begin(session, config, group);
	return session_keys(session, error) || session_engine(session, error) ||
	       session_state(session, error) || session_member(session, error) ? -1 : 0;
}

int session_open_alone(struct session *session, const struct config *config,
		       struct group_config *group, char *error)
{
	session_begin(session, config, group);
	return session_keys(session, error) || session_memory(session, error) ||
	       session_member(session, error) ? -1 : 0;
}

int session_check(const struct config *config, struct group_config *group, char *error)
{
	struct session session;
	int failed;

	session_begin(&session, config, group);
	failed = session_keys(&session, error) || session_folders(&session, error) ||
		(session_has_engine(group) && session_engine(&session, error)) ? -1 : 0;
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

/* The host that a reason was counted for last, or "". */
static const char *session_sender(const struct session *session, enum reason reason)
{
	const struct blame *blame = &session->member->blames[reason];

	return blame->named ? session->config->group.peers[blame->peer].name : "";
}

void session_log(struct session *session, uint64_t now)
{
	session_log_engine(session, now);
	for (size_t i = 1; i < REASONS; i++) {
		uint64_t count = session->member->counts[i];
		const char *detail, *sender;

		if (count == session->said[i] ||
		    (session->said_time[i] && now - session->said_time[i] < NS_PER_SEC))
			continue;
		detail = i == REASON_STORE ? session->store->ops->error(session->store) : "";
		sender = session_sender(session, i);
		fprintf(stderr, "group %s: %s%s%s%s%s (%s, %" PRIu64 " times, now %" PRIu64 ")\n",
			session->config->group.name, sender, *sender ? ": " : "", reason_text(i),
			*detail ? ": " : "", detail, reason_word(i), count - session->said[i],
			count);
		session->said[i] = count;
		session->said_time[i] = now;
	}
}
