// SPDX-License-Identifier: GPL-2.0
/* Begin and end replies and dump messages. */
#include "netlink.h"
#include "netlink_policy.h"

struct sk_buff *seen_nl_reply(struct genl_info *info, size_t bytes)
{
	struct sk_buff *reply = genlmsg_new(bytes, GFP_KERNEL);

	if (!reply)
		NL_SET_ERR_MSG(info->extack, SEEN_TEXT_MEMORY("reply"));
	return reply;
}

int seen_nl_refuse(struct genl_info *info, const struct nlattr *nla, const char *msg)
{
	NL_SET_BAD_ATTR(info->extack, nla);
	info->extack->_msg = msg;
	return -EINVAL;
}

int seen_nl_send(struct genl_info *info, struct sk_buff *reply, void *header,
		 int err)
{
	if (err) {
		NL_SET_ERR_MSG(info->extack, "reply: does not fit into a message");
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}

const struct nlattr *seen_nl_dump_attr(const struct netlink_callback *cb, int type)
{
	const struct nlattr *nla, *last = NULL;
	int rest;

	nlmsg_for_each_attr(nla, cb->nlh, GENL_HDRLEN, rest)
		if (nla_type(nla) == type)
			last = nla;
	return last;
}

int seen_nl_dump_all(const struct netlink_callback *cb)
{
	if (!nlmsg_attrlen(cb->nlh, GENL_HDRLEN))
		return 0;
	NL_SET_ERR_MSG_ATTR(cb->extack, nlmsg_attrdata(cb->nlh, GENL_HDRLEN),
			    SEEN_NL_TAKES_NONE);
	return -EINVAL;
}

void *seen_nl_dump_begin(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				   cb->nlh->nlmsg_seq, &seen_family, NLM_F_MULTI,
				   cmd);

	if (header)
		genl_dump_check_consistent(cb, header);
	return header;
}

int seen_nl_dump_end(struct sk_buff *skb, void *header, bool holds)
{
	if (!holds) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}
