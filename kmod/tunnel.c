// SPDX-License-Identifier: GPL-2.0
/* Tunnels: the packet inside the packet; tunnel.h. */
#include <linux/if_tunnel.h>
#include <linux/if_vlan.h>

#include "tunnel.h"

/* RFC 7348; Linux's own default differs, and is seldom left so. */
#define VXLAN_PORT		4789
#define VXLAN_HAS_VNI		0x08
#define VXLAN_LEN		8
#define GRE_OPTION_LEN		4
#define GRE_OPTIONS		(GRE_CSUM | GRE_KEY | GRE_SEQ)

enum step {
	INNERMOST,	/* there is nothing to open */
	ENTERED,	/* the packet is now what was inside */
	LOST,		/* which packet is the innermost cannot be told */
};

static enum step open_net(struct seen_packet *p, int off, __be16 type)
{
	bool ip = type == htons(ETH_P_IP) || type == htons(ETH_P_IPV6);

	seen_packet_layer(p, off, type);
	return ip && !p->version ? LOST : ENTERED;
}

static enum step open_eth(struct seen_packet *p, int off)
{
	struct vlan_hdr tag;
	struct ethhdr eth;
	int tags;

	if (!seen_packet_copy(p, off, sizeof(eth), &eth))
		return LOST;
	off += ETH_HLEN;
	for (tags = 0; eth_type_vlan(eth.h_proto); tags++) {
		if (tags == SEEN_TAGS_MAX ||
		    !seen_packet_copy(p, off, sizeof(tag), &tag))
			return LOST;
		eth.h_proto = tag.h_vlan_encapsulated_proto;
		off += VLAN_HLEN;
	}
	return open_net(p, off, eth.h_proto);
}

/*
 * Other versions (PPTP) and payloads (keepalives, MPLS, ERSPAN) are not opened;
 * source routes, which nobody sends since 1994, have no defined end.
 */
static enum step open_gre(struct seen_packet *p)
{
	struct { __be16 flags, type; } gre;
	int off = p->trans + sizeof(gre);

	if (!seen_packet_copy(p, p->trans, sizeof(gre), &gre))
		return LOST;
	if (gre.flags & GRE_VERSION)
		return INNERMOST;
	if (gre.flags & ~GRE_OPTIONS)
		return LOST;
	off += gre.flags & GRE_CSUM ? GRE_OPTION_LEN : 0;
	off += gre.flags & GRE_KEY ? GRE_OPTION_LEN : 0;
	off += gre.flags & GRE_SEQ ? GRE_OPTION_LEN : 0;
	if (off > p->end)
		return LOST;
	switch (gre.type) {
	case htons(ETH_P_IP):
	case htons(ETH_P_IPV6):
		return open_net(p, off, gre.type);
	case htons(ETH_P_TEB):
		return open_eth(p, off);
	default:
		return INNERMOST;
	}
}

static enum step open_udp(struct seen_packet *p)
{
	u8 vxlan[VXLAN_LEN];

	if (!p->has_ports)
		return LOST;
	if (p->ports[1] != htons(VXLAN_PORT))
		return INNERMOST;
	if (p->frag || !p->has_data ||
	    !seen_packet_copy(p, p->data, sizeof(vxlan), vxlan))
		return LOST;
	if (!(vxlan[0] & VXLAN_HAS_VNI))
		return INNERMOST;
	return open_eth(p, p->data + VXLAN_LEN);
}

static enum step open_tunnel(struct seen_packet *p)
{
	if (!p->version)
		return INNERMOST;
	if (!p->has_proto)
		return LOST;
	switch (p->proto) {
	case IPPROTO_IPIP:
		return p->frag ? LOST : open_net(p, p->trans, htons(ETH_P_IP));
	case IPPROTO_IPV6:
		return p->frag ? LOST : open_net(p, p->trans,
						 htons(ETH_P_IPV6));
	case IPPROTO_GRE:
		return p->frag ? LOST : open_gre(p);
	case IPPROTO_UDP:
		return open_udp(p);
	default:
		return INNERMOST;
	}
}

bool seen_tunnel_enter(struct seen_packet *p)
{
	enum step step;

	while ((step = open_tunnel(p)) == ENTERED)
		if (++p->tunnels > SEEN_TUNNELS_MAX)
			return false;
	return step == INNERMOST;
}
