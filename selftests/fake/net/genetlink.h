/* SPDX-License-Identifier: GPL-2.0 */
/* Requests, replies and their attributes; see ../messages.c. */
#ifndef SEEN_FAKE_GENETLINK_H
#define SEEN_FAKE_GENETLINK_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

struct genl_family {
	const char *name;
};

struct genl_info {
	u32 snd_portid;
	const struct nlmsghdr *nlhdr;
	struct genlmsghdr *genlhdr;
	struct nlattr **attrs;
	void *user_ptr[2];
	struct netlink_ext_ack *extack;
};

struct sk_buff *nlmsg_new(size_t bytes, unsigned int gfp);
void nlmsg_free(struct sk_buff *skb);
#define genlmsg_new(bytes, gfp)	nlmsg_new(bytes, gfp)
void *genlmsg_put(struct sk_buff *skb, u32 portid, u32 seq,
		  const struct genl_family *family, int flags, u8 cmd);
#define genlmsg_put_reply(skb, info, family, flags, cmd)		\
	genlmsg_put(skb, (info)->snd_portid, 0, family, flags, cmd)
#define genlmsg_end(skb, header)		((void)(header))
#define genlmsg_cancel(skb, header)		((void)(header))
#define genl_dump_check_consistent(cb, header)	((void)(header))
int genlmsg_reply(struct sk_buff *skb, struct genl_info *info);

/* --- attributes ----------------------------------------------------------- */

#define nla_type(nla)		((nla)->nla_type & NLA_TYPE_MASK)
#define nla_len(nla)		((nla)->nla_len - NLA_HDRLEN)
#define nla_total_size(bytes)	NLA_ALIGN(NLA_HDRLEN + (bytes))
#define nla_total_size_64bit(bytes)	nla_total_size(bytes)
#define nla_get_u8(nla)		(*(u8 *)nla_data(nla))
#define nla_get_u16(nla)	(*(u16 *)nla_data(nla))
#define nla_get_u32(nla)	(*(u32 *)nla_data(nla))
#define nla_get_s32(nla)	(*(s32 *)nla_data(nla))
#define nla_ok(nla, rest)	((rest) >= NLA_HDRLEN)
#define nla_next(nla, rest)						\
	(*(rest) -= NLA_ALIGN((nla)->nla_len),				\
	 (struct nlattr *)((char *)(nla) + NLA_ALIGN((nla)->nla_len)))
#define nla_for_each_attr(at, first, bytes, rest)			\
	for (at = (first), rest = (bytes); rest > 0; at = nla_next(at, &(rest)))
#define nla_for_each_nested(at, nest, rest)				\
	nla_for_each_attr(at, nla_data(nest), nla_len(nest), rest)
#define nlmsg_attrdata(nlh, header)					\
	((struct nlattr *)((char *)(nlh) + NLMSG_HDRLEN + (header)))
#define nlmsg_attrlen(nlh, header)					\
	((int)(nlh)->nlmsg_len - NLMSG_HDRLEN - (header))
#define nlmsg_for_each_attr(at, nlh, header, rest)			\
	nla_for_each_attr(at, nlmsg_attrdata(nlh, header),		\
			  nlmsg_attrlen(nlh, header), rest)

static inline void *nla_data(const struct nlattr *nla)
{
	return (char *)nla + NLA_HDRLEN;
}

static inline u64 nla_get_u64(const struct nlattr *nla)
{
	u64 value;

	memcpy(&value, nla_data(nla), sizeof(value));
	return value;
}

enum {
	NLA_U8 = 1,
	NLA_U16,
	NLA_U32,
	NLA_U64,
	NLA_FLAG = 6,
	NLA_NESTED = 8,
	NLA_NUL_STRING = 10,
	NLA_BINARY,
	NLA_S32 = 14,
	NLA_REJECT = 17,
};

struct netlink_range_validation {
	u64 min, max;
};

struct nla_policy {
	u8 type;
	u16 len;
	s16 min, max;
	const struct netlink_range_validation *range;
	const struct nla_policy *nested;
	const char *reject_message;
};

/* Policies are not checked here: the requests of tests comply with them. */
#define NLA_POLICY_RANGE(_type, _min, _max)				\
	{ .type = (_type), .min = (_min), .max = (_max) }
#define NLA_POLICY_MAX(_type, _max)	{ .type = (_type), .max = (_max) }
#define NLA_POLICY_MIN(_type, _min)	{ .type = (_type), .min = (_min) }
#define NLA_POLICY_EXACT_LEN(bytes)	{ .type = NLA_BINARY, .len = (bytes) }
#define NLA_POLICY_FULL_RANGE(_type, _range)				\
	{ .type = (_type), .range = (_range) }
#define NLA_POLICY_NESTED(policy)					\
	{ .type = NLA_NESTED, .len = ARRAY_SIZE(policy), .nested = (policy) }
#define GENL_REQ_ATTR_CHECK(info, attr)	(!(info)->attrs[attr])
#define NL_REQ_ATTR_CHECK(extack, nest, tb, attr)	(!(tb)[attr])

int nla_parse_nested(struct nlattr *tb[], int max, const struct nlattr *nest,
		     const struct nla_policy *policy,
		     struct netlink_ext_ack *extack);
/* nla_reserve() - Return: NULL if there is no room */
struct nlattr *nla_reserve(struct sk_buff *skb, int type, int bytes);
int nla_put(struct sk_buff *skb, int type, int bytes, const void *data);
int nla_put_u8(struct sk_buff *skb, int type, u8 value);
int nla_put_u16(struct sk_buff *skb, int type, u16 value);
int nla_put_u32(struct sk_buff *skb, int type, u32 value);
int nla_put_u64_64bit(struct sk_buff *skb, int type, u64 value, int pad);
void nla_nest_end(struct sk_buff *skb, struct nlattr *nest);

#define nla_put_flag(skb, type)		nla_put(skb, type, 0, NULL)
#define nla_put_string(skb, type, s)	nla_put(skb, type, strlen(s) + 1, s)
#define nla_nest_start(skb, type)	nla_reserve(skb, type, 0)
#define nla_nest_cancel(skb, nest)	((void)(nest))

#endif
