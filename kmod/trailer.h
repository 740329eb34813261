/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trail at the end of a frame: find it, rewrite it, append it, remove it.
 *
 * Which frames can have one: those whose protocol states its own length (IPv4, IPv6, ARP, 802.3
 * with LLC), so that switches and hosts take all later bytes for padding. Not merged frames, not
 * packets put together from fragments, not frames that end with a trailer of PRP, not frames that
 * would be too large. They pass without.
 *
 * This is the only part of the packet path that may allocate: the end of a frame whose data
 * others share is copied before it is written. If there is no memory, the frame passes without
 * a trail, or with the one that it has.
 */
#ifndef SEEN_TRAILER_H
#define SEEN_TRAILER_H

#include "core/trail.h"
#include "packet.h"

/*
 * A frame with pages gets a trail up to so many bytes, because it is copied. One that has a trail
 * is always copied, or it would circle for ever. A frame with a list of fragments gets no
 * trail, and its own is not read, whatever its length: see trailer_is_possible().
 */
#define SEEN_TRAILER_COPY_MAX	256

/**
 * struct seen_trailer - where the trail of a frame is, or would be
 * @skb: the frame
 * @body: offset of the first byte behind the Ethernet header and the outermost tag, from
 *	  skb->data
 * @net: offset of the network header, from skb->data
 * @stated: offset of the end that the protocol states, from skb->data
 * @addresses: destination and source of the frame
 */
struct seen_trailer {
	struct sk_buff *skb;
	int body;
	int net;
	int stated;
	u8 addresses[2 * ETH_ALEN];
};

/* enum seen_trailer_kind - what is at the end of a frame */
enum seen_trailer_kind {
	SEEN_TRAILER_NEVER,	/* this frame cannot have a trail */
	SEEN_TRAILER_ABSENT,	/* it has no trail, but can have one */
	SEEN_TRAILER_PRESENT,
};

/**
 * seen_trailer_find() - look for the trail of a frame
 * @domain: of the node
 * @packet: the frame, parsed, before any tunnel in it was entered
 * @skb: the same frame
 * @trailer: out, unless the result is SEEN_TRAILER_NEVER
 * @trail: out, if the result is SEEN_TRAILER_PRESENT
 *
 * Context: a netfilter hook.
 */
enum seen_trailer_kind seen_trailer_find(const struct seen_trail_domain *domain,
					 const struct seen_packet *packet,
					 struct sk_buff *skb, struct seen_trailer *trailer,
					 struct seen_trail *trail);

/**
 * seen_trailer_append() - append a trail
 * @domain: of the node
 * @trailer: from seen_trailer_find(), which returned SEEN_TRAILER_ABSENT
 * @trail: to be written
 * @most: most bytes behind the Ethernet header that the frame may have then
 *
 * Pads the frame to 60 bytes first. May change skb->head.
 *
 * Return: false: the frame is unchanged, because it would be too large, or because there is no
 * memory.
 */
bool seen_trailer_append(const struct seen_trail_domain *domain,
			 const struct seen_trailer *trailer,
			 const struct seen_trail *trail, u32 most);

/**
 * seen_trailer_rewrite() - write another trail over the present one
 * @domain: of the node
 * @trailer: from seen_trailer_find(), which returned SEEN_TRAILER_PRESENT
 * @trail: to be written
 * @most: most bytes behind the Ethernet header of a frame with a trail; a longer one, to which a
 *	  node with wider ports has appended a trail, loses it, and may then fit
 *
 * May change skb->head.
 *
 * Return: false: the frame has no trail now, or there is no memory and it is unchanged.
 */
bool seen_trailer_rewrite(const struct seen_trail_domain *domain,
			  const struct seen_trailer *trailer,
			  const struct seen_trail *trail, u32 most);

/* seen_trailer_strip() - remove the present trail; false: there is no memory, and it stays */
bool seen_trailer_strip(const struct seen_trail_domain *domain,
			const struct seen_trailer *trailer);

/* seen_trailer_strip_all() - remove trails until none is left, as seen_trailer_strip() does */
bool seen_trailer_strip_all(const struct seen_trail_domain *domain,
			    const struct seen_trailer *trailer);

#endif
