// SPDX-License-Identifier: GPL-2.0
/* What is told of allow lists; netlink_key.c changes them. */
#include "allow.h"
#include "netlink.h"

/* Bytes of a list that one reply tells. */
#define LISTING		16384
static_assert(SEEN_ALLOWED_MAX + sizeof(u16) <= LISTING);

/* Keys from @from on, as many as fit; the number where to go on, 0: no more. */
static u32 nl_allow_put_allowed(const struct seen_allow *allow, u32 from, u8 *to, u32 *used)
{
	const struct seen_allowed *allowed = seen_allow_from(allow, from);

	*used = 0;
	for (; allowed; allowed = seen_allow_next(allowed)) {
		if (*used + sizeof(allowed->len) + allowed->len > LISTING)
			return allowed->number;
		memcpy(to + *used, &allowed->len, sizeof(allowed->len));
		*used += sizeof(allowed->len);
		memcpy(to + *used, allowed->key, allowed->len);
		*used += allowed->len;
	}
	return 0;
}

/* A listing is several requests: what is on the list all the time is told once. */
int seen_nl_allow_get(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *from = info->attrs[SEEN_A_KEY_FROM], *data;
	struct seen_binding *binding;
	struct sk_buff *reply;
	u32 used = 0, next = 0;
	void *header;

	binding = seen_nl_binding_find(info, &seen_nl_key_filter);
	if (IS_ERR(binding))
		return PTR_ERR(binding);
	reply = seen_nl_reply(info, nla_total_size(LISTING) +
			      nla_total_size(4));
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   info->genlhdr->cmd);
	data = nla_reserve(reply, SEEN_A_KEY_DATA, LISTING);
	if (!header || !data)
		return seen_nl_send(info, reply, header, -EMSGSIZE);
	memset(nla_data(data), 0, LISTING);
	if (seen_binding_allow(binding))
		next = nl_allow_put_allowed(seen_binding_allow(binding),
					    from ? nla_get_u32(from) : 0,
					    nla_data(data), &used);
	data->nla_len = nla_attr_size(used);
	skb_trim(reply, (u8 *)data + NLA_ALIGN(data->nla_len) - reply->data);
	return seen_nl_send(info, reply, header,
			    next && nla_put_u32(reply, SEEN_A_KEY_NEXT, next));
}
