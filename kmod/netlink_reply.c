// SPDX-License-Identifier: GPL-2.0
/* How a reply begins and ends. */
#include "netlink.h"

struct sk_buff *seen_nl_reply(struct genl_info *info, size_t bytes)
{
	struct sk_buff *reply = genlmsg_new(bytes, GFP_KERNEL);

	if (!reply)
		NL_SET_ERR_MSG(info->extack, "reply: not enough memory");
	return reply;
}

int seen_nl_send(struct genl_info *info, struct sk_buff *reply, void *header,
		 int err)
{
	if (err) {
		NL_SET_ERR_MSG(info->extack, "reply: it does not fit");
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}
