/* SPDX-License-Identifier: GPL-2.0 */
/* Conditions on UDP ports and addresses, in addition to a guard's match. */
#ifndef SEEN_GUARD_MATCH_H
#define SEEN_GUARD_MATCH_H

#include <linux/in6.h>
#include <linux/types.h>
#include <linux/seen.h>

struct seen_packet;

/* struct seen_udp_range - a range of UDP destination ports, including both ends */
struct seen_udp_range {
	u16 first;
	u16 last;
};

/**
 * struct seen_prefix - an address prefix
 * @address: IPv4 as ::ffff:a.b.c.d; the bits after @len are 0
 * @len: prefix length, counted in the 128 bits of @address
 * @version: 4 or 6, as in struct seen_packet
 */
struct seen_prefix {
	struct in6_addr address;
	u8 len;
	u8 version;
};

struct seen_prefixes {
	u32 count;
	struct seen_prefix prefix[SEEN_CONDITIONS_MAX];
};

/**
 * struct seen_conditions - conditions that a packet must meet for a guard to look at it
 * @udps: number of ranges in @udp; 0: no condition
 * @udp: the packet is a UDP datagram to a port in one of these ranges
 * @src: its source is in one of these prefixes; no prefix: no condition
 * @dst: its destination is in one of these prefixes; no prefix: no condition
 */
struct seen_conditions {
	u32 udps;
	struct seen_udp_range udp[SEEN_CONDITIONS_MAX];
	struct seen_prefixes src;
	struct seen_prefixes dst;
};

/* seen_conditions_given() - is there a condition? If not, no packet need be parsed. */
static inline bool seen_conditions_given(const struct seen_conditions *c)
{
	return c->udps || c->src.count || c->dst.count;
}

/**
 * seen_conditions_hold() - does a packet meet all conditions?
 * @conditions: the conditions
 * @packet: parsed packet
 *
 * A truncated packet, and a fragment other than the first, has no ports, so it does not meet
 * a condition on ports. An ARP packet does not meet a condition on addresses.
 *
 * Context: any.
 * Return: true if it does.
 */
bool seen_conditions_hold(const struct seen_conditions *conditions,
			  const struct seen_packet *packet);

#endif
