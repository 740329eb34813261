/* SPDX-License-Identifier: GPL-2.0 */
/* Tunnels: find the innermost packet. */
#ifndef SEEN_TUNNEL_H
#define SEEN_TUNNEL_H

#include "packet.h"

/* Default UDP ports of VXLAN: of RFC 7348, and Linux's own. */
#define SEEN_VXLAN_PORT		4789
#define SEEN_VXLAN_PORT_LINUX	8472

/* Kinds of tunnels. */
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

/* Why seen_tunnel_enter() opened no further tunnel. */
enum seen_tunnel_end {
	SEEN_TUNNEL_OPENED,		/* internal: a tunnel was opened, go on */
	/* The packet is the innermost. */
	SEEN_TUNNEL_NONE,		/* the packet is not a tunnel */
	SEEN_TUNNEL_GRE_VERSION,	/* not version 0 (PPTP) */
	SEEN_TUNNEL_GRE_PAYLOAD,	/* neither IP, Ethernet, ERSPAN nor MPLS */
	SEEN_TUNNEL_VXLAN_NO_VNI,
	SEEN_TUNNEL_GENEVE_VERSION,
	SEEN_TUNNEL_GENEVE_PAYLOAD,	/* neither IP nor Ethernet */
	SEEN_TUNNEL_GTPU_MESSAGE,	/* not version 1, or carries no user packet */
	SEEN_TUNNEL_MPLS_CHANNEL,	/* an associated channel (RFC 4385): OAM */
	SEEN_TUNNEL_PPP_PAYLOAD,	/* neither IP nor MPLS: the session's control */
	SEEN_TUNNEL_ERSPAN_PAYLOAD,	/* type III: neither Ethernet nor IP */
	/* The innermost packet is unknown, so the packet has no key. */
	SEEN_TUNNEL_CUT,		/* a header is truncated or malformed */
	SEEN_TUNNEL_FRAGMENT,		/* fragment of a tunnel, or of UDP that may be one */
	SEEN_TUNNEL_DEEP,		/* more than SEEN_TUNNELS_MAX tunnels */
	SEEN_TUNNEL_TRUNCATED,		/* ERSPAN: the switch truncated the packet */
	SEEN_TUNNEL_UNKNOWN,		/* MPLS, GTP-U: the content is not recognised */
};

/**
 * seen_tunnel_enter() - open the tunnels of a packet, up to the innermost packet
 * @p: from seen_packet_parse(); out: describes the innermost packet, but @p->link stays that
 *     of the frame on the wire
 * @vxlan: SEEN_VXLAN_PORTS_MAX UDP ports of VXLAN, ended by 0 if fewer
 *
 * Opens all kinds in enum seen_tunnel. A packet that carries anything else, or is
 * encrypted, is itself the innermost packet. @p->tunnel lists the tunnels that were opened,
 * and @p->tunnel_end says why no further tunnel was.
 *
 * Context: any; no allocation; the skb is not modified.
 * Return: true, or false: the innermost packet is unknown. Such a packet has no key. With
 * the key of its tunnel, it would count as seen because of other packets in the tunnel.
 */
bool seen_tunnel_enter(struct seen_packet *p, const u16 *vxlan);

#endif
