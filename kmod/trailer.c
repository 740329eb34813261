// SPDX-License-Identifier: GPL-2.0
/* The trail at the end of a frame; trailer.h. */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/checksum.h>

#include "trailer.h"

/* PRP's trailer (IEC 62439-3): a sequence number, a LAN with a length, and the suffix. */
#define PRP_BYTES	6
#define PRP_SUFFIX	0x88fb
#define PRP_LAN		0xa	/* or 0xb */

static u32 trailer_be16(const u8 *bytes)
{
	return bytes[0] << 8 | bytes[1];
}

/* Its length counts from behind the Ethernet header; a tag may have been removed since. */
static bool trailer_is_prp(const struct seen_trailer *trailer)
{
	const struct sk_buff *skb = trailer->skb;
	u8 buffer[PRP_BYTES];
	const u8 *rct;
	u32 len;

	rct = skb_header_pointer(skb, skb->len - PRP_BYTES, PRP_BYTES, buffer);
	if (!rct || trailer_be16(rct + 4) != PRP_SUFFIX || (rct[2] >> 4 & ~1) != PRP_LAN)
		return false;
	len = trailer_be16(rct + 2) & 0xfff;
	return len == skb->len - trailer->net || len == skb->len - trailer->body;
}

/*
 * A frame with a list of fragments is a packet that connection tracking has put together. The
 * kernel will cut it up by the length of the frame, so a trail would become payload of the last
 * fragment.
 */
static bool trailer_is_possible(const struct seen_packet *packet, const struct sk_buff *skb)
{
	return packet->has_eth && packet->stated && !skb_is_gso(skb) && !skb_shared(skb) &&
	       !skb_has_frag_list(skb);
}

/* A trail begins behind the length that the protocol states. */
static bool trailer_is_present(const struct seen_trail_domain *domain,
			       const struct seen_trailer *trailer, struct seen_trail *trail)
{
	int bytes = seen_trail_bytes(domain), at = trailer->skb->len - bytes;
	u8 buffer[SEEN_TRAIL_BYTES_MAX];
	const u8 *end;

	if (at < trailer->stated)
		return false;
	end = skb_header_pointer(trailer->skb, at, bytes, buffer);
	return end && seen_trail_read(domain, trailer->addresses, end,
				      trailer->skb->len - trailer->net, trail);
}

enum seen_trailer_kind seen_trailer_find(const struct seen_trail_domain *domain,
					 const struct seen_packet *packet,
					 struct sk_buff *skb, struct seen_trailer *trailer,
					 struct seen_trail *trail)
{
	if (!trailer_is_possible(packet, skb))
		return SEEN_TRAILER_NEVER;
	trailer->skb = skb;
	trailer->body = packet->body;
	trailer->net = packet->net;
	trailer->stated = packet->end;
	memcpy(trailer->addresses, &packet->link.eth, sizeof(trailer->addresses));
	if (trailer_is_present(domain, trailer, trail))
		return SEEN_TRAILER_PRESENT;
	return trailer_is_prp(trailer) ? SEEN_TRAILER_NEVER : SEEN_TRAILER_ABSENT;
}

/* Make all of the frame linear and its own, with so much room behind it. */
static bool trailer_make_private(struct sk_buff *skb, int room)
{
	int more;

	if (skb_linearize(skb))
		return false;
	more = max(room - skb_tailroom(skb), 0);
	return (!more && !skb_cloned(skb)) || !pskb_expand_head(skb, 0, more, GFP_ATOMIC);
}

/* A checksum that hardware is to make would be of all bytes to the end of the frame. */
static bool trailer_complete(struct sk_buff *skb)
{
	if (skb->ip_summed != CHECKSUM_PARTIAL)
		return true;
	return !skb_csum_is_sctp(skb) && !skb_checksum_help(skb);
}

/* Bytes at @off are written: keep the sum that hardware made of all bytes. */
static void trailer_write(struct sk_buff *skb, int off, const u8 *bytes, int len)
{
	u8 *to = skb->data + off;

	if (skb->ip_summed == CHECKSUM_COMPLETE) {
		skb->csum = csum_block_sub(skb->csum, csum_partial(to, len, 0), off);
		skb->csum = csum_block_add(skb->csum, csum_partial(bytes, len, 0), off);
	}
	memcpy(to, bytes, len);
}

bool seen_trailer_append(const struct seen_trail_domain *domain,
			 const struct seen_trailer *trailer,
			 const struct seen_trail *trail, u32 most)
{
	u32 bytes = seen_trail_bytes(domain), body = trailer->skb->len - trailer->body;
	u32 padding = body < SEEN_BODY_MIN ? SEEN_BODY_MIN - body : 0;
	struct sk_buff *skb = trailer->skb;
	u8 end[SEEN_TRAIL_BYTES_MAX];

	if (skb_is_nonlinear(skb) && skb->len > SEEN_TRAILER_COPY_MAX)
		return false;
	if (body + padding + bytes > most || !trailer_complete(skb) ||
	    !trailer_make_private(skb, padding + bytes))
		return false;
	skb_put_zero(skb, padding + bytes);
	seen_trail_write(domain, trailer->addresses, trail, skb->len - trailer->net, end);
	trailer_write(skb, skb->len - bytes, end, bytes);
	return true;
}

bool seen_trailer_rewrite(const struct seen_trail_domain *domain,
			  const struct seen_trailer *trailer,
			  const struct seen_trail *trail, u32 most)
{
	u32 bytes = seen_trail_bytes(domain);
	struct sk_buff *skb = trailer->skb;
	u8 end[SEEN_TRAIL_BYTES_MAX];

	if (skb->len - trailer->body > most) {
		seen_trailer_strip(domain, trailer);
		return false;
	}
	if (!trailer_make_private(skb, 0))
		return false;
	seen_trail_write(domain, trailer->addresses, trail, skb->len - trailer->net, end);
	trailer_write(skb, skb->len - bytes, end, bytes);
	return true;
}

bool seen_trailer_strip(const struct seen_trail_domain *domain,
			const struct seen_trailer *trailer)
{
	struct sk_buff *skb = trailer->skb;

	return !pskb_trim_rcsum(skb, skb->len - seen_trail_bytes(domain));
}

bool seen_trailer_strip_all(const struct seen_trail_domain *domain,
			    const struct seen_trailer *trailer)
{
	struct seen_trail trail;

	while (trailer_is_present(domain, trailer, &trail))
		if (!seen_trailer_strip(domain, trailer))
			return false;
	return true;
}
