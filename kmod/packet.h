/* SPDX-License-Identifier: GPL-2.0 */
/* Where the parts of a packet are, whatever it came in. */
#ifndef SEEN_PACKET_H
#define SEEN_PACKET_H

#include <linux/if_ether.h>
#include <linux/in6.h>
#include <linux/skbuff.h>
#include <linux/types.h>

/* What struct seen_packet.vlan says of an untagged frame. */
#define SEEN_VLAN_NONE		0xffff
/* What a shorter Ethernet payload is padded to. */
#define SEEN_BODY_MIN		(ETH_ZLEN - ETH_HLEN)
/* Tunnels inside each other. */
#define SEEN_TUNNELS_MAX	4
/* Tags that a frame may have. */
#define SEEN_TAGS_MAX		8

/**
 * struct seen_link - the link layer of a packet, as it is on the wire
 * @eth: the header, its type that inside all tags
 * @vlan: VID of the outermost tag, or SEEN_VLAN_NONE
 */
struct seen_link {
	struct ethhdr eth;
	u16 vlan;
};

/**
 * struct seen_packet - a packet, taken apart
 * @skb: it
 * @body: what the outermost tag, or the untagged header, carries
 * @net: what all tags carry: the network header; that of the innermost packet
 *       where seen_tunnel_enter() went, as all that follows
 * @trans: past the headers of the network layer, if @has_proto
 * @data: past the transport header where that has ports, else @trans; in what
 *        is not IP, @net; if @has_data
 * @end: past what is there of @len; of 802.3 past what its length states
 * @check: the checksum of TCP, UDP, UDP-Lite, DCCP, ICMPv6 or SCTP, if @check_len
 * @check_len: its bytes, 0: there is none
 * @len: bytes from @net that the packet states, if it states what can be true;
 *       else those that are there, or the 46 that a shorter one is padded to
 * @link: its link layer, if @has_eth
 * @vlan: the VID for its key: that of @link, unless a bridge has put the packet into
 *        another VLAN; if @has_eth
 * @has_eth: there is an Ethernet header
 * @has_proto: the headers of the network layer were understood to their end
 * @has_ports: @ports are known
 * @has_data: @data is known
 * @later: a fragment, but not the first
 * @tunnels: that it was taken out of
 * @tunnel: enum seen_tunnel of each, the outermost first
 * @tunnel_end: enum seen_tunnel_end, why there are no more
 * @type: what begins at @net, an ethertype
 * @version: 4 or 6: the fields below are known; 0: this is not IP
 * @proto: past IPv6's extension headers, if @has_proto
 * @ttl: or hop limit
 * @dscp: six bits
 * @frag: offset in bytes | 1 if more fragments follow
 * @id: for fragments; IPv6: 0 outside of them
 * @ports: source and destination
 * @src: IPv4 as ::ffff:a.b.c.d
 * @dst: as @src
 *
 * Offsets count from skb->data: those of the link layer may be negative.
 */
struct seen_packet {
	const struct sk_buff *skb;
	int body;
	int net;
	int trans;
	int data;
	int end;
	int check;
	int check_len;
	u32 len;
	struct seen_link link;
	u16 vlan;
	__be16 type;
	bool has_eth;
	bool has_proto;
	bool has_ports;
	bool has_data;
	bool later;
	u8 tunnels;
	u8 tunnel[SEEN_TUNNELS_MAX];
	u8 tunnel_end;
	u8 version;
	u8 proto;
	u8 ttl;
	u8 dscp;
	u16 frag;
	u32 id;
	__be16 ports[2];
	struct in6_addr src;
	struct in6_addr dst;
};

/**
 * seen_packet_parse() - take a packet apart
 * @p: to fill
 * @skb: the packet, with its data at the network header or the MAC header
 *
 * The frame's own bytes are believed rather than skb->protocol; lengths only as
 * far as there are bytes. Bounded: at most 8 tags and 8 extension headers.
 *
 * Context: any; no allocation, nothing written.
 * Return: true, or false: it ends within its Ethernet header or its tags.
 */
bool seen_packet_parse(struct seen_packet *p, const struct sk_buff *skb);

/**
 * seen_packet_parse_net() - the same where a network protocol has the packet
 * @p: to fill
 * @skb: the packet, with its network header and its protocol set
 * @link: if an Ethernet header, with its tags, ends at the network header, it is
 *        the packet's; else the packet has none here
 *
 * Return: true, or false: its network header is not in it.
 */
bool seen_packet_parse_net(struct seen_packet *p, const struct sk_buff *skb,
			   bool link);

/**
 * seen_packet_has_eth() - does it have an Ethernet header, at a device's hooks?
 * @skb: the packet
 *
 * What a host sends to a group that it is in comes back to it without one, also
 * from an Ethernet device.
 */
bool seen_packet_has_eth(const struct sk_buff *skb);

/**
 * seen_packet_layer() - take a packet's network layer apart, and what is in it
 * @p: of which the link layer, @p->skb and @p->end are known
 * @off: where it begins, at most @p->end
 * @type: what it is, an ethertype
 */
void seen_packet_layer(struct seen_packet *p, int off, __be16 type);

/**
 * seen_packet_copy() - some bytes of a packet
 * @p: taken apart
 * @off: from skb->data
 * @len: bytes
 * @to: where to; headers inside a tunnel lie at any address, so that none is
 *      read where it is
 *
 * Return: true, or false: they are not there, or past the stated length.
 */
static inline bool seen_packet_copy(const struct seen_packet *p, int off,
				    int len, void *to)
{
	const void *from;

	if (off + len > p->end)
		return false;
	from = skb_header_pointer(p->skb, off, len, to);
	if (!from)
		return false;
	if (from != to)
		memcpy(to, from, len);
	return true;
}

#endif
