/* SPDX-License-Identifier: GPL-2.0 */
/* Parse a packet: where its headers and its payload are. */
#ifndef SEEN_PACKET_H
#define SEEN_PACKET_H

#include <linux/if_ether.h>
#include <linux/in6.h>
#include <linux/skbuff.h>
#include <linux/types.h>

/* VLAN of an untagged frame, in struct seen_packet and struct seen_link. */
#define SEEN_VLAN_NONE		0xffff
/* Minimum bytes of an Ethernet payload; a shorter one is padded. */
#define SEEN_BODY_MIN		(ETH_ZLEN - ETH_HLEN)
/* Maximum number of nested tunnels. */
#define SEEN_TUNNELS_MAX	4
/* Maximum number of VLAN tags of a frame. */
#define SEEN_TAGS_MAX		8

/**
 * struct seen_link - the link layer of a packet, as it is on the wire
 * @eth: Ethernet header; its type is the ethertype inside all tags
 * @vlan: VID of the outermost tag, or SEEN_VLAN_NONE
 */
struct seen_link {
	struct ethhdr eth;
	u16 vlan;
};

/**
 * struct seen_packet - a parsed packet
 * @skb: the packet
 * @body: first byte after the outermost tag; without tags, after the Ethernet header
 * @net: first byte after all tags: the network header. After seen_tunnel_enter() @net and
 *       the members of the network and transport layer describe the innermost packet
 * @trans: first byte after the network layer's headers, valid if @has_proto
 * @data: first byte after the transport header if that has ports, else @trans; if the
 *        packet is not IP, @net; valid if @has_data
 * @end: end of the packet's bytes: after @len bytes or at the end of the skb, whichever
 *       is first; 802.3: after the stated length
 * @check: checksum of TCP, UDP, UDP-Lite, DCCP, ICMPv6 or SCTP, valid if @check_len
 * @check_len: bytes of that checksum; 0: there is no checksum
 * @len: number of bytes from @net: the length that the packet states, if that many bytes are
 *       there; else the bytes that are there, but at least 46 (the padded Ethernet payload)
 * @link: link layer, valid if @has_eth
 * @vlan: VID for the key, valid if @has_eth: that of @link, unless the bridge put the
 *        packet into another VLAN
 * @has_eth: the packet has an Ethernet header
 * @stated: @len is the length that the packet states
 * @has_proto: the network layer's headers were parsed to their end
 * @has_ports: @ports is valid
 * @has_data: @data is valid
 * @later: the packet is a fragment, but not the first
 * @tunnels: number of tunnels around the innermost packet, 0 to SEEN_TUNNELS_MAX
 * @tunnel: enum seen_tunnel of each, the outermost first
 * @tunnel_end: enum seen_tunnel_end: why no further tunnel was opened
 * @type: ethertype of the header at @net
 * @version: 4 or 6: IP version, and the members below are valid; 0: not IP
 * @proto: protocol after IPv6's extension headers, valid if @has_proto
 * @ttl: TTL or hop limit
 * @dscp: 0 to 63
 * @frag: fragment offset in bytes, plus 1 if more fragments follow
 * @id: identification; IPv6: of the fragment header, or 0
 * @ports: source and destination port
 * @src: source address, IPv4 as ::ffff:a.b.c.d
 * @dst: destination address, as @src
 *
 * All offsets count from skb->data. Those of the link layer may be negative.
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
	bool stated;
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
 * seen_packet_parse() - parse a packet at a hook of a device or a bridge
 * @p: out: the parsed packet
 * @skb: the packet, skb->data at the network header or the MAC header; not modified
 *
 * A frame's ethertype counts, not skb->protocol. A stated length counts only if that many
 * bytes are there. The work is bounded: at most SEEN_TAGS_MAX tags and 8 extension headers.
 *
 * Context: any; no allocation.
 * Return: true, or false: the packet ends within its Ethernet header or its tags.
 */
bool seen_packet_parse(struct seen_packet *p, const struct sk_buff *skb);

/**
 * seen_packet_parse_net() - parse a packet in the network layer, as at netfilter hooks
 * @p: out: the parsed packet
 * @skb: the packet; its network header and skb->protocol are set; not modified
 * @link: true: an Ethernet header belongs to the packet if it and its tags end at the
 *        network header; false: the packet has no Ethernet header
 *
 * Context: any; no allocation.
 * Return: true, or false: the network header is outside of the packet.
 */
bool seen_packet_parse_net(struct seen_packet *p, const struct sk_buff *skb,
			   bool link);

/**
 * seen_packet_has_eth() - does a packet have an Ethernet header, at a device's hooks?
 * @skb: the packet
 *
 * The kernel loops a host's own multicast and broadcast back to it. Such a copy has no
 * Ethernet header, even on an Ethernet device.
 */
bool seen_packet_has_eth(const struct sk_buff *skb);

/**
 * seen_packet_layer() - parse the network layer of a packet, and the transport layer in it
 * @p: the packet; its link layer, @p->skb and @p->end are set
 * @off: offset of the network header from skb->data, at most @p->end
 * @type: ethertype of the network layer
 */
void seen_packet_layer(struct seen_packet *p, int off, __be16 type);

/**
 * seen_packet_copy() - copy bytes of a packet
 * @p: the packet; @p->skb and @p->end are set
 * @off: offset from skb->data
 * @len: number of bytes
 * @to: buffer for them. Headers are always copied, because a header inside a tunnel can
 *      lie at an unaligned address
 *
 * Return: true, or false: some of these bytes are beyond the packet or its stated length.
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
