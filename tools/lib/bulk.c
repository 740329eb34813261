// SPDX-License-Identifier: GPL-2.0
/* Requests for many keys, whose messages are built in place. */
#include <errno.h>
#include <string.h>

#include "client.h"
#include "number.h"
#include "reserved.h"

/* Bytes of a key's length, which precedes the key in seen_keys.data. */
#define RECORD_HEAD	2
/* Enough for a filter's name and the headers. */
#define REQUEST_BYTES	128
/* Enough for an entry's headers, padding and value. */
#define ENTRY_BYTES	24

uint8_t *seen_keys_reserve(struct seen_keys *keys, size_t len)
{
	size_t left = sizeof(keys->data) - keys->size;

	if (left < RECORD_HEAD || left - RECORD_HEAD < len ||
	    keys->count == SEEN_KEYS_MAX)
		return NULL;
	return keys->data + keys->size + RECORD_HEAD;
}

void seen_keys_commit(struct seen_keys *keys, uint16_t len)
{
	number_put(keys->data + keys->size, RECORD_HEAD, len);
	keys->size += RECORD_HEAD + len;
	keys->count++;
}

/* The attributes of one key in a message. */
struct entry {
	struct nlattr *key;
	struct nlattr *value;
	struct nlattr *result;
};

static void entry_parse(struct nlattr *nest, struct entry *entry)
{
	struct nlattr *attr;
	int rest;

	*entry = (struct entry) {};
	nla_for_each_nested(attr, nest, rest)
		if (nla_type(attr) == SEEN_A_ENTRY_KEY)
			entry->key = attr;
		else if (nla_type(attr) == SEEN_A_ENTRY_VALUE)
			entry->value = attr;
		else if (nla_type(attr) == SEEN_A_ENTRY_RESULT)
			entry->result = attr;
}

/* Call @take for each entry of a message; a result other than 0 ends the walk. */
static int entries_walk(struct nlmsghdr *nlh,
			int (*take)(const struct entry *entry, void *context),
			void *context)
{
	struct nlattr *attr;
	struct entry entry;
	int rest, err = 0;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rest) {
		if (nla_type(attr) != SEEN_A_KEY_ENTRY)
			continue;
		entry_parse(attr, &entry);
		err = take(&entry, context);
		if (err)
			return err;
	}
	return 0;
}

/* The answer to a request, and the number of results read so far. */
struct results {
	struct seen_keys *keys;
	uint32_t count;
};

static int take_result(const struct entry *entry, void *context)
{
	struct results *results = context;
	struct seen_keys *keys = results->keys;
	uint32_t result = seen_attr_u32(entry->result);

	if (results->count == keys->count)
		return -EPROTO;
	keys->result[results->count] = result;
	if (entry->value)
		keys->value[results->count] = seen_attr_u32(entry->value);
	results->count++;
	keys->got_values |= !!entry->value;
	keys->added += result == SEEN_KEY_RESULT_NEW;
	keys->stale += result == SEEN_KEY_RESULT_STALE;
	return 0;
}

static int bulk_parse(struct seen_client *client, struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_KEY_MAX + 1];
	struct seen_keys *keys = context;
	struct results results = { .keys = keys };

	(void)client;
	if (genlmsg_parse(nlh, 0, tb, SEEN_A_KEY_MAX, NULL))
		return -EPROTO;
	keys->done = seen_attr_u32(tb[SEEN_A_KEY_DONE]);
	keys->failed = tb[SEEN_A_KEY_FAILED];
	keys->added = seen_attr_u32(tb[SEEN_A_KEY_NEW]);
	keys->stale = seen_attr_u32(tb[SEEN_A_KEY_STALE]);
	if (keys->done > keys->count || keys->failed > keys->count - keys->done)
		return -EPROTO;
	if (tb[SEEN_A_KEY_NEW])
		return 0;
	return entries_walk(nlh, take_result, &results) ?:
	       (results.count == keys->done + keys->failed ? 0 : -EPROTO);
}

/* Bytes of an entry: a nest with a key and optionally a value. */
static size_t entry_bytes(size_t len, bool has_value)
{
	return NLA_HDRLEN + nla_total_size(len) +
	       (has_value ? nla_total_size(sizeof(uint32_t)) : 0);
}

static uint8_t *entry_head(uint8_t *to, uint16_t type, size_t len)
{
	const struct nlattr head = { .nla_type = type, .nla_len = NLA_HDRLEN + len };

	memcpy(to, &head, sizeof(head));
	return to + NLA_HDRLEN;
}

/* Write an attribute, padded with zeroes. */
static uint8_t *entry_attr(uint8_t *to, uint16_t type, const void *bytes, size_t len)
{
	size_t padded = nla_total_size(len) - NLA_HDRLEN;

	to = entry_head(to, type, len);
	memcpy(to, bytes, len);
	memset(to + len, 0, padded - len);
	return to + padded;
}

static size_t entries_bytes(const struct seen_keys *keys)
{
	const uint8_t *at = keys->data;
	size_t bytes = 0, len;

	for (uint32_t i = 0; i < keys->count; i++, at += RECORD_HEAD + len) {
		len = number_get(at, RECORD_HEAD);
		bytes += entry_bytes(len, keys->has_values);
	}
	return bytes;
}

/* Written directly, because libnl's calls would take as long as the kernel's adds. */
static int bulk_put_entries(struct nl_msg *msg, const struct seen_keys *keys)
{
	uint8_t *to = nlmsg_reserve(msg, entries_bytes(keys), NLMSG_ALIGNTO);
	const uint8_t *at = keys->data;
	size_t len;

	if (!to)
		return -NLE_NOMEM;
	for (uint32_t i = 0; i < keys->count; i++, at += RECORD_HEAD + len) {
		len = number_get(at, RECORD_HEAD);
		to = entry_head(to, SEEN_A_KEY_ENTRY | NLA_F_NESTED,
				entry_bytes(len, keys->has_values) - NLA_HDRLEN);
		to = entry_attr(to, SEEN_A_ENTRY_KEY, at + RECORD_HEAD, len);
		if (keys->has_values)
			to = entry_attr(to, SEEN_A_ENTRY_VALUE, &keys->value[i],
					sizeof(keys->value[i]));
	}
	return 0;
}

/* Packed keys cannot have values, and the answer to a packed add has no results. */
static bool is_packed(enum seen_cmd cmd, const struct seen_keys *keys)
{
	bool adds = cmd == SEEN_CMD_KEY_ADD || cmd == SEEN_CMD_ALLOW_ADD;

	return !keys->has_values && (!adds || keys->brief);
}

static int bulk_put_keys(struct nl_msg *msg, const char *filter, bool if_new,
			 bool packed, const struct seen_keys *keys)
{
	NLA_PUT_STRING(msg, SEEN_A_KEY_FILTER, filter);
	if (if_new)
		NLA_PUT_FLAG(msg, SEEN_A_KEY_IF_NEW);
	if (!packed)
		return bulk_put_entries(msg, keys);
	NLA_PUT(msg, SEEN_A_KEY_PACKED, keys->size, keys->data);
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

int seen_keys_send(struct seen_client *client, enum seen_cmd cmd,
		   const char *filter, bool if_new, struct seen_keys *keys)
{
	const char *fault = seen_keys_fault(keys);
	bool packed = is_packed(cmd, keys);
	struct nl_msg *msg;
	int err;

	keys->done = 0;
	keys->failed = false;
	keys->got_values = false;
	keys->added = 0;
	keys->stale = 0;
	if (fault)
		return seen_refuse(client, fault);
	err = seen_check_name(client, cmd, SEEN_A_KEY_FILTER, filter);
	if (err)
		return err;
	msg = seen_request(client, cmd, NLM_F_ACK, keys->size + REQUEST_BYTES +
			   (packed ? 0 : keys->count * ENTRY_BYTES));
	if (msg && bulk_put_keys(msg, filter, if_new, packed, keys)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, bulk_parse, keys);
}

/* Dump keys of one filter. */
static int dump_keys(struct seen_client *client, enum seen_cmd cmd,
		     const char *filter, seen_parse_t parse, void *context)
{
	int err = seen_check_name(client, cmd, SEEN_A_KEY_FILTER, filter);
	struct nl_msg *msg;

	if (err)
		return err;
	msg = seen_request(client, cmd, NLM_F_DUMP, REQUEST_BYTES);
	if (msg && nla_put_string(msg, SEEN_A_KEY_FILTER, filter)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, parse, context);
}

/* @err: what @tell returned last */
struct listing {
	seen_key_fn tell;
	void *context;
	int err;
};

static int tell_key(const struct entry *entry, void *context)
{
	struct listing *listing = context;

	if (!entry->key)
		return -EPROTO;
	listing->err = listing->tell(nla_data(entry->key), nla_len(entry->key),
				     listing->context);
	return listing->err;
}

static int parse_listing(struct seen_client *client, struct nlmsghdr *nlh, void *context)
{
	(void)client;
	return entries_walk(nlh, tell_key, context);
}

int seen_allow_list(struct seen_client *client, const char *filter, seen_key_fn tell,
		    void *context)
{
	struct listing listing = { .tell = tell, .context = context };
	int err = dump_keys(client, SEEN_CMD_ALLOW_GET, filter, parse_listing,
			    &listing);

	/* Even an interrupted dump reports each key that stayed on the list exactly once. */
	return err == -EAGAIN && !listing.err && client->interrupted ? 0 : err;
}

struct heaviest {
	seen_top_fn tell;
	void *context;
};

static int tell_heavy(const struct entry *entry, void *context)
{
	const struct heaviest *heaviest = context;

	if (!entry->key || !entry->value)
		return -EPROTO;
	return heaviest->tell(nla_data(entry->key), nla_len(entry->key),
			      seen_attr_u32(entry->value), heaviest->context);
}

static int parse_heaviest(struct seen_client *client, struct nlmsghdr *nlh, void *context)
{
	(void)client;
	return entries_walk(nlh, tell_heavy, context);
}

int seen_top_keys(struct seen_client *client, const char *filter, seen_top_fn tell,
		  void *context)
{
	struct heaviest heaviest = { .tell = tell, .context = context };

	return dump_keys(client, SEEN_CMD_TOP_GET, filter, parse_heaviest, &heaviest);
}
