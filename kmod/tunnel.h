/* SPDX-License-Identifier: GPL-2.0 */
/* Tunnels: the packet inside the packet. */
#ifndef SEEN_TUNNEL_H
#define SEEN_TUNNEL_H

#include "packet.h"

/* Tunnels inside each other. */
#define SEEN_TUNNELS_MAX	4

/**
 * seen_tunnel_enter() - go on to the innermost packet
 * @p: as seen_packet_parse() left it; its link layer stays that of the wire
 *
 * Opened are IPv4 and IPv6 in either, GRE of version 0 and VXLAN to UDP port
 * 4789, with IPv4, IPv6 or Ethernet in them. What carries anything else, or is
 * encrypted, is the innermost packet itself.
 *
 * Context: any; no allocation, nothing written.
 * Return: true, or false: which packet is the innermost cannot be told, since
 * a header on the way is cut off, malformed or beyond SEEN_TUNNELS_MAX, or a
 * fragment has only a part of it. Such a packet has no key: with that of its
 * tunnel it would be called seen for another packet's sake.
 */
bool seen_tunnel_enter(struct seen_packet *p);

#endif
