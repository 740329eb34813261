// SPDX-License-Identifier: GPL-2.0
/*
 * Keys from the command line or a list. A request is sent when it is full, at the
 * end, and when the list has nothing more to read for now, so that a slow writer
 * gets its answers.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load.h"

/* A key, and for a map that is added to, "value" and its value. DONE or LIST_BAD. */
static int next_word(struct load *load, struct args *args, struct list_key *key)
{
	char *error = load->list.error;
	const char *value;

	*key = (struct list_key) { .text = args_next(args) };
	if (!load->list.values || !args->argc || strcmp(*args->argv, "value"))
		return DONE;
	args_next(args);
	value = args_next(args);
	key->has_value = true;
	if (value && lines_number(value, &key->value))
		return DONE;
	if (!value)
		snprintf(error, LIST_ERROR_LEN, "value needs a number");
	else
		snprintf(error, LIST_ERROR_LEN,
			 "value: %s is not a number from 0 to %u", value,
			 UINT32_MAX);
	return LIST_BAD;
}

static int check_key(void *context, const struct list_key *key)
{
	(void)context;
	(void)key;
	return DONE;
}

static int take_words(struct load *load, struct args args, list_take_fn take)
{
	struct list_key key;
	int status = DONE;

	while (args.argc && !status) {
		status = next_word(load, &args, &key);
		if (!status)
			status = list_word(&load->list, &key, take, load);
	}
	return status;
}

/* One key alone is looked at as it is pushed. */
int keys_push(struct load *load, const struct args *args)
{
	int status = args->argc > 1 ? take_words(load, *args, check_key) : DONE;

	return status ? status : take_words(load, *args, load_push);
}

static int run_words(struct load *load, const struct args *args)
{
	int status = keys_push(load, args);

	if (status == LIST_BAD)
		return usage("%s", load->list.error);
	return status ? status : load_send(load);
}

/* A line that cannot be read at all; the next one can, or it ends here. */
static int unreadable(struct load *load, int err)
{
	bool long_line = err == -E2BIG;
	int status;

	if (!long_line && err != -EILSEQ && err != -EBADMSG)
		return refused("standard input: %s", strerror(-err));
	err = long_line ? lines_skip(load->stream) : err;
	status = load_bad_line(load, list_line_error(long_line ? -E2BIG : err));
	return status || err != -EBADMSG ? status : USAGE;
}

static int run_line(struct load *load, char *line, list_take_fn take)
{
	int status = list_line(&load->list, line, take, load);
	bool useless = status == LIST_USELESS;

	if (status != LIST_BAD && !useless)
		return status;
	status = load_bad_line(load, load->list.error);
	return status || !useless ? status : USAGE;
}

static int run_lines(struct load *load, list_take_fn take)
{
	int err, status = DONE;
	char *line;

	while (!status) {
		if (load->keys.count && lines_waits(load->stream)) {
			status = load_send(load);
			continue;
		}
		err = lines_next(load->stream, &line);
		if (!err && !line)
			return load_send(load);
		status = err ? unreadable(load, err) :
			       run_line(load, line, take);
	}
	return status;
}

static bool copy(int to, char *buffer)
{
	ssize_t got;

	while ((got = read(STDIN_FILENO, buffer, LINES_BUFFER)) > 0)
		if (write(to, buffer, got) != got)
			return false;
	return !got;
}

/* Standard input may be a pipe, which is read once only. */
static int spool(struct load *load)
{
	FILE *file = tmpfile();
	int fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
	bool copied = fd >= 0 && copy(fd, load->stream->buffer);
	int err = errno;

	if (file)
		fclose(file);
	if (fd >= 0)
		load->stream->fd = fd;
	return copied ? DONE :
			refused("a copy of the list: %s", strerror(err));
}

static int rewind_stream(struct load *load)
{
	int fd = load->stream->fd;

	load->totals.skipped = 0;
	*load->stream = (struct lines) { .fd = fd };
	if (load->list.csv)
		csv_rewind(load->list.csv);
	if (lseek(fd, 0, SEEK_SET))
		return refused("a copy of the list: %s", strerror(errno));
	return DONE;
}

static int run_strict(struct load *load)
{
	int status = spool(load);

	if (!status)
		status = rewind_stream(load);
	if (!status)
		status = run_lines(load, check_key);
	if (!status && load->totals.skipped)
		status = usage("%ju lines are bad: nothing is done",
			       load->totals.skipped);
	if (!status)
		status = rewind_stream(load);
	return status ? status : run_lines(load, load_push);
}

static int run_stream(struct load *load)
{
	return load->how.strict ? run_strict(load) : run_lines(load, load_push);
}

static bool adds(enum seen_cmd cmd)
{
	return cmd == SEEN_CMD_KEY_ADD || cmd == SEEN_CMD_ALLOW_ADD;
}

static void tell_totals(const struct load *load)
{
	totals_tell(&load->totals);
	if (load->stream && adds(load->how.cmd))
		totals_summary(&load->totals, load->how.copies ||
			       list_counts(load->info.config.type));
}

static int run_load(struct load *load, const struct args *args)
{
	int status = load->stream ? run_stream(load) : run_words(load, args);

	progress_end(&load->progress);
	if (!load_asks(&load->how))
		tell_totals(load);
	return status ? status : load_conclude(load);
}

/* Bytes of the longest key that can be stored; 0: keys are not. */
static size_t longest(const struct load *load)
{
	switch (load->how.cmd) {
	case SEEN_CMD_ALLOW_ADD:
		return SEEN_ALLOWED_MAX;
	case SEEN_CMD_KEY_ADD:
	case SEEN_CMD_KEY_DEL:
		return load->info.config.type == SEEN_TYPE_MAP ?
		       SEEN_KEY_EXACT_MAX : SEEN_KEY_MAX;
	default:
		return 0;
	}
}

/* What to know of the filter before its keys. */
static int learn(struct load *load)
{
	int status = learn_filter(load->how.filter, &load->info);

	if (status)
		return status;
	load->list.config = &load->info.config;
	load->list.values = load->info.config.type == SEEN_TYPE_MAP &&
			    load->how.cmd == SEEN_CMD_KEY_ADD;
	return list_open(&load->list);
}

struct load *load_open(const struct load_how *how)
{
	struct load *load = calloc(1, sizeof(*load));

	if (!load) {
		refused("%s", strerror(ENOMEM));
		return NULL;
	}
	load->how = *how;
	load->list.csv = how->csv;
	if (!learn(load))
		return load;
	load_free(load);
	return NULL;
}

void load_free(struct load *load)
{
	if (!load)
		return;
	list_close(&load->list);
	if (load->stream && load->stream->fd != STDIN_FILENO)
		close(load->stream->fd);
	free(load->stream);
	free(load);
}

static int open_stream(struct load *load)
{
	if (ctl.batch && !strcmp(ctl.batch, "-"))
		return usage("-: standard input has the commands already");
	/* Of words the kernel says what it does not hold, and has its own text. */
	load->list.longest = longest(load);
	load->stream = calloc(1, sizeof(*load->stream));
	if (!load->stream)
		return refused("%s", strerror(ENOMEM));
	load->stream->fd = STDIN_FILENO;
	/* Answers on the same terminal show by themselves how far it is. */
	if (!load_asks(&load->how) || !isatty(STDOUT_FILENO))
		progress_start(&load->progress, STDIN_FILENO);
	return DONE;
}

static int read_option(struct load_how *how, const char *word, struct args *args)
{
	const struct param csv = { .word = "--csv", .into = &how->csv };

	if (!strcmp(word, "--strict")) {
		how->strict = true;
		return DONE;
	}
	if (!strcmp(word, "--csv"))
		return args->argc ? read_csv(&csv, args_next(args)) :
				    usage("--csv needs a column");
	if (!strcmp(word, "--new"))
		how->only_new = true;
	else
		how->copies = true;
	return how->only_new && how->copies ?
	       usage("--new and --copies: one or the other") : DONE;
}

static bool is_option(const struct load_how *how, const char *word)
{
	if (!strcmp(word, "--csv") || !strcmp(word, "--strict"))
		return true;
	return how->cmd == SEEN_CMD_KEY_ADD &&
	       (!strcmp(word, "--new") || !strcmp(word, "--copies"));
}

static int read_options(struct load_how *how, struct args *args)
{
	int status = DONE;

	while (!status && args->argc && is_option(how, *args->argv))
		status = read_option(how, args_next(args), args);
	return status;
}

static int read_how(struct load_how *how, struct args *args)
{
	int status = args_name(args, "the filter's name", how->filter);

	if (!status)
		status = read_options(how, args);
	if (status)
		return status;
	if (!args->argc)
		return usage("a key is missing, or - for standard input");
	how->list = !strcmp(*args->argv, "-");
	if (how->list) {
		args_next(args);
		status = read_options(how, args);
		return status ? status : args_end(args);
	}
	return how->strict || how->csv ?
	       usage("--strict and --csv are for a list, which is -") : DONE;
}

/* Neighbours tell no totals of their own. */
static bool may_gather(const struct load_how *how)
{
	return ctl.batch && !how->list && adds(how->cmd) && !ctl.json &&
	       !ctl.stats;
}

/* The lines of a batch before this one come first. */
static int run(struct load_how *how, const struct args *args)
{
	int status = gather_end();
	struct load *load;

	if (status)
		return status;
	load = load_open(how);
	/* It is the load's by now. */
	how->csv = NULL;
	if (!load)
		return REFUSED;
	if (how->list)
		status = open_stream(load);
	if (!status)
		status = run_load(load, args);
	load_free(load);
	return status;
}

static int run_how(struct load_how *how, const struct args *args)
{
	if (!load_asks(how) && restore_keeps_filter(how->filter))
		return gather_end();
	return may_gather(how) ? gather(how, args) : run(how, args);
}

int run_keys(enum seen_cmd cmd, struct args *args)
{
	struct load_how how = { .cmd = cmd };
	int status = read_how(&how, args);

	if (!status)
		status = run_how(&how, args);
	csv_close(how.csv);
	return status;
}
