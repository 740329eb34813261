// SPDX-License-Identifier: GPL-2.0
/* Requests with keys, and their answers. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "load.h"

/* Characters of a key that are shown on a terminal. */
#define SHOWN		160

static bool is_map(const struct load *load)
{
	return load->info.config.type == SEEN_TYPE_MAP;
}

static const char *answer_word(const struct load *load, uint8_t result)
{
	if (load->how.cmd == SEEN_CMD_KEY_TEST && result == SEEN_KEY_STALE)
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
		else if (is_map(load) && !seen)
			puts(" -");
		else
			printf(" %u\n", load->keys.value[i]);
	} else {
		json_open(NULL, '{');
		json_text("key", text);
		if (!is_map(load) && known)
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

bool load_asks(const struct load_how *how)
{
	return how->cmd == SEEN_CMD_KEY_TEST || how->cmd == SEEN_CMD_KEY_COUNT;
}

static void take_answers(struct load *load)
{
	for (uint32_t i = 0; i < load->keys.done; i++) {
		totals_count(&load->totals, load->keys.result[i]);
		if (load->how.cmd == SEEN_CMD_KEY_TEST)
			tell_answer(load, i);
		else if (load->how.cmd == SEEN_CMD_KEY_COUNT)
			tell_count(load, i);
	}
	if (load_asks(&load->how) && load->stream)
		fflush(stdout);
}

/* The kernel speaks of the keys of a request; people know lines and texts. */
static int refuse_key(const struct load *load)
{
	const char *reason = seen_error(ctl.client);
	uint32_t i = load->keys.done;

	if (!strncmp(reason, "keys: ", 6))
		reason += 6;
	if (load->stream)
		return refused("line %ju: %s: %s", load->line[i],
			       load->text + load->at[i], reason);
	/* In a batch the key may be that of a line before. */
	ctl.line = load->line[i];
	return refused("%s: %s", load->text + load->at[i], reason);
}

static int refuse_all(struct load *load, int err)
{
	if (!load->stream)
		ctl.line = load->line[0];
	return from_kernel(err);
}

int load_send(struct load *load)
{
	struct seen_keys *keys = &load->keys;
	int err;

	if (!keys->count)
		return DONE;
	keys->has_values = is_map(load) && load->how.cmd == SEEN_CMD_KEY_ADD;
	err = seen_keys_send(ctl.client, load->how.cmd, load->how.filter, load->if_new,
			     keys);
	take_answers(load);
	if (err && keys->failed)
		return refuse_key(load);
	if (err)
		return refuse_all(load, err);
	keys->count = 0;
	keys->size = 0;
	load->used = 0;
	if (load->stream)
		progress_step(&load->progress, load->stream->bytes,
			      totals_keys(&load->totals));
	return DONE;
}

/*
 * What is there is left as it is by the types that are lists, but for the value that
 * a key of a map is given; the others count each key.
 */
static bool adds_if_new(const struct load *load, const struct list_key *key)
{
	if (load->how.cmd != SEEN_CMD_KEY_ADD || load->how.copies)
		return false;
	if (load->how.only_new)
		return true;
	return load->info.config.type == SEEN_TYPE_MAP ?
	       !key->has_value : !list_counts(load->info.config.type);
}

/* Room for one key; what is in the way is sent. */
static int make_room(struct load *load, const struct list_key *key, size_t size,
		     bool if_new)
{
	if (load->if_new == if_new && load->used + size <= LOAD_TEXT_BYTES &&
	    seen_keys_reserve(&load->keys, key->len))
		return DONE;
	return load_send(load);
}

int load_push(void *context, const struct list_key *key)
{
	struct load *load = context;
	struct seen_keys *keys = &load->keys;
	bool if_new = adds_if_new(load, key);
	size_t size = strlen(key->text) + 1;
	int status;

	if (size > LOAD_TEXT_BYTES)
		return usage("a key of %zu characters is too long", size - 1);
	status = make_room(load, key, size, if_new);
	if (status)
		return status;
	load->if_new = if_new;
	memcpy(seen_keys_reserve(keys, key->len), key->key, key->len);
	memcpy(load->text + load->used, key->text, size);
	load->at[keys->count] = load->used;
	load->used += size;
	keys->value[keys->count] = key->value;
	load->line[keys->count] = load->stream ? load->stream->number : ctl.line;
	seen_keys_commit(keys, key->len);
	return DONE;
}

int load_bad_line(struct load *load, const char *error)
{
	int status = load_send(load);

	if (status)
		return status;
	list_report(load->stream->number, error);
	load->totals.skipped++;
	return DONE;
}

int load_conclude(const struct load *load)
{
	uint64_t absent = load->totals.answer[SEEN_KEY_ABSENT];

	if (load->totals.skipped)
		return USAGE;
	if (load->how.cmd == SEEN_CMD_KEY_COUNT)
		return DONE;
	if (load->how.cmd == SEEN_CMD_KEY_TEST)
		return load->totals.answer[SEEN_KEY_SEEN] == totals_keys(&load->totals) ?
		       DONE : NOT_SEEN;
	if (absent)
		return refused("%ju of %ju keys were not there",
			       absent, totals_keys(&load->totals));
	if (load->totals.answer[SEEN_KEY_STALE])
		return refused("%ju keys were not taken: the filter's sweep is late",
			       load->totals.answer[SEEN_KEY_STALE]);
	return DONE;
}
