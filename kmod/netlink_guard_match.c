// SPDX-License-Identifier: GPL-2.0
/* A guard's conditions in requests and replies. */
#include <net/ipv6.h>

#include "guard_match.h"
#include "netlink.h"
#include "netlink_policy.h"

/* Bits before the IPv4 address in ::ffff:a.b.c.d. */
#define MAPPED_BITS	96

#define NO_ADDRESS	": must be an address of 4 or 16 bytes"
#define LONG_PREFIX	": prefix length must be 0 to 32"

static int nl_match_parse_udp(struct genl_info *info, const struct nlattr *nla,
			      struct seen_conditions *conditions)
{
	struct nlattr *tb[SEEN_A_RANGE_MAX + 1];
	struct seen_udp_range range;
	int err;

	err = nla_parse_nested(tb, SEEN_A_RANGE_MAX, nla, seen_nl_range_policy,
			       info->extack);
	if (err)
		return err;
	if (NL_REQ_ATTR_CHECK(info->extack, nla, tb, SEEN_A_RANGE_FIRST) ||
	    NL_REQ_ATTR_CHECK(info->extack, nla, tb, SEEN_A_RANGE_LAST))
		return -EINVAL;
	range.first = nla_get_u16(tb[SEEN_A_RANGE_FIRST]);
	range.last = nla_get_u16(tb[SEEN_A_RANGE_LAST]);
	if (range.first > range.last)
		return seen_nl_refuse(info, nla,
				      "udp: first must not be greater than last");
	if (conditions->udps == SEEN_CONDITIONS_MAX)
		return seen_nl_refuse(info, nla, "udp: must be at most 16 ports or ranges");
	conditions->udp[conditions->udps++] = range;
	return 0;
}

int seen_nl_prefix_parse(struct genl_info *info, const struct nlattr *nest,
			 const struct nla_policy *policy, struct nlattr **tb)
{
	int err = nla_parse_nested(tb, SEEN_A_PREFIX_MAX, nest, policy,
				   info->extack);

	if (err)
		return err;
	if (NL_REQ_ATTR_CHECK(info->extack, nest, tb, SEEN_A_PREFIX_ADDRESS) ||
	    NL_REQ_ATTR_CHECK(info->extack, nest, tb, SEEN_A_PREFIX_LEN))
		return -EINVAL;
	return 0;
}

/* @type: SEEN_A_GUARD_SRC or SEEN_A_GUARD_DST. Return: NULL, or an error text. */
static const char *nl_match_read_prefix(struct nlattr **tb, int type,
					struct seen_prefix *prefix)
{
	const struct nlattr *attr = tb[SEEN_A_PREFIX_ADDRESS];
	u8 len = nla_get_u8(tb[SEEN_A_PREFIX_LEN]);
	bool src = type == SEEN_A_GUARD_SRC;
	struct in6_addr address;
	__be32 address4;

	switch (nla_len(attr)) {
	case sizeof(address4):
		if (len > 32)
			return src ? "src" LONG_PREFIX : "dst" LONG_PREFIX;
		prefix->version = 4;
		prefix->len = MAPPED_BITS + len;
		memcpy(&address4, nla_data(attr), sizeof(address4));
		ipv6_addr_set_v4mapped(address4, &address);
		break;
	case sizeof(address):
		prefix->version = 6;
		prefix->len = len;
		memcpy(&address, nla_data(attr), sizeof(address));
		break;
	default:
		return src ? "src" NO_ADDRESS : "dst" NO_ADDRESS;
	}
	ipv6_addr_prefix(&prefix->address, &address, prefix->len);
	return NULL;
}

static int nl_match_parse_prefix(struct genl_info *info, const struct nlattr *nla,
				 struct seen_prefixes *prefixes)
{
	bool src = nla_type(nla) == SEEN_A_GUARD_SRC;
	struct nlattr *tb[SEEN_A_PREFIX_MAX + 1];
	struct seen_prefix prefix;
	const char *wrong;
	int err;

	err = seen_nl_prefix_parse(info, nla, seen_nl_prefix_policy, tb);
	if (err)
		return err;
	wrong = nl_match_read_prefix(tb, nla_type(nla), &prefix);
	if (wrong)
		return seen_nl_refuse(info, nla, wrong);
	if (prefixes->count == SEEN_CONDITIONS_MAX)
		return seen_nl_refuse(info, nla, src ? "src: must be at most 16 prefixes"
					    : "dst: must be at most 16 prefixes");
	prefixes->prefix[prefixes->count++] = prefix;
	return 0;
}

int seen_nl_conditions_parse(struct genl_info *info,
			     struct seen_conditions *conditions)
{
	const struct nlattr *nla;
	int rest, err = 0;

	nlmsg_for_each_attr(nla, info->nlhdr, GENL_HDRLEN, rest) {
		switch (nla_type(nla)) {
		case SEEN_A_GUARD_UDP:
			err = nl_match_parse_udp(info, nla, conditions);
			break;
		case SEEN_A_GUARD_SRC:
			err = nl_match_parse_prefix(info, nla, &conditions->src);
			break;
		case SEEN_A_GUARD_DST:
			err = nl_match_parse_prefix(info, nla, &conditions->dst);
			break;
		}
		if (err)
			return err;
	}
	return 0;
}

int seen_nl_prefix_put(struct sk_buff *skb, int attr, const void *address,
		       int bytes, u8 len)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || nla_put(skb, SEEN_A_PREFIX_ADDRESS, bytes, address) ||
	    nla_put_u8(skb, SEEN_A_PREFIX_LEN, len))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int nl_match_put_prefix(struct sk_buff *skb, int attr,
			       const struct seen_prefix *prefix)
{
	const struct in6_addr *address = &prefix->address;

	if (prefix->version == 6)
		return seen_nl_prefix_put(skb, attr, address, sizeof(*address),
					  prefix->len);
	return seen_nl_prefix_put(skb, attr, &address->s6_addr32[3],
				  sizeof(struct in_addr),
				  prefix->len - MAPPED_BITS);
}

static int nl_match_put_prefixes(struct sk_buff *skb, int attr,
				 const struct seen_prefixes *prefixes)
{
	u32 i;

	for (i = 0; i < prefixes->count; i++)
		if (nl_match_put_prefix(skb, attr, &prefixes->prefix[i]))
			return -EMSGSIZE;
	return 0;
}

static int nl_match_put_range(struct sk_buff *skb, const struct seen_udp_range *range)
{
	struct nlattr *nest = nla_nest_start(skb, SEEN_A_GUARD_UDP);

	if (!nest || nla_put_u16(skb, SEEN_A_RANGE_FIRST, range->first) ||
	    nla_put_u16(skb, SEEN_A_RANGE_LAST, range->last))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int seen_nl_conditions_put(struct sk_buff *skb,
			   const struct seen_conditions *conditions)
{
	u32 i;

	for (i = 0; i < conditions->udps; i++)
		if (nl_match_put_range(skb, &conditions->udp[i]))
			return -EMSGSIZE;
	return nl_match_put_prefixes(skb, SEEN_A_GUARD_SRC, &conditions->src) ?:
	       nl_match_put_prefixes(skb, SEEN_A_GUARD_DST, &conditions->dst);
}
