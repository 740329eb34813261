// SPDX-License-Identifier: GPL-2.0
/* Parse packets; packet.h. */
#include <linux/icmpv6.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/sctp.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "packet.h"

#define EXTENSIONS_MAX		8
#define DCCP_HEADER_MIN		12
#define DCCP_CHECK		6

/*
 * At the hooks of a device skb->data is at the MAC header, or after it. A MAC header that
 * starts elsewhere is left over from another layer. A MAC header at the network header is
 * no header: dev_loopback_xmit() leaves it so. (A network header that is not set, as with
 * AF_XDP, has an offset other than 0.)
 */
bool seen_packet_has_eth(const struct sk_buff *skb)
{
	const struct net_device *dev = skb->dev;
	int mac;

	if (!dev || !skb_mac_header_was_set(skb))
		return false;
	if (dev->type != ARPHRD_ETHER && dev->type != ARPHRD_LOOPBACK)
		return false;
	mac = skb_mac_offset(skb);
	return mac ? mac <= -ETH_HLEN : skb_network_offset(skb);
}

/* A tag in the skb's metadata is the outermost. The tags in the frame follow it. */
static bool packet_parse_tags(struct seen_packet *p, int off)
{
	struct vlan_hdr tag;
	int tags = 0;

	p->vlan = SEEN_VLAN_NONE;
	if (skb_vlan_tag_present(p->skb)) {
		p->vlan = skb_vlan_tag_get_id(p->skb);
		tags++;
	}
	p->body = off;
	for (; tags < SEEN_TAGS_MAX && eth_type_vlan(p->link.eth.h_proto); tags++) {
		if (!seen_packet_copy(p, off, sizeof(tag), &tag))
			return false;
		p->link.eth.h_proto = tag.h_vlan_encapsulated_proto;
		off += VLAN_HLEN;
		if (p->vlan != SEEN_VLAN_NONE)
			continue;
		p->vlan = ntohs(tag.h_vlan_TCI) & VLAN_VID_MASK;
		p->body = off;
	}
	p->link.vlan = p->vlan;
	p->net = off;
	return true;
}

static bool packet_parse_eth(struct seen_packet *p)
{
	int mac = skb_mac_offset(p->skb);

	if (!seen_packet_copy(p, mac, ETH_HLEN, &p->link.eth))
		return false;
	p->has_eth = true;
	return packet_parse_tags(p, mac + ETH_HLEN);
}

/* Ignore a stated length that is below @least, or greater than the bytes that are there. */
static void packet_set_len(struct seen_packet *p, u32 stated, u32 least)
{
	u32 there = p->end - p->net;

	p->stated = stated >= least && stated <= there;
	if (p->stated)
		p->len = stated;
	else
		p->len = max_t(u32, there, SEEN_BODY_MIN);
	p->end = p->net + min(p->len, there);
}

static void packet_parse_ipv4(struct seen_packet *p)
{
	struct iphdr ip;
	u16 frag;

	if (!seen_packet_copy(p, p->net, sizeof(ip), &ip) ||
	    ip.version != 4 || ip.ihl < 5)
		return;
	p->version = 4;
	frag = ntohs(ip.frag_off);
	p->frag = (frag & IP_OFFSET) << 3 | (frag & IP_MF ? 1 : 0);
	p->later = frag & IP_OFFSET;
	p->id = ntohs(ip.id);
	p->ttl = ip.ttl;
	p->dscp = ip.tos >> 2;
	p->proto = ip.protocol;
	ipv6_addr_set_v4mapped(ip.saddr, &p->src);
	ipv6_addr_set_v4mapped(ip.daddr, &p->dst);
	p->trans = p->net + ip.ihl * 4;
	packet_set_len(p, ntohs(ip.tot_len), ip.ihl * 4);
	p->has_proto = p->trans <= p->end;
}

/* Return: bytes of the fragment header; 0: truncated. */
static int packet_parse_frag_hdr(struct seen_packet *p, int off, u8 *next)
{
	struct frag_hdr fh;

	if (!seen_packet_copy(p, off, sizeof(fh), &fh))
		return 0;
	*next = fh.nexthdr;
	p->id = ntohl(fh.identification);
	p->frag = ntohs(fh.frag_off) & (IP6_OFFSET | IP6_MF);
	p->later = p->frag & IP6_OFFSET;
	return sizeof(fh);
}

/* Return: bytes of the extension header at @off; 0: truncated. */
static int packet_parse_extension(struct seen_packet *p, int off, u8 *next)
{
	struct ipv6_opt_hdr opt;
	int len;

	if (*next == NEXTHDR_FRAGMENT)
		return packet_parse_frag_hdr(p, off, next);
	if (!seen_packet_copy(p, off, sizeof(opt), &opt))
		return 0;
	*next = opt.nexthdr;
	len = ipv6_optlen(&opt);
	return off + len <= p->end ? len : 0;
}

/*
 * AH and ESP count as transport protocols and end the walk. So does the fragment header of
 * a later fragment: no headers follow it, but bytes from the middle of a packet.
 */
static bool packet_is_extension(u8 next)
{
	return next == NEXTHDR_HOP || next == NEXTHDR_ROUTING ||
	       next == NEXTHDR_DEST || next == NEXTHDR_FRAGMENT;
}

static void packet_walk_extensions(struct seen_packet *p, u8 next)
{
	int i, len, off = p->net + sizeof(struct ipv6hdr);

	for (i = 0; packet_is_extension(next) && !p->later; i++) {
		len = i < EXTENSIONS_MAX ? packet_parse_extension(p, off, &next) : 0;
		if (!len)
			return;
		off += len;
	}
	p->proto = next;
	p->trans = off;
	p->has_proto = true;
}

static void packet_parse_ipv6(struct seen_packet *p)
{
	struct ipv6hdr ip;
	u32 stated;

	if (!seen_packet_copy(p, p->net, sizeof(ip), &ip) || ip.version != 6)
		return;
	p->version = 6;
	p->ttl = ip.hop_limit;
	p->dscp = ipv6_get_dsfield(&ip) >> 2;
	p->src = ip.saddr;
	p->dst = ip.daddr;
	/* A jumbogram has length 0 here, and its length in an option. */
	stated = sizeof(ip) + ntohs(ip.payload_len);
	if (!ip.payload_len && ip.nexthdr == NEXTHDR_HOP)
		stated = 0;
	packet_set_len(p, stated, sizeof(ip));
	packet_walk_extensions(p, ip.nexthdr);
}

static void packet_parse_arp(struct seen_packet *p)
{
	struct arphdr arp;

	if (seen_packet_copy(p, p->net, sizeof(arp), &arp))
		packet_set_len(p, sizeof(arp) + 2 * (arp.ar_hln + arp.ar_pln),
			       sizeof(arp));
}

/* A byte of the transport header; 0 if it is not there. */
static u8 packet_octet(const struct seen_packet *p, int off)
{
	u8 byte;

	return seen_packet_copy(p, p->trans + off, 1, &byte) ? byte : 0;
}

/* Return: bytes of a transport header with ports; 0: no such protocol; -1: malformed. */
static int packet_transport_len(const struct seen_packet *p)
{
	int len;

	switch (p->proto) {
	case IPPROTO_TCP:
		len = (packet_octet(p, 12) >> 4) * 4;
		return len >= (int)sizeof(struct tcphdr) ? len : -1;
	case IPPROTO_DCCP:
		len = packet_octet(p, 4) * 4;
		return len >= DCCP_HEADER_MIN ? len : -1;
	case IPPROTO_UDP:
	case IPPROTO_UDPLITE:
		return sizeof(struct udphdr);
	case IPPROTO_SCTP:
		return sizeof(struct sctphdr);
	default:
		return 0;
	}
}

static void packet_find_check(struct seen_packet *p)
{
	int off, len = sizeof(__sum16);

	switch (p->proto) {
	case IPPROTO_TCP:
		off = offsetof(struct tcphdr, check);
		break;
	case IPPROTO_UDP:
	case IPPROTO_UDPLITE:
		off = offsetof(struct udphdr, check);
		break;
	case IPPROTO_DCCP:
		off = DCCP_CHECK;
		break;
	case IPPROTO_ICMPV6:
		off = offsetof(struct icmp6hdr, icmp6_cksum);
		break;
	case IPPROTO_SCTP:
		off = offsetof(struct sctphdr, checksum);
		len = sizeof(__le32);
		break;
	default:
		return;
	}
	p->check = p->trans + off;
	p->check_len = len;
}

static void packet_parse_transport(struct seen_packet *p)
{
	int len = packet_transport_len(p);

	packet_find_check(p);
	p->data = p->trans + len;
	p->has_data = len >= 0 && p->data <= p->end;
	if (len)
		p->has_ports = seen_packet_copy(p, p->trans, sizeof(p->ports),
						p->ports);
}

/* IEEE 802.3: the type field holds a length. Bytes after that are padding or a trailer. */
static void packet_parse_llc(struct seen_packet *p, u16 stated)
{
	if (!stated || stated > p->end - p->net)
		return;
	p->stated = true;
	p->end = p->net + stated;
	p->len = max_t(u32, stated, SEEN_BODY_MIN);
}

static void packet_parse_net(struct seen_packet *p, __be16 type)
{
	packet_set_len(p, 0, 1);
	if (type == htons(ETH_P_IP))
		packet_parse_ipv4(p);
	else if (type == htons(ETH_P_IPV6))
		packet_parse_ipv6(p);
	else if (type == htons(ETH_P_ARP) || type == htons(ETH_P_RARP))
		packet_parse_arp(p);
	else if (ntohs(type) < ETH_P_802_3_MIN)
		packet_parse_llc(p, ntohs(type));
}

/* Clear the members that describe the outer packet of a tunnel. */
static void packet_forget(struct seen_packet *p)
{
	p->has_proto = false;
	p->has_ports = false;
	p->has_data = false;
	p->later = false;
	p->check_len = 0;
	p->version = 0;
	p->frag = 0;
	p->id = 0;
}

void seen_packet_layer(struct seen_packet *p, int off, __be16 type)
{
	packet_forget(p);
	p->net = off;
	p->type = type;
	packet_parse_net(p, type);
	if (!p->version) {
		p->data = p->net;
		p->has_data = true;
	} else if (p->has_proto && p->later) {
		p->data = p->trans;
		p->has_data = true;
	} else if (p->has_proto) {
		packet_parse_transport(p);
	}
}

static void packet_start(struct seen_packet *p, const struct sk_buff *skb)
{
	memset(p, 0, sizeof(*p));
	p->skb = skb;
	p->end = skb->len;
	p->net = skb_network_offset(skb);
}

static bool packet_parse(struct seen_packet *p, __be16 type)
{
	if (p->net < 0 || p->net > p->end)
		return false;
	seen_packet_layer(p, p->net, type);
	return true;
}

bool seen_packet_parse(struct seen_packet *p, const struct sk_buff *skb)
{
	packet_start(p, skb);
	if (seen_packet_has_eth(skb) && !packet_parse_eth(p))
		return false;
	return packet_parse(p, p->has_eth ? p->link.eth.h_proto : skb->protocol);
}

/*
 * Decapsulation (IPsec, SRv6, PPPoE below a bridge) moves the network header, and may leave
 * the MAC header in place. Then the tags after the MAC header do not end at the network
 * header, and the MAC header is not the packet's.
 */
static void packet_find_eth(struct seen_packet *p)
{
	int net = p->net;

	p->has_eth = seen_packet_has_eth(p->skb) && packet_parse_eth(p) &&
		     p->net == net;
	p->net = net;
}

bool seen_packet_parse_net(struct seen_packet *p, const struct sk_buff *skb,
			   bool link)
{
	packet_start(p, skb);
	if (link)
		packet_find_eth(p);
	return packet_parse(p, skb->protocol);
}
