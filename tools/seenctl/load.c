// SPDX-License-Identifier: GPL-2.0
/*
 * Keys: read as text, sent in bulk. A request is sent when it is full, at the
 * end, and when the stream has nothing more to read for now, so that a slow
 * writer gets its answers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "progress.h"
#include "seenctl.h"

#define TEXT_BYTES	(256 * 1024)
/* Characters of a key that are shown on a terminal. */
#define SHOWN		160

/**
 * struct load - keys on their way
 * @cmd: what happens to them
 * @filter: in which filter
 * @if_new: add only what is not seen
 * @spec: the filter's key
 * @map: the filter has values
 * @stream: standard input, or NULL: the command line
 * @progress: of the stream
 * @total: keys answered, by answer
 * @used: bytes of @text
 * @line: of each key of the request
 * @at: of each key, its place in @text
 * @text: the keys of the request as they were written
 * @keys: the request
 */
struct load {
	enum seen_cmd cmd;
	char filter[SEEN_NAME_MAX];
	bool if_new;
	struct seen_key_spec spec;
	bool map;
	struct lines *stream;
	struct progress progress;
	uint64_t total[SEEN_KEY_ALLOWED + 1];
	size_t used;
	uint64_t line[SEEN_KEYS_MAX];
	uint32_t at[SEEN_KEYS_MAX];
	char text[TEXT_BYTES];
	struct seen_keys keys;
};

static const char *answer_word(const struct load *load, uint8_t result)
{
	if (load->cmd == SEEN_CMD_KEY_TEST && result == SEEN_KEY_STALE)
		return "unknown";
	return seen_word(&seen_key_results, result);
}

/* Programs get the key as it was asked for, people the beginning of a long one. */
static void print_key(const char *text)
{
	size_t len = strlen(text);

	if (len <= SHOWN || !isatty(STDOUT_FILENO))
		fputs(text, stdout);
	else
		printf("%.*s... (%zu characters)", SHOWN, text, len);
}

static void tell_count(const struct load *load, uint32_t i)
{
	const char *text = load->text + load->at[i];
	bool seen = load->keys.result[i] == SEEN_KEY_SEEN;
	bool known = load->keys.result[i] != SEEN_KEY_STALE;

	if (!ctl.json) {
		print_key(text);
		if (!known)
			puts(" unknown");
		else if (load->map && !seen)
			puts(" -");
		else
			printf(" %u\n", load->keys.value[i]);
	} else {
		json_open(NULL, '{');
		json_text("key", text);
		if (!load->map && known)
			json_number("count", load->keys.value[i]);
		else if (seen)
			json_number("value", load->keys.value[i]);
		if (known)
			json_bool("seen", seen);
		else
			json_text("answer", "unknown");
		json_close();
	}
}

static void tell_answer(const struct load *load, uint32_t i)
{
	const char *text = load->text + load->at[i];
	uint8_t result = load->keys.result[i];

	if (!ctl.json) {
		print_key(text);
		printf(" %s\n", answer_word(load, result));
		return;
	}
	json_open(NULL, '{');
	json_text("key", text);
	json_text("answer", answer_word(load, result));
	json_bool("seen", result == SEEN_KEY_SEEN);
	json_close();
}

/* Each key is answered, and nothing else is told. */
static bool asks(const struct load *load)
{
	return load->cmd == SEEN_CMD_KEY_TEST ||
	       load->cmd == SEEN_CMD_KEY_COUNT;
}

static void take_answers(struct load *load)
{
	for (uint32_t i = 0; i < load->keys.done; i++) {
		uint8_t result = load->keys.result[i];

		if (result <= SEEN_KEY_ALLOWED)
			load->total[result]++;
		if (load->cmd == SEEN_CMD_KEY_TEST)
			tell_answer(load, i);
		else if (load->cmd == SEEN_CMD_KEY_COUNT)
			tell_count(load, i);
	}
	if (asks(load) && load->stream)
		fflush(stdout);
}

/* The kernel speaks of the keys of a request; people know lines and texts. */
static int refuse_key(const struct load *load)
{
	const char *reason = seen_error(ctl.client);
	uint32_t i = load->keys.done;

	if (!strncmp(reason, "keys: ", 6))
		reason += 6;
	if (!load->stream)
		return refused("%s: %s", load->text + load->at[i], reason);
	return refused("line %ju: %s: %s", load->line[i],
		       load->text + load->at[i], reason);
}

static uint64_t answered(const struct load *load)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(load->total); i++)
		sum += load->total[i];
	return sum;
}

static int send_keys(struct load *load)
{
	struct seen_keys *keys = &load->keys;
	int err;

	if (!keys->count)
		return DONE;
	keys->has_values = load->map && load->cmd == SEEN_CMD_KEY_ADD;
	err = seen_keys_send(ctl.client, load->cmd, load->filter, load->if_new,
			     keys);
	take_answers(load);
	if (err && keys->failed)
		return refuse_key(load);
	if (err)
		return from_kernel(err);
	keys->count = 0;
	keys->size = 0;
	load->used = 0;
	if (load->stream)
		progress_step(&load->progress, load->stream->bytes,
			      answered(load));
	return DONE;
}

/* Room for one key of this text; what is in the way is sent. */
static int make_room(struct load *load, const char *text)
{
	if (seen_keys_reserve(&load->keys, seen_key_room(text)) &&
	    load->used + strlen(text) < TEXT_BYTES)
		return DONE;
	return send_keys(load);
}

static int bad_key(struct load *load, const char *error)
{
	int status = send_keys(load);

	if (status)
		return status;
	if (!load->stream)
		return usage("%s", error);
	return usage("line %ju: %s", load->stream->number, error);
}

static int push(struct load *load, const char *text, uint32_t value)
{
	struct seen_keys *keys = &load->keys;
	char error[SEEN_KEY_ERROR_LEN];
	size_t size = strlen(text) + 1;
	int len, status;

	if (size > TEXT_BYTES)
		return bad_key(load, "the line is too long");
	status = make_room(load, text);
	if (status)
		return status;
	len = seen_key_parse(&load->spec, text,
			     seen_keys_reserve(keys, seen_key_room(text)),
			     error);
	if (len < 0)
		return bad_key(load, error);
	memcpy(load->text + load->used, text, size);
	load->at[keys->count] = load->used;
	load->used += size;
	keys->value[keys->count] = value;
	load->line[keys->count] = load->stream ? load->stream->number : 0;
	seen_keys_commit(keys, len);
	return DONE;
}

static int push_line(struct load *load, char *line)
{
	uint32_t value = 0;

	if (load->map && load->cmd == SEEN_CMD_KEY_ADD &&
	    !lines_value(line, &value))
		return bad_key(load, LINES_NO_VALUE);
	return push(load, line, value);
}

static int stream_error(struct load *load, int err)
{
	if (err == -E2BIG) {
		load->stream->number++;
		return bad_key(load, "the line is too long");
	}
	if (err == -EILSEQ)
		return bad_key(load, "the line holds a NUL byte");
	return refused("standard input: %s", strerror(-err));
}

static int run_stream(struct load *load)
{
	int err, status = DONE;
	char *line;

	while (!status) {
		if (load->keys.count && lines_waits(load->stream)) {
			status = send_keys(load);
			continue;
		}
		err = lines_next(load->stream, &line);
		if (err)
			return stream_error(load, err);
		if (!line)
			return send_keys(load);
		line = lines_trim(line);
		if (*line)
			status = push_line(load, line);
	}
	return status;
}

/* A key, and for a map that is added to, "value" and its value. */
static int next_word(struct load *load, struct args *args, const char **key,
		     uint32_t *value)
{
	const struct param param = { .word = "value", .into = value };

	*value = 0;
	*key = args_next(args);
	if (!load->map || load->cmd != SEEN_CMD_KEY_ADD || !args->argc ||
	    strcmp(*args->argv, "value"))
		return DONE;
	args_next(args);
	return args->argc ? read_u32(&param, args_next(args)) :
			    usage("value needs a number");
}

/* All of them are looked at before the first is sent. */
static int check_words(struct load *load, struct args args)
{
	char error[SEEN_KEY_ERROR_LEN];
	const char *key;
	uint32_t value;
	uint8_t *room;
	int status;

	while (args.argc) {
		status = next_word(load, &args, &key, &value);
		if (status)
			return status;
		/* The request is empty as yet, and so has room for any key. */
		room = seen_keys_reserve(&load->keys, SEEN_KEY_MAX);
		if (seen_key_parse(&load->spec, key, room, error) < 0)
			return usage("%s", error);
	}
	return DONE;
}

static int run_words(struct load *load, struct args *args)
{
	int status = check_words(load, *args);
	const char *key;
	uint32_t value;

	while (args->argc && !status) {
		status = next_word(load, args, &key, &value);
		if (!status)
			status = push(load, key, value);
	}
	return status ? status : send_keys(load);
}

static void tell_totals(const struct load *load)
{
	if (ctl.json)
		json_open(NULL, '{');
	else if (ctl.stats)
		printf("keys %ju", answered(load));
	else
		return;
	if (ctl.json)
		json_number("keys", answered(load));
	for (size_t i = 0; i < ARRAY_SIZE(load->total); i++) {
		const char *word = seen_word(&seen_key_results, i);

		if (ctl.json)
			json_number(word, load->total[i]);
		else if (load->total[i])
			put_number(word, load->total[i]);
	}
	if (ctl.json)
		json_close();
	else
		putchar('\n');
}

/* What was answered decides about the exit status, if nothing went wrong. */
static int conclude(const struct load *load)
{
	uint64_t absent = load->total[SEEN_KEY_ABSENT];

	if (load->cmd == SEEN_CMD_KEY_COUNT)
		return DONE;
	if (load->cmd == SEEN_CMD_KEY_TEST)
		return load->total[SEEN_KEY_SEEN] == answered(load) ? DONE :
								      NOT_SEEN;
	if (absent)
		return refused("%ju of %ju keys were not there",
			       absent, answered(load));
	if (load->total[SEEN_KEY_STALE])
		return refused("%ju keys were not taken: the filter's sweep is late",
			       load->total[SEEN_KEY_STALE]);
	return DONE;
}

static int run_load(struct load *load, struct args *args)
{
	int status = load->stream ? run_stream(load) : run_words(load, args);

	progress_end(&load->progress);
	if (!asks(load))
		tell_totals(load);
	return status ? status : conclude(load);
}

static int learn(struct load *load)
{
	struct seen_filter_info info;
	int status = learn_filter(load->filter, &info);

	if (status)
		return status;
	load->spec = info.config.key;
	load->map = info.config.type == SEEN_TYPE_MAP;
	return DONE;
}

static int open_stream(struct load *load)
{
	if (ctl.batch && !strcmp(ctl.batch, "-"))
		return usage("-: standard input has the commands already");
	load->stream = calloc(1, sizeof(*load->stream));
	if (!load->stream)
		return refused("%s", strerror(ENOMEM));
	load->stream->fd = STDIN_FILENO;
	/* Answers on the same terminal show by themselves how far it is. */
	if (!asks(load) || !isatty(STDOUT_FILENO))
		progress_start(&load->progress, STDIN_FILENO);
	return DONE;
}

static int read_args(struct load *load, struct args *args)
{
	int status = args_name(args, "the filter's name", load->filter);

	if (status)
		return status;
	if (load->cmd == SEEN_CMD_KEY_ADD && args->argc &&
	    !strcmp(*args->argv, "--new")) {
		load->if_new = true;
		args_next(args);
	}
	if (!args->argc)
		return usage("a key is missing, or - for standard input");
	if (strcmp(*args->argv, "-"))
		return learn(load);
	args_next(args);
	status = args_end(args);
	if (!status)
		status = learn(load);
	return status ? status : open_stream(load);
}

int run_keys(enum seen_cmd cmd, struct args *args)
{
	struct load *load = calloc(1, sizeof(*load));
	int status;

	if (!load)
		return refused("%s", strerror(ENOMEM));
	load->cmd = cmd;
	status = read_args(load, args);
	if (!status)
		status = run_load(load, args);
	free(load->stream);
	free(load);
	return status;
}
