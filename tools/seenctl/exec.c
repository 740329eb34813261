// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exec.h"
#include "seenctl.h"

static int exec_refused(const char *program, int err)
{
	return refused("--exec: %s: %s", program, strerror(err));
}

/* Return 0, or an errno. */
static int exec_access(const char *path)
{
	struct stat stat_of;

	if (stat(path, &stat_of) || access(path, X_OK))
		return errno;
	return S_ISREG(stat_of.st_mode) ? 0 : EACCES;
}

/* Search $PATH, as execvp() does. Return 0, or an errno. */
static int exec_search(const char *program, char path[PATH_MAX])
{
	const char *folder = getenv("PATH");
	int err = ENOENT;

	for (folder = folder ? folder : "/bin:/usr/bin"; folder; folder = strchr(folder, ':')) {
		int len, failed;

		folder += *folder == ':';
		len = strcspn(folder, ":");
		/* An empty folder is the current one. */
		if (snprintf(path, PATH_MAX, "%.*s%s%s", len, folder, len ? "/" : "./",
			     program) >= PATH_MAX)
			continue;
		failed = exec_access(path);
		if (!failed)
			return 0;
		if (failed == EACCES)
			err = EACCES;
	}
	return err;
}

int exec_find(const char *program, char path[PATH_MAX])
{
	int err;

	if (strchr(program, '/')) {
		snprintf(path, PATH_MAX, "%s", program);
		err = exec_access(path);
	} else {
		err = exec_search(program, path);
	}
	/* If SIGCHLD is ignored, the exit status of a program is lost. */
	signal(SIGCHLD, SIG_DFL);
	return err ? exec_refused(program, err) : DONE;
}

void exec_clear(const char *prefix)
{
	char **from, **to = environ;

	/* unsetenv() would keep an entry without "=". */
	for (from = environ; *from; from++)
		if (strncmp(*from, prefix, strlen(prefix)))
			*to++ = *from;
	*to = NULL;
}

/* In the new process: become the program, or write the errno to @report. */
static void exec_become(const char *program, int report)
{
	char *const argv[] = { (char *)program, NULL };
	int null = open("/dev/null", O_RDONLY);
	int err;

	if (null > STDIN_FILENO) {
		dup2(null, STDIN_FILENO);
		close(null);
	}
	/* Not execvp(), which runs a file of unknown format with a shell. */
	execv(program, argv);
	err = errno;
	if (write(report, &err, sizeof(err)) != sizeof(err))
		_exit(EXIT_FAILURE);
	_exit(EXIT_SUCCESS);
}

static void exec_judge(const char *program, int status, const char *cause)
{
	if (WIFSIGNALED(status))
		refused("--exec: %s: signal %d ended it (event %s)", program,
			WTERMSIG(status), cause);
	else if (WEXITSTATUS(status))
		refused("--exec: %s: exit status %d (event %s)", program,
			WEXITSTATUS(status), cause);
}

/* Wait for the program. @report: the end of the pipe that exec_become() writes to. */
static int exec_wait(const char *program, pid_t child, int report, const char *cause)
{
	int status = 0, err = 0;
	ssize_t got;
	pid_t ended;

	do {
		got = read(report, &err, sizeof(err));
	} while (got < 0 && errno == EINTR);
	close(report);
	do {
		ended = waitpid(child, &status, 0);
	} while (ended < 0 && errno == EINTR);
	if (got == sizeof(err))
		return exec_refused(program, err);
	if (ended < 0)
		return exec_refused(program, errno);
	exec_judge(program, status, cause);
	return DONE;
}

int exec_run(const char *program, void (*prepare)(const void *context),
	     const void *context, const char *cause)
{
	int ends[2];
	pid_t child;

	fflush(stdout);
	if (pipe2(ends, O_CLOEXEC))
		return exec_refused(program, errno);
	child = fork();
	if (!child) {
		prepare(context);
		exec_become(program, ends[1]);
	}
	close(ends[1]);
	if (child > 0)
		return exec_wait(program, child, ends[0], cause);
	close(ends[0]);
	return exec_refused(program, errno);
}
