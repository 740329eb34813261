/* SPDX-License-Identifier: GPL-2.0 */
/* Conditions on UDP ports and addresses, beside a guard's match. */
#ifndef SEEN_GUARD_MATCH_H
#define SEEN_GUARD_MATCH_H

#include <linux/in6.h>
#include <linux/types.h>
#include <linux/seen.h>

struct seen_packet;

/* struct seen_udp_range - ports that a datagram goes to, ends included */
struct seen_udp_range {
	u16 first;
	u16 last;
};

/**
 * struct seen_prefix - addresses of one family
 * @address: IPv4 as ::ffff:a.b.c.d; beyond @len its bits are 0
 * @len: of the 128 bits of @address
 * @version: 4 or 6, as of struct seen_packet
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
 * struct seen_conditions - what a packet must have to be looked at
 * @udps: how many ranges, 0: the packet may be anything
 * @udp: it is a UDP datagram to a port in one of them
 * @src: it is from one of them, if there are any
 * @dst: it goes to one of them, if there are any
 */
struct seen_conditions {
	u32 udps;
	struct seen_udp_range udp[SEEN_CONDITIONS_MAX];
	struct seen_prefixes src;
	struct seen_prefixes dst;
};

/* seen_conditions_given() - is there any? If not, all packets meet them. */
static inline bool seen_conditions_given(const struct seen_conditions *c)
{
	return c->udps || c->src.count || c->dst.count;
}

/**
 * seen_conditions_hold() - does a packet meet them?
 * @conditions: some are given
 * @packet: taken apart
 *
 * What is cut short, and a fragment behind the first one, has no ports, and so
 * is no datagram to any. ARP has no addresses here.
 *
 * Context: any.
 */
bool seen_conditions_hold(const struct seen_conditions *conditions,
			  const struct seen_packet *packet);

#endif
