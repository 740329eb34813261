// SPDX-License-Identifier: GPL-2.0
/* Keys in bulk: tens of thousands a request, built in place. */
#include <errno.h>
#include <string.h>

#include "client.h"

uint8_t *seen_keys_reserve(struct seen_keys *keys)
{
	const size_t most = sizeof(uint16_t) + SEEN_KEY_MAX;

	if (keys->size + most > sizeof(keys->data) ||
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

static int parse(struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_KEY_MAX + 1], *results;
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
	return 0;
}

int seen_keys_send(struct seen_client *client, enum seen_cmd cmd,
		   const char *filter, bool if_new, struct seen_keys *keys)
{
	struct nl_msg *msg = seen_request(client, cmd, NLM_F_ACK,
					  keys->size + 128);

	keys->done = 0;
	keys->failed = false;
	if (msg && (nla_put_string(msg, SEEN_A_KEY_FILTER, filter) ||
		    (if_new && nla_put_flag(msg, SEEN_A_KEY_IF_NEW)) ||
		    nla_put(msg, SEEN_A_KEY_DATA, keys->size, keys->data))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, parse, keys);
}
