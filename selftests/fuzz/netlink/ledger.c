// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "keys.h"
#include "ledger.h"

/* The largest value of a counter in a counting filter. */
#define COUNTING_MAX	15

/* Names of two owners differ in more bytes than breakage.c changes. */
void own_name(uint32_t owner, uint32_t number, char *name)
{
	snprintf(name, OWN_NAME, "own%1$u-%1$u-%1$u-%1$u-%1$u.%2$u", owner, number);
}

int own_number(uint32_t owner, const char *name)
{
	char own[OWN_NAME];
	uint32_t number;

	for (number = 0; number < OWN; number++) {
		own_name(owner, number, own);
		if (!strcmp(name, own))
			return number;
	}
	return -1;
}

/* The ledger of the filter that this attribute of a message names, or NULL. */
static struct ledger *named(struct ledger *own, uint32_t owner,
			    const struct message *message, uint16_t attr)
{
	const struct nlattr *name = message_attr(message, attr);
	int number;

	if (!name || !memchr(attr_data(name), '\0', attr_len(name)))
		return NULL;
	number = own_number(owner, (const char *)attr_data(name));
	return number < 0 ? NULL : &own[number];
}

/* --- keys ------------------------------------------------------------------------- */

static uint64_t hash_of(const uint8_t *bytes, uint32_t len)
{
	uint64_t hash = 0xcbf29ce484222325;

	while (len--)
		hash = (hash ^ *bytes++) * 0x100000001b3;
	return hash;
}

/* The place of a key, or a free place for it; NULL: the key is too long, or no place is free. */
static struct ledger_key *find(struct ledger *ledger, const uint8_t *bytes,
			       uint32_t len)
{
	uint32_t at, tries;
	struct ledger_key *key;

	if (len > LEDGER_KEY_MAX)
		return NULL;
	at = hash_of(bytes, len) % LEDGER_KEYS;
	for (tries = 0; tries < LEDGER_KEYS; tries++) {
		key = &ledger->keys[(at + tries) % LEDGER_KEYS];
		if (!key->used ||
		    (key->len == len && !memcmp(key->bytes, bytes, len)))
			return key;
	}
	return NULL;
}

/**
 * struct record - a key of a request, and the kernel's answer
 * @bytes: the key
 * @len: number of @bytes
 * @value: value, for a map
 * @if_new: store it only if it is new
 * @result: enum seen_key_result
 * @sent: time of the request
 */
struct record {
	const uint8_t *bytes;
	uint16_t len;
	uint32_t value;
	bool if_new;
	uint8_t result;
	double sent;
};

/* With @if_new, a key that was called seen is not stored, even if that was a false positive. */
static void store(struct ledger *ledger, const struct record *record)
{
	struct ledger_key *key = find(ledger, record->bytes, record->len);
	bool seen = record->result == SEEN_KEY_RESULT_SEEN;

	if (record->if_new && seen)
		return;
	if (!key) {
		ledger->partial = true;
		return;
	}
	if (!key->used) {
		key->used = true;
		key->len = record->len;
		memcpy(key->bytes, record->bytes, record->len);
	}
	key->at = record->sent;
	key->value = record->value;
	switch (ledger->type) {
	case SEEN_TYPE_CUCKOO:
		key->copies = ledger->window ? 1 : key->copies + 1;
		break;
	case SEEN_TYPE_COUNTING:
		key->copies += key->copies < COUNTING_MAX;
		break;
	case SEEN_TYPE_CMS:
	case SEEN_TYPE_CMM:
		key->copies++;
		break;
	default:
		key->copies = 1;
	}
}

/* After this it is unknown which keys are stored. */
static void forget_all(struct ledger *ledger)
{
	memset(ledger->keys, 0, sizeof(ledger->keys));
	ledger->partial = true;
}

static void forget(struct ledger *ledger, const struct record *record)
{
	struct ledger_key *key = find(ledger, record->bytes, record->len);

	/* With a window two keys may share an entry, so a deletion may remove both. */
	if (ledger->type == SEEN_TYPE_CUCKOO && ledger->window)
		forget_all(ledger);
	else if (key && key->used && key->copies)
		key->copies--;
	else
		ledger->spoiled = true;
}

/* --- counters --------------------------------------------------------------------- */

static void count(struct ledger *ledger, uint32_t stat)
{
	ledger->stats[stat]++;
}

/* A lookup is counted by its result and in the total. */
static void count_lookup(struct ledger *ledger, uint8_t result)
{
	if (result == SEEN_KEY_RESULT_ALLOWED)
		return;
	count(ledger, SEEN_A_STATS_LOOKUPS);
	if (result == SEEN_KEY_RESULT_NEW)
		count(ledger, SEEN_A_STATS_NEW);
	else if (result == SEEN_KEY_RESULT_SEEN)
		count(ledger, SEEN_A_STATS_SEEN);
	else if (result == SEEN_KEY_RESULT_STALE)
		count(ledger, SEEN_A_STATS_STALE);
}

static void count_failure(struct ledger *ledger, uint8_t result)
{
	if (result == SEEN_KEY_RESULT_FULL)
		count(ledger, SEEN_A_STATS_FULL);
	else if (result == SEEN_KEY_RESULT_COPIES)
		count(ledger, SEEN_A_STATS_COPIES);
	else if (result == SEEN_KEY_RESULT_STALE)
		count(ledger, SEEN_A_STATS_STALE);
}

static void add(struct ledger *ledger, const struct record *record)
{
	bool is_new = record->result == SEEN_KEY_RESULT_NEW;
	bool stored = is_new || (record->result == SEEN_KEY_RESULT_SEEN &&
				 !record->if_new);

	if (record->if_new)
		count_lookup(ledger, record->result);
	if (stored)
		count(ledger, SEEN_A_STATS_ADDS);
	else if (!record->if_new || record->result == SEEN_KEY_RESULT_FULL)
		count_failure(ledger, record->result);
	if (!is_new && record->result != SEEN_KEY_RESULT_SEEN)
		return;
	if (!ledger->counted)
		ledger->begun = record->sent;
	ledger->stored += is_new;
	ledger->counted += stored;
	store(ledger, record);
}

static void del(struct ledger *ledger, const struct record *record)
{
	if (record->result == SEEN_KEY_RESULT_ABSENT) {
		count(ledger, SEEN_A_STATS_ABSENT);
	} else if (record->result == SEEN_KEY_RESULT_SEEN) {
		count(ledger, SEEN_A_STATS_DELS);
		ledger->removed++;
		forget(ledger, record);
	} else {
		count_failure(ledger, record->result);
	}
}

static void apply(struct ledger *ledger, uint8_t cmd,
		  const struct record *record)
{
	switch (cmd) {
	case SEEN_CMD_KEY_ADD:
		add(ledger, record);
		break;
	case SEEN_CMD_KEY_TEST:
	case SEEN_CMD_KEY_COUNT:
		count_lookup(ledger, record->result);
		break;
	case SEEN_CMD_KEY_DEL:
		del(ledger, record);
		break;
	case SEEN_CMD_ALLOW_ADD:
		ledger->allowed += record->result == SEEN_KEY_RESULT_NEW;
		break;
	case SEEN_CMD_ALLOW_DEL:
		ledger->allowed -= record->result == SEEN_KEY_RESULT_SEEN;
		break;
	}
}

/* The content of the filter is unknown from now on. */
static void lose(struct ledger *ledger)
{
	if (ledger)
		ledger->lost = true;
}

static uint32_t reply_u32(const struct reply *reply, uint16_t attr)
{
	return attr_u32(attr_find(reply->attrs, reply->len, attr));
}

/*
 * For packed keys the kernel returns counts, not a result for each key. If all of them were
 * stored, it does not matter which were new; if only some were, it is unknown which keys are
 * stored. The reply does not contain the reason for a refused key.
 */
static void apply_counts(struct ledger *ledger, const struct message *message,
			 const struct reply *reply, struct record *record)
{
	uint32_t fresh = reply_u32(reply, SEEN_A_KEY_NEW);
	uint32_t stale = reply_u32(reply, SEEN_A_KEY_STALE);
	uint32_t left = reply_u32(reply, SEEN_A_KEY_DONE);
	bool some = stale || (record->if_new && fresh && fresh != left);
	struct key_walk walk;
	struct key key;

	if (attr_find(reply->attrs, reply->len, SEEN_A_KEY_FAILED))
		lose(ledger);
	key_walk_begin(&walk, message);
	for (; left && key_walk_next(&walk, &key); left--) {
		record->bytes = key.bytes;
		record->len = key.len;
		record->value = 0;
		record->result = fresh ? SEEN_KEY_RESULT_NEW :
				 left > stale ? SEEN_KEY_RESULT_SEEN : SEEN_KEY_RESULT_STALE;
		fresh -= !!fresh;
		apply(ledger, reply->cmd, record);
	}
	if (some && reply->cmd == SEEN_CMD_KEY_ADD)
		forget_all(ledger);
}

/* The last key that was tried may have been refused. */
void ledger_apply(struct ledger *ledger, const struct message *message,
		  const struct reply *reply, double sent)
{
	struct record record = { .sent = sent };
	struct key_walk walk, results;
	struct key key, result;

	record.if_new = message_attr(message, SEEN_A_KEY_IF_NEW);
	if (attr_find(reply->attrs, reply->len, SEEN_A_KEY_NEW)) {
		apply_counts(ledger, message, reply, &record);
		return;
	}
	key_walk_begin(&walk, message);
	key_walk_entries(&results, reply->attrs, reply->len);
	while (key_walk_next(&results, &result) && key_walk_next(&walk, &key)) {
		record.bytes = key.bytes;
		record.len = key.len;
		record.value = key.value;
		record.result = result.result;
		apply(ledger, reply->cmd, &record);
	}
}

void ledger_reply(struct ledger *own, uint32_t owner,
		  const struct message *message, const struct reply *reply,
		  double sent)
{
	struct ledger *ledger = named(own, owner, message, SEEN_A_KEY_FILTER);

	if (ledger)
		ledger_apply(ledger, message, reply, sent);
}

/* --- filters ---------------------------------------------------------------------- */

/* Clears all but the allow list and the counters, which a flush keeps. */
static void clear(struct ledger *ledger)
{
	struct ledger was = *ledger;

	memset(ledger, 0, sizeof(*ledger));
	ledger->there = was.there;
	ledger->lost = was.lost;
	ledger->type = was.type;
	ledger->window = was.window;
	ledger->allowed = was.allowed;
	memcpy(ledger->stats, was.stats, sizeof(ledger->stats));
}

static void begin(struct ledger *ledger, const struct message *message)
{
	memset(ledger, 0, sizeof(*ledger));
	ledger->there = true;
	ledger->type = attr_u32(message_attr(message, SEEN_A_FILTER_TYPE));
	ledger->window = attr_u64(message_attr(message, SEEN_A_FILTER_WINDOW));
}

void ledger_done(struct ledger *own, uint32_t owner,
		 const struct message *message)
{
	struct ledger *ledger = named(own, owner, message, SEEN_A_FILTER_NAME);

	switch (message->cmd) {
	case SEEN_CMD_FILTER_ADD:
		if (ledger)
			begin(ledger, message);
		break;
	case SEEN_CMD_FILTER_DEL:
		if (ledger)
			ledger->there = false;
		break;
	case SEEN_CMD_FILTER_FLUSH:
		if (ledger)
			clear(ledger);
		break;
	case SEEN_CMD_FILTER_SET:
		if (ledger && message_attr(message, SEEN_A_FILTER_RESET))
			memset(ledger->stats, 0, sizeof(ledger->stats));
		break;
	case SEEN_CMD_FILTER_FOLD:
		if (ledger)
			ledger->folded = true;
		break;
	case SEEN_CMD_FILTER_RENAME:
	case SEEN_CMD_FILTER_SWAP:
		lose(named(own, owner, message, SEEN_A_FILTER_NEW_NAME));
		lose(ledger);
		break;
	case SEEN_CMD_FILTER_MERGE:
	case SEEN_CMD_FILTER_IMPORT:
		lose(ledger);
		break;
	}
}
