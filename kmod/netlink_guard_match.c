// SPDX-License-Identifier: GPL-2.0
/* A guard's conditions in requests and replies. */
#include <net/ipv6.h>

#include "guard_match.h"
#include "netlink.h"

/* Bits of ::ffff:a.b.c.d before those of IPv4. */
#define MAPPED_BITS	96

static int nl_match_refuse(struct genl_info *info, const struct nlattr *nla,
			   const char *msg)
{
	NL_SET_BAD_ATTR(info->extack, nla);
	info->extack->_msg = msg;
	return -EINVAL;
}

static int parse_udp(struct genl_info *info, const struct nlattr *nla,
		     struct seen_conditions *conditions)
{
	u16 first = nla_get_u32(nla) >> 16, last = nla_get_u32(nla);

	if (first > last)
		return nl_match_refuse(info, nla, "udp: a range ends before it begins");
	if (conditions->udps == SEEN_CONDITIONS_MAX)
		return nl_match_refuse(info, nla, "udp: 16 ports or ranges at most");
	conditions->udp[conditions->udps++] = (struct seen_udp_range) {
		.first = first, .last = last,
	};
	return 0;
}

/* An address, and behind it the length of its prefix. */
static bool read_prefix(const struct nlattr *nla, struct seen_prefix *prefix)
{
	const u8 *bytes = nla_data(nla);
	struct in6_addr address;
	__be32 address4;

	switch (nla_len(nla)) {
	case sizeof(struct in_addr) + 1:
		if (bytes[4] > 32)
			return false;
		prefix->version = 4;
		prefix->len = MAPPED_BITS + bytes[4];
		memcpy(&address4, bytes, sizeof(address4));
		ipv6_addr_set_v4mapped(address4, &address);
		break;
	case sizeof(struct in6_addr) + 1:
		if (bytes[16] > 128)
			return false;
		prefix->version = 6;
		prefix->len = bytes[16];
		memcpy(&address, bytes, sizeof(address));
		break;
	default:
		return false;
	}
	ipv6_addr_prefix(&prefix->address, &address, prefix->len);
	return true;
}

static int parse_prefix(struct genl_info *info, const struct nlattr *nla,
			struct seen_prefixes *prefixes)
{
	bool src = nla_type(nla) == SEEN_A_GUARD_SRC;
	struct seen_prefix prefix;

	if (!read_prefix(nla, &prefix))
		return nl_match_refuse(info, nla, src ?
				       "src: must be an address and its prefix's length" :
				       "dst: must be an address and its prefix's length");
	if (prefixes->count == SEEN_CONDITIONS_MAX)
		return nl_match_refuse(info, nla, src ? "src: 16 prefixes at most"
					     : "dst: 16 prefixes at most");
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
			err = parse_udp(info, nla, conditions);
			break;
		case SEEN_A_GUARD_SRC:
			err = parse_prefix(info, nla, &conditions->src);
			break;
		case SEEN_A_GUARD_DST:
			err = parse_prefix(info, nla, &conditions->dst);
			break;
		}
		if (err)
			return err;
	}
	return 0;
}

static int put_prefix(struct sk_buff *skb, int attr,
		      const struct seen_prefix *prefix)
{
	u8 bytes[sizeof(struct in6_addr) + 1];

	memcpy(bytes, &prefix->address, sizeof(prefix->address));
	if (prefix->version == 6) {
		bytes[16] = prefix->len;
		return nla_put(skb, attr, sizeof(bytes), bytes);
	}
	bytes[16] = prefix->len - MAPPED_BITS;
	return nla_put(skb, attr, sizeof(struct in_addr) + 1, &bytes[12]);
}

static int put_prefixes(struct sk_buff *skb, int attr,
			const struct seen_prefixes *prefixes)
{
	u32 i;

	for (i = 0; i < prefixes->count; i++)
		if (put_prefix(skb, attr, &prefixes->prefix[i]))
			return -EMSGSIZE;
	return 0;
}

int seen_nl_conditions_put(struct sk_buff *skb,
			   const struct seen_conditions *conditions)
{
	u32 i;

	for (i = 0; i < conditions->udps; i++)
		if (nla_put_u32(skb, SEEN_A_GUARD_UDP,
				(u32)conditions->udp[i].first << 16 |
				conditions->udp[i].last))
			return -EMSGSIZE;
	return put_prefixes(skb, SEEN_A_GUARD_SRC, &conditions->src) ?:
	       put_prefixes(skb, SEEN_A_GUARD_DST, &conditions->dst);
}
