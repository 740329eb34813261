// SPDX-License-Identifier: GPL-2.0
/* Send requests with keys, and print the answers. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../lib/number.h"
#include "key_bulk.h"
#include "loss.h"

/* Bytes of the length before each key in seen_keys.data. */
#define RECORD_HEAD	2
/* Maximum number of characters of a key that is printed on a terminal. */
#define SHOWN		160

static bool is_map(const struct key_bulk *bulk)
{
	return bulk->info.config.type == SEEN_TYPE_MAP;
}

static const char *answer_word(const struct key_bulk *bulk, uint8_t result)
{
	if (bulk->how.cmd == SEEN_CMD_KEY_TEST && result == SEEN_KEY_RESULT_STALE)
		return "unknown";
	return seen_word(&seen_key_results, result);
}

void key_bulk_print(const char *text)
{
	size_t len = strlen(text);

	if (len <= SHOWN || !isatty(STDOUT_FILENO))
		fputs(text, stdout);
	else
		printf("%.*s... (%zu characters)", SHOWN, text, len);
}

static void tell_count(const struct key_bulk *bulk, uint32_t i)
{
	const char *text = bulk->text + bulk->at[i];
	bool seen = bulk->keys.result[i] == SEEN_KEY_RESULT_SEEN;
	bool known = bulk->keys.result[i] != SEEN_KEY_RESULT_STALE;

	if (!ctl.json) {
		key_bulk_print(text);
		if (!known)
			puts(" unknown");
		else if (is_map(bulk) && !seen)
			puts(" -");
		else
			printf(" %u\n", bulk->keys.value[i]);
	} else {
		json_open(NULL, '{');
		json_text("key", text);
		if (!is_map(bulk) && known)
			json_number("count", bulk->keys.value[i]);
		else if (seen)
			json_number("value", bulk->keys.value[i]);
		json_text("answer", !known ? "unknown" : seen ? "seen" : "new");
		json_bool("seen", known && seen);
		json_close();
	}
}

static void tell_answer(const struct key_bulk *bulk, uint32_t i)
{
	const char *text = bulk->text + bulk->at[i];
	uint8_t result = bulk->keys.result[i];

	if (!ctl.json) {
		key_bulk_print(text);
		printf(" %s\n", answer_word(bulk, result));
		return;
	}
	json_open(NULL, '{');
	json_text("key", text);
	json_text("answer", answer_word(bulk, result));
	json_bool("seen", result == SEEN_KEY_RESULT_SEEN);
	json_close();
}

bool key_bulk_asks(const struct key_bulk_how *how)
{
	return how->cmd == SEEN_CMD_KEY_TEST || how->cmd == SEEN_CMD_KEY_COUNT;
}

bool key_bulk_adds(enum seen_cmd cmd)
{
	return cmd == SEEN_CMD_KEY_ADD || cmd == SEEN_CMD_ALLOW_ADD;
}

static void take_answers(struct key_bulk *bulk)
{
	if (key_bulk_adds(bulk->how.cmd)) {
		totals_add(&bulk->totals, &bulk->keys);
		return;
	}
	for (uint32_t i = 0; i < bulk->keys.done; i++) {
		totals_count(&bulk->totals, bulk->keys.result[i]);
		if (bulk->how.tell)
			bulk->how.tell(bulk, i);
		else if (bulk->how.cmd == SEEN_CMD_KEY_TEST)
			tell_answer(bulk, i);
		else if (bulk->how.cmd == SEEN_CMD_KEY_COUNT)
			tell_count(bulk, i);
	}
	if (key_bulk_asks(&bulk->how) && bulk->stream)
		fflush(stdout);
}

/* Error of the kernel without its prefix "keys: ", because callers print the key itself. */
static const char *reason_of_key(void)
{
	const char *reason = seen_error(ctl.client);

	return strncmp(reason, "keys: ", 6) ? reason : reason + 6;
}

static int refuse_key(const struct key_bulk *bulk)
{
	const char *reason = reason_of_key();
	uint32_t i = bulk->keys.done;

	if (bulk->stream)
		return list_refuse(bulk->stream, bulk->line[i],
				   bulk->text + bulk->at[i], reason);
	/* In a batch the key may be from an earlier line. */
	ctl.line = bulk->line[i];
	return refused("%s: %s", bulk->text + bulk->at[i], reason);
}

static int refuse_all(struct key_bulk *bulk, int err)
{
	if (!bulk->stream)
		ctl.line = bulk->line[0];
	return from_kernel(err);
}

/* Was a key refused because the filter or allow list already has 64 prefix lengths? */
static bool lacks_length(const struct key_bulk *bulk, int err)
{
	return err == -E2BIG && bulk->stream && bulk->lengths.at;
}

/* Report a skipped key. Count its line once, even if it is a range with several such keys. */
static void skip_key(struct key_bulk *bulk, uint32_t i)
{
	char error[LIST_ERROR_LEN];

	snprintf(error, sizeof(error), "%.256s: %s", bulk->text + bulk->at[i],
		 reason_of_key());
	list_report(NULL, bulk->line[i], error);
	bulk->totals.skipped += bulk->line[i] != bulk->skipped;
	bulk->skipped = bulk->line[i];
}

/*
 * Skip the refused key and all later keys of the request with the same prefix length: one
 * request for each of them would take too long. The remaining keys stay in the request.
 */
static void skip_length(struct key_bulk *bulk)
{
	struct seen_keys *keys = &bulk->keys;
	uint32_t size = 0, left = 0;
	uint8_t *at = keys->data;
	int length = -1;
	size_t record;

	for (uint32_t i = 0; i < keys->count; i++, at += record) {
		int own = seen_key_lengths_index(&bulk->lengths,
						 at + RECORD_HEAD);

		record = RECORD_HEAD + number_get(at, RECORD_HEAD);
		if (i == keys->done)
			length = own;
		if (i >= keys->done && own == length)
			skip_key(bulk, i);
		if (i < keys->done || own == length)
			continue;
		memmove(keys->data + size, at, record);
		size += record;
		keys->value[left] = keys->value[i];
		bulk->at[left] = bulk->at[i];
		bulk->line[left++] = bulk->line[i];
	}
	keys->count = left;
	keys->size = size;
}

/* Does the request need values? Without values the keys are sent in a shorter form. */
static bool has_values(const struct key_bulk *bulk)
{
	uint32_t i = 0;

	if (!is_map(bulk) || bulk->how.cmd != SEEN_CMD_KEY_ADD)
		return false;
	while (i < bulk->keys.count && !bulk->keys.value[i])
		i++;
	return i < bulk->keys.count;
}

static int send_request(struct key_bulk *bulk)
{
	struct seen_keys *keys = &bulk->keys;
	int err;

	keys->brief = true;
	keys->has_values = has_values(bulk);
	err = bulk->how.send ? bulk->how.send(bulk) :
	      seen_keys_send(ctl.client, bulk->how.cmd, bulk->how.filter, bulk->if_new, keys);
	take_answers(bulk);
	if (err && keys->failed && lacks_length(bulk, err)) {
		skip_length(bulk);
		return DONE;
	}
	if (err)
		loss_keys(bulk->how.cmd == SEEN_CMD_ALLOW_ADD ? "on the allow list of" : "of",
			  bulk->how.filter, keys->count - keys->done);
	if (err && keys->failed)
		return refuse_key(bulk);
	if (err)
		return refuse_all(bulk, err);
	keys->count = 0;
	keys->size = 0;
	return DONE;
}

/* If a restore goes on after errors, the refused key and the keys after it are lost. */
static int send_or_lose(struct key_bulk *bulk)
{
	int status = send_request(bulk);

	if (status && loss_goes_on()) {
		bulk->keys.count = 0;
		bulk->keys.size = 0;
	}
	loss_keys(NULL, NULL, 0);
	return loss_note(status);
}

int key_bulk_send(struct key_bulk *bulk)
{
	int status = DONE;

	if (!bulk->keys.count)
		return DONE;
	while (!status && bulk->keys.count)
		status = send_or_lose(bulk);
	if (status)
		return status;
	bulk->used = 0;
	if (bulk->stream)
		progress_step(&bulk->progress, bulk->stream->bytes,
			      totals_keys(&bulk->totals));
	return DONE;
}

/*
 * Types that store keys do not change for a key that exists, except that a map takes the
 * value that the user gave. The other types count each add.
 */
static bool adds_if_new(const struct key_bulk *bulk, const struct list_key *key)
{
	if (bulk->how.cmd != SEEN_CMD_KEY_ADD || bulk->how.copies)
		return false;
	if (bulk->how.only_new)
		return true;
	return bulk->info.config.type == SEEN_TYPE_MAP ?
	       !key->has_value : !list_counts(bulk->info.config.type);
}

/* Make room for a key: send the request if the key does not fit or needs another @if_new. */
static int make_room(struct key_bulk *bulk, const struct list_key *key, size_t size,
		     bool if_new)
{
	if (bulk->if_new == if_new && bulk->used + size <= KEY_BULK_TEXT_BYTES &&
	    seen_keys_reserve(&bulk->keys, key->len))
		return DONE;
	return key_bulk_send(bulk);
}

int key_bulk_push(void *context, const struct list_key *key)
{
	struct key_bulk *bulk = context;
	struct seen_keys *keys = &bulk->keys;
	bool if_new = adds_if_new(bulk, key);
	size_t size = strlen(key->text) + 1;
	int status;

	if (size > KEY_BULK_TEXT_BYTES)
		return usage("a key has %zu characters, the limit is %d",
			     size - 1, KEY_BULK_TEXT_BYTES - 1);
	status = make_room(bulk, key, size, if_new);
	if (status)
		return status;
	bulk->if_new = if_new;
	memcpy(seen_keys_reserve(keys, key->len), key->key, key->len);
	memcpy(bulk->text + bulk->used, key->text, size);
	bulk->at[keys->count] = bulk->used;
	bulk->used += size;
	keys->value[keys->count] = key->value;
	bulk->line[keys->count] = bulk->stream ? bulk->stream->number : ctl.line;
	seen_keys_commit(keys, key->len);
	return DONE;
}

int key_bulk_bad_line(struct key_bulk *bulk, const char *error)
{
	int status = key_bulk_send(bulk);

	if (status)
		return status;
	list_report(NULL, bulk->stream->number, error);
	bulk->totals.skipped++;
	return DONE;
}

int key_bulk_conclude(const struct key_bulk *bulk)
{
	uint64_t absent = bulk->totals.answer[SEEN_KEY_RESULT_ABSENT];

	if (bulk->totals.skipped)
		return USAGE;
	if (bulk->how.cmd == SEEN_CMD_KEY_COUNT)
		return DONE;
	if (bulk->how.cmd == SEEN_CMD_KEY_TEST)
		return bulk->totals.answer[SEEN_KEY_RESULT_SEEN] == totals_keys(&bulk->totals) ?
		       DONE : NOT_SEEN;
	if (absent)
		return refused("%ju of %ju keys did not exist",
			       absent, totals_keys(&bulk->totals));
	if (bulk->totals.answer[SEEN_KEY_RESULT_STALE])
		return refused("%ju keys were not stored: the filter's sweep is late; try again",
			       bulk->totals.answer[SEEN_KEY_RESULT_STALE]);
	return DONE;
}
