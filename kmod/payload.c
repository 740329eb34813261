// SPDX-License-Identifier: GPL-2.0
/* Payload: bytes of a packet as they are in every copy of it; payload.h. */
#include <linux/skbuff.h>
#include <net/checksum.h>

#include "payload.h"

/* A stretch of a packet, and its copy. */
struct stretch {
	int off;
	int len;
	u8 *to;
};

static bool overlaps(const struct stretch *s, int at, int len)
{
	return at < s->off + s->len && at + len > s->off;
}

/* Put @len bytes that belong at @at over as much of the copy as they meet. */
static void overlay(const struct stretch *s, int at, const void *bytes, int len)
{
	int from = max(at, s->off), till = min(at + len, s->off + s->len);

	if (from < till)
		memcpy(s->to + from - s->off, bytes + from - at, till - from);
}

/*
 * No header tells where in a tunnel the checksum lies, once it is finished; so
 * it cannot be skipped, but finished it can be. (SCTP's CRC32c cannot, this
 * way: two copies of SCTP in a tunnel may differ, and the second passes.)
 */
static void finish_checksum(const struct seen_packet *p,
			    const struct stretch *s)
{
	const struct sk_buff *skb = p->skb;
	int start, at;
	__sum16 sum;

	if (skb->ip_summed != CHECKSUM_PARTIAL)
		return;
	start = skb_checksum_start_offset(skb);
	at = start + skb->csum_offset;
	if (at == p->check && p->check_len)
		return;
	if (start < 0 || start >= p->end || !overlaps(s, at, sizeof(sum)))
		return;
	sum = csum_fold(skb_checksum(skb, start, skb->len - start, 0));
	if (!sum)
		sum = CSUM_MANGLED_0;
	overlay(s, at, &sum, sizeof(sum));
}

bool seen_payload_copy(const struct seen_packet *p, int off, int len, u8 *to)
{
	const struct stretch s = { .off = off, .len = len, .to = to };
	static const u8 zero[sizeof(__le32)];

	if (skb_copy_bits(p->skb, off, to, len))
		return false;
	finish_checksum(p, &s);
	overlay(&s, p->check, zero, p->check_len);
	return true;
}
