// SPDX-License-Identifier: GPL-2.0
/* Add, test and delete keys of filters in files. The keys are words or a list. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exact.h"
#include "file.h"
#include "lines.h"
#include "list.h"
#include "progress.h"
#include "totals.h"

/**
 * struct work - a command that is in progress
 * @file: the filter
 * @act: processes a key; returns enum seen_key_result or a negative errno
 * @info: configuration and state of the filter
 * @keys_of: parser of the keys
 * @tests: the command is test, which prints keys and changes nothing
 * @copies: --copies: store a further copy of a key that exists
 * @strict: --strict: do not save the file if a line is bad
 * @unseen: -v: print the keys that are not seen, and not the seen keys
 * @allow: --allow: filter of keys that count as not seen; without the option, allow.local
 *         is NULL
 * @list: --allow-list: set of keys that count as not seen
 * @lengths: prefix lengths of the filter and of the keys that are added
 * @stream: the list, or NULL
 * @path: path of the list; NULL: standard input
 * @progress: progress bar
 * @totals: number of keys by answer
 */
struct work {
	struct file file;
	int (*act)(struct work *work, const struct list_key *key);
	struct seen_filter_info info;
	struct list keys_of;
	bool tests;
	bool copies;
	bool strict;
	bool unseen;
	struct file allow;
	struct exact list;
	struct seen_key_lengths lengths;
	struct lines *stream;
	const char *path;
	struct progress progress;
	struct totals totals;
};

static bool allowed(const struct work *work, const uint8_t *key, size_t len)
{
	if (exact_has(&work->list, key, len))
		return true;
	return work->allow.local &&
	       seen_local_test(work->allow.local, key, len) == SEEN_KEY_RESULT_SEEN;
}

static int act_test(struct work *work, const struct list_key *key)
{
	if (allowed(work, key->key, key->len))
		return SEEN_KEY_RESULT_ALLOWED;
	return seen_local_test(work->file.local, key->key, key->len);
}

/* Is a key that exists stored again? */
static bool adds_each(const struct work *work)
{
	return work->copies || list_counts(work->info.config.type);
}

/* In a map, a key that exists gets the new value. */
static int act_add(struct work *work, const struct list_key *key)
{
	if (work->info.config.type == SEEN_TYPE_MAP &&
	    (key->has_value || work->copies))
		return seen_local_put(work->file.local, key->key, key->len,
				      key->value);
	if (adds_each(work))
		return seen_local_add(work->file.local, key->key, key->len);
	return seen_local_test_and_add(work->file.local, key->key, key->len);
}

static int act_del(struct work *work, const struct list_key *key)
{
	return seen_local_del(work->file.local, key->key, key->len);
}

static int at_key(const struct work *work, const char *text, const char *error)
{
	if (work->stream)
		return list_refuse(work->stream, work->stream->number, text,
				   error);
	return refused("%s: %s", text, error);
}

static void tell(const struct work *work, const char *text, int result)
{
	bool seen = result == SEEN_KEY_RESULT_SEEN;

	if (ctl.json) {
		json_open(NULL, '{');
		json_text("key", text);
		json_text("answer", seen_word(&seen_key_results, result));
		json_bool("seen", seen);
		json_close();
	} else if (seen != work->unseen) {
		puts(text);
	}
}

static int take_answer(struct work *work, const char *text, int result)
{
	if (result < 0)
		return at_key(work, text, seen_local_error());
	if (result == SEEN_KEY_RESULT_FULL)
		return at_key(work, text, "the filter is full");
	totals_count(&work->totals, result);
	if (work->tests)
		tell(work, text, result);
	return DONE;
}

static int run_key(void *context, const struct list_key *key)
{
	struct work *work = context;

	return take_answer(work, key->text, work->act(work, key));
}

static bool has_values(const struct work *work)
{
	return work->act == act_add && work->info.config.type == SEEN_TYPE_MAP;
}

/* A text that cannot be a key was never added, so test reports it as new. */
static int bad_line(struct work *work, const char *text, const char *error)
{
	if (work->tests && text)
		return take_answer(work, text, SEEN_KEY_RESULT_NEW);
	list_report(work->path, work->stream->number, error);
	if (work->tests)
		totals_count(&work->totals, SEEN_KEY_RESULT_NEW);
	else
		work->totals.skipped++;
	return DONE;
}

static int run_line(struct work *work, char *line)
{
	int status = list_line(&work->keys_of, line, run_key, work);
	bool useless = status == LIST_USELESS;
	const char *text = NULL;

	if (status != LIST_BAD && !useless)
		return status;
	if (!useless && !work->keys_of.csv)
		text = lines_trim(line);
	status = bad_line(work, text, work->keys_of.error);
	return status || !useless ? status : USAGE;
}

/* Report a line that cannot be read. Returns DONE if the next line can be read. */
static int unreadable(struct work *work, int err)
{
	int skipped = err == -E2BIG ? lines_skip(work->stream) : 0;

	if (skipped || (err != -E2BIG && err != -EILSEQ && err != -EBADMSG))
		return refused("%s: %s", work->path ? work->path : "standard input",
			       strerror(skipped ? -skipped : -err));
	bad_line(work, NULL, list_line_error(err));
	return err == -EBADMSG ? USAGE : DONE;
}

static int run_lines(struct work *work)
{
	int err, status = DONE;
	char *line;

	while (!status) {
		if (work->tests && lines_waits(work->stream))
			fflush(stdout);
		err = lines_next(work->stream, &line);
		if (err) {
			status = unreadable(work, err);
			continue;
		}
		if (!line)
			break;
		status = run_line(work, line);
		progress_step(&work->progress, work->stream->bytes,
			      totals_keys(&work->totals));
	}
	return status;
}

static int run_word(struct work *work, struct args *args)
{
	struct list_key key = { .text = args_next(args) };
	const struct param param = { .word = "value", .into = &key.value };
	int status = DONE;

	if (has_values(work) && args->argc && !strcmp(*args->argv, "value")) {
		args_next(args);
		if (!args->argc)
			return value_missing("value");
		key.has_value = true;
		status = read_u32(&param, args_next(args));
	}
	if (!status)
		status = list_word(&work->keys_of, &key, run_key, work);
	if (status != LIST_BAD)
		return status;
	list_no_value(&work->keys_of, key.text, work->act == act_add, "");
	return usage("%s", work->keys_of.error);
}

static int run_words(struct work *work, struct args *args)
{
	int status = DONE;

	while (args->argc && !status)
		status = run_word(work, args);
	return status;
}

static int open_stream(struct work *work, int fd)
{
	work->stream = calloc(1, sizeof(*work->stream));
	if (!work->stream)
		return no_memory();
	work->stream->fd = fd;
	return DONE;
}

/* Maximum length of a key in bytes; 0: the command stores no keys. */
static size_t longest(const struct work *work)
{
	if (work->tests)
		return 0;
	return work->info.config.type == SEEN_TYPE_MAP ? SEEN_KEY_EXACT_MAX :
							 SEEN_KEY_MAX;
}

/* Let list.c report a line as bad if its prefix would need one prefix length too many. */
static void count_lengths(struct work *work)
{
	if (!seen_key_lengths_open(&work->lengths, &work->info.config.key))
		return;
	seen_key_lengths_take(&work->lengths, &work->info);
	work->keys_of.lengths = &work->lengths;
}

static int run_stream(struct work *work)
{
	int status = open_stream(work, STDIN_FILENO);

	if (status)
		return status;
	work->keys_of.longest = longest(work);
	if (work->act == act_add)
		count_lengths(work);
	if (!work->tests || !isatty(STDOUT_FILENO))
		progress_start(&work->progress, STDIN_FILENO);
	status = run_lines(work);
	progress_end(&work->progress);
	list_note(&work->keys_of);
	return status;
}

static int run_input(struct work *work, struct args *args)
{
	int status;

	if (!args->argc)
		return usage("KEY: required, or - for standard input");
	if (strcmp(*args->argv, "-"))
		return work->strict || work->keys_of.csv ?
		       usage("--strict and --csv require a list on standard input (-)") :
		       run_words(work, args);
	if (ctl.batch && !strcmp(ctl.batch, "-"))
		return usage("-: standard input already holds the commands");
	args_next(args);
	status = args_end(args);
	return status ? status : run_stream(work);
}

static int act_list(struct work *work, const struct list_key *key)
{
	return exact_add(&work->list, key->key, key->len) ? SEEN_KEY_RESULT_NEW :
							    -ENOMEM;
}

/* Read the keys of --allow-list, in the format of the filter's keys, without testing them. */
static int read_list(struct work *work, const char *path)
{
	struct work list = {
		.info = work->info, .act = act_list, .path = path,
		.keys_of = { .config = &work->info.config,
			     .key = work->keys_of.key },
	};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int status;

	if (fd < 0)
		return refused("%s: %s", path, strerror(errno));
	if (seen_key_lengths_open(&list.list.lengths, &work->info.config.key))
		list.keys_of.lengths = &list.list.lengths;
	status = open_stream(&list, fd);
	if (!status)
		status = run_lines(&list);
	/* A key that is missing from the list would be reported as seen. */
	if (!status && list.totals.skipped)
		status = usage("%s: a line is bad, so nothing was tested", path);
	work->list = list.list;
	free(list.stream);
	close(fd);
	return status;
}

static int read_allow(const struct param *param, const char *value)
{
	struct args args = { 1, (char **)&value };

	return file_open(param->into, &args, false);
}

static int read_allow_list(const struct param *param, const char *value)
{
	return read_list(param->into, value);
}

static int read_test_options(struct work *work, struct args *args, struct args *keys)
{
	const struct param params[] = {
		{ "-v", NULL, &work->unseen },
		{ "--allow", read_allow, &work->allow },
		{ "--allow-list", read_allow_list, work },
		{ "--csv", read_csv, &work->keys_of.csv },
	};
	int status = params_first(args, params, ARRAY_SIZE(params), keys);

	return status ? status : params_read(args, params, ARRAY_SIZE(params), NULL);
}

/* --copies, the last one, is only for add. */
static int read_options(struct work *work, struct args *args, struct args *keys)
{
	const struct param params[] = {
		{ "--strict", NULL, &work->strict },
		{ "--csv", read_csv, &work->keys_of.csv },
		{ "--copies", NULL, &work->copies },
	};
	size_t count = ARRAY_SIZE(params) - (work->act == act_add ? 0 : 1);
	int status;

	if (work->tests)
		return read_test_options(work, args, keys);
	status = params_first(args, params, count, keys);
	return status ? status : params_read(args, params, count, NULL);
}

static bool adds(const struct work *work)
{
	return work->act == act_add;
}

static void tell_totals(const struct work *work)
{
	totals_tell(&work->totals);
	if (adds(work) && work->stream)
		totals_summary(&work->totals, adds_each(work));
}

/* Keys that were added before an error are saved, as in the kernel. */
static int save(struct work *work)
{
	if (work->tests || !totals_keys(&work->totals))
		return DONE;
	if (work->strict && work->totals.skipped)
		return usage("%ju bad lines: nothing was done",
			     work->totals.skipped);
	return file_save(&work->file);
}

static int finish(struct work *work, int status)
{
	uint64_t absent = work->totals.answer[SEEN_KEY_RESULT_ABSENT];
	uint64_t keys = totals_keys(&work->totals);
	int saved = save(work);

	if (status && keys && !saved && !work->tests)
		tell_totals(work);
	if (status || saved)
		return status ? status : saved;
	if (work->tests)
		return work->totals.answer[SEEN_KEY_RESULT_SEEN] == keys ? DONE :
								    NOT_SEEN;
	tell_totals(work);
	if (work->totals.skipped)
		return USAGE;
	return absent ? refused("%ju of %ju keys did not exist", absent, keys) :
			DONE;
}

static int run(struct work *work, struct args *args)
{
	int status = file_open(&work->file, args, !work->tests);
	struct args keys;

	work->allow.fd = -1;
	if (status)
		return status;
	seen_local_info(work->file.local, &work->info);
	work->keys_of.config = &work->info.config;
	work->keys_of.values = has_values(work);
	status = list_open(&work->keys_of);
	if (!status)
		status = file_failed(read_options(work, args, &keys));
	if (!status)
		status = finish(work, file_failed(run_input(work, &keys)));
	exact_free(&work->list);
	list_close(&work->keys_of);
	free(work->stream);
	file_close(&work->allow);
	file_close(&work->file);
	return status;
}

int file_add(struct args *args)
{
	struct work work = { .act = act_add };

	return run(&work, args);
}

int file_test(struct args *args)
{
	struct work work = { .act = act_test, .tests = true };

	return run(&work, args);
}

int file_del(struct args *args)
{
	struct work work = { .act = act_del };

	return run(&work, args);
}
