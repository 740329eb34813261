// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "list.h"
#include "seenctl.h"

#define WORDS_MAX	512

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/*
 * Cut one word off @at, in place. Quotes are removed; blanks within quotes belong to the
 * word. Returns the rest of the line, or NULL if a quote is not closed.
 */
static char *cut(char *at)
{
	char *to = at, quote = '\0';

	for (; *at && (quote || !blank(*at)); at++) {
		if (*at == quote)
			quote = '\0';
		else if (!quote && (*at == '\'' || *at == '"'))
			quote = *at;
		else
			*to++ = *at;
	}
	if (quote)
		return NULL;
	if (*at)
		at++;
	*to = '\0';
	return at;
}

/* Split a line at blanks, up to a "#". Returns an error text, or NULL. */
static const char *split(char *at, struct args *args)
{
	for (args->argc = 0;; args->argc++) {
		while (blank(*at))
			at++;
		if (!*at || *at == '#')
			return NULL;
		if (args->argc == WORDS_MAX)
			return "the line has more than 512 words";
		args->argv[args->argc] = at;
		at = cut(at);
		if (!at)
			return "a quote is not closed";
	}
}

static int unreadable(int err)
{
	const char *why = list_line_error(err);

	return err == -E2BIG || err == -EILSEQ || err == -EBADMSG ?
	       usage("%s", why) : refused("%s", why);
}

/* Before a line runs whose keys are not gathered, the gathered keys of earlier lines are sent. */
static int run_line(char *line)
{
	char *words[WORDS_MAX];
	struct args args = { .argv = words };
	const char *error = split(line, &args);
	int status = DONE;

	if (error || (args.argc && !gathers(&args)))
		status = gather_end();
	if (status)
		return status;
	if (error)
		return usage("%s", error);
	return args.argc ? run_command(&args) : DONE;
}

static int run_lines(struct lines *lines)
{
	int status = DONE, seen = DONE, err;
	char *line;

	while (!status) {
		if (lines_waits(lines))
			status = gather_end();
		if (status)
			break;
		ctl.line = lines->number + 1;
		err = lines_next(lines, &line);
		if (err || !line) {
			status = gather_end();
			return status ? status : err ? unreadable(err) : seen;
		}
		status = run_line(line);
		if (status == NOT_SEEN) {
			seen = NOT_SEEN;
			status = DONE;
		}
	}
	return status;
}

static int run_file(int fd)
{
	struct lines *lines = calloc(1, sizeof(*lines));
	int status;

	if (!lines)
		return no_memory();
	lines->fd = fd;
	status = run_lines(lines);
	free(lines);
	return status;
}

int run_batch(const char *path)
{
	bool from_stdin = !strcmp(path, "-");
	int fd = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int status;

	if (ctl.json)
		json_open(NULL, '[');
	if (fd < 0)
		return refused("%s: %s", path, strerror(errno));
	ctl.batch = path;
	status = run_file(fd);
	if (!from_stdin)
		close(fd);
	ctl.batch = NULL;
	return status;
}
