/* SPDX-License-Identifier: GPL-2.0 */
/* Tunnels: the packet inside the packet. */
#ifndef SEEN_TUNNEL_H
#define SEEN_TUNNEL_H

#include "packet.h"

/* UDP ports of VXLAN in a key: RFC 7348's, and Linux's own default. */
#define SEEN_VXLAN_PORT		4789
#define SEEN_VXLAN_PORT_LINUX	8472

/* What a tunnel is. */
enum seen_tunnel {
	SEEN_TUNNEL_IP,		/* IPv4 or IPv6 in either: RFC 2003, 2473, 4213 */
	SEEN_TUNNEL_GRE,	/* version 0: RFC 2784, 2890 */
	SEEN_TUNNEL_ERSPAN1,	/* draft-foschiano-erspan-03, section 4.1 */
	SEEN_TUNNEL_ERSPAN2,	/* 4.2 */
	SEEN_TUNNEL_ERSPAN3,	/* 4.3 */
	SEEN_TUNNEL_VXLAN,	/* RFC 7348 */
	SEEN_TUNNEL_GENEVE,	/* RFC 8926 */
	SEEN_TUNNEL_GTPU,	/* 3GPP TS 29.281, section 5 */
	SEEN_TUNNEL_MPLS,	/* RFC 3032; pseudowires: RFC 4448 */
	SEEN_TUNNEL_PPPOE,	/* RFC 2516 */
};

/* Why no further tunnel was opened. */
enum seen_tunnel_end {
	SEEN_TUNNEL_OPENED,		/* it was */
	/* The packet is the innermost. */
	SEEN_TUNNEL_NONE,		/* it is no tunnel */
	SEEN_TUNNEL_GRE_VERSION,	/* not version 0 (PPTP) */
	SEEN_TUNNEL_GRE_PAYLOAD,	/* neither IP, Ethernet, ERSPAN nor MPLS */
	SEEN_TUNNEL_VXLAN_NO_VNI,
	SEEN_TUNNEL_GENEVE_VERSION,
	SEEN_TUNNEL_GENEVE_PAYLOAD,	/* neither IP nor Ethernet */
	SEEN_TUNNEL_GTPU_MESSAGE,	/* not version 1, or no user's packet */
	SEEN_TUNNEL_MPLS_CHANNEL,	/* an associated channel (RFC 4385): OAM */
	SEEN_TUNNEL_PPP_PAYLOAD,	/* neither IP nor MPLS: the session's control */
	SEEN_TUNNEL_ERSPAN_PAYLOAD,	/* type III: neither Ethernet nor IP */
	/* Which packet is the innermost is unknown: none has a key. */
	SEEN_TUNNEL_CUT,		/* a header is cut off or malformed */
	SEEN_TUNNEL_FRAGMENT,		/* of a tunnel, or of UDP that may be one */
	SEEN_TUNNEL_DEEP,		/* beyond SEEN_TUNNELS_MAX */
	SEEN_TUNNEL_TRUNCATED,		/* ERSPAN: the switch has cut the packet */
	SEEN_TUNNEL_UNKNOWN,		/* MPLS, GTP-U: they do not state what they carry */
};

/**
 * seen_tunnel_enter() - go on to the innermost packet
 * @p: as seen_packet_parse() left it; its link layer stays that of the wire
 * @vxlan: SEEN_VXLAN_PORTS_MAX UDP ports of VXLAN; 0 ends them
 *
 * Opens each enum seen_tunnel. What carries anything else, or is encrypted, is the
 * innermost packet itself. @p->tunnel lists what was opened, and @p->tunnel_end says
 * why the last packet was not.
 *
 * Context: any; no allocation, nothing written.
 * Return: true, or false: which packet is the innermost is unknown. Such a packet has no
 * key: with that of its tunnel it would be called seen for another packet's sake.
 */
bool seen_tunnel_enter(struct seen_packet *p, const u16 *vxlan);

#endif
