// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "agree.h"
#include "keys.h"
#include "numbers.h"

/* Keys in a request. */
#define CHUNK		400
/* In seconds: more than the clocks of kernel and test may differ. */
#define MARGIN		1
#define NS		1e9
/* The kernel counts all buckets up to this number, and a sample above it. */
#define SAMPLED		1024

/**
 * struct check - the check of one filter
 * @audit: counts disagreements
 * @space: its namespace
 * @name: its name
 * @filter: its attributes, as listed
 * @units: its table, or NULL
 * @ledger: what the kernel has acknowledged
 */
struct check {
	struct audit *audit;
	const struct space *space;
	const char *name;
	const struct item *filter;
	const struct units *units;
	struct ledger *ledger;
};

static uint64_t told(const struct check *check, uint16_t attr)
{
	return item_u64(check->filter, attr);
}

static uint64_t told_stat(const struct check *check, uint16_t stat)
{
	const struct nlattr *stats = attr_find(check->filter->attrs,
					       check->filter->len,
					       SEEN_A_FILTER_STATS);

	return stats ? attr_u64(attr_find(attr_data(stats), attr_len(stats),
					  stat)) : 0;
}

static void require_equal(const struct check *check, const char *what,
			  uint64_t told, uint64_t want)
{
	if (told != want)
		disagree(check->audit, check->space,
			 "%s: %s: %ju told, %ju acknowledged", check->name,
			 what, (uintmax_t)told, (uintmax_t)want);
}

static void require_within(const struct check *check, const char *what,
			   uint64_t told, uint64_t least, uint64_t most)
{
	if (told < least || told > most)
		disagree(check->audit, check->space,
			 "%s: %s: %ju reported, from %ju to %ju acknowledged",
			 check->name, what, (uintmax_t)told, (uintmax_t)least,
			 (uintmax_t)most);
}

/* --- keys that must still be there -------------------------------------------------- */

/* A late sweep may have emptied a table with stamps, without any lookup meanwhile. */
static bool may_be_emptied(const struct ledger *ledger)
{
	return ledger->type == SEEN_TYPE_CUCKOO && ledger->window &&
	       ledger->window < SWEPT_IN_TIME;
}

/* Keys stored at @at or later are still in their window. */
static bool is_young(const struct check *check, double at)
{
	uint64_t window = check->ledger->window;

	if (may_be_emptied(check->ledger))
		return false;
	return !window || now() + MARGIN - at < window / NS;
}

/* No key can have expired or been evicted. */
static bool is_whole(const struct check *check)
{
	if (!check->ledger->window)
		return true;
	return is_young(check, check->ledger->begun) &&
	       !told_stat(check, SEEN_A_STATS_EVICTED) &&
	       check->ledger->stored < told(check, SEEN_A_FILTER_CAPACITY);
}

static bool is_sketch(const struct check *check)
{
	return check->ledger->type == SEEN_TYPE_CMS ||
	       check->ledger->type == SEEN_TYPE_CMM;
}

static bool is_exact(const struct check *check)
{
	return check->ledger->type == SEEN_TYPE_BITMAP ||
	       check->ledger->type == SEEN_TYPE_MAP;
}

/* The attribute with the prefix length of the addresses in the range. */
static uint16_t prefix_attr(const struct check *check)
{
	static const uint8_t mapped[12] = { [10] = 0xff, 0xff };
	const struct nlattr *first = attr_find(check->filter->attrs,
					       check->filter->len,
					       SEEN_A_FILTER_FIRST);
	bool is_ip6 = first && attr_len(first) == 16 &&
		      memcmp(attr_data(first), mapped, sizeof(mapped));

	return is_ip6 ? SEEN_A_FIELD_PARAM6 : SEEN_A_FIELD_PARAM;
}

/*
 * A bitmap of prefixes from which keys were deleted: all addresses of a prefix are the same key,
 * so a deletion may have removed other keys.
 */
static bool is_coarse(const struct check *check)
{
	const struct nlattr *key = attr_find(check->filter->attrs,
					     check->filter->len,
					     SEEN_A_FILTER_KEY);
	const struct nlattr *field = NULL;

	if (key && check->ledger->removed &&
	    check->ledger->type == SEEN_TYPE_BITMAP)
		field = attr_find(attr_data(key), attr_len(key),
				  SEEN_A_FIELD_ENTRY);
	return field && attr_find(attr_data(field), attr_len(field),
				  prefix_attr(check));
}

/* Prefixes of any length: a shorter prefix may still match a key that was deleted. */
static bool has_prefixes(const struct check *check)
{
	const struct nlattr *key = attr_find(check->filter->attrs,
					     check->filter->len,
					     SEEN_A_FILTER_KEY);
	const struct nlattr *field, *prefix;
	uint32_t at = 0;

	while (key && (field = attr_next(attr_data(key), attr_len(key), &at))) {
		prefix = attr_find(attr_data(field), attr_len(field),
				   SEEN_A_FIELD_PARAM);
		if (prefix && attr_u32(prefix) == SEEN_PREFIX_ANY)
			return true;
	}
	return false;
}

/* --- counters --------------------------------------------------------------------- */

/* Only filters with a window evict keys. */
static void check_stats(const struct check *check)
{
	static const char * const names[] = {
		[SEEN_A_STATS_LOOKUPS] = "lookups",
		[SEEN_A_STATS_SEEN] = "seen",
		[SEEN_A_STATS_NEW] = "new",
		[SEEN_A_STATS_ADDS] = "adds",
		[SEEN_A_STATS_DELS] = "dels",
		[SEEN_A_STATS_NOKEY] = "nokey",
		[SEEN_A_STATS_FULL] = "full",
		[SEEN_A_STATS_EVICTED] = "evicted",
		[SEEN_A_STATS_COPIES] = "copies",
		[SEEN_A_STATS_ABSENT] = "absent",
		[SEEN_A_STATS_STALE] = "stale",
		[SEEN_A_STATS_UNFIT] = "unfit",
		[SEEN_A_STATS_ALLOWED] = "allowed",
	};
	uint32_t stat;

	for (stat = SEEN_A_STATS_LOOKUPS; stat <= SEEN_A_STATS_MAX; stat++)
		if (stat != SEEN_A_STATS_EVICTED || !check->ledger->window)
			require_equal(check, names[stat],
				      told_stat(check, stat),
				      check->ledger->stats[stat]);
	require_equal(check, "allow list",
		      item_u32(check->filter, SEEN_A_FILTER_ALLOWED),
		      check->ledger->allowed);
}

/* --- entries ---------------------------------------------------------------------- */

static uint64_t present(const struct ledger *ledger)
{
	uint64_t keys = 0;
	uint32_t i;

	for (i = 0; i < LEDGER_KEYS; i++)
		keys += ledger->keys[i].used && ledger->keys[i].copies;
	return keys;
}

/* An estimate from the counters in use; kmod/core/counting.c states its error. */
static void check_counting(const struct check *check)
{
	uint32_t hashes = item_u32(check->filter, SEEN_A_FILTER_HASHES);
	const struct ledger *ledger = check->ledger;
	const struct units *units = check->units;
	uint64_t keys = present(ledger), spare;

	/* A saturated counter stands for an unknown number of keys. */
	if (!units || units->most == 15)
		return;
	require_equal(check, "the sum of the counters", units->sum,
		      hashes * (ledger->counted - ledger->removed));
	if (ledger->spoiled || ledger->partial)
		return;
	spare = 4 * (sqrt((double)keys / hashes) + 1);
	require_within(check, "entries", told(check, SEEN_A_FILTER_ENTRIES),
		       keys > spare ? keys - spare : 0, keys + spare);
}

static void check_sketch(const struct check *check)
{
	bool conservative = item_flag(check->filter,
				      SEEN_A_FILTER_CONSERVATIVE);
	uint64_t total = told(check, SEEN_A_FILTER_TOTAL), row;
	uint32_t rows = item_u32(check->filter, SEEN_A_FILTER_HASHES), i;

	if (!is_whole(check))
		return;
	require_equal(check, "total", total, check->ledger->counted);
	require_within(check, "entries", told(check, SEEN_A_FILTER_ENTRIES),
		       !!total, total);
	for (i = 0; check->units && i < rows; i++) {
		row = check->units->row[i];
		require_within(check, "the sum of a row", row,
			       conservative ? !!total : total, total);
	}
}

/* Each new key has set at least one bit, and at most as many as there are hashes. */
static void check_bloom(const struct check *check)
{
	uint64_t hashes = item_u32(check->filter, SEEN_A_FILTER_HASHES);
	const struct ledger *ledger = check->ledger;

	if (ledger->folded || !is_whole(check))
		return;
	require_equal(check, "entries", told(check, SEEN_A_FILTER_ENTRIES),
		      ledger->stored);
	if (!check->units)
		return;
	/* A key that is stored again may set bits in another generation. */
	require_within(check, "bits", check->units->used, ledger->stored,
		       ledger->window ? UINT64_MAX : ledger->stored * hashes);
}

static void check_cuckoo(const struct check *check)
{
	const struct ledger *ledger = check->ledger;
	uint64_t entries = told(check, SEEN_A_FILTER_ENTRIES);

	if (!ledger->window)
		require_equal(check, "entries", entries,
			      ledger->counted - ledger->removed);
	else if (is_whole(check) &&
		 told(check, SEEN_A_FILTER_BLOCKS) <= SAMPLED)
		require_equal(check, "entries", entries,
			      ledger->stored - ledger->removed);
}

static void check_exact(const struct check *check)
{
	const struct ledger *ledger = check->ledger;

	require_equal(check, "entries", told(check, SEEN_A_FILTER_ENTRIES),
		      ledger->stored - ledger->removed);
	if (ledger->spoiled && !ledger->partial && !is_coarse(check))
		disagree(check->audit, check->space,
			 "%s: a key was deleted that was never added",
			 check->name);
}

static void check_entries(const struct check *check)
{
	switch (check->ledger->type) {
	case SEEN_TYPE_BLOOM:
		check_bloom(check);
		break;
	case SEEN_TYPE_CUCKOO:
		check_cuckoo(check);
		break;
	case SEEN_TYPE_COUNTING:
		check_counting(check);
		break;
	case SEEN_TYPE_CMS:
	case SEEN_TYPE_CMM:
		check_sketch(check);
		break;
	default:
		check_exact(check);
		break;
	}
}

/* --- keys ------------------------------------------------------------------------- */

/**
 * struct question - a request with keys
 * @check: the filter's check
 * @keys: the keys, in their order
 * @count: number of @keys
 * @message: the request
 * @sent: time at which it was sent
 */
struct question {
	const struct check *check;
	const struct ledger_key *keys[CHUNK];
	uint32_t count;
	struct message message;
	double sent;
};

/* A full filter with policy "pass" answers "new" for any key. */
static bool is_silent(const struct check *check)
{
	return item_flag(check->filter, SEEN_A_FILTER_FULL) &&
	       item_u32(check->filter, SEEN_A_FILTER_ON_FULL) ==
	       SEEN_ON_FULL_PASS;
}

static bool is_kept(const struct check *check, const struct ledger_key *key)
{
	const struct ledger *ledger = check->ledger;

	if (ledger->spoiled || ledger->type == SEEN_TYPE_CMM)
		return false;
	if (is_sketch(check))
		return is_whole(check);
	if (!ledger->window)
		return true;
	/* A folded filter may regard itself as full and end a generation early. */
	return is_young(check, key->at) && !ledger->folded &&
	       !told_stat(check, SEEN_A_STATS_EVICTED) &&
	       ledger->stored < told(check, SEEN_A_FILTER_CAPACITY);
}

static void judge_key(const struct check *check, const struct ledger_key *key,
		      uint8_t result)
{
	uint32_t least = item_u32(check->filter, SEEN_A_FILTER_THRESHOLD) ?: 1;

	if (result != SEEN_KEY_RESULT_NEW && result != SEEN_KEY_RESULT_SEEN)
		return;
	if (is_coarse(check))
		return;
	if (key->copies >= least && is_kept(check, key) && !is_silent(check)) {
		check->audit->keys++;
		if (result != SEEN_KEY_RESULT_SEEN)
			disagree(check->audit, check->space,
				 "%s: a key that was added is new",
				 check->name);
	} else if (!key->copies && is_exact(check) && !has_prefixes(check)) {
		check->audit->keys++;
		if (result != SEEN_KEY_RESULT_NEW)
			disagree(check->audit, check->space,
				 "%s: a key that was deleted is seen",
				 check->name);
	}
}

static void judge_value(const struct check *check,
			const struct ledger_key *key, uint32_t value)
{
	if (check->ledger->type == SEEN_TYPE_MAP) {
		if (key->copies && value != key->value)
			disagree(check->audit, check->space,
				 "%s: a key's value is %u, %u was stored",
				 check->name, value, key->value);
	} else if (is_kept(check, key) && value < key->copies) {
		disagree(check->audit, check->space,
			 "%s: a key is counted %u times, %u times was added",
			 check->name, value, key->copies);
	}
}

static void hear_keys(void *context, const struct reply *reply)
{
	const struct question *question = context;
	const struct check *check = question->check;
	struct key_walk walk;
	uint32_t i = 0;
	struct key key;

	ledger_apply(check->ledger, &question->message, reply,
		     question->sent);
	key_walk_entries(&walk, reply->attrs, reply->len);
	while (key_walk_next(&walk, &key) && i < question->count) {
		judge_key(check, question->keys[i], key.result);
		if (reply->cmd == SEEN_CMD_KEY_COUNT)
			judge_value(check, question->keys[i], key.value);
		i++;
	}
	if (i != question->count || key_walk_next(&walk, &key))
		disagree(check->audit, check->space,
			 "%s: the answer lacks keys", check->name);
}

static void put_keys(struct question *question)
{
	static uint8_t records[CHUNK * (LEDGER_KEY_MAX + PACKED_HEAD)];
	uint8_t *at = records;
	uint32_t i;

	for (i = 0; i < question->count; i++)
		at += keys_pack(at, question->keys[i]->bytes, question->keys[i]->len);
	message_put(&question->message, SEEN_A_KEY_PACKED, records,
		    at - records);
}

static void ask(struct question *question, uint8_t cmd)
{
	const struct check *check = question->check;
	struct message *message = &question->message;

	message->cmd = cmd;
	message->version = SEEN_FAMILY_VERSION;
	message->flags = NLM_F_REQUEST | NLM_F_ACK;
	message->len = 0;
	message_put_text(message, SEEN_A_KEY_FILTER, check->name);
	put_keys(question);
	question->sent = now();
	if (talk_ask(check->space->fd, check->audit->family, message,
		     hear_keys, question).err)
		disagree(check->audit, check->space,
			 "%s: a request with its keys is refused", check->name);
}

/* The command with the most informative answer: counts if the type counts, values for a map. */
static uint8_t best_question(const struct check *check)
{
	switch (check->ledger->type) {
	case SEEN_TYPE_CUCKOO:
		return check->ledger->window ? SEEN_CMD_KEY_TEST :
					       SEEN_CMD_KEY_COUNT;
	case SEEN_TYPE_COUNTING:
	case SEEN_TYPE_CMS:
	case SEEN_TYPE_CMM:
	case SEEN_TYPE_MAP:
		return SEEN_CMD_KEY_COUNT;
	}
	return SEEN_CMD_KEY_TEST;
}

static void check_keys(const struct check *check)
{
	static struct question question;
	uint32_t i;

	question.check = check;
	question.count = 0;
	for (i = 0; i < LEDGER_KEYS; i++) {
		if (check->ledger->keys[i].used)
			question.keys[question.count++] =
				&check->ledger->keys[i];
		if (question.count == CHUNK ||
		    (question.count && i == LEDGER_KEYS - 1)) {
			ask(&question, SEEN_CMD_KEY_TEST);
			if (best_question(check) != SEEN_CMD_KEY_TEST)
				ask(&question, best_question(check));
			question.count = 0;
		}
	}
}

void agree_check(struct audit *audit, const struct space *space,
		 const struct item *filter, const struct units *units,
		 struct ledger *ledger)
{
	const struct check check = {
		.audit = audit,
		.space = space,
		.name = listing_name(SEEN_CMD_FILTER_GET, filter),
		.filter = filter,
		.units = units,
		.ledger = ledger,
	};

	if (ledger->lost)
		return;
	if (!ledger->there) {
		disagree(audit, space, "%s is listed, but was deleted",
			 check.name);
		return;
	}
	audit->tallied++;
	check_stats(&check);
	check_entries(&check);
	check_keys(&check);
}
