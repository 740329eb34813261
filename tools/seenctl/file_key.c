// SPDX-License-Identifier: GPL-2.0
/* Keys of filters in files: from words or a stream, some at a time. */
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "lines.h"
#include "progress.h"

/**
 * struct exact - a key on an allow list
 * @key: canonical
 * @len: bytes of @key
 */
struct exact {
	const uint8_t *key;
	size_t len;
};

/**
 * struct work - keys on their way
 * @file: into or out of which
 * @act: what is done with a key; enum seen_key_result or -errno
 * @info: of the filter
 * @tests: keys are printed, and nothing is changed
 * @unseen: those that are not seen
 * @allow: a filter of keys that count as not seen; may be NULL
 * @list: a tree of struct exact
 * @key: room for one key
 * @stream: standard input, or NULL
 * @progress: of the stream
 * @keys: done
 * @seen: of them
 * @absent: of them
 */
struct work {
	struct file file;
	int (*act)(struct work *work, const uint8_t *key, size_t len,
		   uint32_t value);
	struct seen_filter_info info;
	bool tests;
	bool unseen;
	struct file allow;
	void *list;
	uint8_t *key;
	struct lines *stream;
	struct progress progress;
	uint64_t keys;
	uint64_t seen;
	uint64_t absent;
};

static int compare(const void *a, const void *b)
{
	const struct exact *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->key, y->key, x->len);
}

static bool on_list(const struct work *work, const uint8_t *key, size_t len)
{
	const struct exact wanted = { .key = key, .len = len };

	return work->list && tfind(&wanted, &work->list, compare);
}

static bool allowed(const struct work *work, const uint8_t *key, size_t len)
{
	if (on_list(work, key, len))
		return true;
	return work->allow.local &&
	       seen_local_test(work->allow.local, key, len) == SEEN_KEY_SEEN;
}

static int act_test(struct work *work, const uint8_t *key, size_t len,
		    uint32_t value)
{
	(void)value;
	if (allowed(work, key, len))
		return SEEN_KEY_ALLOWED;
	return seen_local_test(work->file.local, key, len);
}

static int act_add(struct work *work, const uint8_t *key, size_t len,
		   uint32_t value)
{
	if (work->info.config.type == SEEN_TYPE_MAP)
		return seen_local_put(work->file.local, key, len, value);
	return seen_local_add(work->file.local, key, len);
}

static int act_del(struct work *work, const uint8_t *key, size_t len,
		   uint32_t value)
{
	(void)value;
	return seen_local_del(work->file.local, key, len);
}

static int at_key(const struct work *work, const char *text, const char *error)
{
	if (work->stream)
		return refused("line %ju: %s: %s", work->stream->number, text,
			       error);
	return refused("%s: %s", text, error);
}

static void tell(const struct work *work, const char *text, int result)
{
	bool seen = result == SEEN_KEY_SEEN;

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

/* A key that fits no such filter was never added: it is new. */
static int take_answer(struct work *work, const char *text, int result)
{
	if (result == -ERANGE && work->tests)
		result = SEEN_KEY_NEW;
	if (result < 0)
		return at_key(work, text, seen_local_error());
	if (result == SEEN_KEY_FULL)
		return at_key(work, text, "the filter is full");
	work->keys++;
	work->seen += result == SEEN_KEY_SEEN;
	work->absent += result == SEEN_KEY_ABSENT;
	if (work->tests)
		tell(work, text, result);
	return DONE;
}

static int run_key(struct work *work, const char *text, uint32_t value)
{
	char error[SEEN_KEY_ERROR_LEN];
	int len = seen_key_parse(&work->info.config.key, text, work->key,
				 error);

	if (len >= 0)
		return take_answer(work, text,
				   work->act(work, work->key, len, value));
	if (work->stream && work->tests)
		return take_answer(work, text, SEEN_KEY_NEW);
	if (work->stream)
		return usage("line %ju: %s", work->stream->number, error);
	return usage("%s", error);
}

static bool has_values(const struct work *work)
{
	return work->act == act_add && work->info.config.type == SEEN_TYPE_MAP;
}

static int run_line(struct work *work, char *line)
{
	uint32_t value = 0;

	if (has_values(work) && !lines_value(line, &value))
		return at_key(work, line, LINES_NO_VALUE);
	return run_key(work, line, value);
}

static const char *line_error(int err)
{
	return err == -E2BIG ? "the line is too long" :
	       err == -EILSEQ ? "the line holds a NUL byte" : strerror(-err);
}

/* What can be no key was never added: it is new, and the next line is the next key. */
static int bad_line(struct work *work, int err)
{
	if (!work->tests || (err != -E2BIG && err != -EILSEQ))
		return refused("line %ju: %s",
			       work->stream->number + (err != -EILSEQ),
			       line_error(err));
	if (err == -E2BIG)
		lines_skip(work->stream);
	fprintf(stderr, "seenctl: line %ju: %s: not seen\n",
		work->stream->number, line_error(err));
	work->keys++;
	return DONE;
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
			status = bad_line(work, err);
			continue;
		}
		if (!line)
			break;
		line = lines_trim(line);
		if (*line)
			status = run_line(work, line);
		progress_step(&work->progress, work->stream->bytes, work->keys);
	}
	return status;
}

static int run_words(struct work *work, struct args *args)
{
	int status = DONE;

	while (args->argc && !status) {
		const char *key = args_next(args);
		uint32_t value = 0;
		const struct param param = { .word = "value", .into = &value };

		if (has_values(work) && args->argc &&
		    !strcmp(*args->argv, "value")) {
			args_next(args);
			if (!args->argc)
				return usage("value needs a number");
			status = read_u32(&param, args_next(args));
		}
		if (!status)
			status = run_key(work, key, value);
	}
	return status;
}

static int open_stream(struct work *work, int fd)
{
	work->stream = calloc(1, sizeof(*work->stream));
	if (!work->stream)
		return refused("%s", strerror(ENOMEM));
	work->stream->fd = fd;
	return DONE;
}

static int run_input(struct work *work, struct args *args)
{
	int status;

	if (!args->argc)
		return usage("a key is missing, or - for standard input");
	if (strcmp(*args->argv, "-"))
		return run_words(work, args);
	if (ctl.batch && !strcmp(ctl.batch, "-"))
		return usage("-: standard input has the commands already");
	args_next(args);
	status = args_end(args);
	if (!status)
		status = open_stream(work, STDIN_FILENO);
	if (status)
		return status;
	if (!work->tests || !isatty(STDOUT_FILENO))
		progress_start(&work->progress, STDIN_FILENO);
	status = run_lines(work);
	progress_end(&work->progress);
	return status;
}

static int act_list(struct work *work, const uint8_t *key, size_t len,
		    uint32_t value)
{
	struct exact *exact = malloc(sizeof(*exact) + len);
	struct exact **found;
	uint8_t *copy;

	(void)value;
	if (!exact)
		return -ENOMEM;
	copy = (uint8_t *)(exact + 1);
	memcpy(copy, key, len);
	*exact = (struct exact) { .key = copy, .len = len };
	found = tsearch(exact, &work->list, compare);
	if (found && *found != exact)
		free(exact);
	return found ? SEEN_KEY_NEW : -ENOMEM;
}

/* Read as keys of the filter; it answers for none of them. */
static int read_list(struct work *work, const char *path)
{
	struct work list = {
		.info = work->info, .act = act_list, .key = work->key,
	};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int status;

	if (fd < 0)
		return refused("%s: %s", path, strerror(errno));
	status = open_stream(&list, fd);
	if (!status)
		status = run_lines(&list);
	work->list = list.list;
	free(list.stream);
	close(fd);
	return status;
}

static int read_option(struct work *work, const char *word, struct args *args)
{
	if (!strcmp(word, "-v")) {
		work->unseen = true;
		return DONE;
	}
	if (!strcmp(word, "--allow"))
		return file_open(&work->allow, args, false);
	if (strcmp(word, "--allow-list"))
		return usage("%s: no such parameter (seenctl file help)", word);
	return args->argc ? read_list(work, args_next(args)) :
			    usage("--allow-list needs a value");
}

static int read_options(struct work *work, struct args *args)
{
	int status = DONE;

	while (!status && work->tests && args->argc && **args->argv == '-' &&
	       strcmp(*args->argv, "-"))
		status = read_option(work, args_next(args), args);
	return status;
}

/* What was added before something went wrong is kept, as the kernel does. */
static int finish(struct work *work, int status)
{
	int saved = work->tests || !work->keys ? DONE : file_save(&work->file);

	if (status || saved)
		return status ? status : saved;
	if (work->tests)
		return work->seen == work->keys ? DONE : NOT_SEEN;
	if (ctl.stats)
		printf("keys %ju\n", work->keys);
	if (work->absent)
		return refused("%ju of %ju keys were not there", work->absent,
			       work->keys);
	return DONE;
}

static int run(struct work *work, struct args *args)
{
	int status = file_open(&work->file, args, !work->tests);

	work->allow.fd = -1;
	if (status)
		return status;
	work->key = malloc(SEEN_KEY_MAX);
	if (!work->key) {
		file_close(&work->file);
		return refused("%s", strerror(ENOMEM));
	}
	seen_local_info(work->file.local, &work->info);
	status = file_failed(read_options(work, args));
	if (!status)
		status = finish(work, file_failed(run_input(work, args)));
	tdestroy(work->list, free);
	free(work->key);
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
