// SPDX-License-Identifier: GPL-2.0
/* Conditions: guard_match.h. */
#include <net/ipv6.h>

#include "guard_match.h"
#include "packet.h"

static bool match_is_among_ports(const struct seen_conditions *conditions, u16 port)
{
	u32 i;

	for (i = 0; i < conditions->udps; i++)
		if (port >= conditions->udp[i].first &&
		    port <= conditions->udp[i].last)
			return true;
	return false;
}

static bool match_udp_holds(const struct seen_conditions *conditions,
			    const struct seen_packet *packet)
{
	if (!conditions->udps)
		return true;
	return packet->has_ports && packet->proto == IPPROTO_UDP &&
	       match_is_among_ports(conditions, ntohs(packet->ports[1]));
}

static bool match_prefix_holds(const struct seen_prefixes *prefixes, u8 version,
			       const struct in6_addr *address)
{
	const struct seen_prefix *prefix;
	u32 i;

	for (i = 0; i < prefixes->count; i++) {
		prefix = &prefixes->prefix[i];
		if (version == prefix->version &&
		    ipv6_prefix_equal(address, &prefix->address, prefix->len))
			return true;
	}
	return !prefixes->count;
}

bool seen_conditions_hold(const struct seen_conditions *conditions,
			  const struct seen_packet *packet)
{
	return match_udp_holds(conditions, packet) &&
	       match_prefix_holds(&conditions->src, packet->version, &packet->src) &&
	       match_prefix_holds(&conditions->dst, packet->version, &packet->dst);
}
