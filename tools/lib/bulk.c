// SPDX-License-Identifier: GPL-2.0
/* Keys in bulk: tens of thousands a request, built in place. */
#include <errno.h>
#include <string.h>

#include "client.h"

uint8_t *seen_keys_reserve(struct seen_keys *keys, size_t len)
{
	size_t left = sizeof(keys->data) - keys->size;

	if (left < sizeof(uint16_t) || left - sizeof(uint16_t) < len ||
	    keys->count == SEEN_KEYS_MAX)
		return NULL;
	return keys->data + keys->size + sizeof(uint16_t);
}

void seen_keys_commit(struct seen_keys *keys, uint16_t len)
{
	memcpy(keys->data + keys->size, &len, sizeof(len));
	keys->size += sizeof(len) + len;
	keys->count++;
}

static int bulk_parse(struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_KEY_MAX + 1], *results, *values;
	struct seen_keys *keys = context;
	uint32_t told;

	if (genlmsg_parse(nlh, 0, tb, SEEN_A_KEY_MAX, NULL))
		return -EPROTO;
	keys->done = seen_attr_u32(tb[SEEN_A_KEY_DONE]);
	results = tb[SEEN_A_KEY_RESULTS];
	keys->failed = tb[SEEN_A_KEY_FAILED];
	told = results ? nla_len(results) : 0;
	if (keys->done > told || keys->done + keys->failed > keys->count)
		return -EPROTO;
	memcpy(keys->result, nla_data(results), keys->done);
	values = tb[SEEN_A_KEY_VALUES];
	keys->has_values = values;
	if (!values)
		return 0;
	if (nla_len(values) < (int)(keys->done * sizeof(*keys->value)))
		return -EPROTO;
	memcpy(keys->value, nla_data(values),
	       keys->done * sizeof(*keys->value));
	return 0;
}

static int bulk_put_keys(struct nl_msg *msg, const char *filter, bool if_new,
			 const struct seen_keys *keys)
{
	NLA_PUT_STRING(msg, SEEN_A_KEY_FILTER, filter);
	if (if_new)
		NLA_PUT_FLAG(msg, SEEN_A_KEY_IF_NEW);
	NLA_PUT(msg, SEEN_A_KEY_DATA, keys->size, keys->data);
	if (keys->has_values)
		NLA_PUT(msg, SEEN_A_KEY_VALUES,
			keys->count * sizeof(*keys->value), keys->value);
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

int seen_keys_send(struct seen_client *client, enum seen_cmd cmd,
		   const char *filter, bool if_new, struct seen_keys *keys)
{
	size_t values = keys->has_values ?
			keys->count * sizeof(*keys->value) : 0;
	struct nl_msg *msg = seen_request(client, cmd, NLM_F_ACK,
					  keys->size + 128 + values);

	keys->done = 0;
	keys->failed = false;
	if (msg && bulk_put_keys(msg, filter, if_new, keys)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, bulk_parse, keys);
}

struct listing {
	int (*tell)(const uint8_t *key, size_t len, void *context);
	void *context;
	uint32_t next;
};

static int tell_records(const struct listing *listing, const uint8_t *at,
			size_t left)
{
	uint16_t len;
	int err;

	while (left >= sizeof(len)) {
		memcpy(&len, at, sizeof(len));
		at += sizeof(len);
		left -= sizeof(len);
		if (len > left)
			return -EPROTO;
		err = listing->tell(at, len, listing->context);
		if (err)
			return err;
		at += len;
		left -= len;
	}
	return left ? -EPROTO : 0;
}

static int parse_listing(struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_KEY_MAX + 1], *data;
	struct listing *listing = context;

	if (genlmsg_parse(nlh, 0, tb, SEEN_A_KEY_MAX, NULL))
		return -EPROTO;
	listing->next = seen_attr_u32(tb[SEEN_A_KEY_NEXT]);
	data = tb[SEEN_A_KEY_DATA];
	return data ? tell_records(listing, nla_data(data), nla_len(data)) : 0;
}

int seen_allow_list(struct seen_client *client, const char *filter,
		    int (*tell)(const uint8_t *key, size_t len, void *context),
		    void *context)
{
	struct listing listing = { .tell = tell, .context = context };
	struct nl_msg *msg;
	uint32_t from;
	int err;

	do {
		from = listing.next;
		msg = seen_request(client, SEEN_CMD_ALLOW_GET, NLM_F_ACK, 128);
		if (msg && (nla_put_string(msg, SEEN_A_KEY_FILTER, filter) ||
			    nla_put_u32(msg, SEEN_A_KEY_FROM, from))) {
			nlmsg_free(msg);
			msg = NULL;
		}
		listing.next = 0;
		err = seen_transact(client, msg, parse_listing, &listing);
	} while (!err && listing.next);
	return err;
}

struct heaviest {
	int (*tell)(const uint8_t *key, size_t len, uint32_t count,
		    void *context);
	void *context;
	const uint8_t *count;
	size_t left;
};

static int tell_heavy(const uint8_t *key, size_t len, void *context)
{
	struct heaviest *heaviest = context;
	uint32_t count;

	if (heaviest->left < sizeof(count))
		return -EPROTO;
	memcpy(&count, heaviest->count, sizeof(count));
	heaviest->count += sizeof(count);
	heaviest->left -= sizeof(count);
	return heaviest->tell(key, len, count, heaviest->context);
}

static int parse_heaviest(struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_KEY_MAX + 1], *data, *values;
	struct heaviest *heaviest = context;
	const struct listing listing = {
		.tell = tell_heavy, .context = heaviest,
	};

	if (genlmsg_parse(nlh, 0, tb, SEEN_A_KEY_MAX, NULL))
		return -EPROTO;
	data = tb[SEEN_A_KEY_DATA];
	values = tb[SEEN_A_KEY_VALUES];
	if (!data || !values)
		return -EPROTO;
	heaviest->count = nla_data(values);
	heaviest->left = nla_len(values);
	return tell_records(&listing, nla_data(data), nla_len(data));
}

int seen_top_keys(struct seen_client *client, const char *filter,
		  int (*tell)(const uint8_t *key, size_t len, uint32_t count,
			      void *context),
		  void *context)
{
	struct nl_msg *msg = seen_request(client, SEEN_CMD_TOP_GET, NLM_F_ACK,
					  128);
	struct heaviest heaviest = { .tell = tell, .context = context };

	if (msg && nla_put_string(msg, SEEN_A_KEY_FILTER, filter)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, parse_heaviest, &heaviest);
}
