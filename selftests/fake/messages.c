// SPDX-License-Identifier: GPL-2.0
/* Messages of generic netlink: only attributes, without headers. */
#include <net/genetlink.h>

#include "module.h"

/* A single message that is never freed, because the explorer returns to earlier states. */
static struct sk_buff message;
static u8 room[SEEN_CHUNK_MAX + NLMSG_GOODSIZE] __aligned(8);

size_t fake_room = sizeof(room);

struct sk_buff *nlmsg_new(size_t bytes, unsigned int gfp)
{
	if (bytes > sizeof(room))
		abort();
	message = (struct sk_buff) {
		.data = room, .end = room + min(bytes, fake_room),
	};
	return &message;
}

void nlmsg_free(struct sk_buff *skb)
{
}

void *genlmsg_put(struct sk_buff *skb, u32 portid, u32 seq,
		  const struct genl_family *family, int flags, u8 cmd)
{
	return skb->data;
}

int genlmsg_reply(struct sk_buff *skb, struct genl_info *info)
{
	return 0;
}

const struct nlattr *fake_reply(int type)
{
	struct nlattr *at;
	int rest;

	nla_for_each_attr(at, (struct nlattr *)room, (int)message.len, rest)
		if (nla_type(at) == type)
			return at;
	return NULL;
}

struct nlattr *nla_reserve(struct sk_buff *skb, int type, int bytes)
{
	struct nlattr *nla = (struct nlattr *)(skb->data + skb->len);

	if (skb->end - skb->data < skb->len + nla_total_size(bytes))
		return NULL;
	nla->nla_type = type;
	nla->nla_len = NLA_HDRLEN + bytes;
	skb->len += nla_total_size(bytes);
	return nla;
}

int nla_put(struct sk_buff *skb, int type, int bytes, const void *data)
{
	struct nlattr *nla = nla_reserve(skb, type, bytes);

	if (!nla)
		return -EMSGSIZE;
	if (bytes)
		memcpy(nla_data(nla), data, bytes);
	return 0;
}

int nla_put_u8(struct sk_buff *skb, int type, u8 value)
{
	return nla_put(skb, type, sizeof(value), &value);
}

int nla_put_u16(struct sk_buff *skb, int type, u16 value)
{
	return nla_put(skb, type, sizeof(value), &value);
}

int nla_put_u32(struct sk_buff *skb, int type, u32 value)
{
	return nla_put(skb, type, sizeof(value), &value);
}

int nla_put_u64_64bit(struct sk_buff *skb, int type, u64 value, int pad)
{
	return nla_put(skb, type, sizeof(value), &value);
}

int nla_parse_nested(struct nlattr *tb[], int max, const struct nlattr *nest,
		     const struct nla_policy *policy,
		     struct netlink_ext_ack *extack)
{
	struct nlattr *at;
	int rest;

	memset(tb, 0, (max + 1) * sizeof(*tb));
	nla_for_each_nested(at, nest, rest)
		if (nla_type(at) <= max)
			tb[nla_type(at)] = at;
	return 0;
}

void nla_nest_end(struct sk_buff *skb, struct nlattr *nest)
{
	nest->nla_len = skb->data + skb->len - (u8 *)nest;
}

void fake_request(struct fake_request *request)
{
	*request = (struct fake_request) { };
	request->info.attrs = request->attrs;
	request->info.extack = &request->extack;
	request->info.genlhdr = &request->header;
	request->info.user_ptr[0] = &fake_sn;
}

struct nlattr *fake_attr(int type, const void *data, u16 bytes)
{
	struct nlattr *nla = calloc(1, nla_total_size(bytes));

	if (!nla)
		abort();
	nla->nla_type = type;
	nla->nla_len = NLA_HDRLEN + bytes;
	if (bytes)
		memcpy(nla_data(nla), data, bytes);
	return nla;
}
