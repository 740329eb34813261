// SPDX-License-Identifier: GPL-2.0
/* Tunnels: find the innermost packet; tunnel.h. */
#include <linux/if_tunnel.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/seen.h>

#include "tunnel.h"

#define GRE_OPTION_LEN		4
#define GRE_OPTIONS		(GRE_CSUM | GRE_KEY | GRE_SEQ)
/* Some kernels' headers lack these ethertypes. */
#define GRE_ERSPAN		0x88be
#define GRE_ERSPAN3		0x22eb

#define ERSPAN2_LEN		8
#define ERSPAN3_LEN		12
#define ERSPAN3_PLATFORM_LEN	8
#define ERSPAN_VERSION(word)	((word) >> 28)
#define ERSPAN_TRUNCATED	0x400
#define ERSPAN3_OPTIONAL	0x1
#define ERSPAN3_TYPE(word)	((word) >> 10 & 0x1f)
#define ERSPAN3_ETHERNET	0
#define ERSPAN3_IP		2

#define VXLAN_HAS_VNI		0x08
#define VXLAN_LEN		8

#define GENEVE_PORT		6081
#define GENEVE_VERSION		0xc0
#define GENEVE_OPTIONS		0x3f

#define GTPU_PORT		2152
#define GTPU_VERSION		0xf0	/* version, and the bit that is 0 in GTP' */
#define GTPU_VERSION_1		0x30
#define GTPU_OPTIONAL		0x07
#define GTPU_OPTIONAL_LEN	4
#define GTPU_EXTENDED		0x04
#define GTPU_EXTENSIONS_MAX	8
#define GTPU_PACKET		255

#define MPLS_LEN		4
#define MPLS_LABELS_MAX		16
#define MPLS_BOTTOM		0x100
#define MPLS_CONTROL_WORD_LEN	4

/* Bytes after IP in MPLS: padding of a short frame, a time stamp, a checksum. */
#define TRAILER_MAX		64
#define NO_NIBBLE		16
/* Bytes that tunnel_enter_labelled() inspects in an untagged frame. */
#define LABELLED_MIN		(MPLS_CONTROL_WORD_LEN + ETH_HLEN + 1)

#define PPPOE_VERSION_TYPE	0x11
#define PPP_SHORT		0x01	/* an odd first byte: the protocol has one byte */
#define PPP_IPV4		0x0021
#define PPP_IPV6		0x0057
#define PPP_MPLS		0x0281

static bool tunnel_copy_u32(const struct seen_packet *p, int off, u32 *value)
{
	__be32 word;

	if (!seen_packet_copy(p, off, sizeof(word), &word))
		return false;
	*value = ntohl(word);
	return true;
}

static bool tunnel_copy_u16(const struct seen_packet *p, int off, u16 *value)
{
	__be16 word;

	if (!seen_packet_copy(p, off, sizeof(word), &word))
		return false;
	*value = ntohs(word);
	return true;
}

/* The upper four bits at @off: the version, if IP begins there. */
static u8 tunnel_nibble(const struct seen_packet *p, int off)
{
	u8 byte = 0;

	return seen_packet_copy(p, off, sizeof(byte), &byte) ? byte >> 4
							     : NO_NIBBLE;
}

static enum seen_tunnel_end tunnel_enter(struct seen_packet *p, int off, __be16 type,
					 enum seen_tunnel tunnel)
{
	bool ip = type == htons(ETH_P_IP) || type == htons(ETH_P_IPV6);

	if (p->tunnels == SEEN_TUNNELS_MAX)
		return SEEN_TUNNEL_DEEP;
	if (off > p->end)
		return SEEN_TUNNEL_CUT;
	p->tunnel[p->tunnels++] = tunnel;
	seen_packet_layer(p, off, type);
	return ip && !p->version ? SEEN_TUNNEL_CUT : SEEN_TUNNEL_OPENED;
}

/* Return: offset after the frame's tags, and *@type; 0: truncated, or too many tags. */
static int tunnel_skip_eth(const struct seen_packet *p, int off, __be16 *type)
{
	struct vlan_hdr tag;
	struct ethhdr eth;
	int tags;

	if (!seen_packet_copy(p, off, sizeof(eth), &eth))
		return 0;
	off += ETH_HLEN;
	for (tags = 0; eth_type_vlan(eth.h_proto); tags++) {
		if (tags == SEEN_TAGS_MAX ||
		    !seen_packet_copy(p, off, sizeof(tag), &tag))
			return 0;
		eth.h_proto = tag.h_vlan_encapsulated_proto;
		off += VLAN_HLEN;
	}
	*type = eth.h_proto;
	return off;
}

static enum seen_tunnel_end tunnel_enter_eth(struct seen_packet *p, int off,
					     enum seen_tunnel tunnel)
{
	__be16 type;

	off = tunnel_skip_eth(p, off, &type);
	return off ? tunnel_enter(p, off, type, tunnel) : SEEN_TUNNEL_CUT;
}

/* Open a payload whose ethertype is known. @other: returned if the type is not listed here. */
static enum seen_tunnel_end tunnel_enter_typed(struct seen_packet *p, int off,
					       __be16 type, enum seen_tunnel tunnel,
					       enum seen_tunnel_end other)
{
	switch (type) {
	case htons(ETH_P_IP):
	case htons(ETH_P_IPV6):
	case htons(ETH_P_MPLS_UC):
		return tunnel_enter(p, off, type, tunnel);
	case htons(ETH_P_TEB):
		return tunnel_enter_eth(p, off, tunnel);
	default:
		return other;
	}
}

/* Open IP whose version is known only from its header. */
static enum seen_tunnel_end tunnel_enter_ip(struct seen_packet *p, int off,
					    enum seen_tunnel tunnel)
{
	u8 version = tunnel_nibble(p, off);

	return tunnel_enter(p, off, htons(version == 6 ? ETH_P_IPV6 : ETH_P_IP),
			    tunnel);
}

/* ERSPAN type I has no ERSPAN header, and its GRE header has no sequence number. */
static enum seen_tunnel_end tunnel_open_erspan(struct seen_packet *p, int off,
					       bool numbered)
{
	u32 word;

	if (!numbered)
		return tunnel_enter_eth(p, off, SEEN_TUNNEL_ERSPAN1);
	if (!tunnel_copy_u32(p, off, &word) || ERSPAN_VERSION(word) != 1)
		return SEEN_TUNNEL_CUT;
	if (word & ERSPAN_TRUNCATED)
		return SEEN_TUNNEL_TRUNCATED;
	return tunnel_enter_eth(p, off + ERSPAN2_LEN, SEEN_TUNNEL_ERSPAN2);
}

static enum seen_tunnel_end tunnel_open_erspan3(struct seen_packet *p, int off)
{
	u32 word, last;

	if (!tunnel_copy_u32(p, off, &word) || ERSPAN_VERSION(word) != 2 ||
	    !tunnel_copy_u32(p, off + ERSPAN3_LEN - sizeof(last), &last))
		return SEEN_TUNNEL_CUT;
	if (word & ERSPAN_TRUNCATED)
		return SEEN_TUNNEL_TRUNCATED;
	off += ERSPAN3_LEN;
	off += last & ERSPAN3_OPTIONAL ? ERSPAN3_PLATFORM_LEN : 0;
	if (ERSPAN3_TYPE(last) == ERSPAN3_ETHERNET)
		return tunnel_enter_eth(p, off, SEEN_TUNNEL_ERSPAN3);
	if (ERSPAN3_TYPE(last) != ERSPAN3_IP)
		return SEEN_TUNNEL_ERSPAN_PAYLOAD;
	return tunnel_enter_ip(p, off, SEEN_TUNNEL_ERSPAN3);
}

/* Is the ethertype one of those below and, for IP, does the content have that IP version? */
static bool tunnel_looks_like_eth(const struct seen_packet *p, int off)
{
	__be16 type;

	off = tunnel_skip_eth(p, off, &type);
	if (!off)
		return false;
	switch (type) {
	case htons(ETH_P_IP):
		return tunnel_nibble(p, off) == 4;
	case htons(ETH_P_IPV6):
		return tunnel_nibble(p, off) == 6;
	case htons(ETH_P_ARP):
	case htons(ETH_P_MPLS_UC):
	case htons(ETH_P_PPP_SES):
		return true;
	default:
		return false;
	}
}

/*
 * Does the stated length fit the bytes that are there, less padding or a trailer? The first
 * four bits alone are not enough, because a MAC address can begin with 4 or 6. With 6, a
 * plausible Ethernet frame takes precedence.
 */
static bool tunnel_looks_like_ip(const struct seen_packet *p, int off)
{
	int stated, there = p->end - off;
	u16 len;

	switch (tunnel_nibble(p, off)) {
	case 4:
		if (!tunnel_copy_u16(p, off + offsetof(struct iphdr, tot_len), &len))
			return false;
		stated = len;
		break;
	case 6:
		if (tunnel_looks_like_eth(p, off) ||
		    !tunnel_copy_u16(p, off + offsetof(struct ipv6hdr, payload_len),
				     &len))
			return false;
		stated = sizeof(struct ipv6hdr) + len;
		break;
	default:
		return false;
	}
	return stated <= there && there - stated <= TRAILER_MAX;
}

/*
 * MPLS labels do not state what they carry, so guess. A control word begins with four bits
 * of 0, an associated channel with 1 (RFC 4385), a MAC address with any value.
 */
static enum seen_tunnel_end tunnel_enter_labelled(struct seen_packet *p, int off)
{
	u8 first = tunnel_nibble(p, off), look[LABELLED_MIN];

	/* Do not guess from a truncated packet. */
	if (!seen_packet_copy(p, off, sizeof(look), look))
		return SEEN_TUNNEL_CUT;
	if (tunnel_looks_like_ip(p, off))
		return tunnel_enter_ip(p, off, SEEN_TUNNEL_MPLS);
	if (!first && tunnel_looks_like_eth(p, off + MPLS_CONTROL_WORD_LEN))
		return tunnel_enter_eth(p, off + MPLS_CONTROL_WORD_LEN,
					SEEN_TUNNEL_MPLS);
	if (tunnel_looks_like_eth(p, off))
		return tunnel_enter_eth(p, off, SEEN_TUNNEL_MPLS);
	return first == 1 ? SEEN_TUNNEL_MPLS_CHANNEL : SEEN_TUNNEL_UNKNOWN;
}

static enum seen_tunnel_end tunnel_open_mpls(struct seen_packet *p, int off)
{
	u32 label = 0;
	int i;

	for (i = 0; !(label & MPLS_BOTTOM); i++, off += MPLS_LEN)
		if (i == MPLS_LABELS_MAX || !tunnel_copy_u32(p, off, &label))
			return SEEN_TUNNEL_CUT;
	return tunnel_enter_labelled(p, off);
}

/* Source routes (RFC 1701) are not parsed: RFC 2784 deprecates them. */
static enum seen_tunnel_end tunnel_open_gre(struct seen_packet *p)
{
	struct { __be16 flags, type; } gre;
	int off = p->trans + sizeof(gre);

	if (!seen_packet_copy(p, p->trans, sizeof(gre), &gre))
		return SEEN_TUNNEL_CUT;
	if (gre.flags & GRE_VERSION)
		return SEEN_TUNNEL_GRE_VERSION;
	if (gre.flags & ~GRE_OPTIONS)
		return SEEN_TUNNEL_CUT;
	off += gre.flags & GRE_CSUM ? GRE_OPTION_LEN : 0;
	off += gre.flags & GRE_KEY ? GRE_OPTION_LEN : 0;
	off += gre.flags & GRE_SEQ ? GRE_OPTION_LEN : 0;
	if (off > p->end)
		return SEEN_TUNNEL_CUT;
	switch (gre.type) {
	case htons(GRE_ERSPAN):
		return tunnel_open_erspan(p, off, !!(gre.flags & GRE_SEQ));
	case htons(GRE_ERSPAN3):
		return tunnel_open_erspan3(p, off);
	default:
		return tunnel_enter_typed(p, off, gre.type, SEEN_TUNNEL_GRE,
					  SEEN_TUNNEL_GRE_PAYLOAD);
	}
}

static enum seen_tunnel_end tunnel_open_vxlan(struct seen_packet *p)
{
	u8 vxlan[VXLAN_LEN];

	if (!seen_packet_copy(p, p->data, sizeof(vxlan), vxlan))
		return SEEN_TUNNEL_CUT;
	if (!(vxlan[0] & VXLAN_HAS_VNI))
		return SEEN_TUNNEL_VXLAN_NO_VNI;
	return tunnel_enter_eth(p, p->data + VXLAN_LEN, SEEN_TUNNEL_VXLAN);
}

static enum seen_tunnel_end tunnel_open_geneve(struct seen_packet *p)
{
	struct { u8 options, flags; __be16 type; __be32 vni; } geneve;
	int off = p->data + sizeof(geneve);

	if (!seen_packet_copy(p, p->data, sizeof(geneve), &geneve))
		return SEEN_TUNNEL_CUT;
	if (geneve.options & GENEVE_VERSION)
		return SEEN_TUNNEL_GENEVE_VERSION;
	off += (geneve.options & GENEVE_OPTIONS) * 4;
	if (off > p->end)
		return SEEN_TUNNEL_CUT;
	return tunnel_enter_typed(p, off, geneve.type, SEEN_TUNNEL_GENEVE,
				  SEEN_TUNNEL_GENEVE_PAYLOAD);
}

/*
 * An extension header begins with its length in units of 4 bytes, and ends with the type of
 * the next header, or 0. Return: offset after the last header; 0: truncated or malformed.
 */
static int tunnel_skip_extensions(const struct seen_packet *p, int off, u8 next)
{
	u8 len;
	int i;

	for (i = 0; next; i++) {
		if (i == GTPU_EXTENSIONS_MAX ||
		    !seen_packet_copy(p, off, sizeof(len), &len) || !len)
			return 0;
		off += len * 4;
		if (!seen_packet_copy(p, off - 1, sizeof(next), &next))
			return 0;
	}
	return off;
}

/* Return: offset of the inner packet; 0: the GTP-U headers are truncated or malformed. */
static int tunnel_skip_gtpu(const struct seen_packet *p, int off, u8 flags)
{
	u8 next;

	if (!(flags & GTPU_OPTIONAL))
		return off;
	off += GTPU_OPTIONAL_LEN;
	if (!seen_packet_copy(p, off - 1, sizeof(next), &next))
		return 0;
	return flags & GTPU_EXTENDED ? tunnel_skip_extensions(p, off, next) : off;
}

static enum seen_tunnel_end tunnel_open_gtpu(struct seen_packet *p)
{
	struct { u8 flags, message; __be16 len; __be32 teid; } gtpu;
	int off = p->data + sizeof(gtpu), end;

	if (!seen_packet_copy(p, p->data, sizeof(gtpu), &gtpu))
		return SEEN_TUNNEL_CUT;
	if ((gtpu.flags & GTPU_VERSION) != GTPU_VERSION_1 ||
	    gtpu.message != GTPU_PACKET)
		return SEEN_TUNNEL_GTPU_MESSAGE;
	end = off + ntohs(gtpu.len);
	off = tunnel_skip_gtpu(p, off, gtpu.flags);
	if (!off || end > p->end || off > end)
		return SEEN_TUNNEL_CUT;
	p->end = end;
	switch (tunnel_nibble(p, off)) {
	case 4:
	case 6:
		return tunnel_enter_ip(p, off, SEEN_TUNNEL_GTPU);
	default:
		/* Ethernet cannot be distinguished from unstructured content. */
		return SEEN_TUNNEL_UNKNOWN;
	}
}

static bool tunnel_is_vxlan(const struct seen_packet *p, const u16 *vxlan)
{
	int i;

	for (i = 0; i < SEEN_VXLAN_PORTS_MAX && vxlan[i]; i++)
		if (p->ports[1] == htons(vxlan[i]))
			return true;
	return false;
}

static enum seen_tunnel_end tunnel_open_udp(struct seen_packet *p, const u16 *vxlan)
{
	enum seen_tunnel_end (*open)(struct seen_packet *p) = NULL;

	if (!p->has_ports)
		return p->later ? SEEN_TUNNEL_FRAGMENT : SEEN_TUNNEL_CUT;
	if (p->ports[1] == htons(GENEVE_PORT))
		open = tunnel_open_geneve;
	else if (p->ports[1] == htons(GTPU_PORT))
		open = tunnel_open_gtpu;
	if (tunnel_is_vxlan(p, vxlan))
		open = tunnel_open_vxlan;
	if (!open)
		return SEEN_TUNNEL_NONE;
	if (p->frag)
		return SEEN_TUNNEL_FRAGMENT;
	return p->has_data ? open(p) : SEEN_TUNNEL_CUT;
}

static enum seen_tunnel_end tunnel_open_ip(struct seen_packet *p, const u16 *vxlan)
{
	bool tunnel = p->proto == IPPROTO_IPIP || p->proto == IPPROTO_IPV6 ||
		      p->proto == IPPROTO_GRE;

	if (!p->has_proto)
		return SEEN_TUNNEL_CUT;
	if (tunnel && p->frag)
		return SEEN_TUNNEL_FRAGMENT;
	switch (p->proto) {
	case IPPROTO_IPIP:
		return tunnel_enter(p, p->trans, htons(ETH_P_IP), SEEN_TUNNEL_IP);
	case IPPROTO_IPV6:
		return tunnel_enter(p, p->trans, htons(ETH_P_IPV6), SEEN_TUNNEL_IP);
	case IPPROTO_GRE:
		return tunnel_open_gre(p);
	case IPPROTO_UDP:
		return tunnel_open_udp(p, vxlan);
	default:
		return SEEN_TUNNEL_NONE;
	}
}

/* Return: offset of PPP's payload, and *@protocol; 0: truncated. */
static int tunnel_skip_ppp(const struct seen_packet *p, int off, u16 *protocol)
{
	u8 byte;

	if (!seen_packet_copy(p, off, sizeof(byte), &byte))
		return 0;
	if (byte & PPP_SHORT) {
		*protocol = byte;
		return off + 1;
	}
	return tunnel_copy_u16(p, off, protocol) ? off + 2 : 0;
}

static __be16 tunnel_type_of_ppp(u16 protocol)
{
	switch (protocol) {
	case PPP_IPV4:
		return htons(ETH_P_IP);
	case PPP_IPV6:
		return htons(ETH_P_IPV6);
	case PPP_MPLS:
		return htons(ETH_P_MPLS_UC);
	default:
		return 0;
	}
}

static enum seen_tunnel_end tunnel_open_pppoe(struct seen_packet *p)
{
	struct { u8 version_type, code; __be16 session, len; } pppoe;
	int off = p->net + sizeof(pppoe), end;
	u16 protocol;

	if (!seen_packet_copy(p, p->net, sizeof(pppoe), &pppoe) ||
	    pppoe.version_type != PPPOE_VERSION_TYPE)
		return SEEN_TUNNEL_CUT;
	end = off + ntohs(pppoe.len);
	off = tunnel_skip_ppp(p, off, &protocol);
	if (!off || end > p->end || off > end)
		return SEEN_TUNNEL_CUT;
	if (!tunnel_type_of_ppp(protocol))
		return SEEN_TUNNEL_PPP_PAYLOAD;
	/* The bytes after the PPP packet are padding of the frame. */
	p->end = end;
	return tunnel_enter(p, off, tunnel_type_of_ppp(protocol), SEEN_TUNNEL_PPPOE);
}

static enum seen_tunnel_end open_tunnel(struct seen_packet *p, const u16 *vxlan)
{
	if (p->version)
		return tunnel_open_ip(p, vxlan);
	switch (p->type) {
	case htons(ETH_P_MPLS_UC):
	case htons(ETH_P_MPLS_MC):
		return tunnel_open_mpls(p, p->net);
	case htons(ETH_P_PPP_SES):
		return tunnel_open_pppoe(p);
	default:
		return SEEN_TUNNEL_NONE;
	}
}

bool seen_tunnel_enter(struct seen_packet *p, const u16 *vxlan)
{
	enum seen_tunnel_end end;

	do
		end = open_tunnel(p, vxlan);
	while (end == SEEN_TUNNEL_OPENED);
	p->tunnel_end = end;
	return end < SEEN_TUNNEL_CUT;
}
