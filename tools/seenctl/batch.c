// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "list.h"
#include "loss.h"
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
		status = loss_note(gather_end());
	if (status)
		return status;
	if (error)
		return usage("%s", error);
	return args.argc && loss_line(&args) ? run_command(&args) : DONE;
}

/* With --keep-going, a last line without an end may be only a part of the line that was saved. */
static int run_whole(const struct lines *lines, char *line)
{
	const struct args none = {};
	int status;

	if (!lines->open || !loss_goes_on())
		return run_line(line);
	status = loss_note(gather_end());
	loss_line(&none);
	return status ? status : refused("the file ends within the line");
}

/* Go on after a line that cannot be read, if the restore goes on after errors. */
static int skip_unreadable(struct lines *lines, int err)
{
	const struct args none = {};
	int status;

	if (loss_goes_on())
		loss_line(&none);
	status = unreadable(err);
	if (err == -E2BIG && loss_goes_on() && !lines_skip(lines))
		return loss_note(status);
	return err == -EILSEQ || err == -EBADMSG ? loss_note(status) : status;
}

static int run_lines(struct lines *lines)
{
	int status = DONE, seen = DONE, err;
	char *line;

	while (!status) {
		if (lines_waits(lines))
			status = loss_note(gather_end());
		if (status)
			break;
		ctl.line = lines->number + 1;
		err = lines_next(lines, &line);
		if (err || !line)
			status = loss_note(gather_end());
		if (!err && !line)
			return status ? status : seen;
		if (!status)
			status = err ? skip_unreadable(lines, err) :
				       loss_note(run_whole(lines, line));
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
