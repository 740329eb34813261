// SPDX-License-Identifier: GPL-2.0
/* Merging and folding filters of the kernel. */
#include "client.h"

#define REQUEST_BYTES	256

int seen_filter_merge(struct seen_client *client, const char *name,
		      const char *other, bool force,
		      struct seen_filter_info *info)
{
	int err = seen_check_name(client, SEEN_CMD_FILTER_MERGE, SEEN_A_FILTER_NAME, name);
	struct nl_msg *msg;

	if (!err)
		err = seen_check_name(client, SEEN_CMD_FILTER_MERGE, SEEN_A_FILTER_NEW_NAME,
				      other);
	if (err)
		return err;
	msg = seen_request(client, SEEN_CMD_FILTER_MERGE, NLM_F_ACK, REQUEST_BYTES);
	if (msg && (nla_put_string(msg, SEEN_A_FILTER_NAME, name) ||
		    nla_put_string(msg, SEEN_A_FILTER_NEW_NAME, other) ||
		    (force && nla_put_flag(msg, SEEN_A_FILTER_FORCE)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_filter_ask(client, msg, info);
}

int seen_filter_fold(struct seen_client *client, const char *name,
		     uint64_t capacity, struct seen_filter_info *info)
{
	int err = seen_check_name(client, SEEN_CMD_FILTER_FOLD, SEEN_A_FILTER_NAME, name);
	struct nl_msg *msg;

	if (err)
		return err;
	msg = seen_request(client, SEEN_CMD_FILTER_FOLD, NLM_F_ACK, REQUEST_BYTES);
	if (msg && (nla_put_string(msg, SEEN_A_FILTER_NAME, name) ||
		    (capacity &&
		     nla_put_u64(msg, SEEN_A_FILTER_CAPACITY, capacity)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_filter_ask(client, msg, info);
}
