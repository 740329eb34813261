// SPDX-License-Identifier: GPL-2.0
/* Captured packets for the kernel's own code; frame.h. */
#include <linux/if_arp.h>
#include <linux/skbuff.h>

#include "../../kmod/key.h"
#include "frame.h"

static struct net_device ethernet = { .type = ARPHRD_ETHER };
static struct net_device other = { .type = ARPHRD_NONE };

struct seen_keyspec seen_frame_spec(const struct seen_key_spec *spec,
				    unsigned int first, unsigned int count)
{
	struct seen_keyspec to = {
		.profile = spec->profile, .inner = spec->inner, .count = count,
	};
	unsigned int i;

	for (i = 0; i < count; i++) {
		to.field[i].id = spec->field[first + i].id;
		to.field[i].param = spec->field[first + i].param;
		to.field[i].param6 = spec->field[first + i].param6;
	}
	return to;
}

/* The kernel's code reads packets, and never writes to them. */
void seen_frame_show(struct sk_buff *skb, const struct seen_frame *frame)
{
	skb->head = (u8 *)frame->bytes;
	skb->data = skb->head;
	skb->len = frame->len;
	skb->dev = frame->ethernet ? &ethernet : &other;
	skb->mac_header = frame->ethernet ? 0 : NO_MAC;
	skb->network_header = frame->ethernet ? ETH_HLEN : frame->net;
	skb->protocol = htons(frame->type);
}

size_t seen_frame_key(const struct seen_key_spec *spec,
		      const struct seen_frame *frame, uint8_t *key)
{
	struct seen_keyspec whole = seen_frame_spec(spec, 0, spec->count);
	struct sk_buff skb = {};
	struct seen_key built;

	seen_frame_show(&skb, frame);
	if (!seen_key_build(&whole, &skb, &built))
		return 0;
	memcpy(key, built.bytes, built.len);
	return built.len;
}
