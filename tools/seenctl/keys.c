// SPDX-License-Identifier: GPL-2.0
/*
 * Read keys from the command line or a list. A request is sent when it is full, at the
 * end, and when the next line of the list is not available yet, so that a slow writer
 * gets its answers.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "key_bulk.h"

/* Read a key and, for add to a map, an optional "value V". Returns DONE or LIST_BAD. */
static int next_word(struct key_bulk *bulk, struct args *args, struct list_key *key)
{
	char *error = bulk->list.error;
	const char *value;
	bool fits;

	*key = (struct list_key) { .text = args_next(args) };
	if (!bulk->list.values || !args->argc || strcmp(*args->argv, "value"))
		return DONE;
	args_next(args);
	value = args_next(args);
	key->has_value = true;
	if (!value)
		snprintf(error, LIST_ERROR_LEN, "value: value required");
	else if (!parse_u32(value, &key->value, &fits))
		snprintf(error, LIST_ERROR_LEN, "value: %s is not a number", value);
	else if (!fits)
		snprintf(error, LIST_ERROR_LEN, "value: must be 0 to %u", UINT32_MAX);
	else
		return DONE;
	return LIST_BAD;
}

static int check_key(void *context, const struct list_key *key)
{
	(void)context;
	(void)key;
	return DONE;
}

static int take_words(struct key_bulk *bulk, struct args args, list_take_fn take)
{
	struct list_key key;
	int status = DONE;

	while (args.argc && !status) {
		status = next_word(bulk, &args, &key);
		if (status)
			return status;
		status = list_word(&bulk->list, &key, take, bulk);
		if (status == LIST_BAD)
			list_no_value(&bulk->list, key.text,
				      bulk->how.cmd == SEEN_CMD_KEY_ADD, "key ");
	}
	return status;
}

/* A single key needs no check of its own before it is pushed. */
int keys_push(struct key_bulk *bulk, const struct args *args)
{
	int status = args->argc > 1 ? take_words(bulk, *args, check_key) : DONE;

	return status ? status : take_words(bulk, *args, key_bulk_push);
}

static int run_words(struct key_bulk *bulk, const struct args *args)
{
	int status = keys_push(bulk, args);

	if (status == LIST_BAD)
		return usage("%s", bulk->list.error);
	return status ? status : key_bulk_send(bulk);
}

/* Report a line that cannot be read. Returns DONE if the next line can be read. */
static int unreadable(struct key_bulk *bulk, int err)
{
	bool long_line = err == -E2BIG;
	int status;

	if (!long_line && err != -EILSEQ && err != -EBADMSG)
		return refused("standard input: %s", strerror(-err));
	err = long_line ? lines_skip(bulk->stream) : err;
	status = key_bulk_bad_line(bulk, list_line_error(long_line ? -E2BIG : err));
	return status || err != -EBADMSG ? status : USAGE;
}

static int run_line(struct key_bulk *bulk, char *line, list_take_fn take)
{
	int status = list_line(&bulk->list, line, take, bulk);
	bool useless = status == LIST_USELESS;

	if (status != LIST_BAD && !useless)
		return status;
	status = key_bulk_bad_line(bulk, bulk->list.error);
	return status || !useless ? status : USAGE;
}

static int run_lines(struct key_bulk *bulk, list_take_fn take)
{
	int err, status = DONE;
	char *line;

	while (!status) {
		if (bulk->keys.count && lines_waits(bulk->stream)) {
			status = key_bulk_send(bulk);
			continue;
		}
		err = lines_next(bulk->stream, &line);
		if (!err && !line)
			return key_bulk_send(bulk);
		status = err ? unreadable(bulk, err) :
			       run_line(bulk, line, take);
	}
	return status;
}

static int no_copy(void)
{
	return refused("temporary copy of the list: %s", strerror(errno));
}

static int copy(int to, char *buffer)
{
	ssize_t got, sent;

	while ((got = read(STDIN_FILENO, buffer, LINES_BUFFER)) > 0)
		for (ssize_t at = 0; at < got; at += sent) {
			sent = write(to, buffer + at, got - at);
			if (sent < 0)
				return no_copy();
		}
	return got ? refused("standard input: %s", strerror(errno)) : DONE;
}

/* --strict reads the list twice, so copy it: standard input may be a pipe. */
static int spool(struct key_bulk *bulk)
{
	FILE *file = tmpfile();
	int fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
	int status = fd < 0 ? no_copy() : copy(fd, bulk->stream->buffer);

	if (file)
		fclose(file);
	if (fd >= 0)
		bulk->stream->fd = fd;
	return status;
}

static int rewind_stream(struct key_bulk *bulk)
{
	int fd = bulk->stream->fd;

	bulk->totals.skipped = 0;
	bulk->list.bare = 0;
	*bulk->stream = (struct lines) { .fd = fd };
	if (bulk->list.csv)
		csv_rewind(bulk->list.csv);
	return lseek(fd, 0, SEEK_SET) ? no_copy() : DONE;
}

static int add_length(const uint8_t *key, size_t len, void *context)
{
	struct key_bulk *bulk = context;

	(void)len;
	seen_key_lengths_add(&bulk->lengths, key);
	return 0;
}

/*
 * Get the prefix lengths that are in use. For an allow list, they are those of its present
 * keys; the kernel does not report lengths of deleted keys.
 */
static int learn_lengths(struct key_bulk *bulk)
{
	if (!bulk->lengths.at || !key_bulk_adds(bulk->how.cmd))
		return DONE;
	bulk->list.lengths = &bulk->lengths;
	if (bulk->how.cmd == SEEN_CMD_ALLOW_ADD)
		return from_kernel(seen_allow_list(ctl.client, bulk->how.filter,
						   add_length, bulk));
	seen_key_lengths_take(&bulk->lengths, &bulk->info);
	return DONE;
}

static int check_lines(struct key_bulk *bulk)
{
	int status = learn_lengths(bulk);

	if (!status)
		status = run_lines(bulk, check_key);
	bulk->list.lengths = NULL;
	return status;
}

static int run_strict(struct key_bulk *bulk)
{
	int status = spool(bulk);

	if (!status)
		status = rewind_stream(bulk);
	if (!status)
		status = check_lines(bulk);
	if (!status && bulk->totals.skipped)
		status = usage("%ju bad lines: nothing was done",
			       bulk->totals.skipped);
	if (!status)
		status = rewind_stream(bulk);
	return status ? status : run_lines(bulk, key_bulk_push);
}

static int run_stream(struct key_bulk *bulk)
{
	return bulk->how.strict ? run_strict(bulk) : run_lines(bulk, key_bulk_push);
}

static void tell_totals(const struct key_bulk *bulk)
{
	totals_tell(&bulk->totals);
	if (bulk->stream && key_bulk_adds(bulk->how.cmd))
		totals_summary(&bulk->totals, bulk->how.copies ||
			       list_counts(bulk->info.config.type));
}

static int run_bulk(struct key_bulk *bulk, const struct args *args)
{
	int status = bulk->stream ? run_stream(bulk) : run_words(bulk, args);

	progress_end(&bulk->progress);
	list_note(&bulk->list);
	if (!key_bulk_asks(&bulk->how))
		tell_totals(bulk);
	return status ? status : key_bulk_conclude(bulk);
}

/* Maximum length of a key in bytes; 0: the command stores no keys. */
static size_t longest(const struct key_bulk *bulk)
{
	switch (bulk->how.cmd) {
	case SEEN_CMD_ALLOW_ADD:
		return SEEN_ALLOWED_MAX;
	case SEEN_CMD_KEY_ADD:
	case SEEN_CMD_KEY_DEL:
		return bulk->info.config.type == SEEN_TYPE_MAP ?
		       SEEN_KEY_EXACT_MAX : SEEN_KEY_MAX;
	default:
		return 0;
	}
}

/* Get the filter, and prepare the parser for its keys. */
static int learn(struct key_bulk *bulk)
{
	int status = learn_filter(bulk->how.filter, &bulk->info);

	if (status)
		return status;
	bulk->list.config = &bulk->info.config;
	bulk->list.values = bulk->info.config.type == SEEN_TYPE_MAP &&
			    bulk->how.cmd == SEEN_CMD_KEY_ADD;
	return list_open(&bulk->list);
}

struct key_bulk *key_bulk_open(const struct key_bulk_how *how)
{
	struct key_bulk *bulk = calloc(1, sizeof(*bulk));

	if (!bulk) {
		no_memory();
		return NULL;
	}
	bulk->how = *how;
	bulk->list.csv = how->csv;
	if (!learn(bulk))
		return bulk;
	key_bulk_free(bulk);
	return NULL;
}

void key_bulk_free(struct key_bulk *bulk)
{
	if (!bulk)
		return;
	list_close(&bulk->list);
	if (bulk->stream && bulk->stream->fd != STDIN_FILENO)
		close(bulk->stream->fd);
	free(bulk->stream);
	free(bulk);
}

static int open_stream(struct key_bulk *bulk)
{
	if (ctl.batch && !strcmp(ctl.batch, "-"))
		return usage("-: standard input already holds the commands");
	/* Set only for lists: the kernel reports a word that is too long with its own text. */
	bulk->list.longest = longest(bulk);
	seen_key_lengths_open(&bulk->lengths, &bulk->info.config.key);
	bulk->stream = calloc(1, sizeof(*bulk->stream));
	if (!bulk->stream)
		return no_memory();
	bulk->stream->fd = STDIN_FILENO;
	/* Answers that are printed on the terminal show the progress themselves. */
	if (!key_bulk_asks(&bulk->how) || !isatty(STDOUT_FILENO))
		progress_start(&bulk->progress, STDIN_FILENO);
	return DONE;
}

/* --new and --copies, the last two, are only for key add. */
static int read_options(struct key_bulk_how *how, struct args *args, struct args *keys)
{
	const struct param params[] = {
		{ "--strict", NULL, &how->strict },
		{ "--csv", read_csv, &how->csv },
		{ "--new", NULL, &how->only_new },
		{ "--copies", NULL, &how->copies },
	};
	size_t count = ARRAY_SIZE(params) - (how->cmd == SEEN_CMD_KEY_ADD ? 0 : 2);
	int status = params_first(args, params, count, keys);

	if (!status)
		status = params_read(args, params, count, NULL);
	if (!status && how->only_new && how->copies)
		status = usage("--new and --copies exclude each other");
	return status;
}

/* @keys: out: the keys; none if they come from standard input */
static int read_how(struct key_bulk_how *how, struct args *args, struct args *keys)
{
	int status = args_name(args, "name", how->filter);

	if (!status)
		status = read_options(how, args, keys);
	return status ? status : keys_words(how, keys);
}

int keys_words(struct key_bulk_how *how, struct args *keys)
{
	if (!keys->argc)
		return usage("KEY: required, or - for standard input");
	how->list = !strcmp(*keys->argv, "-");
	if (how->list) {
		args_next(keys);
		return args_end(keys);
	}
	return how->strict || how->csv ?
	       usage("--strict and --csv require a list on standard input (-)") : DONE;
}

/* Do not gather with -json or -stats, because they print the totals of each line. */
static bool may_gather(const struct key_bulk_how *how)
{
	return ctl.batch && !how->list && key_bulk_adds(how->cmd) && !ctl.json &&
	       !ctl.stats;
}

/* The gathered keys of earlier batch lines are sent first. */
static int run(struct key_bulk_how *how, const struct args *args)
{
	int status = gather_end();
	struct key_bulk *bulk;

	if (status)
		return status;
	bulk = key_bulk_open(how);
	/* key_bulk_open() took ownership. */
	how->csv = NULL;
	if (!bulk)
		return REFUSED;
	if (how->list)
		status = open_stream(bulk);
	if (!status)
		status = run_bulk(bulk, args);
	key_bulk_free(bulk);
	return status;
}

int keys_run(struct key_bulk_how *how, const struct args *keys)
{
	if (!key_bulk_asks(how) && restore_keeps_filter(how->filter))
		return gather_end();
	return may_gather(how) ? gather(how, keys) : run(how, keys);
}

int run_keys(enum seen_cmd cmd, struct args *args)
{
	struct key_bulk_how how = { .cmd = cmd };
	struct args keys;
	int status = read_how(&how, args, &keys);

	if (!status)
		status = keys_run(&how, &keys);
	csv_close(how.csv);
	return status;
}
