// SPDX-License-Identifier: GPL-2.0
/* Lock a state file from before the first line to the end of a run of dedup. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seenctl.h"
#include "state.h"

static void folder_of(char *folder, const char *path)
{
	char *slash;

	snprintf(folder, PATH_MAX, "%s", path);
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	else
		snprintf(folder, PATH_MAX, ".");
}

static int bad_folder(const struct state *state, int err)
{
	char folder[PATH_MAX];

	folder_of(folder, state->path);
	return refused("--state: %s: %s; its folder %s must exist and be writable",
		       state->path, strerror(err), folder);
}

static int bad_path(const struct state *state, int err)
{
	return refused("--state: %s: %s", state->path, strerror(err));
}

/* Set @real for a file that does not exist. */
static int resolve_new(struct state *state)
{
	char folder[PATH_MAX], real[PATH_MAX];
	const char *name = strrchr(state->path, '/');
	struct stat link;

	if (!lstat(state->path, &link))
		return refused("--state: %s: the link's target does not exist; delete the link",
			       state->path);
	folder_of(folder, state->path);
	if (!realpath(folder, real))
		return bad_folder(state, errno);
	if (snprintf(state->real, PATH_MAX, "%s/%s", real,
		     name ? name + 1 : state->path) >= PATH_MAX)
		return bad_path(state, ENAMETOOLONG);
	return DONE;
}

/* Set @real. The file will be replaced, so check its folder before lines are read. */
static int resolve(struct state *state)
{
	char folder[PATH_MAX];
	int status = DONE;
	size_t len;

	if (!realpath(state->path, state->real)) {
		if (errno != ENOENT && errno != ENOTDIR)
			return bad_path(state, errno);
		status = resolve_new(state);
	}
	if (status)
		return status;
	folder_of(folder, state->real);
	len = strlen(folder);
	snprintf(folder + len, PATH_MAX - len, "/.");
	return access(folder, W_OK | X_OK) ? bad_folder(state, errno) : DONE;
}

/* Does @path still name the file that was locked, or was the file replaced meanwhile? */
static bool is_current(int fd, const char *path)
{
	struct stat locked, named;

	return !fstat(fd, &locked) && !stat(path, &named) &&
	       locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

static int lock_path(struct state *state, const char *path, int flags)
{
	for (;;) {
		state->fd = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0600);
		if (state->fd < 0)
			return bad_path(state, errno);
		if (flock(state->fd, LOCK_EX | LOCK_NB))
			return refused("--state: %s: another run uses it",
				       state->path);
		if (is_current(state->fd, path))
			return DONE;
		close(state->fd);
	}
}

/* Refuse a lock file that is not empty: it belongs to another program. */
static int check_lock(struct state *state)
{
	struct stat lock;

	if (!fstat(state->fd, &lock) && S_ISREG(lock.st_mode) && !lock.st_size)
		return DONE;
	state->lock[0] = '\0';
	return refused("--state: %s: %s.lock is not a lock file of dedup; move or rename it",
		       state->path, state->path);
}

/*
 * A first run locks FILE.lock and not FILE itself, because a run that is killed must not
 * leave an empty state file. Only the run that holds this lock creates the state.
 */
static int lock_new(struct state *state)
{
	char lock[PATH_MAX];
	int status;

	if (snprintf(lock, PATH_MAX, "%s.lock", state->real) >= PATH_MAX)
		return bad_path(state, ENAMETOOLONG);
	status = lock_path(state, lock, O_RDWR | O_CREAT | O_NOFOLLOW);
	if (status)
		return status;
	memcpy(state->lock, lock, strlen(lock) + 1);
	return check_lock(state);
}

static bool is_there(const struct state *state)
{
	return !access(state->real, F_OK);
}

int state_lock(struct state *state)
{
	int status = resolve(state);

	if (status)
		return status;
	/* Check again: a first run that ended meanwhile has created the file. */
	if (!is_there(state)) {
		status = lock_new(state);
		if (status || !is_there(state))
			return status;
		state_close(state);
	}
	return lock_path(state, state->real, O_RDONLY);
}

/* Unlink before close: while this run holds the lock, no other run can lock that path. */
void state_close(struct state *state)
{
	if (*state->lock)
		unlink(state->lock);
	state->lock[0] = '\0';
	if (state->fd >= 0)
		close(state->fd);
	state->fd = -1;
}
